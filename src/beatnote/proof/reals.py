"""Signs of real expressions as sets of possibilities, and exact roots of rationals."""

from __future__ import annotations

from fractions import Fraction

from beatnote.proof.terms import ANY_SIGN, NEGATIVE, NULL, POSITIVE, Number


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """Take the exact root of a rational, None when it is irrational or not real."""
    if value < 0:
        return None
    roots = [integer_root(part, degree) for part in (value.numerator, value.denominator)]
    if any(root**degree != part for root, part in zip(roots, (value.numerator, value.denominator), strict=True)):
        return None
    return Fraction(roots[0], roots[1])


def integer_root(value: int, degree: int) -> int:
    """Find the greatest whole number whose power does not exceed the value."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


def sign_of_sum(a: int, b: int) -> int:
    """Say what a sum can be, given what its parts can be."""
    result = 0
    for x in (NEGATIVE, NULL, POSITIVE):
        for y in (NEGATIVE, NULL, POSITIVE):
            if a & x and b & y:
                result |= y if x == NULL else x if y in (NULL, x) else ANY_SIGN
    return result


def sign_of_product(a: int, b: int) -> int:
    """Say what a product can be, given what its factors can be."""
    result = 0
    for x in (NEGATIVE, NULL, POSITIVE):
        for y in (NEGATIVE, NULL, POSITIVE):
            if a & x and b & y:
                result |= NULL if NULL in (x, y) else POSITIVE if x == y else NEGATIVE
    return result


def sign_of_power(sign: int, exponent: Number) -> int:
    """Say what a power can be, where it is defined at all."""
    if isinstance(exponent, Fraction):
        result = (sign & (NULL | POSITIVE)) or POSITIVE
    elif exponent % 2 == 0:
        result = (POSITIVE if sign & (NEGATIVE | POSITIVE) else 0) | (sign & NULL)
    else:
        result = sign
    return (result & ~NULL) or POSITIVE if exponent < 0 else result
