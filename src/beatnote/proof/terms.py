"""Terms, hash-consed: every distinct term has one number in a `Table` shared by both programs.

A scalar is a polynomial: a sum of coefficient × product of atoms to powers. An atom reads a leaf (a parameter, a
literal, the result of an operation that is left alone) at indices, or applies a node to indices, or is an index used
as a number, or a test on an index that is 0 or 1. A node is a closed function from indices to scalars: `exp(p)`, a
sum over bound indices, a polynomial kept whole. Equal terms get equal numbers, so equality is comparison of numbers.

Nothing here rewrites; `algebra` builds terms in normal form, `canonical` names the variables of nodes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from beatnote.proof.index import Index, bounds, digits

Number = int | Fraction
Monomial = tuple[tuple[int, Number], ...]
"""((atom, exponent), …) sorted by atom; () is 1."""

Poly = tuple[tuple[Monomial, Number], ...]
"""((monomial, coefficient), …) sorted, no zero coefficient; () is 0."""

ZERO: Poly = ()
ONE: Poly = (((), 1),)

NEGATIVE, NULL, POSITIVE = 1, 2, 4
ANY_SIGN = NEGATIVE | NULL | POSITIVE


class Leaf(NamedTuple):
    """An array that is not looked into.

    Attributes:
        kind: "parameter", "literal", "operation", "elided", "unique".
        key: what makes it this leaf and no other.
        extents: its dimensions.
        dtype: element type, as XLA spells it.
        support: bit k set when it depends on parameter k.
        sign: what its elements can be.
        note: for people: the parameter's name, the operation's opcode.
    """

    kind: str
    key: Hashable
    extents: tuple[int, ...]
    dtype: str
    support: int
    sign: int
    note: str


class Node(msgspec.Struct, frozen=True):
    """A closed function from indices to scalars, its variables numbered canonically.

    Attributes:
        kind: what it computes from its polynomials, such as "exp", "sum", "greater", "whole"; "rounded" is their sum,
            rounded on the way in a manner of its own.
        attributes: what else distinguishes it.
        extents: of its arguments; they are variables 0, 1, … in the polynomials.
        bound: extents of the variables it binds; they are numbered after the arguments.
        polys: its operands.
        symmetries: permutations of the arguments that leave it the same, the identity first.
        support: bit k set when it depends on parameter k.
    """

    kind: str
    attributes: tuple[Any, ...]
    extents: tuple[int, ...]
    bound: tuple[int, ...]
    polys: tuple[Poly, ...]
    symmetries: tuple[tuple[int, ...], ...]
    support: int


class Atom(NamedTuple):
    """A factor.

    Attributes:
        kind: "leaf", "node", "index" (an index as a number), "at-least-0" or "is-0" (tests on an index).
        number: of the leaf or node; 0 for others.
        arguments: indices; exactly one for the last three kinds.
    """

    kind: str
    number: int
    arguments: tuple[Index, ...]


BOOLEAN_KINDS = frozenset({"greater", "equal", "nan", "boolean"})
"""Node kinds whose value is 0 or 1."""


class Table:
    """All terms of one comparison, numbered."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.nodes: list[Node] = []
        self.atoms: list[Atom] = []
        self.signs: list[int] = []
        """What the value of node k can be, by number; narrowed when something more is known."""
        self.literals: dict[int, NDArray[np.generic]] = {}
        """The elements of leaf k, where it is a literal."""
        self._leaves: dict[tuple[Hashable, ...], int] = {}
        self._nodes: dict[tuple[Hashable, ...], int] = {}
        self._atoms: dict[Atom, int] = {}
        self._variables: list[frozenset[int]] = []

    def leaf(self, leaf: Leaf) -> int:
        """Give a leaf its number."""
        identity = leaf[:4]  # a note is for people, support and sign follow from the rest
        number = self._leaves.get(identity)
        if number is None:
            number = self._leaves[identity] = len(self.leaves)
            self.leaves.append(leaf)
        return number

    def find_node(self, key: tuple[Hashable, ...]) -> int | None:
        """Find the number of a node with this (kind, attributes, extents, bound, polys), if there is one."""
        return self._nodes.get(key)

    def node(self, node: Node, sign: int) -> int:
        """Give a node its number."""
        key = (node.kind, node.attributes, node.extents, node.bound, node.polys)
        number = self._nodes.get(key)
        if number is None:
            number = self._nodes[key] = len(self.nodes)
            self.nodes.append(node)
            self.signs.append(sign)
        else:
            self.signs[number] = (self.signs[number] & sign) or self.signs[number]
        return number

    def atom(self, kind: str, number: int, arguments: tuple[Index, ...]) -> int:
        """Give an atom its number."""
        atom = Atom(kind, number, arguments)
        found = self._atoms.get(atom)
        if found is None:
            found = self._atoms[atom] = len(self.atoms)
            self.atoms.append(atom)
            self._variables.append(frozenset(d.variable for index in arguments for d in digits(index)))
        return found

    def variables(self, atom: int) -> frozenset[int]:
        """Return the index variables an atom depends on."""
        return self._variables[atom]

    def node_of(self, atom: int) -> Node | None:
        """Return the node an atom applies, None for other atoms."""
        kind, number, _ = self.atoms[atom]
        return self.nodes[number] if kind == "node" else None

    def support(self, atom: int) -> int:
        """Return the parameters an atom depends on, as a bit set."""
        kind, number, _ = self.atoms[atom]
        if kind == "leaf":
            return self.leaves[number].support
        return self.nodes[number].support if kind == "node" else 0

    def is_boolean(self, atom: int) -> bool:
        """Whether an atom is always 0 or 1."""
        kind, number, _ = self.atoms[atom]
        if kind == "leaf":
            return self.leaves[number].dtype == "pred"
        if kind == "node":
            return self.nodes[number].kind in BOOLEAN_KINDS
        return kind != "index"

    def sign(self, atom: int) -> int:
        """Say what the value of an atom can be: a set of NEGATIVE, NULL, POSITIVE."""
        kind, number, arguments = self.atoms[atom]
        if kind == "leaf":
            return self.leaves[number].sign
        if kind == "node":
            return self.signs[number]
        return ANY_SIGN if kind == "index" and bounds(arguments[0])[0] < 0 else NULL | POSITIVE


