"""The short fraction that a constant is read as: it rounds to the constant, so no two read alike."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from beatnote.hlo.literal import rounded
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.fractions import MAX_BITS, short_fraction

from .strategies import THOROUGH


def bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
short = st.fractions(min_value=-3, max_value=3, max_denominator=900).filter(lambda value: bits(value) <= MAX_BITS)


def rounding(value: Fraction) -> Fraction:
    return Fraction(float(np.float32(value.numerator / value.denominator)))


@THOROUGH
@given(floats)
def test_what_a_constant_is_read_as_rounds_to_it(value: float):
    assert rounded(short_fraction(Fraction(value), "f32"), ELEMENT_TYPES["f32"]) == Fraction(value)


@THOROUGH
@given(floats)
def test_neighbours_never_read_alike(value: float):
    assume(value < np.finfo(np.float32).max)
    neighbour = float(np.nextafter(np.float32(value), np.float32(np.inf)))
    assert short_fraction(Fraction(value), "f32") != short_fraction(Fraction(neighbour), "f32")


@THOROUGH
@given(floats)
def test_a_negative_reads_as_the_negative(value: float):
    assert short_fraction(Fraction(-value), "f32") == -short_fraction(Fraction(value), "f32")


@THOROUGH
@given(short)
def test_a_short_fraction_is_found(value: Fraction):
    # WHEN
    found = short_fraction(rounding(value), "f32")

    # THEN it is that fraction, or a decimal of up to six digits that rounds to the same
    assert found == value or found == Fraction(f"{float(found):.5e}")


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("0.00260416674", Fraction(1, 384)),
        ("0.333333343", Fraction(1, 3)),
        ("-0.333333343", Fraction(-1, 3)),
        ("0.1", Fraction(1, 10)),
        ("1e-05", Fraction(1, 100_000)),
        ("0.044715", Fraction(44715, 1_000_000)),
        ("1.5", Fraction(3, 2)),
        ("3", Fraction(3)),
        ("16777216", Fraction(1 << 24)),
        ("0", Fraction(0)),
    ],
)
def test_what_constants_are_read_as(text: str, fraction: Fraction):
    assert short_fraction(Fraction(float(np.float32(text))), "f32") == fraction


@pytest.mark.parametrize("text", ["0.797884583", "0.693147182", "3.14159274", "0.00260416697"])
def test_constants_that_round_no_short_fraction_stay(text: str):
    value = Fraction(float(np.float32(text)))
    assert short_fraction(value, "f32") == value


def test_types_of_few_digits_are_read_as_they_are():
    value = Fraction(205, 2048)  # what bfloat16 rounds 0.1 to
    assert short_fraction(value, "bf16") == value
    assert short_fraction(value, "f16") == value


def test_double_precision_is_read_by_its_own_rounding():
    assert short_fraction(Fraction(1 / 3), "f64") == Fraction(1, 3)
    assert short_fraction(Fraction(float(np.float32(1 / 3))), "f64") == Fraction(float(np.float32(1 / 3)))
