"""Small HLO texts of every form, random modules, and random damage: what the tests of this room draw from."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ELEMENT_TYPES, UNBOUNDED, ArrayShape, Layout, Shape, TupleShape

TODAY = """\
HloModule jit_step, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias) }, \
entry_computation_layout={(f32[2,3]{1,0}, s32[])->(f32[2,3]{1,0}, s32[])}, buffer_donor={ (2, {}) }, \
num_partitions=2, replica_count=1, frontend_attributes={fingerprint="ab=,}"}

FileNames
1 "train.py"
2 "a \\"quoted\\" name.py"

FunctionNames
1 "step"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=2 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%region_0.1 (a.1: f32[], b.1: f32[]) -> f32[] {
  %a.1 = f32[] parameter(0)
  %b.1 = f32[] parameter(1)
  ROOT %add.1 = f32[] add(%a.1, %b.1), metadata={op_name="jit(step)/reduce_sum" stack_frame_id=1}
}, execution_thread="host"

ENTRY %main.9 (x.1: f32[2,3], n.1: s32[]) -> (f32[2,3], s32[]) {
  %x.1 = f32[2,3]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}, metadata={op_name="x"}
  %n.1 = s32[] parameter(1), sharding={replicated}
  %zero.1 = f32[] constant(0)
  %table.1 = f32[2,3]{1,0} constant({ { 1, -2.5, nan }, { inf, -inf, 1e-30 } })
  %sum.1 = f32[2]{0} reduce(%x.1, %zero.1), dimensions={1}, to_apply=%region_0.1, metadata={op_name="jit(step)/sum"}
  %wide.1 = f32[2,3]{1,0} broadcast(%sum.1), dimensions={0}
  %out.1 = f32[2,3]{1,0} multiply(%wide.1, %table.1), backend_config={"outer":{"inner":["1","2"]},"text":"a } b"}
  ROOT %result.1 = (f32[2,3]{1,0}, s32[]) tuple(%out.1, %n.1)
}
"""

OF_2020 = """\
HloModule cluster_0__XlaMustCompile_true__.7

%max_F32.3 (lhs.4: f32[], rhs.5: f32[]) -> f32[] {
  %lhs.4 = f32[] parameter(0), parameter_replication={false}
  %rhs.5 = f32[] parameter(1)
  ROOT %maximum.6 = f32[] maximum(f32[] %lhs.4, f32[] %rhs.5)
}

ENTRY %cluster_0.7 (arg0.1: f32[4,4]) -> (f32[4], pred[]) {
  %arg0.1 = f32[4,4]{1,0} parameter(0), parameter_replication={false}, metadata={op_name="XLA_Args"}
  %constant.2 = f32[] constant(-inf), metadata={op_type="Max" op_name="Max" source_file="a \\"b\\".py" source_line=12}
  %pair.3 = (f32[4,4]{1,0}, f32[]) tuple(f32[4,4]{1,0} %arg0.1, f32[] %constant.2)
  %gte.4 = f32[4,4]{1,0} get-tuple-element((f32[4,4]{1,0}, f32[]) %pair.3), index=0
  %reduce.5 = f32[4]{0} reduce(f32[4,4]{1,0} %gte.4, f32[] %constant.2), dimensions={1}, to_apply=%max_F32.3
  %yes.6 = pred[] constant(true)
  ROOT %tuple.7 = (f32[4]{0}, pred[]) tuple(f32[4]{0} %reduce.5, pred[] %yes.6)
}
"""

BY_HAND = """\
// written by a person
HloModule by_hand,
  is_scheduled=false

add {
  a = f32[] parameter(0)   b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }

body { p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0 v = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, /* the step */ one)
  ROOT r = (s32[], f32[4]) tuple(next, v) }

condition { p = (s32[], /*index=1*/ f32[4]) parameter(0) i = s32[] get-tuple-element(p), index=0
  ROOT less = pred[] compare(i, s32[] constant(10)), direction=LT } // ends here

ENTRY main {
  x = f32[4] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[4]) tuple(zero, x)
  loop = (s32[], f32[4]) while(start),
    condition=condition,
    body=body
  y = f32[4] get-tuple-element(loop), index=1,
    metadata={op_name="two
lines" source_file='single "quotes"'}
  d = f32[] dot(y, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT z = f32[] add(d, f32[] multiply(d, d)), control-predecessors={d, y}
}
"""

SHAPES = """\
HloModule shapes

ENTRY e {
  a = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} parameter(0)
  b = s4[16]{0:E(4)} parameter(1)
  c = f32[<=8,4]{1,0} parameter(2)
  d = f32[?,4] parameter(3)
  e = (f32[2]{0}, (token[], opaque[]), ()) parameter(4)
  f = f8e4m3fn[3]{0:T(128)(4,1)} parameter(5)
  g = f4e2m1fn[2] constant({1, -6})
  h = c64[2] constant({(1, 2), (-0.5, nan)})
  i = s32[64] constant({...})
  j = f32[]{:T(128)} parameter(6)
  ROOT t = (bf16[8,128]{1,0:T(8,128)(2,1)S(1)}, f32[]) tuple(a, j)
}
"""

COLLECTIVES = """\
HloModule collectives, num_partitions=4

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

wrapped {
  p = f32[8]{0} parameter(0)
  ROOT r = f32[8]{0} all-to-all(p), channel_id=3, replica_groups={{0,1},{2,3}}, dimensions={0}
}

