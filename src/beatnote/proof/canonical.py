"""Closing a term over its index variables, and naming them so that equal functions get equal numbers.

Which variable comes first is decided by what is done with it (colour refinement), then by trying what is still
tied. Colours are hashes: a collision makes two equal functions look different, never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from beatnote.proof.index import Digit, Index, digits, map_digits, of_digit, pieces, scale, variable
from beatnote.proof.index import add as add_indices
from beatnote.proof.terms import Monomial, Node, Number, Poly, Table, atoms_of, freeze, plain, poly_support

MAX_TRIES = 48
"""How many namings of tied variables are tried before the first will do."""

_CODES = {"leaf": 1, "node": 2, "index": 3, "at-least-0": 4, "is-0": 5, "quotient": 6, "remainder": 7}
"""Whole numbers for kinds: hashes of strings differ from one process to the next."""


class Closed(NamedTuple):
    """A closed term: what to look up or make a node from, and the arguments to apply it to."""

    kind: str
    attributes: tuple[Any, ...]
    extents: tuple[int, ...]
    bound: tuple[int, ...]
    polys: tuple[Poly, ...]
    symmetries: tuple[tuple[int, ...], ...]
    arguments: tuple[Index, ...]


def close(
    table: Table,
    kind: str,
    attributes: tuple[Any, ...],
    polys: tuple[Poly, ...],
    bound: Sequence[tuple[int, int]] = (),
) -> Closed:
    """Close polynomials over their variables.

    Args:
        table: where atoms live.
        kind: of the node.
        attributes: of the node.
        polys: its operands, with free and bound variables of any numbers.
        bound: (variable, extent) of those that the node binds.
    """
    abstract = _Abstraction(table, polys, dict(bound))
    best: tuple[Poly, ...] | None = None
    orders: list[list[int]] = []
    for order in abstract.orders():
        named = abstract.renamed(order)
        if best is None or named < best:
            best, orders = named, [order]
        elif named == best:
            orders.append(order)
    free = abstract.free
    count = len(free)
    choices = [tuple(of_digit(free[k]) for k in order[:count]) for order in orders]
    first = min(range(len(choices)), key=lambda k: choices[k])
    base = orders[first][:count]
    symmetries = tuple(tuple(order[:count].index(k) for k in base) for order in (orders[first], *orders))
    return Closed(
        kind,
        attributes,
        tuple(free[k].modulus for k in base),
        tuple(abstract.extents[k] for k in orders[first][count:]),
        best or (),
        tuple(dict.fromkeys(symmetries)),
        choices[first],
    )


def intern(table: Table, closed: Closed, sign: int) -> int:
    """Return the number of the atom that applies a closed term to its arguments."""
    support = 0
    for poly in closed.polys:
        support |= poly_support(table, poly)
    node = Node(closed.kind, closed.attributes, closed.extents, closed.bound, closed.polys, closed.symmetries, support)
    return table.atom("node", table.node(node, sign), closed.arguments)


class _Abstraction:
    """Polynomials with every digit of a free variable, and every bound variable, given a temporary number."""

    def __init__(self, table: Table, polys: tuple[Poly, ...], bound: dict[int, int]) -> None:
        self.table = table
        self.polys = polys
        used: dict[int, dict[Digit, None]] = {}
        for poly in polys:
            for atom in atoms_of(poly):
                for index in table.atoms[atom].arguments:
                    for digit in digits(index):
                        used.setdefault(digit.variable, {})[digit] = None
        self.free: list[Digit] = []
        self.images: dict[Digit, Index] = {}
        for number, found in used.items():
            if number not in bound:
                self._free_variable(number, list(found))
        self.extents = [digit.modulus for digit in self.free]
        for number, extent in bound.items():
            temporary = len(self.extents)
            self.extents.append(extent)
            for digit in used.get(number, ()):
                self.images[digit] = of_digit(Digit(temporary, digit.divisor, digit.modulus))
        self.atoms = {
            atom: tuple(map_digits(index, self.images.__getitem__) for index in table.atoms[atom].arguments)
            for poly in polys
            for atom in atoms_of(poly)
        }

    def _free_variable(self, number: int, used: list[Digit]) -> None:
        cuts = pieces(used)
        parts = [Digit(number, *cut) for cut in cuts] if cuts is not None else used
        numbers = {part: len(self.free) + k for k, part in enumerate(parts)}
        self.free.extend(parts)
        for digit in used:
            inside = (
                [
                    scale(variable(numbers[part], part.modulus), part.divisor // digit.divisor)
                    for part in parts
                    if digit.divisor <= part.divisor and part.divisor * part.modulus <= digit.divisor * digit.modulus
                ]
                if cuts is not None
                else [variable(numbers[digit], digit.modulus)]
            )
            self.images[digit] = add_indices(*inside)

    def orders(self) -> Iterator[list[int]]:
        """Orders of the temporary numbers, free ones first, worth trying."""
        free, total = len(self.free), len(self.extents)
        if total == 0:
            yield []
            return
        colours = [hash((k >= free, extent)) for k, extent in enumerate(self.extents)]
        for discrete in islice(self._refined(colours), MAX_TRIES):
            yield sorted(range(total), key=lambda k: (k >= free, discrete[k]))

    def _refined(self, colours: list[int]) -> Iterator[list[int]]:
        colours = self._refine(colours)
        classes: dict[int, list[int]] = {}
        for k, colour in enumerate(colours):
            classes.setdefault(colour, []).append(k)
        tied = min((group for group in classes.values() if len(group) > 1), key=len, default=None)
        if tied is None:
            yield colours
            return
        for chosen in tied:
            single = list(colours)
            single[chosen] = hash((colours[chosen], -1))
            yield from self._refined(single)

    def _refine(self, colours: list[int]) -> list[int]:
        count = len(set(colours))
        while count < len(colours):
            colours = self._recoloured(colours)
            fresh = len(set(colours))
            if fresh == count:
                break
            count = fresh
        return colours

    def _recoloured(self, colours: list[int]) -> list[int]:
        atoms = {
            atom: hash((*self._head(atom), tuple(_signature(index, colours) for index in indices)))
            for atom, indices in self.atoms.items()
        }
        seen: list[list[int]] = [[] for _ in colours]
        for operand, poly in enumerate(self.polys):
            for monomial, coefficient in poly:
                whole = hash((operand, coefficient, tuple(sorted(hash((atoms[a], e)) for a, e in monomial))))
                for atom, exponent in monomial:
                    for position, index in enumerate(self.atoms[atom]):
                        for number, use in _uses(index):
                            seen[number].append(hash((whole, atoms[atom], exponent, position, use)))
        return [hash((colour, tuple(sorted(uses)))) for colour, uses in zip(colours, seen, strict=True)]

    def _head(self, atom: int) -> tuple[int, int]:
        kind, number, _ = self.table.atoms[atom]
        return _CODES[kind], number

    def renamed(self, order: list[int]) -> tuple[Poly, ...]:
        """Replace the temporary numbers by places in `order`."""
        place = {number: k for k, number in enumerate(order)}

        def named(digit: Digit) -> Index:
            return of_digit(Digit(place[digit.variable], digit.divisor, digit.modulus))

        names = {
            atom: self.table.atom(*self.table.atoms[atom][:2], tuple(map_digits(index, named) for index in indices))
            for atom, indices in self.atoms.items()
        }
        return tuple(rename_atoms(self.table, poly, names) for poly in self.polys)


def rename_atoms(table: Table, poly: Poly, names: dict[int, int]) -> Poly:
    """Replace atoms; those that get one name are one: `i − i % 2` is `2·(i // 2)` once digits are named apart."""
    is_one_for_one = len(set(names.values())) == len(names)
    terms: dict[Monomial, Number] = {}
    for monomial, coefficient in poly:
        named = [(names[atom], e) for atom, e in monomial]
        renamed = tuple(sorted(named)) if is_one_for_one else _collected(table, named)
        terms[renamed] = terms.get(renamed, 0) + coefficient
    return freeze(terms)


def _collected(table: Table, factors: list[tuple[int, Number]]) -> Monomial:
    """Join powers of the same atom; a test to any power is the test."""
    powers: dict[int, Number] = {}
    for atom, exponent in factors:
        if atom not in powers:
            powers[atom] = exponent
        elif not table.is_boolean(atom):
            powers[atom] = plain(powers[atom] + exponent)
    return tuple(sorted((atom, exponent) for atom, exponent in powers.items() if exponent))


def _uses(index: Index) -> Iterator[tuple[int, int]]:
    """Each temporary number an index uses, with a hash of how."""
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            yield atom.variable, hash((c, atom.divisor, atom.modulus, index[0]))
        else:
            for number, use in _uses(atom.inner):
                yield number, hash((c, _CODES[atom.part], atom.divisor, use))


def _signature(index: Index, colours: list[int]) -> int:
    parts: list[int] = []
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            parts.append(hash((c, colours[atom.variable], atom.divisor, atom.modulus)))
        else:
            parts.append(hash((c, _CODES[atom.part], atom.divisor, _signature(atom.inner, colours))))
    return hash((index[0], tuple(sorted(parts))))
