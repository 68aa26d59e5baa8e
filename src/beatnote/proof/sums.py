"""Sums over indices, and other reductions: what is pulled out, joined, cut, or solved away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from beatnote.proof.index import Digit, Index, digits, divide, of_digit, pieces, scale, single_digit, subtract, variable
from beatnote.proof.index import add as add_indices
from beatnote.proof.licences import Ledger
from beatnote.proof.reals import sign_of_sum
from beatnote.proof.substitution import Substitution
from beatnote.proof.terms import ANY_SIGN, NULL, POSITIVE, Monomial, Number, Poly, Table, atoms_of, plain

MAX_BOUND = 16
"""Sums inside sums are joined while they bind no more variables than this."""


class Sums(Substitution):
    """Substitution that knows sums."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        super().__init__(table, ledger)
        self.makers |= {
            "sum": lambda _, polys, bound: self.sum(polys[0], bound),
            "reduce": lambda attributes, polys, bound: self.reduction("reduce", attributes, polys[0], bound, ANY_SIGN),
            "boolean": self._boolean,
        }
        self.solvers: list[Callable[[int, Monomial, int, int], Poly | None]] = [self._solve_index]
        """What can say, of an atom and the other factors, what Σ over a variable with an extent is."""
        self._neighbours: dict[int, list[tuple[int, int]]] = {}

    def _boolean(self, attributes: tuple[Any, ...], polys: tuple[Poly, ...], bound: Sequence[tuple[int, int]]) -> Poly:
        """All or any of a test, or a function that yields a test."""
        if not bound:
            return self.apart("boolean", attributes, polys, NULL | POSITIVE)
        return self.reduction("boolean", attributes, polys[0], bound, NULL | POSITIVE)

    def sum(self, poly: Poly, bound: Sequence[tuple[int, int]]) -> Poly:
        """Sum a polynomial over bound variables, given with their extents."""
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
            apart: list[tuple[set[int], list[tuple[int, Number]]]] = []
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
                (body,), inner = self.open(atom)
                product = self.multiply(product, body)
                bound += inner
            self.ledger.rules["join-sums"] += 1
            return self.sum(product, bound)
        return self._closed_sum(((monomial, 1),), 1, bound)

    def _sum_as_it_is(self, poly: Poly, bound: Sequence[tuple[int, int]]) -> Poly:
        """Make a sum node with everything inside but signs and powers of two."""
        content, _, rest = self.content(poly, with_monomial=False)
        factor, closed = self.oriented("sum", (), rest, bound)
        atom = self.atom_of(closed, self._sign_of_sum(self.times(rest, factor)))
        return ((((atom, 1),), plain(content * factor)),)

    def _closed_sum(self, poly: Poly, factor: Number, bound: Sequence[tuple[int, int]]) -> Poly:
        """Make a sum node, its bound variables cut or joined to the digits that are used of them."""
        fitted, result, repeats = self.fit_bound(poly, bound)
        factor *= repeats
        if fitted != poly:
            return self.times(self.sum(fitted, result), factor)
        if not result:
            return self.times(poly, factor)
        atom = self.atom_of(self.close("sum", (), (poly,), result), self._sign_of_sum(poly))
        return ((((atom, 1),), plain(factor)),)

    def _sign_of_sum(self, poly: Poly) -> int:
        sign = self.sign(poly)
        return sign_of_sum(sign, sign)

    def reduction(
        self, kind: str, attributes: tuple[Any, ...], poly: Poly, bound: Sequence[tuple[int, int]], sign: int
    ) -> Poly:
        """Make a node of a reduction that is not a sum; attributes are its opcode and type."""
        bound = list(bound)
        if bound and attributes == ("multiply", "real") and not self.licences.reordering:  # the only one that rounds
            return ((((self.atom_of(self.close(kind, attributes, (poly,), bound), sign), 1),), 1),)
        if len(poly) == 1 and poly[0][1] == 1 and len(poly[0][0]) == 1 and poly[0][0][0][1] == 1:
            inner = self.table.node_of(poly[0][0][0][0])
            if inner is not None and (inner.kind, inner.attributes) == (kind, attributes):  # max_i max_j -> max_ij
                (poly,), more = self.open(poly[0][0][0][0])
                bound += more
        fitted, result, repeats = self.fit_bound(poly, bound)
        if repeats == 1 or attributes[0] != "multiply":  # a factor that repeats is a power
            poly, bound = fitted, result
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
                d
                for a in atoms_of(candidate)
                for i in self.table.atoms[a].arguments
                for d in digits(i)
                if d[0] == whole
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
        """Find the v for which an index is 0, and the test that there is one, when v stands in it once and whole."""
        whole = Digit(v, 1, extent)
        coefficient = next((c for c, atom in index[1] if atom == whole), 0)
        rest = subtract(index, scale(of_digit(whole), coefficient))
        if coefficient == 0 or any(d.variable == v for d in digits(rest)):
            return None
        quotient, remainder = divide(scale(rest, -1 if coefficient > 0 else 1), abs(coefficient))
        return quotient, self.is_zero(remainder)
