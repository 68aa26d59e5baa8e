"""The short fraction that a floating-point constant is the rounding of.

`0.00260416674` is what 1/384 rounds to in float32. Reading it so is the `precision` class: every such reading lies
within half a unit in the last place, so two constants of one type that differ never read as the same number.
"""

from __future__ import annotations

from fractions import Fraction

from beatnote.hlo.literal import rounded
from beatnote.hlo.shapes import ELEMENT_TYPES

MAX_BITS = 20
"""Numerator and denominator together; a float32 has 24 bits, so hardly any is this short by chance."""

MAX_DIGITS = 6


def short_fraction(value: Fraction, dtype: str) -> Fraction:
    """Find a decimal of up to six digits, else a short fraction, that rounds to the value; else the value."""
    element = ELEMENT_TYPES[dtype]
    if value == 0 or value.denominator == 1 or element.precision < MAX_BITS + 4:
        return value
    for digits in range(1, MAX_DIGITS + 1):
        decimal = Fraction(f"{float(value):.{digits - 1}e}")
        if rounded(decimal, element) == value:
            return decimal
    exponent = value.numerator.bit_length() - value.denominator.bit_length()  # 2**exponent <= |value|, exactly
    simple = _simplest(value, Fraction(2) ** (exponent - element.precision))
    bits = simple.numerator.bit_length() + simple.denominator.bit_length()
    return simple if bits <= MAX_BITS and rounded(simple, element) == value else value


def _simplest(value: Fraction, distance: Fraction) -> Fraction:
    """Find the fraction with the least denominator within a distance, by the Stern-Brocot tree."""
    low, high = abs(value) - distance, abs(value) + distance
    terms: list[int] = []
    while True:
        whole = low.numerator // low.denominator
        if whole + 1 <= high or low == whole:
            terms.append(whole if low == whole else whole + 1)
            break
        terms.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    result = Fraction(terms.pop())
    while terms:
        result = terms.pop() + 1 / result
    return result if value > 0 else -result