def poly_variables(table: Table, poly: Poly) -> frozenset[int]:
    """Return the index variables a polynomial depends on."""
    return frozenset(v for monomial, _ in poly for atom, _ in monomial for v in table.variables(atom))


def poly_support(table: Table, poly: Poly) -> int:
    """Return the parameters a polynomial depends on, as a bit set."""
    support = 0
    for atom in atoms_of(poly):
        support |= table.support(atom)
    return support


def atoms_of(poly: Poly) -> Iterator[int]:
    """Every atom of a polynomial, repeats included."""
    for monomial, _ in poly:
        for atom, _ in monomial:
            yield atom


def freeze(terms: Mapping[Monomial, Number]) -> Poly:
    """Make a polynomial from monomials with their coefficients."""
    return tuple(sorted((m, plain(c)) for m, c in terms.items() if c))


def plain(value: Number) -> Number:
    """Return the same number, a fraction only where it is one."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def scalar(value: Number) -> Poly:
    """Make a constant polynomial."""
    return (((), plain(value)),) if value else ZERO


def as_constant(poly: Poly) -> Number | None:
    """Return the value of a constant polynomial, None for others."""
    if not poly:
        return 0
    return poly[0][1] if len(poly) == 1 and not poly[0][0] else None


def reachable(table: Table, polys: Iterator[Poly] | tuple[Poly, ...]) -> tuple[set[int], set[int]]:
    """Return the numbers of all leaves and of all nodes that polynomials are built from."""
    leaves: set[int] = set()
    nodes: set[int] = set()
    stack = list(polys)
    while stack:
        for atom in atoms_of(stack.pop()):
            kind, number, _ = table.atoms[atom]
            if kind == "leaf":
                leaves.add(number)
            elif kind == "node" and number not in nodes:
                nodes.add(number)
                stack.extend(table.nodes[number].polys)
    return leaves, nodes
