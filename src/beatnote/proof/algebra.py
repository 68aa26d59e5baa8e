"""Sums, products and powers of terms in normal form.

Every function here returns a polynomial equal, over the reals, to what its name says. Sums over indices are in `sums`,
tests (comparisons, selections) in `logic`, exp and log in `functions`; the whole is put together in `functions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from beatnote.proof.canonical import Closed, close, intern
from beatnote.proof.licences import Ledger
from beatnote.proof.reals import rational_root, sign_of_power, sign_of_product, sign_of_sum
from beatnote.proof.terms import (
    ANY_SIGN,
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Monomial,
    Number,
    Poly,
    Table,
    as_constant,
    atoms_of,
    freeze,
    plain,
    scalar,
)

MAX_MONOMIALS = 64
"""A product that would have more is kept as a product of two factors."""

MAX_EXPANDED_POWER = 8
MAX_EXACT_BITS = 4096
MAX_ROOT = 16


Maker = Callable[[tuple[Any, ...], tuple[Poly, ...], tuple[tuple[int, int], ...]], Poly]
"""From a node's attributes, operands and bound variables to its normal form."""


class Undefined(ArithmeticError):
    """A value that no real number is, such as 1/0."""


class Algebra(ABC):
    """Operations on polynomials over one table, with the licences of one attempt."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        self.table = table
        self.ledger = ledger
        self.licences = ledger.licences
        self.makers: dict[str, Maker] = {
            "whole": lambda _, polys, __: self.whole(polys[0]),
            "power": lambda attributes, polys, _: self.power(polys[0], attributes[0]),  # type: ignore[arg-type]
        }
        """How a node of each kind is built again from changed operands; others are closed as they are."""
        self._facts: dict[int, int] = {}
        self._closed: dict[tuple[Hashable, ...], Closed] = {}

    # Sums and products

    def add(self, *polys: Poly) -> Poly:
        """Add polynomials."""
        terms: dict[Monomial, Number] = {}
        for poly in polys:
            for monomial, coefficient in poly:
                terms[monomial] = terms.get(monomial, 0) + coefficient
        return freeze(terms)

    def times(self, poly: Poly, factor: Number) -> Poly:
        """Multiply a polynomial by a number."""
        return tuple((m, plain(c * factor)) for m, c in poly) if factor else ZERO

    def subtract(self, a: Poly, b: Poly) -> Poly:
        """Subtract b from a."""
        return self.add(a, self.times(b, -1))

    def multiply(self, a: Poly, b: Poly, *, exact: bool = False) -> Poly:
        """Multiply, distributing unless that gets too long.

        Without `stability` a difference is kept whole: (x − y)·z and x·z − y·z lose different digits. That does not
        hold for `exact` arithmetic, of whole numbers, nor where the other factor is a test.
        """
        for one, other in ((a, b), (b, a)):
            value = as_constant(one)
            if value is not None:
                return self.times(other, value)
        if not (exact or self.licences.stability or self._is_test(a) or self._is_test(b)):
            a, b = (self.whole(p) if _is_difference(p) else p for p in (a, b))
        if len(a) * len(b) > MAX_MONOMIALS:
            a, b = (self.whole(p) if len(p) > 1 else p for p in (a, b))
        terms: dict[Monomial, Number] = {}
        for left, c in a:
            for right, d in b:
                monomial = self.multiply_monomials(left, right)
                if monomial is not None:
                    terms[monomial] = terms.get(monomial, 0) + c * d
        return freeze(terms)

    def _is_test(self, poly: Poly) -> bool:
        return all(self.table.is_boolean(atom) for atom in atoms_of(poly))

    def multiply_monomials(self, a: Monomial, b: Monomial) -> Monomial | None:
        """Multiply two monomials; None when it is 0."""
        if not a or not b:
            return a or b
        powers = dict(a)
        for atom, exponent in b:
            before = powers.get(atom)
            if before is None:
                powers[atom] = exponent
            elif not self.table.is_boolean(atom):
                powers[atom] = plain(before + exponent)
        if self._contradict(powers):
            return None
        return tuple(sorted((atom, exponent) for atom, exponent in powers.items() if exponent))

    def _contradict(self, powers: Mapping[int, Number]) -> bool:
        """Whether factors exclude each other: [x = 0]·x, [d > 0]·[d = 0]."""
        for atom in powers:
            node = self.table.node_of(atom)
            if node is None or node.kind != "equal":
                continue
            (difference,) = self.operands(atom)
            if self._is_null_factor(difference, powers, is_real=node.attributes == ("real",)):
                return True
            for other in powers:
                found = self.table.node_of(other)
                if found is not None and found.kind == "greater" and found.attributes == node.attributes:
                    operands = self.operands(other)
                    gap = operands[0] if len(operands) == 1 else self.subtract(*operands)
                    if gap in (difference, self.times(difference, -1)):
                        return True
        return False

    def _is_null_factor(self, difference: Poly, powers: Mapping[int, Number], *, is_real: bool) -> bool:
        if len(difference) != 1:
            return False
        ((monomial, coefficient),) = difference
        if not is_real and (abs(coefficient) != 1 or any(e != 1 for _, e in monomial)):  # 16·16 is 0 in eight bits
            return False
        return len(monomial) == 1 and powers.get(monomial[0][0], 0) > 0 and not self.table.is_boolean(monomial[0][0])

    def kind_of(self, atom: int) -> str:
        """Return the kind of the node an atom applies, '' for other atoms."""
        node = self.table.node_of(atom)
        return node.kind if node is not None else ""

    @abstractmethod
    def operands(self, atom: int) -> tuple[Poly, ...]:
        """Return the operands of the node an atom applies, at its arguments; the node must bind nothing."""

    # Powers

    def power(self, poly: Poly, exponent: Number) -> Poly:
        """Raise a polynomial to a rational power."""
        exponent = plain(exponent)
        if exponent == 0:
            return ONE
        if exponent == 1:
            return poly
        value = as_constant(poly)
        if value is not None:
            return self._constant_power(value, exponent)
        if len(poly) == 1:
            return self._monomial_power(poly, exponent)
        if isinstance(exponent, int) and 0 < exponent <= MAX_EXPANDED_POWER and len(poly) ** exponent <= MAX_MONOMIALS:
            result = poly
            for _ in range(exponent - 1):
                result = self.multiply(result, poly)
            return result
        content, common, rest = self.content(poly, with_monomial=isinstance(exponent, int))
        base = self.whole(rest)
        if isinstance(exponent, Fraction) and content < 0:
            content, base = -content, self.whole(self.times(rest, -1))
        outside = self.multiply(self._constant_power(content, exponent), self._monomial_power(((common, 1),), exponent))
        return self.multiply(outside, self._monomial_power(base, exponent))

    def _monomial_power(self, poly: Poly, exponent: Number) -> Poly:
        ((monomial, coefficient),) = poly
        if isinstance(exponent, Fraction) and not self._splits_under_root(monomial, coefficient):
            base = self.atom_of(self.close("whole", (), (poly,)), self.sign(poly))
            return ((((base, exponent),), 1),)
        result = self._constant_power(coefficient, exponent)
        for atom, e in monomial:
            result = self.multiply(result, self._atom_power(atom, plain(e * exponent)))
        return result

    def _splits_under_root(self, monomial: Monomial, coefficient: Number) -> bool:
        """Whether the root of a product is the product of the roots, wherever the former is defined."""
        unknown = [e for a, e in monomial if self.sign_of_atom(a) & NEGATIVE and not isinstance(e, Fraction)]
        return coefficient > 0 and (not unknown or (len(monomial) == 1 and unknown == [1]))

    def _atom_power(self, atom: int, exponent: Number) -> Poly:
        if self.table.is_boolean(atom):
            return ((((atom, 1),), 1),) if exponent > 0 else self.apart("power", (exponent,), (((((atom, 1),), 1),),))
        if exponent < 0 and self.kind_of(atom) == "exp" and not self.licences.stability:
            inverse = self.apart("power", (-1,), (((((atom, 1),), 1),),), POSITIVE)
            return ((((inverse[0][0][0][0], -exponent),), 1),)
        return ((((atom, exponent),), 1),)

    def _constant_power(self, value: Number, exponent: Number) -> Poly:
        if value == 0 and exponent < 0:
            raise Undefined("a division by zero")
        if value < 0 and isinstance(exponent, Fraction):
            raise Undefined("a root of a negative number")
        exact = Fraction(value)
        bits = max(exact.numerator.bit_length(), exact.denominator.bit_length())
        if abs(exponent) * bits <= MAX_EXACT_BITS and exponent.denominator <= MAX_ROOT:
            root = rational_root(exact, exponent.denominator) if exponent.denominator > 1 else exact
            if root is not None:
                return scalar(root**exponent.numerator)
        return self.apart("power", (exponent,), (scalar(value),), POSITIVE if value > 0 else ANY_SIGN)

    def apart(self, kind: str, attributes: tuple[Any, ...], polys: tuple[Poly, ...], sign: int = ANY_SIGN) -> Poly:
        """Apply a function of polynomials that is not looked into."""
        return ((((self.atom_of(self.close(kind, attributes, polys), sign), 1),), 1),)

    # Keeping a polynomial whole

    def whole(self, poly: Poly) -> Poly:
        """Take a polynomial as one atom, times a number so that multiples of it have the same atom."""
        if len(poly) == 0 or (len(poly) == 1 and len(poly[0][0]) == 0):
            return poly
        if len(poly) == 1 and len(poly[0][0]) == 1 and poly[0][0][0][1] == 1:
            size = abs(Fraction(poly[0][1]))
            if self.licences.reordering or size == _power_of_two_below(size):  # else it rounds
                return poly
        content, _, rest = self.content(poly, with_monomial=False)
        factor, closed = self.oriented("whole", (), rest)
        atom = self.atom_of(closed, self.sign(self.times(rest, factor)))
        return ((((atom, 1),), plain(content * factor)),)

    def oriented(
        self, kind: str, attributes: tuple[Any, ...], poly: Poly, bound: Sequence[tuple[int, int]] = ()
    ) -> tuple[int, Closed]:
        """Return the closed form of the polynomial or of its negative, whichever comes first, with 1 or −1."""
        options: list[tuple[bool, tuple[Poly, ...], int, Closed]] = []
        for factor in (1, -1):
            closed = self.close(kind, attributes, (self.times(poly, factor),), bound)
            leading = closed.polys[0][0][1] if closed.polys[0] else 0
            options.append((leading < 0, closed.polys, factor, closed))
        _, _, factor, closed = min(options, key=lambda option: option[:2])
        return factor, closed

    def content(self, poly: Poly, *, with_monomial: bool) -> tuple[Number, Monomial, Poly]:
        """Poly = content × common factor × rest, the rest's coefficients whole and without common divisor."""
        coefficients = [Fraction(c) for _, c in poly]
        content = Fraction(gcd(*(c.numerator for c in coefficients)), lcm(*(c.denominator for c in coefficients)))
        if not self.licences.reordering:
            content = _power_of_two_below(content)
        common: dict[int, Number] = {}
        if with_monomial:
            for atom in set(atoms_of(poly)):
                if not self.table.is_boolean(atom):
                    exponents = [dict(m).get(atom, 0) for m, _ in poly]
                    common[atom] = min(exponents)
        common = {atom: e for atom, e in common.items() if e}
        rest: dict[Monomial, Number] = {}
        for monomial, c in poly:
            left = {a: e - common.get(a, 0) for a, e in monomial}
            left.update({a: -e for a, e in common.items() if a not in left})
            rest[tuple(sorted((a, plain(e)) for a, e in left.items() if e))] = plain(Fraction(c) / content)
        return plain(content), tuple(sorted(common.items())), freeze(rest)

    # Closing

    def close(
        self,
        kind: str,
        attributes: tuple[Any, ...],
        polys: tuple[Poly, ...],
        bound: Sequence[tuple[int, int]] = (),
    ) -> Closed:
        """`canonical.close`, remembered."""
        key = (kind, attributes, polys, tuple(bound))
        closed = self._closed.get(key)
        if closed is None:
            self.ledger.check_time()
            closed = self._closed[key] = close(self.table, kind, attributes, polys, bound)
        return closed

    def atom_of(self, closed: Closed, sign: int) -> int:
        """Give a number to the atom of a closed term, whose value is known to have one of these signs.

        What is known of a sign thanks to a grant is kept from other attempts, which share the table.
        """
        if not self.licences.granted:
            return intern(self.table, closed, sign)
        atom = intern(self.table, closed, ANY_SIGN)
        self._know(self.table.atoms[atom].number, sign)
        return atom

    # Signs

    def learn(self, poly: Poly, sign: int) -> None:
        """Take note of what the value of a polynomial can be, known from elsewhere."""
        if self.sign(poly) & ~sign == 0 or as_constant(poly) is not None:
            return
        whole = self.whole(poly)
        ((monomial, coefficient),) = whole
        if len(monomial) == 1 and monomial[0][1] == 1 and self.table.atoms[monomial[0][0]].kind == "node":
            number = self.table.atoms[monomial[0][0]].number
            self._know(number, sign_of_product(sign, POSITIVE if coefficient > 0 else NEGATIVE))

    def _know(self, number: int, sign: int) -> None:
        self._facts[number] = (self._facts.get(number, ANY_SIGN) & sign) or ANY_SIGN

    def sign_of_atom(self, atom: int) -> int:
        """Say what the value of an atom can be: a set of NEGATIVE, NULL, POSITIVE."""
        kind, number, _ = self.table.atoms[atom]
        sign = self.table.sign(atom)
        return (sign & self._facts.get(number, ANY_SIGN)) or sign if kind == "node" else sign

    def sign(self, poly: Poly) -> int:
        """Say what the value of a polynomial can be: a set of NEGATIVE, NULL, POSITIVE."""
        total = NULL
        for monomial, coefficient in poly:
            total = sign_of_sum(total, self.sign_of_monomial(monomial, coefficient))
        return total

    def sign_of_monomial(self, monomial: Monomial, coefficient: Number) -> int:
        """Say what the value of a monomial can be."""
        sign = POSITIVE if coefficient > 0 else NEGATIVE
        for atom, exponent in monomial:
            sign = sign_of_product(sign, sign_of_power(self.sign_of_atom(atom), exponent))
        return sign


def _is_difference(poly: Poly) -> bool:
    return len({c > 0 for _, c in poly}) == 2


def _power_of_two_below(value: Fraction) -> Fraction:
    """Return the largest power of two that divides a fraction's numerator, over that in its denominator."""
    return Fraction(value.numerator & -value.numerator, value.denominator & -value.denominator)
