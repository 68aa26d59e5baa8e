"""Which parameter of one program is which of the other.

By name where both sides have the same names, else by position; where shapes forbid that, by what is done with them
(colour refinement over terms) and by trying what is still ambiguous. What was assumed is always in the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, permutations

import msgspec

from beatnote.hlo.module import Module
from beatnote.hlo.shapes import ArrayShape, leaves
from beatnote.proof.index import Digit, Index
from beatnote.proof.terms import Poly, Table
from beatnote.proof.value import Value

MAX_CANDIDATES = 24
"""How many pairings are tried."""

MAX_COLOURED = 64
"""Colour refinement is for programs with no more parameters than this."""


class Parameter(msgspec.Struct, frozen=True):
    """One array among a program's parameters, tuples flattened.

    Attributes:
        name: the user's name for it where the program knows one, otherwise the instruction's.
        shape: of the array.
    """

    name: str
    shape: ArrayShape

    def fits(self, other: Parameter) -> bool:
        """Whether the other has the same type and extents."""
        return (self.shape.element_type, self.shape.dimensions) == (other.shape.element_type, other.shape.dimensions)


class ParameterMismatch(ValueError):
    """Two programs whose parameters cannot be paired."""


Pairing = tuple[int | None, ...]
"""For each parameter of B the number of its partner in A, or None."""


def parameters_of(module: Module) -> tuple[Parameter, ...]:
    """Return the arrays among a program's parameters, in order."""
    labels = [instruction.metadata.get("op_name", "") for instruction in module.entry.parameters]
    plain = [re.sub(r"\.\d+$", "", instruction.name) for instruction in module.entry.parameters]
    found: list[Parameter] = []
    for instruction, label, short in zip(module.entry.parameters, labels, plain, strict=True):
        name = short if plain.count(short) == 1 else instruction.name
        if label.isidentifier() and labels.count(label) == 1:
            name = label
        arrays = leaves(instruction.shape)
        for k, shape in enumerate(arrays):
            found.append(Parameter(f"{name}.{k}" if len(arrays) > 1 else name, shape))
    return tuple(found)


def forced_pairs(a: tuple[Parameter, ...], b: tuple[Parameter, ...], names: Mapping[str, str]) -> dict[int, int]:
    """Pairs the user asks for, as B number -> A number; names may be positions.

    Raises:
        ParameterMismatch: a name is not there, or the shapes differ.
    """
    forced: dict[int, int] = {}
    for left, right in names.items():
        i, j = _position(a, left, "A"), _position(b, right, "B")
        if forced.get(j, i) != i or any(i == partner and j != other for other, partner in forced.items()):
            raise ParameterMismatch(f"cannot map {left}={right}: one of the two is mapped to another already")
        if not a[i].fits(b[j]):
            raise ParameterMismatch(f"cannot map {left}={right}: {a[i].shape} is not {b[j].shape}")
        forced[j] = i
    return forced


def _position(parameters: tuple[Parameter, ...], name: str, side: str) -> int:
    for k, parameter in enumerate(parameters):
        if parameter.name == name:
            return k
    if name.isascii() and name.isdigit() and int(name) < len(parameters):
        return int(name)
    known = ", ".join(parameter.name for parameter in parameters[:12])
    raise ParameterMismatch(f"{side} has no parameter {name!r}; it has {known or 'none'}")


def positional(a: tuple[Parameter, ...], b: tuple[Parameter, ...], forced: Mapping[int, int]) -> Pairing | None:
    """Pair by position, None where shapes forbid it."""
    taken = set(forced.values())
    free = [i for i in range(len(a)) if i not in taken]
    pairs: list[int | None] = []
    for j, parameter in enumerate(b):
        if j in forced:
            pairs.append(forced[j])
        elif free:
            partner = free.pop(0)
            if not a[partner].fits(parameter):
                return None
            pairs.append(partner)
        else:
            pairs.append(None)
    return tuple(pairs)


def preferred(a: tuple[Parameter, ...], b: tuple[Parameter, ...], forced: Mapping[int, int]) -> Pairing | None:
    """Pair by name where both sides have the same names, else by position; None where shapes forbid it."""
    a_names, b_names = [p.name for p in a], [p.name for p in b]
    if sorted(a_names) == sorted(b_names) and len(set(a_names)) == len(a):
        pairing = tuple(forced.get(j, a_names.index(name)) for j, name in enumerate(b_names))
        if all(a[i].fits(parameter) for i, parameter in zip(pairing, b, strict=True)) and len(set(pairing)) == len(a):
            return pairing
    return positional(a, b, forced)


