"""Reading a shape, `(f32[8,<=16]{1,0:T(8,128)}, token[])`, at any place of a text.

Blanks and comments may stand between its parts. What a shape is, and printing it, is in `shapes`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from beatnote.hlo.shapes import ELEMENT_TYPES, UNBOUNDED, ArrayShape, Layout, Shape, TupleShape

BLANK = r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*.*?\*/)*+"
"""What XLA skips between tokens: blanks, line ends and comments. To be compiled with re.DOTALL."""

MAX_DEPTH = 64
_GREATEST_EXTENT = 2**63 - 1

_BLANK = re.compile(BLANK, re.DOTALL)
_SIZES = r"((?:[0-9]{1,18}+(?:,[0-9]{1,18}+)*+)?+)"
_PLAIN = re.compile(rf"([a-z][a-z0-9]*+)\[{_SIZES}\](?:\{{{_SIZES}\}})?+")
_PLAIN_ELEMENT = re.compile(rf"({_PLAIN.pattern})(?:\)|, (?:/\*index=[0-9]++\*/)?+(?=[^ ]))")
_ELEMENT = re.compile(rf"([a-z][a-z0-9]*+){BLANK}\[{BLANK}", re.DOTALL)
_DIMENSION = re.compile(rf"(?:(\?)|(<={BLANK})?+([0-9]{{1,19}}+)){BLANK}", re.DOTALL)
_LAYOUT = re.compile(rf"(?:{BLANK}\{{{BLANK}(?=[0-9:])|\{{(?=\}}))", re.DOTALL)
_ORDER = re.compile(rf"([0-9]{{1,4}}+){BLANK}", re.DOTALL)
_PROPERTY = re.compile(rf"([A-Z]{{1,2}}+|[#*]){BLANK}(?=\()", re.DOTALL)
_ARGUMENTS = re.compile(r"\([\w,:*+~ \t\r\n]*+\)", re.ASCII)


class ShapeError(ValueError):
    """Text that is not a shape; `position` is where in it."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def parse_shape(text: str) -> Shape:
    """Read a text that is one shape.

    Raises:
        ShapeError: with the position of what is wrong.
    """
    shape = plain_array(text)
    if shape is not None:
        return shape
    shape, end = shape_at(text, _skip(text, 0))
    end = _skip(text, end)
    if end != len(text):
        raise ShapeError(f"expected the end of the shape, found {_sight(text, end)}", end)
    return shape


def shape_at(text: str, at: int, depth: int = 0) -> tuple[Shape, int]:
    """Read the shape that begins at a position; return it and the position behind it.

    Raises:
        ShapeError: with the position of what is wrong.
    """
    if depth > MAX_DEPTH:
        raise ShapeError(f"shapes nested more than {MAX_DEPTH} deep", at)
    if text.startswith("(", at):
        return _tuple_at(text, at, depth)
    found = _ELEMENT.match(text, at)
    if not found:
        raise ShapeError(f"expected a shape such as f32[8,16]{{1,0}}, found {_sight(text, at)}", at)
    element_type = found.group(1)
    if element_type not in ELEMENT_TYPES:
        raise ShapeError(f"unknown element type {element_type!r}", at)
    dimensions, dynamic, end = _dimensions_at(text, found.end())
    layout, end = _layout_at(text, end, len(dimensions), depth)
    return ArrayShape(element_type, dimensions, dynamic, layout), end


@lru_cache(maxsize=4096)
def plain_array(text: str) -> ArrayShape | None:
    """Read a text without blanks and anything special; None for other texts, right or wrong."""
    found = _PLAIN.fullmatch(text)
    if not found or found.group(1) not in ELEMENT_TYPES:
        return None
    element_type, sizes, order = found.groups()
    dimensions = tuple(map(int, sizes.split(","))) if sizes else ()
    layout = None
    if order is not None:
        layout = plain_layout(order, len(dimensions))
        if layout is None:
            return None
    return ArrayShape(element_type, dimensions, (False,) * len(dimensions), layout)


