"""exp, log and what is written with them: their numbers, and what may be rewritten under which licence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from beatnote.proof.algebra import Undefined
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Licences
from beatnote.proof.terms import ANY_SIGN, ONE, POSITIVE, ZERO, Poly, as_constant, scalar

from .strategies import (
    NONE,
    QUICK,
    REORDERING,
    STABILITY,
    Tree,
    arrays,
    built,
    computed,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
    trees,
)

NUMPY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}


def three(k: Functions) -> tuple[Poly, Poly, Poly]:
    x, y, z = (parameter(k, number, (4,)) for number in range(3))
    return x, y, z


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@QUICK
@given(trees("add", "subtract", "multiply"), licences, seeds)
def test_functions_have_their_numbers(tree: Tree, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    inputs = arrays(seed, (4,), (4,), (4,))
    at = np.broadcast_to(computed(tree, NUMPY, inputs), (4,))
    if np.any(np.abs(at) > 8):
        return
    poly = built(k, tree, {"add": k.add, "subtract": k.subtract, "multiply": k.multiply}, three(k))

    # THEN
    for found, expected in (
        (k.exp(poly), np.exp(at)),
        (k.logistic(poly), logistic(at)),
        (k.tanh(poly), np.tanh(at)),
        (k.log(k.exp(poly)), at),
        (k.multiply(k.exp(poly), k.exp(k.times(poly, -2))), np.exp(-at)),
    ):
        np.testing.assert_allclose(numbers(k, found, inputs, (4,)), expected, rtol=1e-6, atol=1e-6)


@QUICK
@given(trees("add", "multiply"), licences, seeds)
def test_logarithms_have_their_numbers(tree: Tree, allowed: Licences, seed: int):
    # GIVEN parameters that are positive, and one that is not
    k = functions(allowed)
    x, y = (parameter(k, number, (4,), sign=POSITIVE) for number in (0, 1))
    z = parameter(k, 2, (4,))
    a, b, c = arrays(seed, (4,), (4,), (4,))
    inputs = [np.abs(a), np.abs(b), c]
    at = np.broadcast_to(computed(tree, NUMPY, inputs), (4,))
    if np.any(at < 1e-3):
        return

    # WHEN
    poly = k.log(built(k, tree, {"add": k.add, "multiply": k.multiply}, (x, y, z)))

    # THEN
    np.testing.assert_allclose(numbers(k, poly, inputs, (4,)), np.log(at), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("allowed", "is_same"), [(NONE, False), (REORDERING, False), (STABILITY, True)])
def test_exp_and_log_are_split_only_with_stability(allowed: Licences, is_same: bool):
    # GIVEN
    k = functions(allowed)
    x, y = (parameter(k, number, (4,)) for number in (0, 1))
    a, b = (parameter(k, number, (4,), sign=POSITIVE) for number in (2, 3))

    # THEN
    assert (k.exp(k.add(x, y)) == k.multiply(k.exp(x), k.exp(y))) is is_same
    assert (k.exp(k.times(x, -2)) == k.power(k.exp(x), -2)) is is_same
    assert (k.log(k.exp(x)) == x) is is_same
    assert (k.exp(k.log(x)) == x) is is_same
    assert (k.exp(k.times(k.log(x), Fraction(1, 2))) == k.power(x, Fraction(1, 2))) is is_same
    assert (k.log(k.multiply(a, k.power(b, 3))) == k.add(k.log(a), k.times(k.log(b), 3))) is is_same
    assert (k.logistic(x) == k.power(k.add(ONE, k.exp(k.times(x, -1))), -1)) is is_same
    rest = k.power(k.add(ONE, k.exp(k.times(x, 2))), -1)
    assert (k.tanh(x) == k.subtract(ONE, k.times(rest, 2))) is is_same
    assert bool(k.ledger.rules["exp-of-sum"]) is is_same


def test_the_logarithm_of_a_product_of_unknown_signs_is_not_split():
    # GIVEN two numbers that may both be negative
    k = functions(STABILITY)
    x, y, _ = three(k)

    # THEN only what is surely positive is taken out
    assert k.log(k.multiply(x, y)) != k.add(k.log(x), k.log(y))
    assert k.log(k.power(x, 2)) != k.times(k.log(x), 2)
    exp = k.exp(y)
    assert k.log(k.multiply(x, exp)) == k.add(k.log(x), y)
    assert k.log(k.times(exp, -1)) != y


@pytest.mark.parametrize("allowed", [NONE, STABILITY])
def test_functions_of_numbers(allowed: Licences):
    k = functions(allowed)
    assert k.exp(ZERO) == ONE
    assert k.log(ONE) == ZERO
    assert as_constant(k.exp(ONE)) is None
    assert k.exp(ONE) != k.exp(scalar(2))
    assert float(numbers(k, k.log(scalar(2)), [])) == pytest.approx(np.log(2))
    for value in (0, -1):
        with pytest.raises(Undefined):
            k.log(scalar(value))


@pytest.mark.parametrize("allowed", [NONE, STABILITY])
def test_what_functions_can_be(allowed: Licences):
    k = functions(allowed)
    x, _, _ = three(k)
    assert k.sign(k.exp(x)) == k.sign(k.logistic(x)) == POSITIVE
    assert k.sign(k.tanh(x)) == k.sign(k.log(x)) == ANY_SIGN
