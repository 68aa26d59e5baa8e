"""Index maps: where an element of a view comes from, as whole-number arithmetic on loop indices.

An index is `constant + Σ coefficient × digit`. A digit of an index variable is `(variable // divisor) % modulus`,
so that reshapes split and join dimensions exactly (mixed radix); what does not split evenly stays the quotient or
remainder of a whole index. Views (reshape, transpose, slice, …) become substitutions here and vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Digit(NamedTuple):
    """`(variable // divisor) % modulus`."""

    variable: int
    divisor: int
    modulus: int


class Uneven(NamedTuple):
    """The quotient or remainder of an index by a divisor that does not split it evenly."""

    part: str  # "quotient" or "remainder"
    inner: Index
    divisor: int


Atom = Digit | Uneven

Index = tuple[int, tuple[tuple[int, Atom], ...]]
"""(constant, ((coefficient, digit), …)): sorted, every digit once, no zero coefficient."""

ZERO: Index = (0, ())


def constant(value: int) -> Index:
    """Make an index that is the same everywhere."""
    return (value, ())


def variable(number: int, extent: int) -> Index:
    """Make an index of a whole variable, running from 0 to extent − 1."""
    return ZERO if extent == 1 else (0, ((1, Digit(number, 1, extent)),))


def of_digit(digit: Digit) -> Index:
    """Make an index that is just this digit."""
    return (0, ((1, digit),)) if digit.modulus > 1 else ZERO


def _order(term: tuple[int, Atom]) -> tuple[int, tuple[int, ...], str]:
    """Order by atom alone, so that an index and its multiples have their terms in the same order."""
    _, atom = term
    return (0, tuple(atom), "") if isinstance(atom, Digit) else (1, (atom.divisor,), repr(atom))


def _make(value: int, coefficients: dict[Atom, int]) -> Index:
    terms = {atom: c for atom, c in coefficients.items() if c}
    while len(terms) > 1:
        joined = _join(terms)
        if joined is None:
            break
        value += joined[0]
        terms = joined[1]
    return value, tuple(sorted(((c, atom) for atom, c in terms.items()), key=_order))


def _join(terms: dict[Atom, int]) -> tuple[int, dict[Atom, int]] | None:
    """One pair `m·(v // m) + v % m` put together; None when there is none."""
    for low, c in terms.items():
        if isinstance(low, Digit):
            for high, c_high in terms.items():
                if (
                    isinstance(high, Digit)
                    and high.variable == low.variable
                    and high.divisor == low.divisor * low.modulus
                    and c_high == c * low.modulus
                ):
                    whole = Digit(low.variable, low.divisor, low.modulus * high.modulus)
                    return 0, _merged(terms, (low, high), ((c, whole),))
        elif low.part == "remainder":
            high = Uneven("quotient", low.inner, low.divisor)
            if terms.get(high) == c * low.divisor:
                inner = tuple((c * k, atom) for k, atom in low.inner[1])
                return c * low.inner[0], _merged(terms, (low, high), inner)
    return None


def _merged(terms: dict[Atom, int], without: tuple[Atom, Atom], extra: Iterable[tuple[int, Atom]]) -> dict[Atom, int]:
    merged = {atom: c for atom, c in terms.items() if atom not in without}
    for c, atom in extra:
        merged[atom] = merged.get(atom, 0) + c
    return {atom: c for atom, c in merged.items() if c}


def add(*indices: Index) -> Index:
    """Add polynomials."""
    total = 0
    coefficients: dict[Atom, int] = {}
    for value, terms in indices:
        total += value
        for c, atom in terms:
            coefficients[atom] = coefficients.get(atom, 0) + c
    return _make(total, coefficients)


def scale(index: Index, factor: int) -> Index:
    """Multiply an index by a whole number."""
    if factor == 0:
        return ZERO
    return index[0] * factor, tuple(sorted(((c * factor, atom) for c, atom in index[1]), key=_order))


def subtract(a: Index, b: Index) -> Index:
    """Subtract b from a."""
    return add(a, scale(b, -1))


def bounds(index: Index) -> tuple[int, int]:
    """Bound an index by a least and a greatest value (it stays between them, but need not reach them)."""
    low = high = index[0]
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            first, last = 0, atom.modulus - 1
        elif atom.part == "remainder":
            first, last = 0, atom.divisor - 1
        else:
            inside = bounds(atom.inner)
            first, last = inside[0] // atom.divisor, inside[1] // atom.divisor
        low += c * (first if c > 0 else last)
        high += c * (last if c > 0 else first)
    return low, high


def divide(index: Index, n: int) -> tuple[Index, Index]:
    """Quotient (rounded down) and remainder by n > 0, both as indices."""
    if n == 1:
        return index, ZERO
    quotient_value, rest_value = divmod(index[0], n)
    quotient: dict[Atom, int] = {}
    rest: dict[Atom, int] = {}
    for c, atom in index[1]:
        split = _split(c, atom, n)
        if c % n == 0:
            quotient[atom] = quotient.get(atom, 0) + c // n
        elif split is None:
            rest[atom] = rest.get(atom, 0) + c
        else:
            low, high = split
            rest[low] = rest.get(low, 0) + c
            quotient[high] = quotient.get(high, 0) + 1
    remainder = _make(rest_value, rest)
    least, greatest = bounds(remainder)
    if least // n == greatest // n:  # the whole range lies in one period
        return _make(quotient_value + least // n, quotient), add(remainder, constant(-n * (least // n)))
    whole = Uneven("quotient", remainder, n)
    quotient[whole] = quotient.get(whole, 0) + 1
    return _make(quotient_value, quotient), (0, ((1, Uneven("remainder", remainder, n)),))


def _split(c: int, atom: Atom, n: int) -> tuple[Digit, Digit] | None:
    """c·digit that straddles n, as a low digit that stays below n and a high digit that counts in n."""
    if not isinstance(atom, Digit) or c <= 0 or n % c:
        return None
    step = n // c
    if atom.modulus <= step or atom.modulus % step:
        return None
    low = Digit(atom.variable, atom.divisor, step)
    return low, Digit(atom.variable, atom.divisor * step, atom.modulus // step)


def substitute(index: Index, mapping: Mapping[int, Index]) -> Index:
    """Replace variables in an index, all at once."""

    def replaced(digit: Digit) -> Index:
        target = mapping.get(digit.variable)
        if target is None:
            return of_digit(digit)
        own = single_digit(target)
        if own is not None and digit.divisor == 1 and own.modulus <= digit.modulus:
            return target
        return divide(divide(target, digit.divisor)[0], digit.modulus)[1]

    return map_digits(index, replaced)


def map_digits(index: Index, replaced: Callable[[Digit], Index]) -> Index:
    """Replace every digit of an index, also inside quotients and remainders."""
    if not index[1]:
        return index
    only = single_digit(index)
    if only is not None:
        return replaced(only)
    parts: list[Index] = [constant(index[0])]
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            part = replaced(atom)
        else:
            quotient, remainder = divide(map_digits(atom.inner, replaced), atom.divisor)
            part = quotient if atom.part == "quotient" else remainder
        parts.append(scale(part, c))
    return add(*parts)


def digits(index: Index) -> Iterator[Digit]:
    """Every digit in it, also inside quotients and remainders."""
    for _, atom in index[1]:
        if isinstance(atom, Digit):
            yield atom
        else:
            yield from digits(atom.inner)


def single_digit(index: Index) -> Digit | None:
    """Return the digit an index consists of, if it is nothing else."""
    if index[0] == 0 and len(index[1]) == 1 and index[1][0][0] == 1:
        atom = index[1][0][1]
        return atom if isinstance(atom, Digit) else None
    return None


def pieces(used: Iterable[Digit], extent: int | None = None) -> list[tuple[int, int]] | None:
    """Return the (divisor, modulus) pieces that all these digits of one variable are made of, smallest first.

    Args:
        used: digits of one variable.
        extent: of the variable, to have the pieces cover it whole; otherwise only what is used is covered.

    Returns:
        None when the digits cannot be cut into common pieces.
    """
    marks = {1, extent} if extent is not None else set[int]()
    spans = [(digit.divisor, digit.divisor * digit.modulus) for digit in used]
    for span in spans:
        marks |= set(span)
    ordered = sorted(marks)
    steps = list(pairwise(ordered))
    if any(high % low for low, high in steps):
        return None
    return [
        (low, high // low)
        for low, high in steps
        if extent is not None or any(start <= low and high <= end for start, end in spans)
    ]


def linear(extents: tuple[int, ...], indices: tuple[Index, ...]) -> Index:
    """Return the row-major position of a multi-dimensional index."""
    return add(*(scale(index, prod(extents[axis + 1 :])) for axis, index in enumerate(indices)))


def unravel(position: Index, extents: tuple[int, ...]) -> tuple[Index, ...]:
    """Return the multi-dimensional index of a row-major position."""
    indices: list[Index] = []
    for extent in reversed(extents):
        position, index = divide(position, extent)
        indices.append(index)
    return tuple(reversed(indices))


def evaluate(index: Index, values: Mapping[int, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Its values, given arrays of values for the variables."""
    total: NDArray[np.int64] = np.asarray(index[0], dtype=np.int64)
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            value = values[atom.variable] // atom.divisor % atom.modulus
        else:
            inside = evaluate(atom.inner, values)
            value = inside // atom.divisor if atom.part == "quotient" else inside % atom.divisor
        total = total + c * value
    return total
