"""Tests and what they choose, held against NumPy: for truth values and real numbers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof.functions import Functions
from beatnote.proof.licences import Claim, Ledger, Licences
from beatnote.proof.terms import ONE, ZERO, Poly, Table, as_constant, scalar

from .strategies import (
    COMPARISONS,
    NONE,
    QUICK,
    REORDERING,
    arrays,
    directions,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
)

COUNT = 64


def three(k: Functions, dtype: str) -> tuple[Poly, Poly, Poly]:
    x, y, z = (parameter(k, number, (COUNT,), dtype=dtype) for number in range(3))
    return x, y, z


# Truth values


def test_not_and_or_and_xor():
    # GIVEN
    k = functions()
    p, q = (parameter(k, number, dtype="pred") for number in range(2))

    # THEN
    for a, b in product((False, True), repeat=2):
        assert numbers(k, k.negation(p), [a, b]) == (not a)
        assert numbers(k, k.either(p, q), [a, b]) == (a or b)
        assert numbers(k, k.unlike(p, q), [a, b]) == (a != b)
    assert k.negation(k.negation(p)) == k.either(p, p) == p
    assert k.unlike(p, p) == ZERO


@pytest.mark.parametrize("direction", sorted(COMPARISONS))
def test_comparisons_of_truth_values(direction: str):
    k = functions()
    p, q = (parameter(k, number, dtype="pred") for number in range(2))
    poly = k.compare(p, q, direction, dtype="pred")
    for a, b in product((False, True), repeat=2):
        assert numbers(k, poly, [a, b]) == COMPARISONS[direction](a, b)


def test_a_selection():
    # GIVEN
    k = functions()
    x, y, _ = three(k, "f64")
    p = parameter(k, 3, (COUNT,), dtype="pred")
    inputs = [*arrays(1, (COUNT,), (COUNT,), (COUNT,)), *arrays(1, (COUNT,), dtype=bool)]

    # THEN
    found = numbers(k, k.select(p, x, y), inputs, (COUNT,))
    np.testing.assert_allclose(found, np.where(inputs[3], inputs[0], inputs[1]))
    assert k.select(p, x, x) == k.select(ONE, x, y) == k.select(ZERO, y, x) == x
    assert k.select(p, x, y) == k.select(k.negation(p), y, x)


def test_the_cases_that_make_a_test_true():
    # GIVEN
    k = functions()
    p, q = (parameter(k, number, dtype="pred") for number in range(2))
    ((((a, _),), _),), ((((b, _),), _),) = p, q

    # THEN
    assert k.assignments_that_make(k.multiply(p, k.negation(q)), 1) == [{a: 1, b: 0}]
    assert {frozenset(case.items()) for case in k.assignments_that_make(k.unlike(p, q), 0)} == {
        frozenset({(a, 0), (b, 0)}),
        frozenset({(a, 1), (b, 1)}),
    }
    assert k.assignments_that_make(k.add(p, parameter(k, 2)), 1) == []  # not of tests alone


# Real numbers


@QUICK
@given(
    directions, st.integers(-3, 3), st.integers(-1, 1), st.sampled_from(["sum", "product", "cases"]), licences, seeds
)
def test_comparisons_of_real_numbers(direction: str, factor: int, offset: int, form: str, allowed: Licences, seed: int):
    # GIVEN numbers that are often equal, and often 0
    k = functions(allowed)
    x, y, z = three(k, "f64")
    inputs = [np.round(a) for a in arrays(seed, (COUNT,), (COUNT,), (COUNT,))]
    a, b, c = inputs
    left, at = {
        "sum": lambda: (k.add(k.times(x, factor), z), a * factor + c),
        "product": lambda: (k.times(k.multiply(x, k.power(z, 2)), factor), a * c**2 * factor),
        "cases": lambda: (k.add(x, k.greater(x, z, dtype="real")), a + (a > c)),
    }[form]()
    right, other = (ZERO, 0) if form == "product" else (k.add(y, scalar(offset)), b + offset)

    # WHEN
    poly = k.compare(left, right, direction, dtype="real")

    # THEN
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), COMPARISONS[direction](at, other))


@QUICK
@given(licences, seeds)
def test_maxima_and_minima_of_real_numbers(allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    x, y, z = three(k, "f64")
    inputs = arrays(seed, (COUNT,), (COUNT,), (COUNT,))
    a, b, c = inputs

    # THEN
    for poly, expected in (
        (k.maximum(x, y, dtype="real"), np.maximum(a, b)),
        (k.minimum(x, y, dtype="real"), np.minimum(a, b)),
        (k.maximum(x, ZERO, dtype="real"), np.maximum(a, 0)),
        (k.minimum(k.maximum(x, y, dtype="real"), z, dtype="real"), np.minimum(np.maximum(a, b), c)),
        (k.maximum(k.exp(x), ZERO, dtype="real"), np.exp(a)),
        (k.minimum(k.exp(x), ZERO, dtype="real"), 0 * a),
    ):
        np.testing.assert_allclose(numbers(k, poly, inputs, (COUNT,)), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("allowed", [NONE, REORDERING])
def test_forms_of_a_maximum(allowed: Licences):
    k = functions(allowed)
    x, y, _ = three(k, "f64")
    minus = (k.times(x, -1), k.times(y, -1))
    assert k.maximum(x, y, dtype="real") == k.maximum(y, x, dtype="real")
    assert k.minimum(x, y, dtype="real") == k.times(k.maximum(*minus, dtype="real"), -1)
    assert k.maximum(x, ZERO, dtype="real") == k.multiply(x, k.greater(x, ZERO, dtype="real"))
    assert k.maximum(x, y, dtype="real") != k.minimum(x, y, dtype="real")


def test_a_product_is_positive_where_its_other_factor_is():
    k = functions()
    x, y, _ = three(k, "f64")
    exp = k.exp(y)
    assert k.greater(k.multiply(x, exp), ZERO, dtype="real") == k.greater(x, ZERO, dtype="real")
    assert k.greater(k.power(x, -3), ZERO, dtype="real") == k.greater(x, ZERO, dtype="real")
    assert k.greater(k.power(x, 2), ZERO, dtype="real") != k.greater(x, ZERO, dtype="real")
    assert k.greater(k.multiply(x, y), ZERO, dtype="real") != k.greater(x, ZERO, dtype="real")
    assert k.greater(exp, ZERO, dtype="real") == ONE
    assert k.greater(ZERO, exp, dtype="real") == k.equal(exp, ZERO, dtype="real") == ZERO


def test_strict_comparisons_are_not_the_others():
    k = functions()
    x, y, _ = three(k, "f64")
    assert k.compare(x, y, "GT", dtype="real") != k.compare(x, y, "GE", dtype="real")
    with pytest.raises(ValueError, match="no comparison 'TOTALORDER'"):
        k.compare(x, y, "TOTALORDER", dtype="real")


# What is granted


def test_what_is_not_itself_is_no_number_and_may_be_granted_not_to_occur():
    # GIVEN
    k = functions()
    x, _, _ = three(k, "f64")

    # WHEN
    differs, equals = (k.compare(x, x, direction, dtype="real") for direction in ("NE", "EQ"))

    # THEN
    assert as_constant(differs) is None
    assert equals == k.negation(differs)
    assert k.compare(x, x, "GT", dtype="real") == ZERO
    assert numbers(k, differs, [[1.0, np.nan] * (COUNT // 2)], (COUNT,)).tolist() == [0, 1] * (COUNT // 2)
    (guard,) = k.ledger.guards
    assert guard.what == "false"
    granted = Functions(k.table, Ledger(Licences(granted=frozenset({guard}))))
    assert granted.compare(x, x, "NE", dtype="real") == ZERO
    assert granted.ledger.used == {guard}


@pytest.mark.parametrize(("what", "value"), [("true", ONE), ("false", ZERO)])
def test_a_granted_test_is_a_number(what: str, value: Poly):
    # GIVEN
    table = Table()
    plain = functions(table=table)
    x, y, _ = three(plain, "s32")
    test = plain.greater(x, y, dtype="s32")
    ((((atom, _),), _),) = test

    # WHEN
    k = functions(Licences(granted=frozenset({Claim(what, table.atoms[atom].number)})), table)

    # THEN
    assert k.greater(x, y, dtype="s32") == value
    assert k.greater(y, x, dtype="s32") != value
    assert plain.greater(x, y, dtype="s32") == test


def test_the_guards_of_a_clamp_and_of_a_test_that_holds_in_one_case():
    # GIVEN
    k = functions()
    x, y, _ = three(k, "s32")
    low, high = k.compare(x, scalar(0), "LT", dtype="s32"), k.compare(x, scalar(9), "GT", dtype="s32")

    # WHEN
    k.clamp_whole(x, 0, 9, dtype="s32")

    # THEN [x > −1] is to be true, [x > 9] false
    (above,) = (a for m, _ in low for a, _ in m)
    (beyond,) = (a for m, _ in high for a, _ in m)
    expected = {Claim("true", k.table.atoms[above].number), Claim("false", k.table.atoms[beyond].number)}
    assert k.ledger.guards == expected

    # AND WHEN a test can hold in more than one way, THEN nothing is guarded
    k.note_guard(k.either(k.greater(x, y, dtype="s32"), high))
    assert k.ledger.guards == expected
