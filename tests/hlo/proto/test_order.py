"""The order of computations and of scheduled instructions."""

from __future__ import annotations

import pytest

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Instruction
from beatnote.hlo.proto.order import printed_order, scheduled
from beatnote.hlo.shapes import array

FOUND = {
    1: Instruction("x", "parameter", array("f32"), (), "0"),
    2: Instruction("y", "negate", array("f32"), ("x",)),
    3: Instruction("z", "cosine", array("f32"), ("x",)),
}


@pytest.mark.parametrize(
    ("calls", "order"),
    [
        ({1: []}, [1]),
        ({1: [], 2: [], 3: [2, 1]}, [2, 1, 3]),
        ({1: [], 2: [1], 3: [1, 2]}, [1, 2, 3]),
        ({5: [], 4: []}, [4, 5]),
        ({1: [2], 2: [3], 3: []}, [3, 2, 1]),
    ],
)
def test_what_is_called_stands_before_what_calls(calls: dict[int, list[int]], order: list[int]):
    assert printed_order(calls) == order


def test_a_long_chain_of_calls_is_no_recursion():
    calls = {number: [number + 1] for number in range(50_000)} | {50_000: []}
    assert printed_order(calls) == list(range(50_000, -1, -1))


@pytest.mark.parametrize("calls", [{1: [1]}, {1: [2], 2: [1]}, {1: [], 2: [3], 3: [2]}])
def test_a_circle_of_calls(calls: dict[int, list[int]]):
    with pytest.raises(ProtoError, match="in a circle"):
        printed_order(calls)


def test_instructions_in_the_order_of_the_schedule():
    assert [one.name for one in scheduled(FOUND, [1, 3, 2])] == ["x", "z", "y"]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ([1, 2], "each of its instructions once"),
        ([1, 2, 2], "each of its instructions once"),
        ([1, 2, 4], "each of its instructions once"),
        ([2, 1, 3], "runs 'y' before an operand"),
    ],
)
def test_what_is_no_schedule(schedule: list[int], message: str):
    with pytest.raises(ProtoError, match=message):
        scheduled(FOUND, schedule)
