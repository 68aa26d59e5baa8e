"""Values of constants from LiteralProto, as XLA prints them: `{ { 1, 2.5 }, { nan, -inf } }`.

A number has the digits that XLA gives its type: enough to read the same value back.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isnan, ldexp, log10, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.literal import WITH_INFINITY
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.shapes import Shapes
from beatnote.hlo.shape_text import MAX_DEPTH
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, ElementType, TupleShape

MAX_RANK = 64
_SMALL_BYTES = 256
_MAX_EMPTY_ROWS = 1_000_000
_PACKED = {"s4": 4, "u4": 4, "s2": 2, "u2": 2, "s1": 1, "u1": 1}


class Literals(dict[bytes, str]):
    """What small literals met so far are written as, by their bytes; large ones are written each time."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.shapes = shapes

    def __missing__(self, data: bytes) -> str:
        text = literal_text(data, self.shapes)
        if len(data) < _SMALL_BYTES:
            self[data] = text
        return text


def literal_text(data: bytes, shapes: Shapes, depth: int = 0) -> str:
    """Read a LiteralProto and write its elements.

    Raises:
        ProtoError: it is not one, its elements are not as many as its shape says, or it nests too deep.
    """
    if depth > MAX_DEPTH:
        raise ProtoError(f"literals nested more than {MAX_DEPTH} deep")
    literal = decode("LiteralProto", data)
    shape = shapes[literal.shape]
    if isinstance(shape, TupleShape):
        if len(shape.elements) != len(literal.tuple_literals):
            raise ProtoError(f"a literal of {len(shape.elements)} parts has {len(literal.tuple_literals)}")
        return f"( {', '.join(literal_text(part, shapes, depth + 1) for part in literal.tuple_literals)} )"
    return _array_text(literal, shape)


def _array_text(literal: Proto, shape: ArrayShape) -> str:
    dimensions = shape.dimensions
    if len(dimensions) > MAX_RANK or any(size < 0 for size in dimensions):
        raise ProtoError(f"a literal has a shape that no array has: rank {len(dimensions)} or unbounded")
    if 0 in dimensions:
        return _empty_rows(dimensions[: dimensions.index(0)], is_innermost=dimensions.index(0) == len(dimensions) - 1)
    words = _words(literal, shape)
    if shape.element_type == "pred" and not dimensions:
        return "true" if words == ["1"] else "false"
    if shape.layout is not None and len(dimensions) > 1:
        words = _row_major(words, dimensions, shape.layout.minor_to_major)
    return _nested(words, dimensions)


def _row_major(words: list[str], dimensions: tuple[int, ...], minor_to_major: tuple[int, ...]) -> list[str]:
    """Bring elements from the order of memory into that of the indices."""
    major_to_minor = minor_to_major[::-1]
    if major_to_minor == tuple(range(len(dimensions))):
        return words
    places = np.arange(len(words)).reshape([dimensions[axis] for axis in major_to_minor])
    return [words[place] for place in places.transpose(np.argsort(major_to_minor)).reshape(-1).tolist()]


def _nested(words: list[str], dimensions: tuple[int, ...]) -> str:
    """Put braces and blanks around elements as XLA does."""
    if not dimensions:
        return words[0]
    *outer, last = dimensions
    opening, closing = ("{ ", " }") if outer and last > 1 else ("{", "}")
    rows = [f"{opening}{', '.join(words[at : at + last])}{closing}" for at in range(0, len(words), last)]
    return _outer_braces(rows, outer)


def _outer_braces(rows: list[str], dimensions: Sequence[int]) -> str:
    for size in reversed(dimensions):
        rows = [f"{{ {', '.join(rows[at : at + size])} }}" for at in range(0, len(rows), size)]
    return rows[0]


def _empty_rows(outer: tuple[int, ...], *, is_innermost: bool) -> str:
    """Write an array without elements, given the dimensions outside of its first one of extent 0."""
    if prod(outer) > _MAX_EMPTY_ROWS:
        raise ProtoError(f"a literal without elements claims {prod(outer)} rows")
    return _outer_braces(["{}" if is_innermost else "{  }"] * prod(outer), outer)


