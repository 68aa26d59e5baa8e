"""Attributes from protocol messages, one instruction at a time: what XLA prints of each."""

from __future__ import annotations

import pytest

from beatnote.hlo.proto import read_proto
from beatnote.hlo.text import parse

from .printing import printed_by_xla

AROUND = """HloModule m, frontend_attributes={a="b",c={"x":1}}, buffer_donor={ (2, {}) }
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT sum = f32[] add(x, y)
}
less {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT is_less = pred[] compare(x, y), direction=LT
}
step {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  ROOT both = (f32[8], f32[8]) tuple(x, y)
}
zero { ROOT x = f32[] parameter(0) }
always {
  x = f32[] parameter(0)
  ROOT yes = pred[] constant(true)
}
ENTRY e {
  a = f32[4,8]{1,0} parameter(0)
  b = f32[8,16] parameter(1)
  g = s32[2] parameter(2)
  s = s32[] parameter(3)
  u = u32[4] parameter(4)
  c = f32[2,8,16] parameter(5)
  t = (f32[4,8], f32[4,8]) parameter(6)
  r = f32[4] parameter(7)
  v = f32[8] parameter(8)
  p = pred[] parameter(9)
  z = f32[] constant(0)
  tok = token[] after-all()
  im = f32[1,8,8,4] parameter(10)
  k = f32[3,3,4,6] parameter(11)
  sq = f32[4,4] parameter(12)
  cx = c64[4,8] parameter(13)
  LINES
}
"""

