"""Bytes read and written."""

from __future__ import annotations

import pytest

from .programs import ADD, charge_of, cost

ALL = 4 * 100 * 8


@pytest.mark.parametrize(
    ("line", "parameters", "read", "written"),
    [
        ("f32[100,8] add(p0, p1)", ("f32[100,8]", "f32[100,8]"), 2 * ALL, ALL),
        ("f32[100,8] add(p0, p0)", ("f32[100,8]",), ALL, ALL),
        ("bf16[100,8] convert(p0)", ("f32[100,8]",), ALL, ALL // 2),
        ("f32[100,8] iota(), iota_dimension=0", (), 0, ALL),
        ("f32[1,8] slice(p0), slice={[0:1], [0:8]}", ("f32[100,8]",), 32, 32),
        (
            "f32[1,8] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={1,8}",
            ("f32[100,8]", "s32[]", "s32[]"),
            32 + 8,
            32,
        ),
        ("f32[100,8] dynamic-update-slice(p0, p1, p2, p2)", ("f32[100,8]", "f32[1,8]", "s32[]"), 32 + 4, 32),
        ("f32[3,8] gather(p0, p1)", ("f32[100,8]", "s32[3,1]"), 96 + 12, 96),
        ("f32[100,8] scatter(p0, p1, p2), to_apply=add", ("f32[100,8]", "s32[3,1]", "f32[3,8]"), 96 + 12 + 96, 96),
        ("f32[800] reshape(p0)", ("f32[100,8]",), 0, 0),
        ("f32[800] reshape(p0)", ("f32[100,8]{0,1}",), ALL, ALL),
        ("f32[8,100] transpose(p0), dimensions={1,0}", ("f32[100,8]",), ALL, ALL),
        ("f32[8,100]{0,1} transpose(p0), dimensions={1,0}", ("f32[100,8]",), 0, 0),
        ("f32[8,1] transpose(p0), dimensions={1,0}", ("f32[1,8]",), 0, 0),
        ("(f32[100,8], f32[100,8]) tuple(p0, p0)", ("f32[100,8]",), 0, 0),
        ('f32[100,8] custom-call(p0), custom_call_target="Sharding"', ("f32[100,8]",), 0, 0),
        ("f32[<=100,8] negate(p0)", ("f32[<=100,8]",), ALL, ALL),
        ("s4[9]{0} add(p0, p0)", ("s4[9]{0}",), 9, 9),
        ("s4[9]{0:E(4)} add(p0, p0)", ("s4[9]{0:E(4)}",), 5, 5),
        ("token[] after-all()", (), 0, 0),
    ],
)
def test_what_an_instruction_moves(line, parameters, read, written):
    found = cost(line, *parameters)
    assert (found.bytes_read, found.bytes_written) == (read, written)


@pytest.mark.parametrize(
    ("fused", "result", "read", "written"),
    [
        # what instructions hand on to each other stays inside
        ("e = f32[100,8] exponential(a)\n ROOT r = f32[100,8] add(e, a)", "f32[100,8]", ALL, ALL),
        # a part is taken of the parameter, twice, through a bitcast
        (
            "m = f32[800] bitcast(a)\n s = f32[8] slice(m), slice={[0:8]}\n t = f32[8] slice(m), slice={[8:16]}\n"
            " ROOT r = f32[8] add(s, t)",
            "f32[8]",
            64,
            32,
        ),
        # a part is taken, and all of it
        (
            "s = f32[1,8] slice(a), slice={[0:1], [0:8]}\n n = f32[100,8] negate(a)\n"
            " ROOT r = (f32[1,8], f32[100,8]) tuple(s, n)",
            "(f32[1,8], f32[100,8])",
            ALL,
            32 + ALL,
        ),
        # a part is changed in place
        (
            "z = s32[] constant(0)\n u = f32[1,8] broadcast(z), dimensions={}\n"
            " ROOT r = f32[100,8] dynamic-update-slice(a, u, z, z)",
            "f32[100,8]",
            0,
            32,
        ),
        # a part is changed of what is made here, so that all of it is written
        (
            "z = s32[] constant(0)\n u = f32[1,8] slice(a), slice={[0:1], [0:8]}\n"
            " m = f32[100,8] broadcast(z), dimensions={}\n ROOT r = f32[100,8] dynamic-update-slice(m, u, z, z)",
            "f32[100,8]",
            32,
            ALL,
        ),
        # a table that is no part of the code
        ("t = f32[16] constant({...})\n ROOT r = f32[16] negate(t)", "f32[16]", 64, 64),
        ("t = f32[8] constant({...})\n ROOT r = f32[8] negate(t)", "f32[8]", 0, 32),
    ],
)
def test_a_fusion_moves_what_crosses_its_edges(fused, result, read, written):
    before = f"f {{ a = f32[100,8] parameter(0)\n {fused} }}\n"
    found = cost(f"{result} fusion(p0), kind=kLoop, calls=f", "f32[100,8]", before=before)
    assert (found.bytes_read, found.bytes_written) == (read, written)


def test_the_operations_inside_a_fusion_are_counted():
    before = "f { a = f32[8] parameter(0)\n e = f32[8] exponential(a)\n ROOT r = f32[8] add(e, a) }\n"
    found = cost("f32[8] fusion(p0), kind=kLoop, calls=f", "f32[8]", before=before)
    assert (found.flops, found.transcendentals) == (8, 8)


@pytest.mark.parametrize(
    ("line", "read", "written"),
    [
        ("(f32[8], f32[8], u32[]) copy-start(p0)", 32, 32),
        ("f32[8] all-reduce-start(p0), replica_groups={{0,1}}, to_apply=add", 32, 32),
        ("(f32[8], f32[16]) all-gather-start(p0), replica_groups={{0,1}}, dimensions={0}", 32, 64),
        ("(f32[8], f32[8], u32[], u32[]) collective-permute-start(p0), source_target_pairs={{0,1}}", 32, 32),
    ],
)
def test_an_asynchronous_operation_is_counted_where_it_starts(line, read, written):
    found = cost(line, "f32[8]")
    assert (found.bytes_read, found.bytes_written) == (read, written)
    assert charge_of("f32[8] copy-done(p0)", "(f32[8], f32[8], u32[])", before=ADD) is None
