"""Building terms in normal form: sums of products, powers, sums over indices.

Every function here returns a polynomial equal, over the reals, to what its name says, under the assumptions it
records in the ledger. Tests (comparisons, selections) are in `logic`, exp and log in `functions`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from beatnote.proof.canonical import Closed, close, intern
from beatnote.proof.index import Digit, Index, constant, of_digit, pieces, single_digit, substitute, variable
from beatnote.proof.index import add as add_indices
from beatnote.proof.index import bounds, digits, divide, scale, subtract
from beatnote.proof.licences import Ledger
from beatnote.proof.terms import (
    ANY_SIGN,
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Leaf,
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

MAX_BOUND = 16
"""Sums inside sums are joined while they bind no more variables than this."""

MAX_EXPANDED_POWER = 8
MAX_EXACT_BITS = 4096
MAX_ROOT = 16
_FIRST_FRESH = 1 << 20


class Undefined(ArithmeticError):
    """A value that no real number is, such as 1/0."""


class Algebra:
    """Operations on polynomials over one table, with the licences of one attempt."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        self.table = table
        self.ledger = ledger
        self.licences = ledger.licences
        self.makers: dict[str, Callable[[tuple[Hashable, ...], tuple[Poly, ...], tuple[tuple[int, int], ...]], Poly]] = {
            "whole": lambda _, polys, __: self.whole(polys[0]),
            "sum": lambda _, polys, bound: self.sum(polys[0], bound),
            "power": lambda attributes, polys, _: self.power(polys[0], attributes[0]),
            "reduce": lambda attributes, polys, bound: self.reduction("reduce", attributes, polys[0], bound, ANY_SIGN),
            "boolean": lambda attributes, polys, bound: self.reduction(
                "boolean", attributes, polys[0], bound, NULL | POSITIVE
            ),
        }
        """How a node of each kind is built again from changed operands; others are closed as they are."""
        self.solvers: list[Callable[[int, Monomial, int, int], Poly | None]] = [self._solve_index]
        """What can say, of an atom and the other factors, what Σ over a variable with an extent is."""
        self._fresh = _FIRST_FRESH
        self._instances: dict[tuple[int, tuple[Index, ...]], Poly] = {}
        self._operands: dict[int, tuple[Poly, ...]] = {}
        self._neighbours: dict[int, list[tuple[int, int]]] = {}
        self._facts: dict[int, int] = {}
        self._closed: dict[tuple[Hashable, ...], Closed] = {}

    # Sums and products

    def add(self, *polys: Poly) -> Poly:
        """The sum."""
        terms: dict[Monomial, Number] = {}
        for poly in polys:
            for monomial, coefficient in poly:
                terms[monomial] = terms.get(monomial, 0) + coefficient
        return freeze(terms)

    def times(self, poly: Poly, factor: Number) -> Poly:
        """The polynomial times a number."""
        return tuple((m, plain(c * factor)) for m, c in poly) if factor else ZERO

    def subtract(self, a: Poly, b: Poly) -> Poly:
        """The difference a − b."""
        return self.add(a, self.times(b, -1))

    def multiply(self, a: Poly, b: Poly) -> Poly:
        """The product, distributed unless that gets too long."""
        for one, other in ((a, b), (b, a)):
            value = as_constant(one)
            if value is not None:
                return self.times(other, value)
        if len(a) * len(b) > MAX_MONOMIALS:
            a, b = (self.whole(p) if len(p) > 1 else p for p in (a, b))
        terms: dict[Monomial, Number] = {}
        for left, c in a:
            for right, d in b:
                monomial = self.multiply_monomials(left, right)
                if monomial is not None:
                    terms[monomial] = terms.get(monomial, 0) + c * d
        return freeze(terms)

    def multiply_monomials(self, a: Monomial, b: Monomial) -> Monomial | None:
        """The product of two monomials; None when it is 0."""
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
        if len(difference) != 1 or not (is_real or abs(difference[0][1]) == 1):
            return False
        ((monomial, _),) = difference
        return len(monomial) == 1 and powers.get(monomial[0][0], 0) > 0 and not self.table.is_boolean(monomial[0][0])

    def kind_of(self, atom: int) -> str:
        """The kind of the node an atom applies, '' for other atoms."""
        node = self.table.node_of(atom)
        return node.kind if node is not None else ""

    def operands(self, atom: int) -> tuple[Poly, ...]:
        """The operands of the node an atom applies, at its arguments; the node must bind nothing."""
        found = self._operands.get(atom)
        if found is None:
            _, number, arguments = self.table.atoms[atom]
            mapping = dict(enumerate(arguments))
            found = tuple(self.substitute(poly, mapping) for poly in self.table.nodes[number].polys)
            self._operands[atom] = found
        return found

    # Powers

    def power(self, poly: Poly, exponent: Number) -> Poly:
        """The polynomial to a rational power."""
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

    def apart(
        self, kind: str, attributes: tuple[Hashable, ...], polys: tuple[Poly, ...], sign: int = ANY_SIGN
    ) -> Poly:
        """A function of polynomials that is not looked into."""
        return (((self.atom_of(self.close(kind, attributes, polys), sign), 1),), 1),

    # Keeping a polynomial whole

    def whole(self, poly: Poly) -> Poly:
        """The polynomial as one atom, times a number so that multiples of it have the same atom."""
        if len(poly) == 0 or (len(poly) == 1 and len(poly[0][0]) == 0):
            return poly
        if len(poly) == 1 and len(poly[0][0]) == 1 and poly[0][0][0][1] == 1:
            return poly
        content, _, rest = self.content(poly, with_monomial=False)
        factor, closed = self.oriented("whole", (), rest)
        atom = self.atom_of(closed, self.sign(self.times(rest, factor)))
        return (((atom, 1),), plain(content * factor)),

    def oriented(self, kind: str, attributes: tuple[Hashable, ...], poly: Poly) -> tuple[int, Closed]:
        """The closed form of the polynomial or of its negative, whichever comes first, with 1 or −1."""
        options = []
        for factor in (1, -1):
            closed = self.close(kind, attributes, (self.times(poly, factor),))
            leading = closed.polys[0][0][1]
            options.append((leading < 0, closed.polys, factor, closed))
        _, _, factor, closed = min(options, key=lambda option: option[:2])
        return factor, closed

    def content(self, poly: Poly, *, with_monomial: bool) -> tuple[Number, Monomial, Poly]:
        """poly = content × common factor × rest, the rest's coefficients whole and without common divisor."""
        coefficients = [Fraction(c) for _, c in poly]
        content = Fraction(gcd(*(c.numerator for c in coefficients)), lcm(*(c.denominator for c in coefficients)))
        if not self.licences.reordering:
            content = _power_of_two_below(content)
        common: dict[int, Number] = {}
        if with_monomial:
            for atom in {a for a in atoms_of(poly)}:
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

    # Sums over indices

    def sum(self, poly: Poly, bound: Sequence[tuple[int, int]]) -> Poly:
        """The sum of a polynomial over bound variables, given with their extents."""
        bound = [(v, extent) for v, extent in bound if extent != 1]
        if not bound or not poly:
            return poly
        if not self.licences.reordering and len(poly) > 1:
            return self._sum_as_it_is(poly, bound)
        return self.add(*(self._sum_monomial(m, c, bound) for m, c in poly))

    def _sum_monomial(self, monomial: Monomial, coefficient: Number, bound: Sequence[tuple[int, int]]) -> Poly:
        for v, extent in bound:
            solved = self._solve(monomial, v, extent)
            if solved is not None:
                rest = [(other, e) for other, e in bound if other != v]
                return self.sum(self.times(solved, coefficient), rest)
        if not self.licences.reordering:
            return self._sum_as_it_is(((monomial, coefficient),), bound)
        names = {v for v, _ in bound}
        outside: list[tuple[int, Number]] = []
        groups: list[tuple[set[int], list[tuple[int, Number]]]] = []
        for atom, exponent in monomial:
            used = set(self.table.variables(atom)) & names
            if not used:
                outside.append((atom, exponent))
                continue
            joined: list[tuple[int, Number]] = [(atom, exponent)]
            apart = []
            for variables, factors in groups:
                if variables & used:
                    used |= variables
                    joined += factors
                else:
                    apart.append((variables, factors))
            groups = [*apart, (used, joined)]
        result: Poly = ((tuple(outside), coefficient),)
        for v, extent in bound:
            if not any(v in variables for variables, _ in groups):
                result = self.times(result, extent)
        if outside and groups:
            self.ledger.rules["factor-out-of-sum"] += 1
        for variables, factors in groups:
            inner = [(v, extent) for v, extent in bound if v in variables]
            result = self.multiply(result, self._sum_product(tuple(sorted(factors)), inner))
        return result

    def _sum_product(self, monomial: Monomial, bound: Sequence[tuple[int, int]]) -> Poly:
        """Σ of factors that hang together; sums among them are opened: Σ_i a_i·Σ_j b_ij -> Σ_ij a_i·b_ij."""
        for atom, exponent in monomial:
            node = self.table.node_of(atom)
            if node is None or node.kind != "sum" or exponent not in (1, 2):
                continue
            if len(bound) + len(node.bound) * exponent > MAX_BOUND:
                continue
            product: Poly = ((tuple(factor for factor in monomial if factor[0] != atom), 1),)
            bound = list(bound)
            for _ in range(int(exponent)):
                body, inner = self.open(atom)
                product = self.multiply(product, body)
                bound += inner
            self.ledger.rules["join-sums"] += 1
            return self.sum(product, bound)
        return self._closed_sum(((monomial, 1),), 1, bound)

    def open(self, atom: int) -> tuple[Poly, list[tuple[int, int]]]:
        """The operand of a node that binds variables, at its arguments, with fresh variables for the bound ones."""
        _, number, arguments = self.table.atoms[atom]
        node = self.table.nodes[number]
        bound = [(self.fresh(), extent) for extent in node.bound]
        mapping = dict(enumerate(arguments))
        for k, (v, extent) in enumerate(bound):
            mapping[len(arguments) + k] = variable(v, extent)
        return self.substitute(node.polys[0], mapping), bound

    def _sum_as_it_is(self, poly: Poly, bound: Sequence[tuple[int, int]]) -> Poly:
        """A sum node with everything inside but signs and powers of two."""
        content, _, rest = self.content(poly, with_monomial=False)
        atom = self.atom_of(self.close("sum", (), (rest,), bound), self.sign(rest))
        return ((((atom, 1),), content),)

    def _closed_sum(self, poly: Poly, factor: Number, bound: Sequence[tuple[int, int]]) -> Poly:
        """A sum node, its bound variables cut or joined to the digits that are used of them."""
        fitted, result, repeats = self.fit_bound(poly, bound)
        factor *= repeats
        if fitted != poly:
            return self.times(self.sum(fitted, result), factor)
        if not result:
            return self.times(poly, factor)
        atom = self.atom_of(self.close("sum", (), (poly,), result), self.sign(poly))
        return ((((atom, 1),), plain(factor)),)

    def reduction(
        self, kind: str, attributes: tuple[Hashable, ...], poly: Poly, bound: Sequence[tuple[int, int]], sign: int
    ) -> Poly:
        """A reduction that is not a sum, as a node; attributes are its opcode and type."""
        bound = list(bound)
        if len(poly) == 1 and poly[0][1] == 1 and len(poly[0][0]) == 1 and poly[0][0][0][1] == 1:
            inner = self.table.node_of(poly[0][0][0][0])
            if inner is not None and (inner.kind, inner.attributes) == (kind, attributes):  # max_i max_j -> max_ij
                poly, more = self.open(poly[0][0][0][0])
                bound += more
        poly, bound, repeats = self.fit_bound(poly, bound)
        if attributes[0] == "multiply" and repeats != 1:
            return self.apart("function", ("repeated product", repeats), (poly,))
        if not bound:
            return poly
        return ((((self.atom_of(self.close(kind, attributes, (poly,), bound), sign), 1),), 1),)

    def fit_bound(self, poly: Poly, bound: Sequence[tuple[int, int]]) -> tuple[Poly, list[tuple[int, int]], int]:
        """Bound variables cut into the digits that are used of them, and joined where only the whole is used.

        Returns:
            The polynomial and variables after that, and how often each of its values occurs in the original.
        """
        result: list[tuple[int, int]] = []
        mapping: dict[int, Index] = {}
        repeats = 1
        for v, extent in bound:
            used = [d for a in atoms_of(poly) for i in self.table.atoms[a].arguments for d in digits(i) if d[0] == v]
            cuts = pieces(used, extent)
            if not used:
                repeats *= extent
            elif cuts is None or len(cuts) == 1:
                result.append((v, extent))
            else:
                parts: list[Index] = []
                for divisor, modulus in cuts:
                    if any(d.divisor <= divisor and divisor * modulus <= d.divisor * d.modulus for d in used):
                        fresh = self.fresh()
                        result.append((fresh, modulus))
                        parts.append(scale(variable(fresh, modulus), divisor))
                    else:
                        repeats *= modulus
                mapping[v] = add_indices(*parts)
        if mapping:
            poly = self.substitute(poly, mapping)
        joined = self._join_bound(poly, result)
        while joined is not None:
            poly, result = joined
            joined = self._join_bound(poly, result)
        return poly, result, repeats

    def _join_bound(self, poly: Poly, bound: list[tuple[int, int]]) -> tuple[Poly, list[tuple[int, int]]] | None:
        """Two bound variables a, b that occur only as extent(b)·a + b put together into one."""
        extents = dict(bound)
        for high, low in self.neighbours(poly):
            if high not in extents or low not in extents:
                continue
            whole, extent = self.fresh(), extents[high] * extents[low]
            quotient, remainder = divide(variable(whole, extent), extents[low])
            candidate = self.substitute(poly, {high: quotient, low: remainder})
            used = {
                d for a in atoms_of(candidate) for i in self.table.atoms[a].arguments for d in digits(i) if d[0] == whole
            }
            if used == {Digit(whole, 1, extent)}:
                return candidate, [*((v, e) for v, e in bound if v not in (high, low)), (whole, extent)]
        return None

    def neighbours(self, poly: Poly) -> list[tuple[int, int]]:
        """Pairs of variables (a, b) that stand as extent(b)·a + b in some index."""
        found: dict[tuple[int, int], None] = {}
        for atom in atoms_of(poly):
            kind, number, arguments = self.table.atoms[atom]
            for index in arguments:
                for c, high in index[1]:
                    for d, low in index[1]:
                        if isinstance(high, Digit) and isinstance(low, Digit) and c == d * low.modulus:
                            found[high.variable, low.variable] = None
            if kind == "node":
                for i, j in self._node_neighbours(number):
                    high, low = single_digit(arguments[i]), single_digit(arguments[j])
                    if high is not None and low is not None:
                        found[high.variable, low.variable] = None
        return list(found)

    def _node_neighbours(self, number: int) -> list[tuple[int, int]]:
        pairs = self._neighbours.get(number)
        if pairs is None:
            node = self.table.nodes[number]
            count = len(node.extents)
            pairs = [(i, j) for poly in node.polys for i, j in self.neighbours(poly) if i < count and j < count]
            self._neighbours[number] = pairs
        return pairs

    def _solve(self, monomial: Monomial, v: int, extent: int) -> Poly | None:
        """Σ_v of a monomial, where one of its factors says what v must be; None where none does."""
        for atom, _ in monomial:
            rest = tuple(factor for factor in monomial if factor[0] != atom)
            for solver in self.solvers:
                solved = solver(atom, rest, v, extent)
                if solved is not None:
                    self.ledger.rules["one-hot-sum"] += 1
                    return solved
        return None

    def _solve_index(self, atom: int, rest: Monomial, v: int, extent: int) -> Poly | None:
        """Σ_v [v = e]·f(v) -> f(e)·[0 ≤ e < extent] for an index e."""
        kind, _, arguments = self.table.atoms[atom]
        found = self._solution(arguments[0], v, extent) if kind == "is-0" else None
        if found is None:
            return None
        value, guard = found
        guard = self.multiply(guard, self.in_range(value, extent))
        return self.multiply(self.substitute(((rest, 1),), {v: value}), guard)

    def _solution(self, index: Index, v: int, extent: int) -> tuple[Index, Poly] | None:
        """The v for which an index is 0, and the test that there is one, when v stands in it once and whole."""
        whole = Digit(v, 1, extent)
        coefficient = next((c for c, atom in index[1] if atom == whole), 0)
        rest = subtract(index, scale(of_digit(whole), coefficient))
        if coefficient == 0 or any(d.variable == v for d in digits(rest)):
            return None
        quotient, remainder = divide(scale(rest, -1 if coefficient > 0 else 1), abs(coefficient))
        return quotient, self.is_zero(remainder)

    # Tests on indices

    def at_least_zero(self, index: Index) -> Poly:
        """[index ≥ 0]."""
        low, high = bounds(index)
        if low >= 0:
            return ONE
        if high < 0:
            return ZERO
        return ((((self.table.atom("at-least-0", 0, (index,)), 1),), 1),)

    def is_zero(self, index: Index) -> Poly:
        """[index = 0]."""
        low, high = bounds(index)
        if low > 0 or high < 0:
            return ZERO
        if low == high == 0:
            return ONE
        if index[1] and (index[1][0][0] < 0 or (index[1][0][0] == 0 and index[0] < 0)):
            index = scale(index, -1)
        return ((((self.table.atom("is-0", 0, (index,)), 1),), 1),)

    def in_range(self, index: Index, extent: int) -> Poly:
        """[0 ≤ index < extent]."""
        return self.multiply(
            self.at_least_zero(index), self.at_least_zero(subtract(constant(extent - 1), index))
        )

    def index_value(self, index: Index) -> Poly:
        """An index as a number."""
        terms: dict[Monomial, Number] = {(): index[0]} if index[0] else {}
        for c, atom in index[1]:
            one = self.table.atom("index", 0, ((0, ((1, atom),)),))
            terms[((one, 1),)] = c
        return freeze(terms)

    # Substitution

    def fresh(self) -> int:
        """A variable number used nowhere else."""
        self._fresh += 1
        return self._fresh

    def substitute(self, poly: Poly, mapping: Mapping[int, Index]) -> Poly:
        """The polynomial with index variables replaced, all at once."""
        images: dict[int, Poly] = {}
        for atom in atoms_of(poly):
            if atom not in images:
                images[atom] = self._substituted(atom, mapping)
        if all(len(image) == 1 and image[0][1] == 1 and len(image[0][0]) == 1 for image in images.values()):
            plain_names = {a: image[0][0][0] for a, image in images.items()}
            if all(e == 1 for _, e in plain_names.values()) and len({n for n, _ in plain_names.values()}) == len(images):
                terms: dict[Monomial, Number] = {}
                for monomial, c in poly:
                    name = tuple(sorted((plain_names[a][0], e) for a, e in monomial))
                    terms[name] = terms.get(name, 0) + c
                return freeze(terms)
        parts: list[Poly] = []
        for monomial, c in poly:
            product = scalar(c)
            for atom, exponent in monomial:
                product = self.multiply(product, self.power(images[atom], exponent))
            parts.append(product)
        return self.add(*parts)

    def _substituted(self, atom: int, mapping: Mapping[int, Index]) -> Poly:
        if not any(v in mapping for v in self.table.variables(atom)):
            return ((((atom, 1),), 1),)
        kind, number, arguments = self.table.atoms[atom]
        arguments = tuple(substitute(index, mapping) for index in arguments)
        if kind == "node":
            return self.instance(number, arguments)
        if kind == "at-least-0":
            return self.at_least_zero(arguments[0])
        if kind == "is-0":
            return self.is_zero(arguments[0])
        if kind == "index":
            return self.index_value(arguments[0])
        return self.read(number, arguments)

    def read(self, leaf: int, arguments: tuple[Index, ...]) -> Poly:
        """A leaf at indices; the number itself for an element of a literal."""
        values = self.table.literals.get(leaf)
        if values is not None and not any(index[1] for index in arguments):
            return scalar(element_of(values, tuple(index[0] for index in arguments), self.table.leaves[leaf]))
        return ((((self.table.atom("leaf", leaf, arguments), 1),), 1),)

    def instance(self, number: int, arguments: tuple[Index, ...]) -> Poly:
        """A node applied to indices: the same atom where they are unrelated digits, else built again."""
        if _unrelated(arguments):
            node = self.table.nodes[number]
            arguments = min(tuple(arguments[k] for k in order) for order in node.symmetries)
            return ((((self.table.atom("node", number, arguments), 1),), 1),)
        key = (number, arguments)
        cached = self._instances.get(key)
        if cached is None:
            node = self.table.nodes[number]
            bound = [(self.fresh(), extent) for extent in node.bound]
            mapping = dict(enumerate(arguments))
            for k, (v, extent) in enumerate(bound):
                mapping[len(arguments) + k] = variable(v, extent)
            polys = tuple(self.substitute(poly, mapping) for poly in node.polys)
            maker = self.makers.get(node.kind)
            if maker is not None:
                cached = maker(node.attributes, polys, tuple(bound))
            else:
                closed = self.close(node.kind, node.attributes, polys, bound)
                cached = ((((self.atom_of(closed, self.table.signs[number]), 1),), 1),)
            self._instances[key] = cached
        return cached

    # Closing

    def close(
        self,
        kind: str,
        attributes: tuple[Hashable, ...],
        polys: tuple[Poly, ...],
        bound: Sequence[tuple[int, int]] = (),
    ) -> Closed:
        """`canonical.close`, remembered."""
        key = (kind, attributes, polys, tuple(bound))
        closed = self._closed.get(key)
        if closed is None:
            closed = self._closed[key] = close(self.table, kind, attributes, polys, bound)
        return closed

    def atom_of(self, closed: Closed, sign: int) -> int:
        """The atom of a closed term, whose value is known to have one of these signs."""
        return intern(self.table, closed, sign)

    # Signs

    def learn(self, poly: Poly, sign: int) -> None:
        """Take note of what the value of a polynomial can be, known from elsewhere."""
        if self.sign(poly) & ~sign == 0 or as_constant(poly) is not None:
            return
        whole = self.whole(poly)
        ((monomial, coefficient),) = whole
        if len(monomial) == 1 and monomial[0][1] == 1 and self.table.atoms[monomial[0][0]].kind == "node":
            number = self.table.atoms[monomial[0][0]].number
            own = sign_of_product(sign, POSITIVE if coefficient > 0 else NEGATIVE)
            self._facts[number] = (self._facts.get(number, ANY_SIGN) & own) or ANY_SIGN

    def sign_of_atom(self, atom: int) -> int:
        """What the value of an atom can be: a set of NEGATIVE, NULL, POSITIVE."""
        kind, number, _ = self.table.atoms[atom]
        sign = self.table.sign(atom)
        return (sign & self._facts.get(number, ANY_SIGN)) or sign if kind == "node" else sign

    def sign(self, poly: Poly) -> int:
        """What the value of a polynomial can be: a set of NEGATIVE, NULL, POSITIVE."""
        total = NULL
        for monomial, coefficient in poly:
            total = sign_of_sum(total, self.sign_of_monomial(monomial, coefficient))
        return total

    def sign_of_monomial(self, monomial: Monomial, coefficient: Number) -> int:
        """The same for one monomial."""
        sign = POSITIVE if coefficient > 0 else NEGATIVE
        for atom, exponent in monomial:
            sign = sign_of_product(sign, sign_of_power(self.sign_of_atom(atom), exponent))
        return sign