LINES = """
add(a, a), metadata={op_type="add" op_name="a\\"é\\n'" source_file="x.py" source_line=3 source_end_line=4}
add(a, a), metadata={op_name="x" source_column=1 source_end_column=2 profile_type={1} deduplicated_name="q"}
add(a, a), metadata={scheduling_name="z" deduplicated_name="y" metadata_payload="abc"}
add(a, a), metadata={deduplicated_name="y"}
add(a, a), metadata={source_line=3}
add(a, a), metadata={metadata_payload="abc"}
add(a, a), backend_config="abc\\303", control-predecessors={tok, b}
add(a, a), backend_config={"a":"}{"}, frontend_attributes={z="y",a={"b":[1,2]}}
add(a, a), backend_config="{not closed"
add(a, a), origin={[synthetic_call]}
add(a, a), origin={{"foo" {0}}}
tuple(a, a), origin={({"a"}, {"b" {1,2}})} : (f32[4,8], f32[4,8])
tuple(t, a), origin={(({"a"}, {"b"}), {"c"})} : ((f32[4,8], f32[4,8]), f32[4,8])
add(a, a), statistics={visualizing_index=1,stat-1=33,stat-2=44.5}
exponential(a), result_accuracy={mode=highest}
exponential(a), result_accuracy={tolerance={atol=0, rtol=0.1, ulps=10}}
add(a, a), sharding={replicated}
add(a, a), sharding={manual metadata={{op_name="x"}, {op_name="y"}}}
add(a, a), sharding={unreduced}
add(a, a), sharding={unknown}
add(a, a), sharding={maximal device=3}
add(a, a), sharding={devices=[2,4]<=[8]}
add(a, a), sharding={devices=[2,1,4]0,1,2,3,7,6,5,4 last_tile_dim_replicate metadata={op_name="a"}}
add(a, a), sharding={devices=[1,2,4]<=[8] last_tile_dim_replicate shard_as 3}
add(a, a), sharding={devices=[1,2,4]<=[8] last_tile_dim_replicate shard_like 4}
add(a, a), sharding={devices=[2,1,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}
tuple(a, a), sharding={{replicated}, {maximal device=1}} : (f32[4,8], f32[4,8])
add(a, a), sharding={mesh["a"=2,"b"=4], [{"a"}, {"b"}]}
add(a, a), sharding={mesh["a"=2,"b"=4], [{"a", ?}, {?}], replicated={"b":(1)2}}
add(a, a), sharding={mesh["a"=2,"b"=4], [{}, {}], manual={"a", "b"}}
add(a, a), sharding={mesh["a"=2,"b"=4], [{}, {}], replicated={"a"}}
add(a, a), sharding={mesh["a"=2,"b"=4], [{}, {}]}
add(a, a), sharding={mesh["a"=2,"b"=4], replicated}
add(a, a), sharding={mesh["a"=2,"b"=4], manual}
add(a, a), sharding={mesh["a"=2,"b"=4], unreduced}
add(a, a), sharding={mesh["a"=2,"b"=4], device_ids=(0,1,2,3,7,6,5,4), [{"a"}, {}], metadata={{op_name="x"}}}
add(a, a), sharding={mesh["a"=2,"b"=4], device_ids=([4,2]T(1,0)), [{"a"}, {}]}
add(a, a), sharding={maximal_mesh[device_id=3]}
all-reduce(a), channel_id=1, replica_groups=[2,4]<=[8], use_global_device_ids=true, to_apply=add
all-reduce(a), channel_id=1, replica_groups=[4,2]<=[2,4]T(1,0), use_global_device_ids=true, to_apply=add
all-reduce(a), replica_groups=mesh["a"=2,"b"=4] {"a"}, channel_id=1, use_global_device_ids=true, to_apply=add
all-reduce(a), replica_groups={{0,1},{2,3}}, to_apply=add
all-reduce(a), replica_groups={}, to_apply=add
all-gather(a), dimensions={0}, replica_groups={{0}}, constrain_layout=true
all-gather-start(a), dimensions={0}, replica_groups={{0,1}} : (f32[4,8], f32[8,8])
all-to-all(a), dimensions={0}, replica_groups={{0}}
reduce-scatter(a), dimensions={0}, replica_groups={{0,1}}, to_apply=add : f32[2,8]
collective-broadcast(a), replica_groups={{0,1}}, channel_id=3
collective-permute(a), channel_id=3, source_target_pairs={{0,1},{1,2}}
collective-permute-start(a), source_target_pairs={{0,1}}, channel_id=1 : (f32[4,8], f32[4,8])
ragged-all-to-all(a, a, g, g, g, g), replica_groups={{0,1}}
send(a, tok), channel_id=5, is_host_transfer=true : (f32[4,8], u32[], token[])
recv(tok), channel_id=9 : (f32[4,8], u32[], token[])
compare(a, a), direction=LT, type=TOTALORDER : pred[4,8]
compare(a, a), direction=GT : pred[4,8]
compare(g, g), direction=NE : pred[2]
compare(p, p), direction=EQ : pred[]
compare(cx, cx), direction=EQ : pred[4,8]
dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} : f32[4,16]
dot(c, c), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2} : f32[2,8,8]
dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default} : f32[4,16]
dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_bf16_bf16_f32_x3 : f32[4,16]
dot(r, r), lhs_contracting_dims={}, rhs_contracting_dims={} : f32[4,4]
ragged-dot(a, c, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}\
 : f32[4,16]
convolution(a, a), dim_labels=bf_io->bf, window={}, operand_precision={default,highest}
convolution(im, k), window={size=3x3 stride=2x2 pad=0_1x1_1 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0},\
 dim_labels=b01f_01io->b01f : f32[1,2,8,6]
convolution(im, k), window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=2, batch_group_count=1\
 : f32[1,6,6,6]
custom-call(a), custom_call_target="foo\\"bar\\303\\251", backend_config="abc{\\n", schedule=SCHEDULE_LATEST,\
 api_version=API_VERSION_STATUS_RETURNING, operand_layout_constraints={f32[4,8]{0,1}}, to_apply=add,\
 custom_call_has_side_effect=true, output_to_operand_aliasing={{}: (0, {})}
custom-call(t), custom_call_target="x", output_to_operand_aliasing={{0}: (0, {1})} : (f32[4,8], f32[4,8])
custom-call(t), custom_call_target="x", output_to_operand_aliasing={{1,0}: (0, {1})} : (f32[4], (f32[4,8], s32[]))
custom-call(a), custom_call_target="x", literal=f32[2]{0} {1,2}, api_version=API_VERSION_TYPED_FFI
custom-call(a), custom_call_target="x", window={size=1x1}, dim_labels=bf01_oi01->bf01, feature_group_count=2,\
 padding_type=PADDING_SAME, operand_precision={high}, called_computations={add, less}
gather(a, g), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8},\
 indices_are_sorted=true : f32[2,8]
scatter(a, g, sq), update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1},\
 index_vector_dim=1, unique_indices=true, to_apply=add
pad(a, z), padding=1_1x0_3 : f32[6,11]
pad(a, z), padding=1_1_0x0_3_1 : f32[6,18]
slice(a), slice={[0:4:2], [0:8]} : f32[2,8]
slice(a), slice={[0:2], [0:8]} : f32[2,8]
slice(z), slice={} : f32[]
dynamic-slice(a, s, s), dynamic_slice_sizes={2,8} : f32[2,8]
iota(), iota_dimension=1
reshape(a), inferred_dimension=0 : f32[32]
reduce(a, z), dimensions={1}, to_apply=add : f32[4]
reduce-window(a, z), window={size=1x2 stride=1x2}, to_apply=add : f32[4,4]
select-and-scatter(r, r, z), window={size=1}, select=less, scatter=add : f32[4]
sort(a), dimensions={1}, is_stable=true, to_apply=less
map(a, a), dimensions={0,1}, to_apply=add
transpose(a), dimensions={1,0} : f32[8,4]
reverse(a), dimensions={}
broadcast(z), dimensions={}
concatenate(a, a), dimensions={0} : f32[8,8]
fft(cx), fft_type=IFFT, fft_length={8} : c64[4,8]
rng(z, z), distribution=rng_normal
rng-bit-generator(u), algorithm=rng_three_fry : (u32[4], u32[8])
rng-get-and-update-state(), delta=4096 : u64[2]
reduce-precision(a), exponent_bits=5, mantissa_bits=10
cholesky(sq), lower=true : f32[4,4]
cholesky(sq) : f32[4,4]
triangular-solve(sq, sq), left_side=true, lower=true, unit_diagonal=false, transpose_a=ADJOINT : f32[4,4]
batch-norm-training(a, v, v), epsilon=0.001, feature_index=1 : (f32[4,8], f32[8], f32[8])
batch-norm-inference(a, v, v, v, v), epsilon=1e-05, feature_index=1
topk(a), k=2, largest=true : (f32[4,2], s32[4,2])
copy-start(a), cross_program_prefetch_index=0 : (f32[4,8], f32[4,8], u32[])
copy-start(a) : (f32[4,8]{1,0:S(5)}, f32[4,8], u32[])
get-tuple-element(t), index=0
get-tuple-element(t), index=1
get-dimension-size(a), dimensions={1} : s32[]
set-dimension-size(a, s), dimensions={0} : f32[<=4,8]
infeed(tok), infeed_config="a\\"b" : ((f32[2], s32[]), token[])
outfeed(a, tok), outfeed_shape=f32[4,8]{0,1}, outfeed_config="q" : token[]
domain(a), domain={kind="sharding", entry={replicated}, exit={maximal device=2}}
scan(a, v), to_apply=step, dimensions={0}, num_carries=1, is_reverse=true : (f32[8], f32[4,8])
while(z), condition=always, body=zero : f32[]
call(z, z), to_apply=add, is_composite=true, frontend_attributes={composite.name="a"} : f32[]
conditional(p, z, z), true_computation=zero, false_computation=zero : f32[]
conditional(s, z, z), branch_computations={zero, zero} : f32[]
fusion(z, z), kind=kLoop, calls=add, output_to_operand_aliasing={{}: (1, {})} : f32[]
parameter(14), parameter_replication={true}, sharding={devices=[2,4]<=[8]}
parameter(14) : f32[4,8]{1,0:T(8,128)(2,1)L(1024)E(32)S(3)SC(0:1,2)(1:3)}
parameter(14) : f32[]{:T(128)S(5)}
parameter(14) : f32[?,<=3]{1,0}
parameter(14) : (token[], opaque[], ())
opt-barrier(a)
add-dependency(a, tok)
stochastic-convert(a, a)
acos(a)
""".replace("\\\n", "")
"""`opcode(operands), attributes : shape`, without the shape f32[4,8]."""


def instruction(line: str) -> str:
    rest, _, shape = line.partition(" : ")
    return f"ROOT o = {shape or 'f32[4,8]'} {rest}"


@pytest.fixture(scope="module")
def printed() -> dict[str, tuple[bytes, str] | str]:
    pytest.importorskip("jaxlib")
    lines = LINES.strip().splitlines()
    return dict(zip(lines, printed_by_xla([AROUND.replace("LINES", instruction(line)) for line in lines]), strict=True))


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_attributes_are_written_as_xla_prints_them(line: str, printed: dict[str, tuple[bytes, str] | str]):
    found = printed[line]
    if isinstance(found, str):
        pytest.skip(f"the installed XLA does not take this: {found[-200:]}")
    proto, text = found
    ours, theirs = read_proto(proto), parse(text)
    assert ours.entry["o"] == theirs.entry["o"]
    assert ours == theirs
