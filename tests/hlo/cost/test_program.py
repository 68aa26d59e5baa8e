"""The cost of whole programs: what is run how often, and what is said when that is not known."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path

import pytest

from beatnote.hlo.cost import CostError, cost_of
from beatnote.hlo.cost.cost import LARGEST, NOTHING, Cost
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Module
from beatnote.hlo.text import parse

from .programs import ADD, loop

BRANCHES = """
cheap { a = f32[8] parameter(0)
  ROOT r = f32[8] negate(a) }
dear { a = f32[8] parameter(0)
  b = f32[8] exponential(a)
  ROOT r = f32[8] add(a, b) }
ENTRY e { p = pred[] parameter(0)
  x = f32[8] parameter(1)
  ROOT r = f32[8] conditional(p, x, x), true_computation=cheap, false_computation=dear }
"""

COUNTED = loop(
    "n = s32[] constant(10)\n ROOT q = pred[] compare(i, n), direction=LT",
    "one = s32[] constant(1)\n j = s32[] add(i, one)",
)


def test_a_loop_costs_its_turns():
    # GIVEN a loop of ten turns, each with an addition of eight elements and the counter's, and eleven comparisons
    found = cost_of(parse(COUNTED))
    # THEN
    assert found.total.flops == 10 * (8 + 1) + 11
    (turning,) = found.loops
    assert (turning.name, turning.turns, turning.times, turning.turn.flops) == ("w", 10, 1, 10)
    assert turning.total == found.total
    times = {(charge.computation, charge.instruction.name): charge.times for charge in found.charges}
    assert times == {("cond", "q"): 11, ("body", "w"): 10, ("body", "j"): 10}


def test_a_loop_of_unknown_length_is_counted_once_and_said():
    found = cost_of(parse(COUNTED.replace("direction=LT", "direction=EQ")))
    assert found.total.flops == 8 + 1 + 1
    assert [one.turns for one in found.loops] == [None]


def test_loops_in_loops_multiply():
    # GIVEN the loop above as the body of a loop of three turns
    inner = COUNTED.replace("ENTRY e {", "inner {").replace(
        "parameter(0)\n  c = (s32[], f32[8]) tuple", "parameter(0)\n  c = (s32[], f32[8]) tuple"
    )
    outer = """
once { c = f32[8] parameter(0)
  w = (s32[], f32[8]) call(c), to_apply=inner
  ROOT v = f32[8] get-tuple-element(w), index=1 }
more { c = f32[8] parameter(0)
  ROOT q = pred[] constant(true) }
ENTRY e { x = f32[8] parameter(0)
  ROOT w = f32[8] while(x), condition=more, body=once, backend_config={"known_trip_count":{"n":"3"}} }
"""  # fmt: skip
    found = cost_of(parse(inner + outer))
    assert found.total.flops == 3 * (10 * 9 + 11)
    assert {(one.name, one.turns, one.times) for one in found.loops} == {("w", 3, 1), ("w", 10, 3)}


def test_a_conditional_costs_its_dearest_branch():
    found = cost_of(parse(BRANCHES))
    assert (found.total.flops, found.total.transcendentals) == (8, 8)
    assert {charge.computation for charge in found.charges} == {"dear"}


def test_a_computation_called_twice_is_charged_twice():
    text = """
f { a = f32[8] parameter(0)
  ROOT r = f32[8] negate(a) }
ENTRY e { x = f32[8] parameter(0)
  y = f32[8] call(x), to_apply=f
  ROOT z = f32[8] call(y), to_apply=f }
"""
    (charge,) = cost_of(parse(text)).charges
    assert charge.times == 2
    assert charge.total == Cost(flops=16, bytes_read=64, bytes_written=64)


def test_what_is_wrapped_to_run_asynchronously_is_counted():
    text = """
wrapped { a = f32[8] parameter(0)
  ROOT r = f32[8] negate(a) }
ENTRY e { x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], u32[]) async-start(x), calls=wrapped
  ROOT d = f32[8] async-done(s), calls=wrapped }
"""
    assert cost_of(parse(text)).total.flops == 8


def test_charges_add_up_to_the_total(shared_data: Path):
    # GIVEN every published module
    counted = 0
    for file in sorted((shared_data / "hlo").glob("*/*.hlo")):
        try:
            modules = list(parse(file.read_text(encoding="utf-8")))
        except HloSyntaxError:
            continue
        for module in modules:
            try:
                found = cost_of(module)
            except CostError:
                continue
            # THEN
            assert reduce(add, (charge.total for charge in found.charges), NOTHING) == found.total
            assert {charge.instruction.opcode for charge in found.charges if not charge.is_known} == set()
            counted += 1
    assert counted > 25


# Hostile


def nested_calls(depth: int, calls: int) -> str:
    lines = ["f0 { a = f32[8] parameter(0)\n ROOT r = f32[8] negate(a) }"]
    for level in range(1, depth):
        chain = "\n".join(
            f"x{k} = f32[8] call({f'x{k - 1}' if k else 'a'}), to_apply=f{level - 1}" for k in range(calls)
        )
        lines.append(f"f{level} {{ a = f32[8] parameter(0)\n {chain}\n ROOT r = f32[8] copy(x{calls - 1}) }}")
    return "\n".join(lines)


def test_calls_may_nest_as_deep_as_they_like():
    found = cost_of(parse(nested_calls(5000, 1)))
    assert found.total.flops == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (nested_calls(200, 2), "is beyond 2⁶³"),
        ("ENTRY e { a = f32[9999999999,9999999999] parameter(0)\n ROOT r = f32[9999999999,9999999999] negate(a) }",
         "the cost of 'r' in computation 'e' is beyond 2⁶³"),
        ("f { a = f32[] parameter(0)\n ROOT r = f32[] call(a), to_apply=f }", "'f' refers to itself"),
        (
            "f { a = f32[] parameter(0)\n ROOT r = f32[] call(a), to_apply=g }\n"
            "g { a = f32[] parameter(0)\n ROOT r = f32[] call(a), to_apply=f }",
            "refers to itself",
        ),
        ("f { a = f32[] parameter(0)\n ROOT r = f32[] call(a), to_apply=h }", "'h' is referred to, but is not"),
    ],
)  # fmt: skip
def test_what_cannot_be_counted_is_an_error(text, message):
    with pytest.raises(CostError, match=message):
        cost_of(parse(text))


def test_a_loop_run_more_often_than_can_be_told():
    # GIVEN loops in loops that cost nothing, and turn 10¹⁸ times each
    parts = ["q { c = s32[] parameter(0)\n ROOT r = pred[] constant(true) }", "f0 { ROOT c = s32[] parameter(0) }"]
    for level in range(1, 4):
        parts.append(
            f"f{level} {{ c = s32[] parameter(0)\n ROOT w = s32[] while(c), condition=q, body=f{level - 1}, "
            'backend_config={"known_trip_count":{"n":"1000000000000000000"}} }'
        )
    with pytest.raises(CostError, match="is run more than 2⁶³ times"):
        cost_of(parse("\n".join(parts)))


def test_a_module_without_computations():
    with pytest.raises(CostError, match="no computation to begin with"):
        cost_of(Module("nothing", ()))


def test_the_largest_count_fits_a_signed_number():
    assert LARGEST == 2**63 - 1
    assert ADD  # the reducer itself costs nothing unless it is applied
    assert cost_of(parse(ADD)).total == Cost(flops=1, bytes_read=8, bytes_written=4)
