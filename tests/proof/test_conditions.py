"""Claims become sentences, and whether they held is seen on sample inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from beatnote.proof.conditions import conditions_of
from beatnote.proof.notation import Notation
from beatnote.proof.prove import prove
from beatnote.proof.verdict import Condition

from .texts import module


def conditions(parameters: str, a: str, b: str, *samples: Sequence[np.ndarray]) -> list[Condition]:
    """State the conditions of a proof, checked on samples given by the parameters of A."""
    found = prove(module(parameters, a), module(parameters, b))
    assert found.proven == (True,)
    return list(conditions_of(found.claims[0], found.table, Notation(found.table, found.names), samples))


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


SQUARED_ROOT = "s = f32[2] sqrt(x)\nr = f32[2] multiply(s, s)"
QUOTIENT = "p = f32[2] multiply(x, y)\nr = f32[2] divide(p, y)"
UNCHANGED = "r = f32[2] copy(x)"


@pytest.mark.parametrize(
    ("samples", "held"),
    [
        ([[floats(1, 0)]], True),
        ([[floats(1, -1)]], False),
        ([[floats(1, 0)], [floats(-1, 2)]], False),  # on every sample
        ([[floats(1, 0)], [floats(3, 2)]], True),
        ([], None),
    ],
)
def test_a_condition_held_when_it_did_for_every_element_of_every_sample(
    samples: list[list[np.ndarray]], held: bool | None
) -> None:
    assert conditions("x: f32[2]", SQUARED_ROOT, UNCHANGED, *samples) == [Condition("x[i] ≥ 0", held)]


@pytest.mark.parametrize(
    ("y", "finite", "nonzero"),
    [
        (floats(1, 2), True, True),
        (floats(1, 0), True, False),
        (floats(1, np.inf), False, True),
        (floats(np.nan, 1), False, False),
    ],
)
def test_each_condition_is_checked_alone(y: np.ndarray, finite: bool, nonzero: bool) -> None:
    found = conditions("x: f32[2], y: f32[2]", QUOTIENT, UNCHANGED, [floats(1, 2), y])
    assert found == [Condition("every element of y is finite", finite), Condition("y[i] ≠ 0", nonzero)]


@pytest.mark.parametrize(("index", "held"), [(0, True), (3, True), (4, False), (-1, False)])
def test_two_limits_of_one_value_are_one_condition(index: int, held: bool) -> None:
    # GIVEN x[i] by slicing, which clamps, and by a sum over [k = i], which does not
    found = conditions(
        "x: f32[4], i: s32[]",
        "s = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}\nr = f32[] reshape(s)",
        """k = s32[4] iota(), iota_dimension=0
           b = s32[4] broadcast(i), dimensions={}
           p = pred[4] compare(k, b), direction=EQ
           h = f32[4] convert(p)
           r = f32[] dot(h, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}""",
        [floats(1, 2, 3, 4), np.array(index, np.int32)],
    )
    assert found == [Condition("0 ≤ i ≤ 3", held)]


def test_what_a_branch_needs_is_asked_only_where_it_is_taken() -> None:
    # GIVEN y/y and 1, both only where x > 0
    body = """z = f32[] constant(0)
              zeros = f32[2] broadcast(z), dimensions={{}}
              o = f32[] constant(1)
              ones = f32[2] broadcast(o), dimensions={{}}
              q = f32[2] divide(y, y)
              p = pred[2] compare(x, zeros), direction=GT
              r = f32[2] select(p, {}, zeros)"""
    for x, y, held in ((floats(-1, 1), floats(0, 1), True), (floats(1, 1), floats(0, 1), False)):
        found = conditions("x: f32[2], y: f32[2]", body.format("q"), body.format("ones"), [x, y])
        assert Condition("y[i] ≠ 0 where [x[i] > 0]", held) in found


def test_what_cannot_be_told_is_neither_held_nor_not() -> None:
    found = conditions(
        "x: f32[2], y: f32[2]",
        "c = f32[2] cosine(y)\np = f32[2] multiply(x, c)\nr = f32[2] divide(p, c)",
        UNCHANGED,
        [floats(1, 2), floats(1, 2)],
    )
    assert Condition("cosine(y[i]) ≠ 0", None) in found
    # AND one that is seen not to hold is told all the same
    assert Condition("every element of y is finite", True) in found
