"""Sums and other reductions over indices, held against NumPy, and what is pulled out, joined or solved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.functions import Functions
from beatnote.proof.index import Index
from beatnote.proof.licences import Licences
from beatnote.proof.terms import ANY_SIGN, NULL, ONE, POSITIVE, ZERO, Poly, scalar

from .strategies import (
    EXTENTS,
    NONE,
    QUICK,
    REORDERING,
    STABILITY,
    arrays,
    everywhere,
    fractions,
    functions,
    indices,
    licences,
    numbers,
    parameter,
    seeds,
)

ROW, COLUMN, LAYER = (index.variable(v, extent) for v, extent in enumerate(EXTENTS))
GRID = everywhere()


def xy(k: Functions) -> tuple[Poly, Poly, Poly]:
    """x[i, j], y[j, l] and z[i]."""
    return parameter(k, 0, (4, 6)), parameter(k, 1, (6, 3), (COLUMN, LAYER)), parameter(k, 2, (4,))


@st.composite
def bodies(draw: st.DrawFn):
    """Terms over i, j and l, with how NumPy computes them."""
    names = st.sampled_from("xyz")
    products = st.lists(names, min_size=0, max_size=3)
    return draw(st.lists(st.tuples(fractions, products, st.none() | indices()), min_size=1, max_size=3))


def term(k: Functions, body) -> Poly:
    leaves = dict(zip("xyz", xy(k), strict=True))
    total = ZERO
    for coefficient, names, test in body:
        product = scalar(coefficient) if test is None else k.times(k.at_least_zero(test), coefficient)
        for name in names:
            product = k.multiply(product, leaves[name])
        total = k.add(total, product)
    return total


def grid(body, inputs) -> np.ndarray:
    x, y, z = inputs
    leaves = {"x": x[:, :, None], "y": y[None, :, :], "z": z[:, None, None]}
    total = np.zeros(EXTENTS)
    for coefficient, names, test in body:
        product = np.full(EXTENTS, float(coefficient))
        if test is not None:
            product = product * (index.evaluate(test, GRID) >= 0)
        for name in names:
            product = product * leaves[name]
        total = total + product
    return total


@QUICK
@given(bodies(), st.sets(st.integers(0, 2), min_size=1), licences, seeds)
def test_sums_have_their_numbers(body, axes: set[int], allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(seed, (4, 6), (6, 3), (4,))

    # WHEN
    poly = k.sum(term(k, body), [(axis, EXTENTS[axis]) for axis in sorted(axes)])

    # THEN
    expected = np.broadcast_to(grid(body, inputs).sum(axis=tuple(axes), keepdims=True), EXTENTS)
    np.testing.assert_allclose(numbers(k, poly, inputs, EXTENTS), expected, rtol=1e-9, atol=1e-6)


@QUICK
@given(bodies(), bodies(), licences, seeds)
def test_sums_of_sums_and_products_of_sums_have_their_numbers(first, second, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(seed, (4, 6), (6, 3), (4,))

    # WHEN Σ_il first·(Σ_j second)²
    inner = k.power(k.sum(term(k, second), [(1, 6)]), 2)
    poly = k.sum(k.multiply(term(k, first), inner), [(0, 4), (2, 3)])

    # THEN
    expected = (grid(first, inputs) * grid(second, inputs).sum(axis=1, keepdims=True) ** 2).sum(axis=(0, 2))
    found = numbers(k, poly, inputs, EXTENTS)
    np.testing.assert_allclose(found, np.broadcast_to(expected[None, :, None], EXTENTS), rtol=1e-9, atol=1e-6)


# One-hot sums


@QUICK
@given(indices(), licences, seeds)
def test_a_one_hot_sum_selects(found: Index, allowed: Licences, seed: int):
    # GIVEN Σ_v [v = e]·x[v] for an index e that may be outside
    k = functions(allowed)
    (x,) = arrays(seed, (5,))
    v = k.fresh()
    own = index.variable(v, 5)

    # WHEN
    poly = k.sum(k.multiply(k.is_zero(index.subtract(own, found)), parameter(k, 0, (5,), (own,))), [(v, 5)])

    # THEN
    at = np.broadcast_to(index.evaluate(found, GRID), EXTENTS)
    expected = np.where((at >= 0) & (at < 5), x[np.clip(at, 0, 4)], 0)
    np.testing.assert_array_equal(numbers(k, poly, [x], EXTENTS), expected)


@QUICK
@given(indices(), st.sampled_from([-3, -2, 2, 3]), seeds)
def test_a_one_hot_sum_with_steps_selects_where_the_step_fits(found: Index, step: int, seed: int):
    # GIVEN Σ_v [step·v = e]·x[v]
    k = functions()
    (x,) = arrays(seed, (5,))
    v = k.fresh()
    own = index.variable(v, 5)
    test = k.is_zero(index.subtract(index.scale(own, step), found))

    # WHEN
    poly = k.sum(k.multiply(test, parameter(k, 0, (5,), (own,))), [(v, 5)])

    # THEN
    at = np.broadcast_to(index.evaluate(found, GRID), EXTENTS)
    hits = (np.arange(5) * step)[:, None, None, None] == at
    np.testing.assert_allclose(numbers(k, poly, [x], EXTENTS), np.einsum("v,vijk->ijk", x, hits), atol=1e-12)


def test_a_one_hot_sum_is_the_element_itself():
    # GIVEN
    k = functions()
    v = k.fresh()
    own = index.variable(v, 4)

    # WHEN
    poly = k.sum(k.multiply(k.is_zero(index.subtract(own, ROW)), parameter(k, 0, (4,), (own,))), [(v, 4)])

    # THEN
    assert poly == parameter(k, 0, (4,))


def test_the_hits_of_a_position_that_is_data_are_counted():
    # GIVEN Σ_v [v = p] for a whole number p
    k = functions()
    v = k.fresh()
    p = parameter(k, 0, dtype="s32")

    # WHEN
    poly = k.sum(k.equal(k.index_value(index.variable(v, 3)), p, dtype="s32"), [(v, 3)])

    # THEN
    assert [float(numbers(k, poly, [np.int32(at)])) for at in (-1, 0, 2, 3, -(2**31))] == [0, 1, 1, 0, 0]


# What is one form


def test_sums_over_what_is_not_used_are_multiples():
    k = functions(REORDERING)
    x, _, z = xy(k)
    assert k.sum(z, [(1, 6), (2, 3)]) == k.times(z, 18)
    assert k.sum(ONE, [(1, 6)]) == scalar(6)
    assert k.sum(x, []) == x
    assert k.sum(z, [(7, 1)]) == z


@pytest.mark.parametrize(("allowed", "is_same"), [(NONE, False), (REORDERING, True)])
def test_sums_are_split_joined_and_moved_out_of_only_with_reordering(allowed: Licences, is_same: bool):
    # GIVEN
    k = functions(allowed)
    x, y, z = xy(k)

    # THEN Σ(x + z) and Σx + Σz; Σ z·x and z·Σx; Σ_ij and Σ_i Σ_j
    assert (k.sum(k.add(x, z), [(1, 6)]) == k.add(k.sum(x, [(1, 6)]), k.sum(z, [(1, 6)]))) is is_same
    assert (k.sum(k.multiply(x, z), [(1, 6)]) == k.multiply(k.sum(x, [(1, 6)]), z)) is is_same
    assert (k.sum(x, [(0, 4), (1, 6)]) == k.sum(k.sum(x, [(1, 6)]), [(0, 4)])) is is_same
    assert (k.sum(x, [(0, 4), (1, 6)]) == k.sum(k.sum(x, [(0, 4)]), [(1, 6)])) is is_same
    product = k.multiply(k.sum(k.multiply(x, y), [(1, 6)]), z)
    assert (k.sum(product, [(0, 4)]) == k.sum(k.multiply(k.multiply(x, y), z), [(0, 4), (1, 6)])) is is_same


def test_signs_and_powers_of_two_move_out_of_any_sum():
    k = functions()
    x, _, _ = xy(k)
    assert k.sum(k.times(x, -4), [(1, 6)]) == k.times(k.sum(x, [(1, 6)]), -4)
    assert k.sum(k.times(x, 3), [(1, 6)]) != k.times(k.sum(x, [(1, 6)]), 3)


def test_a_sum_over_two_dimensions_is_the_sum_over_both_as_one():
    # GIVEN Σ_ij x[6·i + j] and Σ_n x[n]
    k = functions(REORDERING)
    place = index.linear((4, 6), (ROW, COLUMN))
    apart = k.sum(parameter(k, 0, (24,), (place,)), [(0, 4), (1, 6)])

    # THEN
    assert apart == k.sum(parameter(k, 0, (24,)), [(0, 24)])
    assert apart != k.sum(parameter(k, 0, (24,), (index.linear((6, 4), (COLUMN, ROW)),)), [(0, 4)])


def test_a_sum_over_a_whole_of_which_a_digit_is_used_is_a_multiple_of_the_sum_over_the_digit():
    k = functions(REORDERING)
    quotient, remainder = index.divide(index.variable(0, 6), 2)
    low = parameter(k, 0, (2,), (remainder,))
    both = parameter(k, 1, (3, 2), (quotient, remainder))
    assert k.sum(low, [(0, 6)]) == k.times(k.sum(parameter(k, 0, (2,)), [(0, 2)]), 3)
    assert k.sum(both, [(0, 6)]) == k.sum(parameter(k, 1, (3, 2)), [(0, 3), (1, 2)])


def test_the_square_of_a_sum_is_the_sum_of_products():
    # GIVEN Σ_i (Σ_j x[i, j])² and Σ_i Σ_j Σ_l x[i, j]·x[i, l]
    k = functions(REORDERING)
    x, _, _ = xy(k)
    other = k.substitute(x, {1: index.variable(5, 6)})

    # THEN
    square = k.sum(k.power(k.sum(x, [(1, 6)]), 2), [(0, 4)])
    assert square == k.sum(k.multiply(x, other), [(0, 4), (1, 6), (5, 6)])
    assert square != k.sum(k.power(x, 2), [(0, 4), (1, 6)])


@pytest.mark.parametrize("sign", [POSITIVE, NULL | POSITIVE, ANY_SIGN])
def test_a_sum_has_the_sign_of_what_is_summed(sign: int):
    k = functions(REORDERING)
    total = k.sum(parameter(k, 0, (4, 6), sign=sign), [(1, 6)])
    assert k.sign(total) == sign
    assert k.sign(k.times(total, -1)) & POSITIVE == (POSITIVE if sign == ANY_SIGN else 0)


# Reductions


@QUICK
@given(bodies(), st.sampled_from(["maximum", "minimum", "multiply"]), st.sets(st.integers(0, 2), min_size=1), licences)
def test_reductions_have_their_numbers(body, opcode: str, axes: set[int], allowed: Licences):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(len(body), (4, 6), (6, 3), (4,))
    bound = [(axis, EXTENTS[axis]) for axis in sorted(axes)]

    # WHEN over all axes at once, and over one after another
    poly = term(k, body)
    at_once = k.reduction("reduce", (opcode, "real"), poly, bound, ANY_SIGN)
    for axis in bound:
        poly = k.reduction("reduce", (opcode, "real"), poly, [axis], ANY_SIGN)

    # THEN
    of = {"maximum": np.max, "minimum": np.min, "multiply": np.prod}[opcode]
    expected = np.broadcast_to(of(grid(body, inputs), axis=tuple(axes), keepdims=True), EXTENTS)
    for found in (at_once, poly):
        np.testing.assert_allclose(numbers(k, found, inputs, EXTENTS), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("opcode", "allowed", "is_same"),
    [
        ("maximum", NONE, True),
        ("minimum", NONE, True),
        ("multiply", NONE, False),  # products round
        ("multiply", REORDERING, True),
    ],
)
def test_reductions_one_after_another_are_one(opcode: str, allowed: Licences, is_same: bool):
    k = functions(allowed)
    x, _, _ = xy(k)

    def reduced(poly: Poly, *bound: tuple[int, int]) -> Poly:
        return k.reduction("reduce", (opcode, "real"), poly, bound, ANY_SIGN)

    assert (reduced(reduced(x, (1, 6)), (0, 4)) == reduced(x, (0, 4), (1, 6))) is is_same


def test_a_maximum_of_minima_is_not_joined():
    k = functions(STABILITY)
    x, _, _ = xy(k)
    lowest = k.reduction("reduce", ("minimum", "real"), x, [(1, 6)], ANY_SIGN)
    mixed = k.reduction("reduce", ("maximum", "real"), lowest, [(0, 4)], ANY_SIGN)
    turned = k.reduction("reduce", ("maximum", "real"), k.times(lowest, -1), [(0, 4)], ANY_SIGN)
    assert mixed != k.reduction("reduce", ("maximum", "real"), x, [(0, 4), (1, 6)], ANY_SIGN)
    assert mixed != turned


def test_a_maximum_over_what_is_not_used_changes_nothing_but_a_product_does():
    k = functions(REORDERING)
    _, _, z = xy(k)
    assert k.reduction("reduce", ("maximum", "real"), z, [(1, 6)], ANY_SIGN) == z
    assert k.reduction("reduce", ("multiply", "real"), z, [(1, 6)], ANY_SIGN) != z


def test_all_and_any_of_a_test():
    # GIVEN
    k = functions()
    test = parameter(k, 0, (4, 6), dtype="pred")
    values = np.array([[True] * 6, [False] * 6, [True] + [False] * 5, [False] * 5 + [True]])

    # WHEN
    every = k.reduction("boolean", ("and", "pred"), test, [(1, 6)], NULL | POSITIVE)
    some = k.reduction("boolean", ("or", "pred"), test, [(1, 6)], NULL | POSITIVE)

    # THEN
    assert numbers(k, every, [values], (4,)).tolist() == [1, 0, 0, 0]
    assert numbers(k, some, [values], (4,)).tolist() == [1, 0, 1, 1]
    assert k.multiply(every, every) == every
