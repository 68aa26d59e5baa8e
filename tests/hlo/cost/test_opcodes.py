"""The tables by which opcodes are counted: of opcodes that there are, each in one of them."""

from __future__ import annotations

from itertools import combinations

from beatnote.hlo.cost import cost_of
from beatnote.hlo.cost import opcodes as cost_opcodes
from beatnote.hlo.cost.liveness import liveness_of
from beatnote.hlo.proto.opcodes import OPCODES
from beatnote.hlo.text import parse

TABLES = ("TRANSCENDENTAL", "ELEMENTWISE", "FREE", "MOVES", "CONTROL", "BATCH_NORM_FLOPS")


def test_tables_hold_opcodes_of_xla():
    for name in (*TABLES, "COLLECTIVES", "COMPLEX_FLOPS"):
        assert set(getattr(cost_opcodes, name)) <= OPCODES.keys(), name


def test_no_opcode_is_counted_in_two_ways():
    for one, other in combinations(TABLES, 2):
        assert not set(getattr(cost_opcodes, one)) & set(getattr(cost_opcodes, other)), (one, other)


def test_a_barrier_costs_and_holds_nothing():
    # GIVEN an addition behind a barrier, which is another name for what it is given
    text = "HloModule m\nENTRY e {{\n  x = f32[8] parameter(0)\n  y = f32[8] add(x, x)\n{}}}\n"
    plain = parse(text.format("  ROOT r = f32[8] negate(y)\n"))
    behind = parse(text.format("  b = f32[8] opt-barrier(y)\n  ROOT r = f32[8] negate(b)\n"))
    # THEN the program costs and holds as much as without
    assert cost_of(behind).total == cost_of(plain).total
    assert not cost_of(behind).unknown
    assert liveness_of(behind).peak_bytes == liveness_of(plain).peak_bytes
