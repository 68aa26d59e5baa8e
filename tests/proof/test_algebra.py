"""Polynomials: the numbers of sums, products and powers, and which forms are one form under which licence."""

from __future__ import annotations

from fractions import Fraction
from operator import add, mul, sub

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof.algebra import Undefined
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Licences
from beatnote.proof.terms import (
    ANY_SIGN,
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Number,
    Poly,
    as_constant,
    scalar,
)

from .strategies import (
    EVERYTHING,
    NONE,
    QUICK,
    REORDERING,
    STABILITY,
    Tree,
    arrays,
    built,
    computed,
    fractions,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
    trees,
)

HALF = Fraction(1, 2)
NUMPY = {"add": add, "subtract": sub, "multiply": mul}


def three(k: Functions, *, sign: int | None = None) -> tuple[Poly, Poly, Poly]:
    x, y, z = (parameter(k, number, (4,), sign=sign) for number in range(3))
    return x, y, z


def polynomial(k: Functions, tree: Tree, leaves: tuple[Poly, ...]) -> Poly:
    return built(k, tree, {"add": k.add, "subtract": k.subtract, "multiply": k.multiply}, leaves)


@QUICK
@given(trees("add", "subtract", "multiply"), licences, seeds)
def test_sums_and_products_have_their_numbers(tree: Tree, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(seed, (4,), (4,), (4,))

    # WHEN
    poly = polynomial(k, tree, three(k))

    # THEN
    expected = np.broadcast_to(computed(tree, NUMPY, inputs), (4,))
    np.testing.assert_allclose(numbers(k, poly, inputs, (4,)), expected, rtol=1e-9, atol=1e-6)


@QUICK
@given(trees("add", "subtract", "multiply"), st.sampled_from([-3, -2, -1, 2, 3, 9]), licences, seeds)
def test_powers_have_their_numbers(tree: Tree, exponent: int, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(seed, (4,), (4,), (4,))
    base = np.broadcast_to(computed(tree, NUMPY, inputs), (4,))
    if np.any(np.abs(base) < 0.01) or np.any(np.abs(base) > 100):
        return

    # WHEN
    poly = k.power(polynomial(k, tree, three(k)), exponent)

    # THEN
    np.testing.assert_allclose(numbers(k, poly, inputs, (4,)), base ** float(exponent), rtol=1e-5)


@QUICK
@given(
    trees("add", "multiply"),
    st.sampled_from([HALF, -HALF, Fraction(1, 3), Fraction(3, 2)]),
    st.sampled_from([1, 2, Fraction(2, 3)]),
    licences,
    seeds,
)
def test_roots_have_their_numbers(tree: Tree, exponent: Fraction, inner: Number, allowed: Licences, seed: int):
    # GIVEN a base of any sign, raised to a power first
    k = functions(allowed)
    inputs = arrays(seed, (4,), (4,), (4,))
    with np.errstate(all="ignore"):
        base = np.power(np.broadcast_to(computed(tree, NUMPY, inputs), (4,)), float(inner))
        expected = np.power(base, float(exponent))
    if not np.all(np.isfinite(expected)) or np.any(np.abs(base) < 0.01) or np.any(np.abs(base) > 1e4):
        return

    # WHEN
    poly = k.power(k.power(polynomial(k, tree, three(k)), inner), exponent)

    # THEN
    np.testing.assert_allclose(numbers(k, poly, inputs, (4,)), expected, rtol=1e-5)


@QUICK
@given(trees("add", "subtract", "multiply"), trees("add", "subtract", "multiply"), licences)
def test_operands_commute(a: Tree, b: Tree, allowed: Licences):
    k = functions(allowed)
    left, right = (polynomial(k, tree, three(k)) for tree in (a, b))
    assert k.add(left, right) == k.add(right, left)
    assert k.multiply(left, right) == k.multiply(right, left)
    assert k.subtract(left, left) == ZERO


@QUICK
@given(trees("add", "subtract", "multiply"), fractions, licences, seeds)
def test_a_polynomial_kept_whole_is_the_same_number(tree: Tree, factor: Fraction, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    poly = polynomial(k, tree, three(k))
    inputs = arrays(seed, (4,), (4,), (4,))

    # WHEN
    whole = k.whole(k.times(poly, factor))

    # THEN it is one term, and the number is the same
    assert len(whole) <= 1
    expected = numbers(k, poly, inputs, (4,)) * float(factor)
    np.testing.assert_allclose(numbers(k, whole, inputs, (4,)), expected, rtol=1e-9, atol=1e-6)


@QUICK
@given(trees("add", "subtract", "multiply"), st.sampled_from([-4, -2, -1, HALF, 2]), licences)
def test_multiples_by_powers_of_two_have_the_same_atom(tree: Tree, factor: Number, allowed: Licences):
    k = functions(allowed)
    poly = polynomial(k, tree, three(k))
    assert k.whole(k.times(poly, factor)) == k.times(k.whole(poly), factor)


@QUICK
@given(trees("add", "subtract", "multiply"), st.booleans(), licences)
def test_content_times_common_factor_times_the_rest_is_the_polynomial(tree: Tree, also: bool, allowed: Licences):
    k = functions(allowed)
    poly = polynomial(k, tree, three(k))
    if not poly:
        return
    content, common, rest = k.content(poly, with_monomial=also)
    assert content > 0
    assert k.multiply(((common, content),), rest, exact=True) == poly


@QUICK
@given(
    trees("add", "subtract", "multiply"),
    st.tuples(*[st.sampled_from([NEGATIVE, NULL, POSITIVE, NULL | POSITIVE, ANY_SIGN])] * 3),
    licences,
    seeds,
)
def test_a_number_has_a_sign_that_its_term_can_have(tree: Tree, signs, allowed: Licences, seed: int):
    # GIVEN parameters of which the sign is known
    k = functions(allowed)
    leaves = tuple(parameter(k, number, (4,), sign=sign) for number, sign in enumerate(signs))
    of = {NEGATIVE: lambda a: -np.abs(a), NULL: np.zeros_like, POSITIVE: np.abs, NULL | POSITIVE: np.abs}
    inputs = [of.get(sign, np.array)(a) for sign, a in zip(signs, arrays(seed, (4,), (4,), (4,)), strict=True)]
    if NULL | POSITIVE in signs:
        inputs[signs.index(NULL | POSITIVE)][0] = 0

    # WHEN
    poly = polynomial(k, tree, leaves)

    # THEN
    found = np.broadcast_to(computed(tree, NUMPY, inputs), (4,))
    sign = k.sign(poly)
    certain = np.abs(found) > 1e-6
    assert sign & POSITIVE or not np.any(certain & (found > 0))
    assert sign & NEGATIVE or not np.any(certain & (found < 0))
    assert sign & NULL or np.any(found != 0) or not poly


# Which forms are one form


@pytest.mark.parametrize(("allowed", "is_same"), [(NONE, False), (REORDERING, False), (STABILITY, True)])
def test_a_difference_is_distributed_over_only_with_stability(allowed: Licences, is_same: bool):
    # GIVEN (x − y)·z and x·z − y·z
    k = functions(allowed)
    x, y, z = three(k)
    a = k.multiply(k.subtract(x, y), z)
    b = k.subtract(k.multiply(x, z), k.multiply(y, z))

    # THEN
    assert (a == b) is is_same


def test_a_sum_of_one_sign_a_whole_number_and_a_test_are_distributed_over():
    k = functions()
    x, y, z = three(k)
    difference = k.subtract(x, y)
    test = parameter(k, 3, (4,), dtype="pred")
    assert k.multiply(k.add(x, y), z) == k.add(k.multiply(x, z), k.multiply(y, z))
    assert k.multiply(difference, z, exact=True) == k.subtract(k.multiply(x, z), k.multiply(y, z))
    assert k.multiply(difference, test) == k.subtract(k.multiply(x, test), k.multiply(y, test))


def test_a_test_times_itself_is_the_test():
    k = functions()
    test = parameter(k, 3, (4,), dtype="pred")
    assert k.multiply(test, test) == k.power(test, 5) == test
    assert k.multiply(test, k.subtract(ONE, test)) == ZERO


def test_what_is_multiplied_by_its_own_test_for_0_is_0():
    k = functions(STABILITY)
    x, y, _ = three(k)
    null = k.equal(x, ZERO, dtype="real")
    assert k.multiply(k.multiply(x, y), null) == ZERO
    assert k.multiply(y, null) != ZERO
    assert k.multiply(k.greater(x, y, dtype="real"), k.equal(x, y, dtype="real")) == ZERO
    assert k.multiply(k.greater(y, x, dtype="real"), k.equal(x, y, dtype="real")) == ZERO


def test_a_multiple_that_wraps_around_to_0_need_not_be_0():
    # GIVEN 16·x = 0 in eight bits, which also holds for 16
    k = functions()
    x = parameter(k, 0, (4,), dtype="u8")

    # THEN
    assert k.multiply(x, k.equal(k.times(x, 16), ZERO, dtype="u8")) != ZERO
    assert k.multiply(x, k.equal(k.power(x, 2), ZERO, dtype="u8")) != ZERO
    assert k.multiply(x, k.equal(x, ZERO, dtype="u8")) == ZERO


def test_roots_of_squares_and_squares_of_roots():
    # GIVEN
    k = functions(EVERYTHING)
    x, y, _ = three(k)

    # THEN (√x)² is x wherever √x is a number, √(x²) is not, nor is √x·√y the root of x·y where both are negative
    assert k.power(k.power(x, HALF), 2) == x
    assert k.power(k.power(x, 2), HALF) != x
    assert k.power(k.multiply(x, y), HALF) != k.multiply(k.power(x, HALF), k.power(y, HALF))
    assert k.power(k.times(x, -1), HALF) != k.power(x, HALF)


def test_roots_of_what_is_positive_split():
    k = functions(EVERYTHING)
    x, y, _ = three(k, sign=POSITIVE)
    assert k.power(k.power(x, 2), HALF) == x
    assert k.power(k.multiply(x, y), HALF) == k.multiply(k.power(x, HALF), k.power(y, HALF))
    assert k.power(k.times(x, 4), HALF) == k.times(k.power(x, HALF), 2)
    assert k.multiply(k.power(k.add(x, y), HALF), k.power(k.add(x, y), -HALF)) == ONE


def test_a_quotient_of_polynomials_cancels():
    k = functions(EVERYTHING)
    x, y, z = three(k)
    quotient = k.multiply(k.add(k.multiply(x, y), k.multiply(x, z)), k.power(k.add(y, z), -1))
    assert k.multiply(k.whole(k.add(y, z)), k.power(k.add(y, z), -1)) == ONE
    assert k.power(k.add(k.multiply(x, y), k.multiply(x, z)), -1) == k.multiply(
        k.power(x, -1), k.power(k.add(y, z), -1)
    )
    assert quotient != x  # a sum is not divided by a sum, only whole factors cancel


@pytest.mark.parametrize(("allowed", "cancels"), [(REORDERING, False), (STABILITY, True)])
def test_exp_divided_by_itself_needs_stability(allowed: Licences, cancels: bool):
    k = functions(allowed)
    exp = k.exp(parameter(k, 0, (4,)))
    assert (k.multiply(exp, k.power(exp, -1)) == ONE) is cancels


@pytest.mark.parametrize(
    ("value", "exponent", "result"),
    [
        (4, HALF, 2),
        (Fraction(9, 4), -HALF, Fraction(2, 3)),
        (-8, 3, -512),
        (-2, -1, -HALF),
        (0, HALF, 0),
        (8, Fraction(2, 3), 4),
        (7, 0, 1),
        (0, 0, 1),
    ],
)
def test_powers_of_numbers(value: Number, exponent: Number, result: Number):
    assert as_constant(functions().power(scalar(value), exponent)) == result


@pytest.mark.parametrize(
    ("value", "exponent"), [(2, HALF), (2, Fraction(1, 17)), (3, 1 << 20), (Fraction(1, 3), -(1 << 20))]
)
def test_numbers_that_are_irrational_or_too_long_stay_powers(value: Number, exponent: Number):
    k = functions()
    found = k.power(scalar(value), exponent)
    assert as_constant(found) is None
    assert k.sign(found) == POSITIVE


@pytest.mark.parametrize(("value", "exponent"), [(0, -1), (0, -HALF), (-1, HALF)])
def test_powers_that_are_no_numbers(value: Number, exponent: Number):
    with pytest.raises(Undefined):
        functions().power(scalar(value), exponent)


def test_a_negative_power_of_a_test_is_not_the_test():
    k = functions()
    test = parameter(k, 0, (4,), dtype="pred")
    assert k.power(test, -1) != test


def test_what_is_learned_of_a_sign_holds_for_multiples_too():
    # GIVEN
    k = functions(REORDERING)
    x, y, _ = three(k)
    difference = k.subtract(x, y)

    # WHEN
    k.learn(k.times(difference, -3), NULL | POSITIVE)

    # THEN
    assert k.sign(k.whole(difference)) == NEGATIVE | NULL
    assert k.sign(k.whole(k.subtract(y, x))) == NULL | POSITIVE
    assert k.sign(k.whole(k.add(x, y))) == ANY_SIGN


def test_what_a_grant_tells_of_a_sign_is_kept_from_other_attempts():
    # GIVEN a closed term whose sign one attempt knows, thanks to a grant
    plain = functions()
    x, y, _ = three(plain)
    test = plain.greater(x, y, dtype="real")
    node = plain.table.atoms[test[0][0][0][0]].number
    granted = functions(Licences(granted=frozenset({("true", node)})), plain.table)  # type: ignore[arg-type]

    # WHEN
    atom = granted.atom_of(granted.close("exp", (), (x,)), POSITIVE)

    # THEN
    assert granted.sign_of_atom(atom) == POSITIVE
    assert plain.sign_of_atom(atom) == ANY_SIGN
