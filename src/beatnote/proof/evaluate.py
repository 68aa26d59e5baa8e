"""The numbers a term stands for, on given inputs, with NumPy in double precision.

Used to check conditions on sample inputs, and in tests to hold the normal form against the program it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.index import evaluate as evaluate_index
from beatnote.proof.licences import Claim
from beatnote.proof.logic import whole_range
from beatnote.proof.terms import Leaf, Poly, Table

MAX_POINTS = 20_000_000
"""Elements of the largest array that is built on the way."""

EXACT = float(1 << 53)
"""Whole numbers up to this are exact in double precision."""

WHOLE_KINDS = frozenset({"greater", "equal", "clamp", "reduce", "boolean"})
"""Kinds of nodes that may be of whole numbers; an attribute then says of which type."""

Numbers = NDArray[np.float64]


class NotEvaluable(ValueError):
    """A term with something in it that has no numbers here: an unexplained operation, or too many of them."""


class Evaluator:
    """Numbers of terms.

    Args:
        table: of the terms.
        inputs: one array for each parameter number.
    """

    def __init__(self, table: Table, inputs: Sequence[NDArray[np.generic]]) -> None:
        self.table = table
        self.inputs = inputs
        self._nodes: dict[int, Numbers] = {}

    def poly(self, poly: Poly, extents: tuple[int, ...], *, is_whole: bool = False) -> Numbers:
        """Evaluate a polynomial over variables 0, 1, … of these extents, as an array of these extents.

        Args:
            poly: the polynomial.
            extents: of its variables.
            is_whole: it is of whole numbers, no digit of which may be lost.

        Raises:
            NotEvaluable: see there.
        """
        if prod(extents) > MAX_POINTS:
            raise NotEvaluable(f"{prod(extents)} elements")
        variables = {
            k: np.arange(extent).reshape([-1 if axis == k else 1 for axis in range(len(extents))])
            for k, extent in enumerate(extents)
        }
        total: Numbers = np.zeros(extents)
        with np.errstate(all="ignore"):
            for monomial, coefficient in poly:
                product: Numbers = np.asarray(float(coefficient))
                for atom, exponent in monomial:
                    value = self._atom(atom, variables)
                    product = product * (value if exponent == 1 else np.power(value, float(exponent)))
                total = total + product
                if is_whole and any(np.any(np.abs(part) > EXACT) for part in (product, total)):
                    raise NotEvaluable("whole numbers that double precision does not hold")
        return np.broadcast_to(total, extents)

    def _atom(self, atom: int, variables: dict[int, NDArray[np.int64]]) -> Numbers:
        kind, number, arguments = self.table.atoms[atom]
        places = [evaluate_index(index, variables) for index in arguments]
        if kind == "index":
            return places[0].astype(np.float64)
        if kind == "at-least-0":
            return (places[0] >= 0).astype(np.float64)
        if kind == "is-0":
            return (places[0] == 0).astype(np.float64)
        array = self._leaf(number) if kind == "leaf" else self.node(number)
        if not places:
            return array.astype(np.float64)
        inside = tuple(np.clip(p, 0, extent - 1) for p, extent in zip(places, array.shape, strict=True))
        return array[inside].astype(np.float64)

    def _leaf(self, number: int) -> Numbers:
        leaf: Leaf = self.table.leaves[number]
        if leaf.kind == "parameter" and isinstance(leaf.key, int) and leaf.key < len(self.inputs):
            array = np.asarray(self.inputs[leaf.key])
            if array.dtype.kind == "c":
                raise NotEvaluable(f"complex {leaf.note}")
            return array.astype(np.float64)
        if number in self.table.literals:
            return self.table.literals[number].astype(np.float64)
        raise NotEvaluable(f"{leaf.kind} {leaf.note}")

    def node(self, number: int) -> Numbers:
        """Evaluate a node over its arguments."""
        found = self._nodes.get(number)
        if found is None:
            found = self._nodes[number] = self._node(number)
        return found

    def _node(self, number: int) -> Numbers:
        node = self.table.nodes[number]
        extents = node.extents + node.bound
        is_whole = any(str(a) in ELEMENT_TYPES for a in node.attributes) and node.kind in WHOLE_KINDS
        sides = [self.poly(poly, extents, is_whole=is_whole) for poly in node.polys]
        axes = tuple(range(len(node.extents), len(extents)))
        with np.errstate(all="ignore"):
            if node.kind == "sum":
                return sides[0].sum(axis=axes)
            if node.kind in ("reduce", "boolean") and node.bound:
                opcode, dtype = map(str, node.attributes)
                return _reduced(opcode, dtype, _wrapped(sides[0], dtype), axes)
            if node.kind in ("greater", "equal"):
                sides = [_wrapped(side, str(node.attributes[0])) for side in sides]
                other = sides[1] if len(sides) > 1 else 0.0
                return (sides[0] > other if node.kind == "greater" else sides[0] == other).astype(np.float64)
            if node.kind == "nan":
                return np.isnan(sides[0]).astype(np.float64)
            simple = {"exp": np.exp, "log": np.log, "tanh": np.tanh}.get(node.kind)
            if simple is not None:
                return simple(sides[0])
            if node.kind in ("whole", "value", "need"):
                return sides[0]
            if node.kind == "rounded":
                return sum(sides, np.zeros(()))
            if node.kind == "maximum":
                return np.maximum(sides[0], sides[1])
            if node.kind == "clamp":
                value = _wrapped(sides[0], str(node.attributes[0]))
                return np.clip(value, float(str(node.attributes[1])), float(str(node.attributes[2])))
            if node.kind == "logistic":
                return 1 / (1 + np.exp(-sides[0]))
            if node.kind == "power":
                return np.power(sides[0], float(node.attributes[0]))  # type: ignore[arg-type]
        raise NotEvaluable(f"{node.kind} {' '.join(map(str, node.attributes[:2]))}")

    def holds(self, claim: Claim) -> bool | None:
        """Whether a claim holds for these inputs; None when that cannot be told here."""
        if claim.what == "finite":
            if claim.number >= len(self.inputs):
                return None
            return bool(np.all(np.isfinite(np.asarray(self.inputs[claim.number]).astype(np.float64))))
        node = self.table.nodes[claim.number]
        try:
            values = self.node(claim.number)
            where: NDArray[np.bool_] | bool = True
            if node.kind == "need" and len(node.polys) > 1:
                where = self.poly(node.polys[1], node.extents + node.bound) > 0
        except NotEvaluable:
            return None
        if claim.what in ("true", "false"):
            return bool(np.all(values == (claim.what == "true")))
        return bool(np.all(_is(claim.what, values) | np.logical_not(where)))


def _is(what: str, values: Numbers) -> NDArray[np.bool_]:
    if what == "defined":
        return np.isfinite(values)
    return np.abs(values) > 0 if what == "nonzero" else values >= 0


def _wrapped(values: Numbers, dtype: str) -> Numbers:
    if dtype == "real":
        return values
    if np.any(np.abs(values) > EXACT):
        raise NotEvaluable("whole numbers that double precision does not hold")
    least, greatest = whole_range(dtype)
    inside = (values >= least) & (values <= greatest)
    return np.where(inside, values, np.mod(values - least, greatest - least + 1) + least)


def _reduced(opcode: str, dtype: str, values: Numbers, axes: tuple[int, ...]) -> Numbers:
    if opcode == "maximum" or (opcode == "or" and dtype == "pred"):
        return values.max(axis=axes)
    if opcode == "minimum" or (opcode == "and" and dtype == "pred"):
        return values.min(axis=axes)
    if opcode == "multiply":
        return _wrapped(values.prod(axis=axes), dtype)
    raise NotEvaluable(f"reduce {opcode}")
