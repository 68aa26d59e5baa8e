"""The value of one instruction as a term, with what a proof must know about it beside the term."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Shape, TupleShape
from beatnote.proof.index import Index, variable
from beatnote.proof.terms import ANY_SIGN, NULL, POSITIVE, ZERO, Poly


class Value(NamedTuple):
    """An array: a scalar term over index variables 0, 1, … of these extents.

    Attributes:
        poly: the element at those indices.
        extents: the dimensions.
        dtype: element type as XLA spells it.
        support: bit k set when the program computes it from parameter k, even if the term does not show it.
        domain: what the program needs to hold for the value to be a number: divisors not zero, and the like; see
            `domains`.
        sign: what its elements can be, as far as the program shows.
        special: "inf", "-inf" or "nan" when every element is that; "some" when an infinity or NaN may be in it for
            another reason than its inputs; '' when algebra may treat it as real numbers.
    """

    poly: Poly
    extents: tuple[int, ...]
    dtype: str
    support: int = 0
    domain: frozenset[int] = frozenset()
    sign: int = ANY_SIGN
    special: str = ""

    @property
    def kind(self) -> str:
        """The kind of its element type: float, signed, unsigned, pred, complex, token, opaque."""
        return ELEMENT_TYPES[self.dtype].kind

    @property
    def indices(self) -> tuple[Index, ...]:
        """The index variables, whole."""
        return tuple(variable(k, extent) for k, extent in enumerate(self.extents))

    @property
    def is_empty(self) -> bool:
        """Whether it has no elements."""
        return 0 in self.extents


Values = Value | tuple["Values", ...]
"""What an instruction yields: an array, or a tuple of such."""


def leaves(values: Values) -> tuple[Value, ...]:
    """Return the arrays of what an instruction yields, left to right."""
    if isinstance(values, Value):
        return (values,)
    return tuple(leaf for each in values for leaf in leaves(each))


def combined(*values: Value) -> tuple[int, frozenset[int]]:
    """Support and domain of what is computed from these."""
    support = 0
    domain: frozenset[int] = frozenset()
    for value in values:
        support |= value.support
        domain |= value.domain
    return support, domain


def own_sign(array: Value | ArrayShape) -> int:
    """Say what elements of this type can be, whatever they are."""
    kind = array.kind if isinstance(array, Value) else ELEMENT_TYPES[array.element_type].kind
    return NULL | POSITIVE if kind in ("unsigned", "pred") else ANY_SIGN


def includes(wide: str, narrow: str) -> bool:
    """Whether every number of one floating-point type is a number of another."""
    a, b = ELEMENT_TYPES[wide], ELEMENT_TYPES[narrow]
    return a.precision >= b.precision and a.min_exponent <= b.min_exponent and a.greatest >= b.greatest


def shaped(shape: Shape, flat: Iterator[Value]) -> Values:
    """Arrays put into the tuples of a shape."""
    if isinstance(shape, TupleShape):
        return tuple(shaped(element, flat) for element in shape.elements)
    return next(flat)


class Untranslatable(ValueError):
    """A program that has no meaning as a term: malformed, or too large."""


COMPUTED = frozenset({"float", "signed", "unsigned", "pred"})
"""Kinds of element types that terms are computed with; others are only passed on."""

EMPTY = ZERO
"""The term of an array without elements: any will do."""