def _words(literal: Proto, shape: ArrayShape) -> list[str]:
    """Write the elements in the order of memory."""
    element, count = ELEMENT_TYPES[shape.element_type], shape.element_count
    if element.kind in ("token", "opaque"):
        raise ProtoError(f"a literal of type {element.name} has no elements")
    stored: Any = getattr(literal, f"{element.name}s")
    parts = 2 if element.kind == "complex" else 1
    if isinstance(stored, bytes):
        width = max(1, element.bits // 8)
        expected = -(-count * element.bits // 8) if element.name in _PACKED and len(stored) < count else count * width
        if len(stored) != expected:
            raise ProtoError(f"a literal {shape} should have {expected} bytes, found {len(stored)}")
    elif len(stored) != count * parts:
        raise ProtoError(f"a literal {shape} should have {count * parts} numbers, found {len(stored)}")
    if element.kind == "pred":
        return ["1" if one else "0" for one in stored]
    if element.kind == "complex":
        numbers = wide_float_words(np.array(stored, np.float32 if element.bits == 64 else np.float64))
        return [f"({real}, {imaginary})" for real, imaginary in zip(numbers[::2], numbers[1::2], strict=True)]
    if element.kind == "float":
        return _float_words(stored, element)
    if not isinstance(stored, bytes):
        return list(map(str, stored))
    return list(map(str, _integers(stored, element, count)))


def _integers(stored: bytes, element: ElementType, count: int) -> list[int]:
    """Read whole numbers of at most 16 bits; those of less than 8 have a byte each, or are packed low bits first."""
    if element.bits >= 8:
        kind = "i" if element.kind == "signed" else "u"
        return np.frombuffer(stored, np.dtype(f"<{kind}{element.bits // 8}")).tolist()
    mask = (1 << element.bits) - 1
    if len(stored) == count:
        values = [byte & mask for byte in stored]
    else:
        per_byte = 8 // element.bits
        values = [stored[at // per_byte] >> at % per_byte * element.bits & mask for at in range(count)]
    if element.kind == "signed":
        values = [value - (mask + 1) if value > mask >> 1 else value for value in values]
    return values


def _float_words(stored: Any, element: ElementType) -> list[str]:
    if element.bits >= 32:
        return wide_float_words(np.array(stored, np.float32 if element.bits == 32 else np.float64))
    codes = np.frombuffer(stored, np.dtype("<u2" if element.bits == 16 else "u1")).tolist()
    known = {code: narrow_float_word(code, element) for code in set(codes)}
    return [known[code] for code in codes]


def wide_float_words(values: NDArray[Any]) -> list[str]:
    """Write f32 or f64 values: with 6 or 15 digits where they give the value back, else with 9 or 17."""
    few, many, bits = ("%.6g", "%.9g", 23) if values.dtype == np.float32 else ("%.15g", "%.17g", 52)
    numbers: list[float] = values.tolist()
    words = [few % number for number in numbers]
    with np.errstate(over="ignore"):
        back = np.array(list(map(float, words)), np.float64).astype(values.dtype)
    codes = values.view(np.dtype(f"<u{values.dtype.itemsize}"))
    for at in np.flatnonzero(back != values).tolist():
        is_nan = isnan(numbers[at])
        words[at] = _nan_word(int(codes[at]), bits, 8 * values.dtype.itemsize) if is_nan else many % numbers[at]
    return words


def narrow_float_word(code: int, element: ElementType) -> str:
    """Write the value that the bits of a type of at most 16 bits stand for, with as many digits as the type needs."""
    mantissa_bits = element.precision - 1
    digits = ceil(element.precision * log10(2) + 1)
    if element.name == "f8e8m0fnu":
        return "nan" if code == 0xFF else f"{ldexp(1.0, code - 127):.{digits}g}"
    sign_bit = 1 << element.bits - 1
    if element.name.endswith("uz") and code == sign_bit:
        return "-nan"
    exponent, mantissa = divmod(code & sign_bit - 1, 1 << mantissa_bits)
    sign = "-" if code & sign_bit else ""
    significand = mantissa if exponent == 0 else mantissa + (1 << mantissa_bits)
    value = ldexp(float(significand), element.min_exponent + max(exponent, 1) - 1)
    if value <= element.greatest:
        return f"{sign}{value:.{digits}g}"
    if element.name not in WITH_INFINITY:
        return f"{sign}nan"
    return f"{sign}inf" if mantissa == 0 else _nan_word(code, mantissa_bits, element.bits)


def _nan_word(code: int, mantissa_bits: int, bits: int) -> str:
    """Write a NaN of a type that has several, with its payload where that is not the usual one."""
    payload = code & (1 << mantissa_bits) - 1
    sign = "-" if code >> bits - 1 else ""
    usual = payload == 1 << mantissa_bits - 1
    return f"{sign}nan" if usual else f"{sign}nan(0x{payload:x})"
