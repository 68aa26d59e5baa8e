"""Tests of whole numbers and what they choose, held against NumPy as they wrap around."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Licences
from beatnote.proof.logic import whole_range, wrap, wrap_if_whole
from beatnote.proof.terms import ONE, ZERO, Poly, as_constant, scalar

from .strategies import (
    COMPARISONS,
    DTYPES,
    EVERYTHING,
    QUICK,
    THOROUGH,
    arrays,
    as_dtype,
    directions,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
)

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
    expected = COMPARISONS[direction](as_dtype(inputs[0].astype(np.float64) * factor + offset, dtype), inputs[1])
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
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), COMPARISONS[direction](*values))


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
    np.testing.assert_array_equal(numbers(k, poly, [], (100, 5)), COMPARISONS[direction](at, np.arange(5)))


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
    np.testing.assert_array_equal(numbers(k, poly, inputs, (COUNT,)), COMPARISONS[direction](at, inputs[1]))


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
