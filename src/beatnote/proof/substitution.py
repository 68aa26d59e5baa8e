"""Terms with indices replaced: the effect of views, and of applying a node to arguments."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from beatnote.proof.algebra import Algebra
from beatnote.proof.index import Digit, Index, bounds, constant, scale, single_digit, substitute, subtract, variable
from beatnote.proof.licences import Ledger
from beatnote.proof.terms import ONE, ZERO, Monomial, Number, Poly, Table, atoms_of, freeze, plain, scalar

_FIRST_FRESH = 1 << 20


class Substitution(Algebra):
    """Algebra that knows indices."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        super().__init__(table, ledger)
        self._fresh = _FIRST_FRESH
        self._instances: dict[tuple[int, tuple[Index, ...]], Poly] = {}
        self._operands: dict[int, tuple[Poly, ...]] = {}

    # Substitution

    def fresh(self) -> int:
        """Make a variable number used nowhere else."""
        self._fresh += 1
        return self._fresh

    def substitute(self, poly: Poly, mapping: Mapping[int, Index]) -> Poly:
        """Replace index variables in a polynomial, all at once."""
        images: dict[int, Poly] = {}
        for atom in atoms_of(poly):
            if atom not in images:
                images[atom] = self._substituted(atom, mapping)
        if all(len(image) == 1 and image[0][1] == 1 and len(image[0][0]) == 1 for image in images.values()):
            plain_names = {a: image[0][0][0] for a, image in images.items()}
            if all(e == 1 for _, e in plain_names.values()) and len({n for n, _ in plain_names.values()}) == len(
                images
            ):
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
        """Take a leaf at indices; the number itself for a finite element of a literal."""
        values = self.table.literals.get(leaf)
        if values is not None and not any(index[1] for index in arguments):
            number = element_of(values, tuple(index[0] for index in arguments))
            if number is not None:
                return scalar(number)
        return ((((self.table.atom("leaf", leaf, arguments), 1),), 1),)

    def instance(self, number: int, arguments: tuple[Index, ...]) -> Poly:
        """Apply a node to indices: the same atom where they are unrelated digits, else built again."""
        node = self.table.nodes[number]
        if _unrelated(arguments, node.extents):
            arguments = min(tuple(arguments[k] for k in order) for order in node.symmetries)
            return ((((self.table.atom("node", number, arguments), 1),), 1),)
        key = (number, arguments)
        cached = self._instances.get(key)
        if cached is None:
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

    def operands(self, atom: int) -> tuple[Poly, ...]:
        """Return the operands of the node an atom applies, at its arguments; the node must bind nothing."""
        found = self._operands.get(atom)
        if found is None:
            _, number, arguments = self.table.atoms[atom]
            mapping = dict(enumerate(arguments))
            found = tuple(self.substitute(poly, mapping) for poly in self.table.nodes[number].polys)
            self._operands[atom] = found
        return found

    def open(self, atom: int) -> tuple[tuple[Poly, ...], list[tuple[int, int]]]:
        """Give the operands of the node an atom applies, at its arguments, with fresh variables for the bound ones."""
        _, number, arguments = self.table.atoms[atom]
        node = self.table.nodes[number]
        bound = [(self.fresh(), extent) for extent in node.bound]
        mapping = dict(enumerate(arguments))
        for k, (v, extent) in enumerate(bound):
            mapping[len(arguments) + k] = variable(v, extent)
        return tuple(self.substitute(poly, mapping) for poly in node.polys), bound

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
        return self.multiply(self.at_least_zero(index), self.at_least_zero(subtract(constant(extent - 1), index)))

    def index_value(self, index: Index) -> Poly:
        """Read an index as a number."""
        terms: dict[Monomial, Number] = {(): index[0]} if index[0] else {}
        for c, atom in index[1]:
            one = self.table.atom("index", 0, ((0, ((1, atom),)),))
            terms[((one, 1),)] = c
        return freeze(terms)


def element_of(values: NDArray[np.generic], position: tuple[int, ...]) -> Number | None:
    """Read an element of a literal; None for an infinity or NaN.

    Positions outside, which a test multiplies by 0, read as the nearest inside.
    """
    inside = tuple(min(max(p, 0), extent - 1) for p, extent in zip(position, values.shape, strict=True))
    value = values[inside].item()
    if isinstance(value, float):
        return plain(Fraction(value)) if isfinite(value) else None
    return int(value)


def _unrelated(arguments: tuple[Index, ...], extents: tuple[int, ...]) -> bool:
    """Whether they run over these extents whole, as digits of different variables or far enough apart in one."""
    seen: list[Digit] = []
    for index, extent in zip(arguments, extents, strict=True):
        digit = single_digit(index)
        if digit is None or digit.modulus != extent:
            return False
        for other in seen:
            if other.variable == digit.variable:
                low, high = sorted((other, digit), key=lambda d: d.divisor)
                if low.divisor * low.modulus >= high.divisor:
                    return False
        seen.append(digit)
    return True