@lru_cache(maxsize=1024)
def plain_layout(order: str, rank: int) -> Layout | None:
    """Read `1,0`; None if that does not order so many dimensions."""
    minor_to_major = tuple(map(int, order.split(","))) if order else ()
    return Layout(minor_to_major) if sorted(minor_to_major) == list(range(rank)) else None


def _dimensions_at(text: str, at: int) -> tuple[tuple[int, ...], tuple[bool, ...], int]:
    dimensions: list[int] = []
    dynamic: list[bool] = []
    if text.startswith("]", at):
        return (), (), at + 1
    while True:
        found = _DIMENSION.match(text, at)
        if not found or int(found.group(3) or 0) > _GREATEST_EXTENT:
            raise ShapeError(f"expected a dimension (8, <=8 or ?), found {_sight(text, at)}", at)
        unbounded, at_most, size = found.groups()
        dimensions.append(UNBOUNDED if unbounded else int(size))
        dynamic.append(bool(unbounded or at_most))
        at = found.end()
        if text.startswith("]", at):
            return tuple(dimensions), tuple(dynamic), at + 1
        if not text.startswith(",", at):
            raise ShapeError(f"expected ',' or ']' after a dimension, found {_sight(text, at)}", at)
        at = _skip(text, at + 1)


def _layout_at(text: str, start: int, rank: int, depth: int) -> tuple[Layout | None, int]:
    found = _LAYOUT.match(text, start)
    if not found:
        return None, start
    at = opened = found.end()
    order: list[int] = []
    while number := _ORDER.match(text, at):
        order.append(int(number.group(1)))
        at = number.end()
        if not text.startswith(",", at):
            break
        at = _skip(text, at + 1)
    if sorted(order) != list(range(rank)):
        raise ShapeError(f"expected a layout that orders {rank} dimensions, found {_sight(text, opened, 24)}", opened)
    properties = ""
    if text.startswith(":", at):
        properties, at = _properties_at(text, _skip(text, at + 1), depth)
    if not text.startswith("}", at):
        raise ShapeError(f"expected '}}' at the end of a layout such as {{1,0:T(8,128)}}, found {_sight(text, at)}", at)
    return Layout(tuple(order), properties), at + 1


def _properties_at(text: str, at: int, depth: int) -> tuple[str, int]:
    """Read tiles, memory space and the like, as far as they go; blanks are left out."""
    pieces: list[str] = []
    while kind := _PROPERTY.match(text, at):
        pieces.append(kind.group(1))
        at = kind.end()
        if kind.group(1) == "P":
            physical, at = shape_at(text, _skip(text, at + 1), depth + 1)
            at = _skip(text, at)
            if not text.startswith(")", at):
                raise ShapeError(f"expected ')' after the physical shape, found {_sight(text, at)}", at)
            pieces.append(f"({physical})")
            at = _skip(text, at + 1)
            continue
        while arguments := _ARGUMENTS.match(text, at):
            pieces.append("".join(arguments.group().split()))
            at = _skip(text, arguments.end())
    return "".join(pieces), at


def _tuple_at(text: str, at: int, depth: int) -> tuple[TupleShape, int]:
    elements: list[Shape] = []
    at = _skip(text, at + 1)
    if text.startswith(")", at):
        return TupleShape(), at + 1
    while True:
        while plain := _PLAIN_ELEMENT.match(text, at):
            element = plain_array(plain.group(1))
            if element is None:
                break
            elements.append(element)
            at = plain.end()
            if text[at - 1] == ")":
                return TupleShape(tuple(elements)), at
        element, at = shape_at(text, _skip(text, at), depth + 1)
        elements.append(element)
        at = _skip(text, at)
        if text.startswith(")", at):
            return TupleShape(tuple(elements)), at + 1
        if not text.startswith(",", at):
            raise ShapeError(f"expected ',' or ')' in a tuple shape, found {_sight(text, at)}", at)
        at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _sight(text: str, at: int, width: int = 12) -> str:
    return repr(text[at : at + width]) if at < len(text) else "the end of the text"
