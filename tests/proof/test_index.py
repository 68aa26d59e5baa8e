"""Indices, held against whole-number arithmetic at every value of their variables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.index import Digit, Index, Uneven

from .strategies import EXTENTS, QUICK, digits, divisors, everywhere, indices

GRID = everywhere()


def values(found: Index) -> np.ndarray:
    return np.broadcast_to(index.evaluate(found, GRID), EXTENTS)


def test_the_values_of_digits_quotients_and_remainders():
    # GIVEN
    v = {0: np.arange(12)}
    inner = index.add(index.variable(0, 12), index.constant(-1))

    # THEN
    assert index.evaluate((5, ((2, Digit(0, 3, 2)),)), v).tolist() == [5, 5, 5, 7, 7, 7] * 2
    assert index.evaluate((0, ((1, Uneven("quotient", inner, 5)),)), v).tolist() == [-1] + [0] * 5 + [1] * 5 + [2]
    assert index.evaluate((0, ((1, Uneven("remainder", inner, 5)),)), v).tolist() == [4, *range(5), *range(5), 0]


@QUICK
@given(indices(), indices(), st.integers(-5, 5))
def test_sums_and_multiples(a: Index, b: Index, factor: int):
    assert np.array_equal(values(index.add(a, b)), values(a) + values(b))
    assert np.array_equal(values(index.subtract(a, b)), values(a) - values(b))
    assert np.array_equal(values(index.scale(a, factor)), values(a) * factor)


@QUICK
@given(indices(), indices())
def test_the_order_of_a_sum_does_not_matter(a: Index, b: Index):
    assert index.add(a, b) == index.add(b, a)
    assert index.subtract(a, a) == index.ZERO


@QUICK
@given(indices(), divisors)
def test_quotient_and_remainder(a: Index, n: int):
    # WHEN
    quotient, remainder = index.divide(a, n)

    # THEN
    assert np.array_equal(values(quotient), values(a) // n)
    assert np.array_equal(values(remainder), values(a) % n)
    assert np.array_equal(values(index.add(index.scale(quotient, n), remainder)), values(a))


@QUICK
@given(indices())
def test_values_are_within_bounds(a: Index):
    low, high = index.bounds(a)
    assert low <= values(a).min()
    assert values(a).max() <= high


@pytest.mark.parametrize(
    ("found", "bounds"),
    [
        (index.constant(-3), (-3, -3)),
        (index.variable(0, 5), (0, 4)),
        (index.subtract(index.constant(1), index.scale(index.variable(0, 5), 2)), (-7, 1)),
        (index.divide(index.variable(0, 7), 3)[0], (0, 2)),
        (index.divide(index.variable(0, 7), 3)[1], (0, 2)),
    ],
)
def test_bounds_that_are_reached(found: Index, bounds: tuple[int, int]):
    assert index.bounds(found) == bounds


@QUICK
@given(indices(), indices(), indices())
def test_variables_are_replaced_all_at_once(a: Index, first: Index, second: Index):
    # GIVEN targets that use the variables they replace, and values outside of the variables' ranges
    targets = {0: first, 1: second}
    inside = {v: index.evaluate(target, GRID) for v, target in targets.items()}

    # WHEN
    found = index.substitute(a, targets)

    # THEN
    expected = index.evaluate(a, GRID | inside)
    assert np.array_equal(values(found), np.broadcast_to(expected, EXTENTS))


@QUICK
@given(digits(), st.integers(1, 5))
def test_a_variable_goes_by_another_name(digit: Digit, extra: int):
    # GIVEN
    named = index.variable(9, EXTENTS[digit.variable])

    # WHEN
    found = index.substitute(index.scale(index.of_digit(digit), extra), {digit.variable: named})

    # THEN
    assert found == index.scale(index.of_digit(digit._replace(variable=9)), extra)


SHAPES = st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=4).map(tuple)


@QUICK
@given(SHAPES)
def test_the_place_of_an_element(extents: tuple[int, ...]):
    # GIVEN
    count = int(np.prod(extents))
    position = index.variable(0, count)

    # WHEN
    found = index.unravel(position, extents)

    # THEN
    places = np.unravel_index(np.arange(count), extents)
    for axis, place in zip(found, places, strict=True):
        assert np.array_equal(np.broadcast_to(index.evaluate(axis, {0: np.arange(count)}), count), place)
    assert index.linear(extents, found) == position


@QUICK
@given(SHAPES, st.randoms(use_true_random=False))
def test_a_reshape_there_and_back_moves_nothing(extents: tuple[int, ...], random):
    # GIVEN another shape of as many elements, which splits and joins dimensions
    other = [int(p) for e in extents for p in ([2, 2] if e == 4 else [e])]
    random.shuffle(other)
    own = tuple(index.variable(axis, extent) for axis, extent in enumerate(extents))

    # WHEN
    there = index.unravel(index.linear(extents, own), tuple(other))
    back = index.unravel(index.linear(tuple(other), there), extents)

    # THEN
    assert index.linear(extents, back) == index.linear(extents, own)
    grid = everywhere(extents)
    for found, expected in zip(back, own, strict=True):
        assert np.array_equal(index.evaluate(found, grid) + 0 * grid[0], index.evaluate(expected, grid) + 0 * grid[0])


def test_digits_join_to_the_whole():
    # GIVEN
    low, high = index.of_digit(Digit(0, 1, 4)), index.of_digit(Digit(0, 4, 3))

    # THEN
    assert index.add(low, index.scale(high, 4)) == index.variable(0, 12)
    assert index.add(index.scale(low, -3), index.scale(high, -12)) == index.scale(index.variable(0, 12), -3)
    assert index.add(low, index.scale(high, 3)) != index.variable(0, 12)
    assert index.add(index.scale(low, 3), index.scale(high, 4)) == (
        0,
        ((3, Digit(0, 1, 4)), (4, Digit(0, 4, 3))),
    )
    assert index.add(low, index.scale(index.of_digit(Digit(1, 4, 3)), 4)) != index.variable(0, 12)


def test_an_uneven_quotient_and_its_remainder_join_to_the_whole():
    # GIVEN
    whole = index.add(index.variable(0, 6), index.constant(1))

    # WHEN
    quotient, remainder = index.divide(whole, 4)

    # THEN
    assert index.add(index.scale(quotient, 4), remainder) == whole


def test_a_variable_of_one_value_is_no_variable():
    assert index.variable(0, 1) == index.ZERO
    assert index.of_digit(Digit(0, 2, 1)) == index.ZERO
    assert index.scale(index.variable(0, 3), 0) == index.ZERO


def test_the_digits_inside_of_quotients_are_digits_too():
    # GIVEN
    quotient, _ = index.divide(index.add(index.variable(0, 5), index.variable(1, 3)), 4)

    # THEN
    assert set(index.digits(index.add(quotient, index.variable(2, 2)))) == {
        Digit(0, 1, 5),
        Digit(1, 1, 3),
        Digit(2, 1, 2),
    }


@pytest.mark.parametrize(
    ("found", "digit"),
    [
        (index.variable(3, 4), Digit(3, 1, 4)),
        (index.add(index.variable(3, 4), index.constant(1)), None),
        (index.scale(index.variable(3, 4), 2), None),
        (index.add(index.variable(3, 4), index.variable(2, 4)), None),
        (index.divide(index.variable(3, 4), 3)[0], None),
        (index.ZERO, None),
    ],
)
def test_an_index_that_is_one_digit(found: Index, digit: Digit | None):
    assert index.single_digit(found) == digit


@pytest.mark.parametrize(
    ("used", "extent", "pieces"),
    [
        ([Digit(0, 1, 12)], 12, [(1, 12)]),
        ([Digit(0, 1, 12), Digit(0, 3, 2)], 12, [(1, 3), (3, 2), (6, 2)]),
        ([Digit(0, 3, 2)], 12, [(1, 3), (3, 2), (6, 2)]),
        ([Digit(0, 3, 2)], None, [(3, 2)]),
        ([Digit(0, 1, 2), Digit(0, 4, 3)], None, [(1, 2), (4, 3)]),
        ([Digit(0, 1, 4), Digit(0, 1, 6)], 12, None),
    ],
)
def test_the_pieces_that_digits_are_made_of(used: list[Digit], extent: int | None, pieces: list | None):
    assert index.pieces(used, extent) == pieces
