"""The value of a constant: from the text in its parentheses to exact numbers."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from beatnote.hlo.module import Instruction
from beatnote.hlo.shape_text import ShapeError, parse_shape
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, ElementType, same_array

MAX_ELEMENTS = 50_000_000
_SCALAR = re.compile(r"-?nan\(0x[0-9a-fA-F]+\)|\([^()]*\)|[^\s,{}()]+")
_SEPARATORS = str.maketrans("", "", " \t\r\n,")
_WRITTEN_SHAPE = re.compile(r"[a-z][a-z0-9]*\[[0-9,]*\](?:\{[0-9,]*\})?(?=[\s{(])")
_INTEGER = re.compile(r"-?[0-9]{1,20}")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,5})?|-?inf|-?nan(?:\(0x[0-9a-fA-F]+\))?")
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
WITH_INFINITY = frozenset({"f64", "f32", "f16", "bf16", "f8e5m2", "f8e4m3", "f8e3m4"})


class LiteralError(ValueError):
    """A constant whose value the text does not give, or gives in a form that its shape does not allow."""


def literal_values(instruction: Instruction) -> NDArray[np.generic]:
    """Read the elements of a constant, in its shape.

    Returns:
        bool for pred, int64 or uint64 for whole numbers, complex128 for complex; for floating point, float64 that
        holds exactly the value that the constant's own type rounds to.

    Raises:
        LiteralError: it is elided, is not an array, does not fit its shape, or is out of its type's range.
    """
    shape, text = instruction.shape, instruction.literal
    if instruction.is_elided:
        raise LiteralError(f"the value of constant {instruction.name!r} is left out of the text ({{...}})")
    if not isinstance(shape, ArrayShape) or text is None or shape.is_dynamic:
        raise LiteralError(f"constant {instruction.name!r} is not an array of known shape")
    if shape.element_count > MAX_ELEMENTS:
        raise LiteralError(f"constant {instruction.name!r} claims {shape.element_count} elements")
    try:
        text = _without_shape(text, shape)
        words = _SCALAR.findall(text)
        if len(words) != shape.element_count:
            raise LiteralError(f"should have {shape.element_count} elements, found {len(words)}")
        if not _nests(_SCALAR.sub("x", text).translate(_SEPARATORS), shape.dimensions):
            raise LiteralError("its braces do not nest as its dimensions do")
        return _array(words, ELEMENT_TYPES[shape.element_type]).reshape(shape.dimensions)
    except LiteralError as error:
        raise LiteralError(f"constant {instruction.name!r} of shape {shape}: {error}") from None


def _without_shape(text: str, shape: ArrayShape) -> str:
    """Leave out the shape that the XLA of 2018 and before repeats in front of the elements."""
    written = _WRITTEN_SHAPE.match(text)
    if not written:
        return text
    try:
        agrees = same_array(parse_shape(written.group()), shape)
    except ShapeError:
        agrees = False
    if not agrees:
        raise LiteralError(f"its elements are written as {written.group()}")
    return text[written.end() :]


def _nests(braces: str, dimensions: tuple[int, ...]) -> bool:
    """Whether braces nest around elements `x` as dimensions do: `{{xx}{xx}{xx}}` for 3×2."""
    expected = "x"
    for size in reversed(dimensions[: dimensions.index(0) + 1] if 0 in dimensions else dimensions):
        if size * len(expected) > len(braces):
            return False
        expected = f"{{{expected * size}}}"
    return braces == expected


def _array(words: list[str], element: ElementType) -> NDArray[np.generic]:
    if element.kind == "pred":
        return np.array([_truth(word) for word in words], dtype=bool)
    if element.kind in ("signed", "unsigned"):
        return np.array(
            [_integer(word, element) for word in words], np.int64 if element.kind == "signed" else np.uint64
        )
    if element.kind == "float":
        return _floats(words, element)
    if element.kind == "complex":
        part = ELEMENT_TYPES["f32" if element.bits == 64 else "f64"]
        pairs = [_parts(word) for word in words]
        real, imaginary = (_floats([pair[side] for pair in pairs], part) for side in (0, 1))
        return _complex(real, imaginary)
    raise LiteralError(f"a {element.name} has no value")


def _truth(word: str) -> bool:
    if word not in _TRUTH:
        raise LiteralError(f"expected true or false, found {word[:24]!r}")
    return _TRUTH[word]


def _integer(word: str, element: ElementType) -> int:
    if not _INTEGER.fullmatch(word):
        raise LiteralError(f"expected a whole number, found {word[:24]!r}")
    value = int(word)
    low = 0 if element.kind == "unsigned" else -(2 ** (element.bits - 1))
    if not low <= value < low + 2**element.bits:
        raise LiteralError(f"{word} is out of the range of {element.name}")
    return value


def _parts(word: str) -> tuple[str, str]:
    parts = [part.strip() for part in word.strip("()").split(",")]
    if len(parts) != 2 or not word.startswith("("):
        raise LiteralError(f"expected a complex number such as (1, 2), found {word[:24]!r}")
    return parts[0], parts[1]


def _complex(real: NDArray[np.float64], imaginary: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Join the parts one by one: `real + 1j * imaginary` makes a NaN of an infinite part."""
    values = np.empty(real.shape, dtype=np.complex128)
    values.real, values.imag = real, imaginary
    return values


def _floats(words: list[str], element: ElementType) -> NDArray[np.float64]:
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise LiteralError(f"expected a number, found {word[:24]!r}")
    exact = np.array([float(word.partition("(")[0]) for word in words], dtype=np.float64)
    is_infinite = np.array(["inf" in word for word in words], dtype=bool)
    if is_infinite.any() and element.name not in WITH_INFINITY:
        raise LiteralError(f"{element.name} has no infinity")
    if np.isnan(exact).any() and element.name == "f4e2m1fn":
        raise LiteralError("f4e2m1fn has no NaN")
    values = exact if element.name == "f64" else _rounded_array(exact, element)
    too_great = (np.abs(values) > element.greatest) & ~is_infinite
    if too_great.any():
        raise LiteralError(f"{words[int(np.argmax(too_great))][:24]} is out of the range of {element.name}")
    if element.name == "f8e8m0fnu" and (values <= 0).any():
        raise LiteralError("f8e8m0fnu has only positive values")
    return values


def _rounded_array(values: NDArray[np.float64], element: ElementType) -> NDArray[np.float64]:
    """Round each value as `rounded` does. Scaling by a power of two is exact, so only `rint` rounds."""
    finite = np.where(np.isfinite(values), values, 0.0)
    _, exponents = np.frexp(finite)
    spacing = np.ldexp(1.0, np.maximum(exponents - element.precision, element.min_exponent))
    return np.where(np.isfinite(values), np.rint(finite / spacing) * spacing, values)


def rounded(value: Fraction, element: ElementType) -> Fraction:
    """Round to the value of a floating-point type nearest to a rational, ties to even; overflow is not looked at.

    The spacing at x is 2**(exponent of x − precision + 1), and not below that of the subnormals (IEEE 754, 4.3.1).
    """
    if value == 0:
        return value
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    spacing = Fraction(2) ** max(exponent - element.precision + 1, element.min_exponent)
    return round(value / spacing) * spacing