ENTRY e {
  x = f32[8]{0} parameter(0), sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  s = f32[8]{0} all-reduce-start(x), channel_id=1, replica_groups=[2,2]<=[4], use_global_device_ids=true, to_apply=add
  d = f32[8]{0} all-reduce-done(s)
  as = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(d), calls=wrapped
  ad = f32[8]{0} async-done(as), calls=wrapped
  cp = (f32[8]{0}, f32[8]{0}, u32[], u32[]) collective-permute-start(ad), source_target_pairs={{0,1},{1,0}}
  ROOT o = f32[8]{0} collective-permute-done(cp), statistics={visualizing_index=0,stat=1.5}, origin={{"x" {0}}}
}
"""

FORMS = {"today": TODAY, "2020": OF_2020, "by hand": BY_HAND, "shapes": SHAPES, "collectives": COLLECTIVES}

DAMAGE = (
    *("{", "}", "(", ")", "[", "]", '"', "'", "\\", ",", "=", "%", "/", "*", "//", "/*", "*/", "-", ".", "...", "->"),
    *(" ", "\n", "\r\n", "\t", "\0", "é", "\ufeff", "0", "9", "f32[]", "ROOT ", "ENTRY ", "HloModule ", "99999999999"),
    *("a", "x", "metadata={", "constant", ", dimensions={0}", "{...}", "<=", "?", ":", "index=1"),
)  # fmt: skip


def damaged(text: str, random: Random) -> str:
    """The text with one to three small pieces lost, replaced, doubled, moved or added."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.randrange(12))
        elsewhere = random.randrange(len(text) + 1)
        piece, other = text[start:end], random.choice(DAMAGE)
        text = random.choice(
            [
                text[:start] + text[end:],
                text[:start] + text[start + 1 :],
                text[:start] + other + text[start:],
                text[:start] + other + text[end:],
                text[:end] + piece + text[end:],
                text[:elsewhere] + piece + text[elsewhere:],
            ]
        )
    return text


damaged_texts = st.builds(damaged, st.sampled_from(sorted(FORMS.values())), st.randoms(use_true_random=False))

names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.\-]{0,8}", fullmatch=True).filter(
    lambda name: name not in ("ROOT", "ENTRY", "HloModule")
)
strings = st.text(st.characters(codec="utf-8", exclude_characters='"\\'), max_size=12).map('"{}"'.format)


@st.composite
def array_shapes(draw: st.DrawFn) -> ArrayShape:
    """Any array shape, with or without a layout, dynamic dimensions, tiles."""
    sizes = draw(st.lists(st.tuples(st.integers(0, 2**40) | st.just(UNBOUNDED), st.booleans()), max_size=4))
    layout = None
    if draw(st.booleans()):
        order = draw(st.permutations(range(len(sizes))))
        layout = Layout(
            tuple(order), draw(st.sampled_from(["", "T(8,128)", "T(8,128)(2,1)S(1)", "D(D,C)#(u32)*(s32)"]))
        )
    return ArrayShape(
        draw(st.sampled_from(sorted(ELEMENT_TYPES))),
        tuple(size for size, _ in sizes),
        tuple(dynamic or size == UNBOUNDED for size, dynamic in sizes),
        layout,
    )


shapes: st.SearchStrategy[Shape] = st.recursive(
    array_shapes(),
    lambda inner: st.lists(inner, max_size=3).map(lambda elements: TupleShape(tuple(elements))),
    max_leaves=6,
)

values = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    names.map("%{}".format),
    strings,
    st.sampled_from(["{}", "{0,1}", "{[0:4:1], [1:9]}", "[2,4]<=[4,2]T(1,0)", "{a={b=(c)}, d=[e]}", "bf01_oi01->bf01"]),
    st.lists(strings, min_size=1, max_size=3).map(lambda texts: "{" + " ".join(f"k={text}" for text in texts) + "}"),
)


def attributes(most: int = 3) -> st.SearchStrategy[str]:
    """Attributes as the printer writes them, joined."""
    return st.dictionaries(names, values, max_size=most).map(lambda d: ", ".join(f"{k}={v}" for k, v in d.items()))


@st.composite
def computations(draw: st.DrawFn, name: str) -> Computation:
    """A computation whose operands are all defined above their users."""
    instructions: list[Instruction] = []
    parameters = 0
    for own in draw(st.lists(names, min_size=1, max_size=6, unique=True)):
        opcode = draw(st.sampled_from(["parameter", "constant", "add", "get-tuple-element", "fusion"]))
        literal, operands = None, ()
        if opcode == "parameter":
            literal, parameters = str(parameters), parameters + 1
        elif opcode == "constant":
            literal = draw(
                st.sampled_from(["0", "-inf", "nan", "{1, 2}", "{...}", "{ {(1, 2)}, {(nan, -inf)} }", "(1, {2})"])
            )
        elif instructions:
            operands = tuple(draw(st.lists(st.sampled_from([i.name for i in instructions]), max_size=7)))
        instructions.append(Instruction(own, opcode, draw(shapes), operands, literal, draw(attributes())))
    root = draw(st.sampled_from(instructions))
    signature = draw(
        st.sampled_from(["", f"() -> {root.shape}", f"(x: f32[2]{{0}}, y.1: (s32[], f32[])) -> {root.shape}"])
    )
    return Computation(name, tuple(instructions), root.name, signature, draw(attributes(1)))


@st.composite
def modules(draw: st.DrawFn) -> Module:
    """A module with a few computations, tables and attributes."""
    own = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    tables = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["FileNames", "FunctionNames", "FileLocations", "StackFrames"]),
                st.lists(st.one_of(strings, st.just("{line=3 end_line=4}")), max_size=3).map(
                    lambda lines: tuple(f"{number} {line}" for number, line in enumerate(lines, 1))
                ),
            ),
            max_size=2,
        )
    )
    return Module(
        draw(names),
        tuple(draw(computations(name)) for name in own),
        draw(st.sampled_from(own)),
        draw(attributes()),
        tuple(tables),
    )