def element_of(values: NDArray[np.generic], position: tuple[int, ...], leaf: Leaf) -> Number:
    """An element of a literal, exactly; positions outside, which a test multiplies by 0, read as the nearest inside."""
    inside = tuple(min(max(p, 0), extent - 1) for p, extent in zip(position, values.shape, strict=True))
    value = values[inside].item()
    return plain(Fraction(value)) if isinstance(value, float) else int(value)


def _unrelated(arguments: tuple[Index, ...]) -> bool:
    """Whether they are digits of different variables, or far enough apart in one to be told apart."""
    seen: list[Digit] = []
    for index in arguments:
        digit = single_digit(index)
        if digit is None:
            return False
        for other in seen:
            if other.variable == digit.variable:
                low, high = sorted((other, digit), key=lambda d: d.divisor)
                if low.divisor * low.modulus >= high.divisor:
                    return False
        seen.append(digit)
    return True


def _power_of_two_below(value: Fraction) -> Fraction:
    """The largest power of two that divides a fraction's numerator, over that in its denominator."""
    return Fraction(value.numerator & -value.numerator, value.denominator & -value.denominator)


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """The exact root of a rational, None when it is irrational or not real."""
    if value < 0:
        return None
    roots = [integer_root(part, degree) for part in (value.numerator, value.denominator)]
    if any(root**degree != part for root, part in zip(roots, (value.numerator, value.denominator), strict=True)):
        return None
    return Fraction(roots[0], roots[1])


