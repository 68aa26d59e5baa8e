"""Sets of signs, held against numbers of those signs, and exact roots."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof.reals import integer_root, rational_root, sign_of_power, sign_of_product, sign_of_sum
from beatnote.proof.terms import NEGATIVE, NULL, POSITIVE, Number

from .strategies import THOROUGH

NUMBERS = [Fraction(-2), Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)]
SETS = range(1, 8)


def sign(value: Fraction | float) -> int:
    return POSITIVE if value > 0 else NEGATIVE if value < 0 else NULL


def of(signs: int) -> list[Fraction]:
    return [value for value in NUMBERS if sign(value) & signs]


def union(values) -> int:
    found = 0
    for value in values:
        found |= sign(value)
    return found


@pytest.mark.parametrize(("a", "b"), list(product(SETS, SETS)))
def test_the_signs_of_sums_and_products(a: int, b: int):
    assert sign_of_sum(a, b) == union(x + y for x in of(a) for y in of(b))
    assert sign_of_product(a, b) == union(x * y for x in of(a) for y in of(b))


@pytest.mark.parametrize(
    ("signs", "exponent"),
    list(product(SETS, [-3, -2, -1, 1, 2, 3, Fraction(1, 2), Fraction(-1, 2), Fraction(2, 3)])),
)
def test_the_signs_of_powers_where_they_are_defined(signs: int, exponent: Number):
    # GIVEN
    bases = [x for x in of(signs) if (x != 0 or exponent > 0) and (x >= 0 or isinstance(exponent, int))]

    # THEN
    expected = union(float(x) ** float(exponent) for x in bases)
    assert sign_of_power(signs, exponent) == (expected or POSITIVE)


@THOROUGH
@given(st.integers(0, 1 << 300), st.integers(1, 12))
def test_the_whole_part_of_a_root(value: int, degree: int):
    root = integer_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


@THOROUGH
@given(st.fractions(min_value=0, max_denominator=10**9), st.integers(1, 7))
def test_the_root_of_a_power_is_exact(root: Fraction, degree: int):
    assert rational_root(root**degree, degree) == root


@THOROUGH
@given(st.fractions(min_value=0, max_denominator=10**9), st.integers(2, 7))
def test_a_root_is_exact_or_not_given(value: Fraction, degree: int):
    root = rational_root(value, degree)
    assert root is None or root**degree == value


@pytest.mark.parametrize(("value", "degree"), [(Fraction(2), 2), (Fraction(4, 3), 2), (Fraction(-8), 3)])
def test_roots_that_are_not_rational(value: Fraction, degree: int):
    assert rational_root(value, degree) is None
