"""Terms at other indices, and tests on indices, held against NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.functions import Functions
from beatnote.proof.index import Digit, Index
from beatnote.proof.licences import Licences
from beatnote.proof.substitution import element_of
from beatnote.proof.terms import ANY_SIGN, ONE, ZERO, Leaf, Poly, as_constant

from .strategies import (
    EXTENTS,
    QUICK,
    REORDERING,
    STABILITY,
    arrays,
    everywhere,
    functions,
    indices,
    licences,
    numbers,
    parameter,
    seeds,
)

GRID = everywhere()
ROW, COLUMN = index.variable(0, 4), index.variable(1, 6)


def values(found: Index) -> np.ndarray:
    return np.broadcast_to(index.evaluate(found, GRID), EXTENTS)


def everything(k: Functions) -> Poly:
    """A term over variables 0 and 1 with an atom of every kind in it."""
    x, y = parameter(k, 0, (4, 6)), parameter(k, 1, (4,))
    v = k.fresh()
    total = k.sum(k.multiply(parameter(k, 0, (4, 6), (ROW, index.variable(v, 6))), x), [(v, 6)])
    test = k.multiply(k.at_least_zero(index.subtract(COLUMN, ROW)), k.greater(x, y, dtype="real"))
    number = k.index_value(index.add(ROW, index.scale(COLUMN, 2)))
    parts = k.exp(k.subtract(x, y)), k.multiply(total, test), k.multiply(number, y), k.logistic(k.add(x, y))
    return k.add(*parts, k.is_zero(index.subtract(COLUMN, ROW)), k.maximum(x, y, dtype="real"), k.whole(k.add(x, y)))


@QUICK
@given(indices(), indices(), licences, seeds)
def test_a_term_at_other_indices(first: Index, second: Index, allowed: Licences, seed: int):
    # GIVEN indices inside of the extents that the term is over
    k = functions(allowed)
    poly = everything(k)
    there = {0: index.divide(first, 4)[1], 1: index.divide(second, 6)[1]}
    inputs = arrays(seed, (4, 6), (4,))

    # WHEN
    found = k.substitute(poly, there)

    # THEN
    expected = numbers(k, poly, inputs, (4, 6))[values(there[0]), values(there[1])]
    np.testing.assert_allclose(numbers(k, found, inputs, EXTENTS), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("allowed", [REORDERING, STABILITY])
def test_renaming_variables_there_and_back_changes_nothing(allowed: Licences):
    # GIVEN
    k = functions(allowed)
    poly = everything(k)

    # WHEN
    there = k.substitute(poly, {0: index.variable(1, 4), 1: index.variable(0, 6)})
    back = k.substitute(there, {1: index.variable(0, 4), 0: index.variable(1, 6)})

    # THEN
    assert there != poly
    assert back == poly


def test_terms_that_become_one_are_added():
    # GIVEN x[i] + x[j]
    k = functions()
    x = parameter(k, 0, (6,), (COLUMN,))
    other = parameter(k, 0, (6,), (index.variable(2, 6),))

    # THEN
    assert k.substitute(k.add(x, other), {2: COLUMN}) == k.times(x, 2)
    assert k.substitute(k.subtract(x, other), {2: COLUMN}) == ZERO
    assert k.substitute(k.multiply(x, other), {2: COLUMN}) == k.power(x, 2)


def test_what_does_not_use_the_variables_stays():
    k = functions()
    poly = everything(k)
    assert k.substitute(poly, {7: ROW}) is poly or k.substitute(poly, {7: ROW}) == poly


def test_a_function_that_is_symmetric_is_the_same_at_swapped_arguments():
    # GIVEN exp(x[i]·x[j])
    k = functions()
    x, again = parameter(k, 0, (4,), (ROW,)), parameter(k, 0, (4,), (index.variable(1, 4),))
    symmetric = k.exp(k.multiply(x, again))
    plain = k.exp(k.add(k.multiply(x, again), x))
    swap = {0: index.variable(1, 4), 1: ROW}

    # THEN
    assert k.substitute(symmetric, swap) == symmetric
    assert k.substitute(plain, swap) != plain


def test_a_function_on_its_diagonal_is_another_one():
    # GIVEN exp(x[i] − x[j])
    k = functions()
    difference = k.exp(k.subtract(parameter(k, 0, (4,), (ROW,)), parameter(k, 0, (4,), (index.variable(1, 4),))))

    # THEN exp(0) at i = j
    assert k.substitute(difference, {1: ROW}) == ONE


# Reading leaves


def literal(k: Functions, values: np.ndarray, at: tuple[Index, ...]) -> Poly:
    leaf = k.table.leaf(Leaf("literal", values.tobytes(), values.shape, "f64", 0, ANY_SIGN, "constant"))
    k.table.literals[leaf] = values
    return k.read(leaf, at)


def test_an_element_of_a_literal_is_a_number():
    # GIVEN
    k = functions()
    table = np.array([[0.5, -2.0], [3.0, 0.0]])

    # WHEN
    row = literal(k, table, (index.constant(1), index.variable(0, 2)))

    # THEN
    assert as_constant(row) is None
    assert [as_constant(k.substitute(row, {0: index.constant(p)})) for p in (0, 1)] == [3, 0]
    assert as_constant(literal(k, table, (index.constant(0), index.constant(0)))) == Fraction(1, 2)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_an_element_that_is_no_number_stays_an_element(value: float):
    # GIVEN
    k = functions()
    table = np.array([value, 1.0])

    # WHEN
    found = literal(k, table, (index.constant(0),))

    # THEN
    assert as_constant(found) is None
    assert found == literal(k, table, (index.constant(0),))
    assert found != literal(k, np.array([value, 2.0]), (index.constant(0),))


@pytest.mark.parametrize(("position", "value"), [(-1, 5), (0, 5), (1, 7), (2, 7)])
def test_positions_outside_of_a_literal_read_as_the_nearest_inside(position: int, value: int):
    assert element_of(np.array([5, 7]), (position,)) == value


# Operands of a function


def test_the_operands_of_a_function_at_its_arguments():
    k = functions()
    x = parameter(k, 0, (6,), (COLUMN,))
    ((((atom, _),), _),) = k.exp(k.add(x, ONE))
    assert k.operands(atom) == (k.add(x, ONE),)


def test_a_sum_is_opened_with_variables_used_nowhere_else():
    # GIVEN Σ_j x[i, j]
    k = functions()
    ((((atom, _),), _),) = k.sum(parameter(k, 0, (4, 6)), [(1, 6)])

    # WHEN
    ((first,), ((v, extent),)), ((second,), ((w, _),)) = k.open(atom), k.open(atom)

    # THEN
    assert extent == 6
    assert v != w
    assert first == parameter(k, 0, (4, 6), (ROW, index.variable(v, 6)))
    assert second == k.substitute(first, {v: index.variable(w, 6)}) != first


# Tests on indices


@QUICK
@given(indices(), st.integers(1, 5))
def test_tests_on_indices_have_their_numbers(found: Index, extent: int):
    # GIVEN
    k = functions()

    # THEN
    def number(poly: Poly) -> np.ndarray:
        return numbers(k, poly, [], EXTENTS)

    at = values(found)
    assert np.array_equal(number(k.at_least_zero(found)), at >= 0)
    assert np.array_equal(number(k.is_zero(found)), at == 0)
    assert np.array_equal(number(k.in_range(found, extent)), (at >= 0) & (at < extent))
    assert np.array_equal(number(k.index_value(found)), at)


@QUICK
@given(indices())
def test_an_index_is_0_where_its_negative_is(found: Index):
    k = functions()
    assert k.is_zero(found) == k.is_zero(index.scale(found, -1))


def test_tests_that_are_certain_are_numbers():
    k = functions()
    above, below = index.add(ROW, index.constant(1)), index.subtract(ROW, index.constant(4))
    assert [k.at_least_zero(found) for found in (ROW, above, below)] == [ONE, ONE, ZERO]
    assert [k.is_zero(found) for found in (index.ZERO, above, below)] == [ONE, ZERO, ZERO]
    assert k.in_range(ROW, 4) == ONE
    assert k.in_range(ROW, 3) not in (ONE, ZERO)


def test_an_index_as_a_number_is_linear():
    k = functions()
    total = index.add(ROW, index.scale(COLUMN, -3), index.constant(5))
    parts = k.index_value(ROW), k.times(k.index_value(COLUMN), -3), k.index_value(index.constant(5))
    assert k.index_value(total) == k.add(*parts)
    assert k.index_value(index.of_digit(Digit(0, 2, 2))) != k.index_value(ROW)