def candidates(
    a: tuple[Parameter, ...],
    b: tuple[Parameter, ...],
    forced: Mapping[int, int],
    colours: tuple[list[int], list[int]] | None = None,
) -> Iterator[Pairing]:
    """Pairings worth trying, the likeliest first; every one pairs equal shapes only, and as many as can be."""
    seen: set[Pairing] = set()
    alone = next(_by_shape(a, b, forced)).count(None)
    for pairing in islice(_candidates(a, b, forced, colours), MAX_CANDIDATES):
        if pairing not in seen and pairing.count(None) == alone:
            seen.add(pairing)
            yield pairing


def _candidates(
    a: tuple[Parameter, ...],
    b: tuple[Parameter, ...],
    forced: Mapping[int, int],
    colours: tuple[list[int], list[int]] | None,
) -> Iterator[Pairing]:
    by_position = positional(a, b, forced)
    if by_position is not None:
        yield by_position
    by_name = _by_key(a, b, forced, [p.name for p in a], [p.name for p in b])
    yield from islice(by_name, 1)
    if colours is not None:
        yield from _by_key(a, b, forced, *colours)
    yield from _by_shape(a, b, forced)


def _by_shape(a: tuple[Parameter, ...], b: tuple[Parameter, ...], forced: Mapping[int, int]) -> Iterator[Pairing]:
    return _by_key(a, b, forced, [0] * len(a), [0] * len(b))


def _by_key(
    a: tuple[Parameter, ...],
    b: tuple[Parameter, ...],
    forced: Mapping[int, int],
    a_keys: list[int] | list[str],
    b_keys: list[int] | list[str],
) -> Iterator[Pairing]:
    """Pairings of parameters with equal shape and key; in each class every order is tried."""
    classes: dict[object, tuple[list[int], list[int]]] = {}
    taken = set(forced.values())
    for side, parameters, keys in ((0, a, a_keys), (1, b, b_keys)):
        for k, (parameter, key) in enumerate(zip(parameters, keys, strict=True)):
            if k not in (taken if side == 0 else forced):
                shape = (parameter.shape.element_type, parameter.shape.dimensions)
                classes.setdefault((shape, key), ([], []))[side].append(k)
    groups = [(left, right) for left, right in classes.values() if left and right]
    for orders in _orders(groups):
        pairs: list[int | None] = [forced.get(j) for j in range(len(b))]
        for order, (_, right) in zip(orders, groups, strict=True):
            for i, j in zip(order, right, strict=False):
                pairs[j] = i
        yield tuple(pairs)


def _orders(groups: list[tuple[list[int], list[int]]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every order of every group's left side, one after the other: together they may be too many to list."""
    if not groups:
        yield ()
        return
    (left, right), *rest = groups
    for order in permutations(left, min(len(left), len(right))):
        for others in _orders(rest):
            yield order, *others


def colours_of(table: Table, outputs: tuple[Value, ...], numbers: list[int]) -> list[int]:
    """Colour each parameter by what the outputs do with it, whatever it is called.

    Args:
        table: of the terms.
        outputs: of the program.
        numbers: the parameters, by the numbers their leaves have.
    """
    shapes = {leaf.key: hash(leaf.extents) for leaf in table.leaves if leaf.kind == "parameter"}
    colours = {number: shapes.get(number, 0) for number in numbers}
    for _ in range(len(numbers)):
        fresh: dict[int, int] = {}
        for number in numbers:
            marked = _Hasher(table, {**colours, number: hash((colours[number], 1))})
            fresh[number] = hash((colours[number], tuple(marked.poly(value.poly) for value in outputs)))
        if len(set(fresh.values())) == len(set(colours.values())):
            return [fresh[number] for number in numbers]
        colours = fresh
    return [colours[number] for number in numbers]


class _Hasher:
    def __init__(self, table: Table, colours: dict[int, int]) -> None:
        self.table = table
        self.colours = colours
        self.nodes: dict[int, int] = {}

    def poly(self, poly: Poly) -> int:
        return hash(tuple(sorted(hash((c, tuple(sorted(hash((self.atom(a), e)) for a, e in m)))) for m, c in poly)))

    def atom(self, atom: int) -> int:
        kind, number, arguments = self.table.atoms[atom]
        places = tuple(_place(index) for index in arguments)
        if kind == "leaf":
            leaf = self.table.leaves[number]
            own = self.colours.get(leaf.key, 0) if isinstance(leaf.key, int) else 0
            return hash((1, own, leaf.extents, places))
        if kind == "node":
            return hash((2, self.node(number), places))
        return hash((3, len(kind), places))

    def node(self, number: int) -> int:
        found = self.nodes.get(number)
        if found is None:
            node = self.table.nodes[number]
            found = hash((node.extents, node.bound, len(node.kind), tuple(self.poly(poly) for poly in node.polys)))
            self.nodes[number] = found
        return found


def _place(index: Index) -> int:
    parts = [hash((c, *atom)) if isinstance(atom, Digit) else hash((c, atom.divisor)) for c, atom in index[1]]
    return hash((index[0], tuple(sorted(parts))))
