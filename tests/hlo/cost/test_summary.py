"""What there is to say of a program's cost in few numbers."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.cost.summary import MOST_EXPENSIVE, summarise
from beatnote.hlo.text import parse

from .programs import ADD, loop

TOY = Chip("toy", "a toy", {"f32": 100.0}, 10.0, 1000.0, 10**6, 50.0, ("made up",))
FAST = Chip("fast", "a fast toy", {"f32": 1e4}, 1e3, 1000.0, 10**6, 50.0, ("made up",))

MODEL = ADD + """
ENTRY e { x = f32[4,4] parameter(0)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jvp(M)/dense/dot"}
  b = f32[4,4] exponential(a), metadata={op_name="jit(f)/transpose(jvp(M))/act/exp"}
  c = f32[4,4] all-reduce(b), replica_groups={{0,1}}, to_apply=add
  d = f32[4,4] custom-call(c), custom_call_target="mystery"
  ROOT r = f32[16] reshape(d) }
"""  # fmt: skip


def test_a_program_in_few_numbers():
    found = summarise(parse(MODEL))
    assert (found.total.flops, found.total.transcendentals) == (128 + 16, 16)
    assert found.total.matrix_flops == {"f32": 128}
    assert found.argument_bytes == 64
    assert found.unknown == ("d",)
    assert found.loops == ()
    (collective,) = found.collectives
    assert (collective.name, collective.opcode, collective.sent_bytes, collective.times) == ("c", "all-reduce", 64, 1)
    assert {row.name: row.instructions for row in found.scopes} == {"M/dense": 1, "M/act": 1, "": 4}
    assert found.rooflines == ()


def test_shares_without_a_chip_are_of_operations_and_bytes():
    found = summarise(parse(MODEL))
    by_name = {row.name: row for row in found.expensive}
    assert found.expensive[0].name == "a"
    total = found.total
    share = (128 / (total.flops + total.transcendentals) + 128 / total.bytes_accessed) / 2
    assert by_name["a"].share == pytest.approx(share)
    assert sum(row.share for row in found.scopes) == pytest.approx(1)


def test_shares_with_chips_are_of_the_time_on_the_first():
    found = summarise(parse(MODEL), (TOY, FAST))
    first, second = found.rooflines
    assert (first.chip, second.chip) == ("toy", "fast")
    assert sum(row.share for row in found.scopes) == pytest.approx(1)
    assert sum(row.time_s["toy"] for row in found.scopes) == pytest.approx(first.time_s)
    # the transcendental operations of b take longest on the toy, its bytes on the fast one
    dearest = found.expensive[0]
    assert dearest.name == "b"
    assert dearest.share == pytest.approx(1.6 / first.time_s)
    assert dearest.bound == {"toy": "compute", "fast": "memory"}
    assert dearest.time_s == {"toy": pytest.approx(1.6), "fast": pytest.approx(0.128)}


def test_loops_multiply_what_is_in_them():
    text = loop(
        "n = s32[] constant(10)\n ROOT q = pred[] compare(i, n), direction=LT",
        "one = s32[] constant(1)\n j = s32[] add(i, one)",
    )
    found = summarise(parse(text), (TOY,))
    (turning,) = found.loops
    assert (turning.turns, turning.times) == (10, 1)
    assert turning.cost == found.total
    assert found.expensive[0].times == 10
    assert found.expensive[0].cost.flops == 80


def test_only_the_dearest_are_listed():
    lines = "\n".join(f"r{k} = f32[4] negate(x)" for k in range(30))
    text = f"ENTRY e {{ x = f32[4] parameter(0)\n y = f32[400] parameter(1)\n {lines}\n ROOT z = f32[400] negate(y) }}"
    found = summarise(parse(text))
    assert len(found.expensive) == MOST_EXPENSIVE
    assert found.expensive[0].name == "z"


def test_a_program_that_costs_nothing():
    found = summarise(parse("ENTRY e { ROOT x = f32[4] parameter(0) }"), (TOY,))
    assert found.expensive == ()
    assert found.total.flops == 0
    assert found.rooflines[0].time_s == 0