def integer_root(value: int, degree: int) -> int:
    """The greatest whole number whose power does not exceed the value."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


def sign_of_sum(a: int, b: int) -> int:
    """What a sum can be, given what its parts can be."""
    result = 0
    for x in (NEGATIVE, NULL, POSITIVE):
        for y in (NEGATIVE, NULL, POSITIVE):
            if a & x and b & y:
                result |= y if x == NULL else x if y in (NULL, x) else ANY_SIGN
    return result


def sign_of_product(a: int, b: int) -> int:
    """What a product can be, given what its factors can be."""
    result = 0
    for x in (NEGATIVE, NULL, POSITIVE):
        for y in (NEGATIVE, NULL, POSITIVE):
            if a & x and b & y:
                result |= NULL if NULL in (x, y) else POSITIVE if x == y else NEGATIVE
    return result


def sign_of_power(sign: int, exponent: Number) -> int:
    """What a power can be, where it is defined at all."""
    if isinstance(exponent, Fraction):
        result = (sign & (NULL | POSITIVE)) or POSITIVE
    elif exponent % 2 == 0:
        result = (POSITIVE if sign & (NEGATIVE | POSITIVE) else 0) | (sign & NULL)
    else:
        result = sign
    return (result & ~NULL) or POSITIVE if exponent < 0 else result
