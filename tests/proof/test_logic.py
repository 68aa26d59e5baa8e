"""Tests and what they choose, held against NumPy: for whole numbers as they wrap around, and for real numbers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Claim, Ledger, Licences
from beatnote.proof.logic import whole_range, wrap, wrap_if_whole
from beatnote.proof.terms import ONE, ZERO, Poly, Table, as_constant, scalar

from .strategies import (
    DTYPES,
    EVERYTHING,
    NONE,
    QUICK,
    REORDERING,
    THOROUGH,
    arrays,
    as_dtype,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
)

NUMPY = {
    "GT": np.greater,
    "LT": np.less,
    "GE": np.greater_equal,
    "LE": np.less_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}
directions = st.sampled_from(sorted(NUMPY))
dtypes = st.sampled_from(sorted(DTYPES))
narrow = st.sampled_from(["s8", "s16", "u8"])
"""Types that double precision holds the products of."""

COUNT = 64


def three(k: Functions, dtype: str) -> tuple[Poly, Poly, Poly]:
    x, y, z = (parameter(k, number, (COUNT,), dtype=dtype) for number in range(3))
    return x, y, z


def whole_inputs(seed: int, dtype: str) -> list[np.ndarray]:
    """Two arrays of values that often meet, and one of all values of the type."""
    row = np.iinfo(DTYPES[dtype])
    ends = np.array([row.min, row.min + 1, row.max - 1, row.max, 0, 1, 2, 3])
    random = np.random.default_rng(seed)
    near = [ends[random.integers(0, len(ends), COUNT)].astype(DTYPES[dtype]) for _ in range(2)]
    return [*near, *arrays(seed, (COUNT,), dtype=DTYPES[dtype])]


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


@pytest.mark.parametrize("direction", sorted(NUMPY))
def test_comparisons_of_truth_values(direction: str):
    k = functions()
    p, q = (parameter(k, number, dtype="pred") for number in range(2))
    poly = k.compare(p, q, direction, dtype="pred")
    for a, b in product((False, True), repeat=2):
        assert numbers(k, poly, [a, b]) == NUMPY[direction](a, b)


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


# Whole numbers


@QUICK
@given(narrow, directions, st.integers(-300, 300), st.integers(-3, 3), licences, seeds)
def test_comparisons_of_whole_numbers(
    dtype: str, direction: str, offset: int, factor: int, allowed: Licences, seed: int
):
    # GIVEN sums and products that wrap around
    k = functions(allowed)
    x, y, _ = three(k, dtype)
    inputs = whole_inputs(seed, dtype)
    left, right = wrap(k.add(k.times(x, factor), scalar(offset)), dtype), y

    # WHEN
    poly = k.compare(left, right, direction, dtype=dtype)

    # THEN
    expected = NUMPY[direction](as_dtype(inputs[0].astype(np.float64) * factor + offset, dtype), inputs[1])
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), expected)


@QUICK
@given(dtypes, directions, st.integers(-5, 300), st.booleans(), seeds)
def test_comparisons_with_a_number(dtype: str, direction: str, number: int, is_first: bool, seed: int):
    # GIVEN
    k = functions()
    x, _, _ = three(k, dtype)
    inputs = whole_inputs(seed, dtype)
    value = int(as_dtype(number, dtype))

    # WHEN
    sides = (scalar(value), x) if is_first else (x, scalar(value))
    poly = k.compare(*sides, direction, dtype=dtype)

    # THEN
    values = (value, inputs[0].astype(np.int64)) if is_first else (inputs[0].astype(np.int64), value)
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), NUMPY[direction](*values))


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_comparisons_with_the_ends_of_a_type_are_certain(dtype: str):
    k = functions()
    x, _, _ = three(k, dtype)
    least, greatest = map(scalar, whole_range(dtype))
    assert k.compare(x, greatest, "GT", dtype=dtype) == k.compare(x, least, "LT", dtype=dtype) == ZERO
    assert k.compare(x, greatest, "LE", dtype=dtype) == k.compare(x, least, "GE", dtype=dtype) == ONE
    assert k.compare(x, greatest, "GE", dtype=dtype) == k.compare(greatest, x, "LE", dtype=dtype) != ONE


@QUICK
@given(dtypes, directions, st.integers(-3, 3), st.integers(-9, 9))
def test_comparisons_of_positions(dtype: str, direction: str, factor: int, offset: int):
    # GIVEN factor·i + offset against j, of a type in which that may wrap around
    k = functions()
    i, j = k.index_value(index.variable(0, 100)), k.index_value(index.variable(1, 5))
    left = wrap(k.add(k.times(i, factor), scalar(offset)), dtype)

    # WHEN
    poly = k.compare(left, j, direction, dtype=dtype)

    # THEN
    at = as_dtype(np.arange(100) * factor + offset, dtype)[:, None]
    np.testing.assert_array_equal(numbers(k, poly, [], (100, 5)), NUMPY[direction](at, np.arange(5)))


@QUICK
@given(narrow, directions, licences, seeds)
def test_comparisons_of_what_depends_on_tests(dtype: str, direction: str, allowed: Licences, seed: int):
    # GIVEN x + [x > y]·3 against y
    k = functions(allowed)
    x, y, _ = three(k, dtype)
    inputs = whole_inputs(seed, dtype)
    test = k.compare(x, y, "GT", dtype=dtype)
    left = wrap(k.add(x, k.times(test, 3)), dtype)

    # WHEN
    poly = k.compare(left, y, direction, dtype=dtype)

    # THEN
    at = as_dtype(inputs[0].astype(np.float64) + 3 * (inputs[0] > inputs[1]), dtype)
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), NUMPY[direction](at, inputs[1]))


def test_nothing_is_moved_across_a_comparison_of_whole_numbers():
    k = functions(EVERYTHING)
    x, y, _ = three(k, "s32")
    assert k.compare(k.add(x, ONE), x, "GT", dtype="s32") != ONE
    assert k.compare(k.add(x, ONE), k.add(y, ONE), "GT", dtype="s32") != k.compare(x, y, "GT", dtype="s32")
    assert k.compare(k.add(x, ONE), k.add(y, ONE), "EQ", dtype="s32") == k.compare(x, y, "EQ", dtype="s32")
    assert k.compare(k.times(x, 2), k.times(y, 2), "EQ", dtype="s32") != k.compare(x, y, "EQ", dtype="s32")


@pytest.mark.parametrize("dtype", ["f64", "s32", "u8"])
def test_one_of_greater_less_and_equal_holds(dtype: str):
    k = functions()
    x, y, _ = three(k, dtype)
    of = "real" if dtype == "f64" else dtype
    tests = [k.compare(x, y, direction, dtype=of) for direction in ("GT", "EQ", "LT")]
    assert k.add(*tests) == ONE
    assert k.compare(x, y, "GE", dtype=of) == k.compare(y, x, "LE", dtype=of) == k.add(*tests[:2])


@QUICK
@given(narrow, licences, seeds)
def test_maxima_and_minima_of_whole_numbers(dtype: str, allowed: Licences, seed: int):
    # GIVEN
    k = functions(allowed)
    x, y, z = three(k, dtype)
    inputs = whole_inputs(seed, dtype)

    # WHEN
    most, least = (wrap(of(x, y, dtype=dtype), dtype) for of in (k.maximum, k.minimum))
    nested = wrap(k.maximum(most, z, dtype=dtype), dtype)

    # THEN
    for found, expected in (
        (most, np.maximum(inputs[0], inputs[1])),
        (least, np.minimum(inputs[0], inputs[1])),
        (nested, np.maximum(np.maximum(inputs[0], inputs[1]), inputs[2])),
    ):
        np.testing.assert_array_equal(as_dtype(numbers(k, found, inputs, (COUNT,)), dtype), expected)


@QUICK
@given(dtypes, st.integers(0, 90), st.integers(0, 90), st.integers(-30, 30), seeds)
def test_clamped_whole_numbers(dtype: str, low: int, more: int, offset: int, seed: int):
    # GIVEN
    k = functions()
    x, _, _ = three(k, dtype)
    inputs = whole_inputs(seed, dtype)
    high = min(low + more, 127)

    # WHEN
    poly = k.clamp_whole(wrap(k.add(x, scalar(offset)), dtype), low, high, dtype=dtype)

    # THEN
    at = as_dtype(inputs[0].astype(np.float64) + offset, dtype)
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), np.clip(at, low, high))
    assert as_constant(k.clamp_whole(scalar(offset), low, high, dtype="s32")) == min(max(offset, low), high)


def test_what_is_known_to_be_within_limits_is_not_clamped():
    k = functions()
    position = k.index_value(index.variable(0, 5))
    byte = parameter(k, 0, dtype="u8")
    assert k.clamp_whole(position, 0, 4, dtype="s32") == position
    assert k.clamp_whole(position, 0, 3, dtype="s32") != position
    assert k.clamp_whole(position, 1, 4, dtype="s32") != position
    assert k.clamp_whole(byte, 0, 255, dtype="u8") == byte


@QUICK
@given(dtypes, st.integers(1, 127), seeds)
def test_whole_numbers_in_range(dtype: str, extent: int, seed: int):
    k = functions()
    x, _, _ = three(k, dtype)
    inputs = whole_inputs(seed, dtype)
    expected = (inputs[0] >= 0) & (inputs[0] < extent)
    np.testing.assert_array_equal(numbers(k, k.data_in_range(dtype, x, extent), inputs, (COUNT,)), expected)


@THOROUGH
@given(st.sampled_from(["s8", "u8", "s4", "u2", "s1", "u64", "s64"]), st.integers(-(1 << 70), 1 << 70))
def test_coefficients_wrap_around(dtype: str, value: int):
    least, greatest = whole_range(dtype)
    found = as_constant(wrap(scalar(value), dtype))
    assert found is not None
    assert least <= found <= greatest
    assert (found - value) % (greatest - least + 1) == 0


def test_only_whole_numbers_wrap_around():
    assert wrap_if_whole(scalar(300), "f32") == scalar(300)
    assert wrap_if_whole(scalar(300), "u8") == scalar(44)
    assert wrap(scalar(256), "s8") == ZERO


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
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), NUMPY[direction](at, other))


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
