"""The value of a constant: from the text in its parentheses to exact numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, ElementType

MAX_ELEMENTS = 50_000_000
_SCALAR = re.compile(r"\([^()]*\)|[^\s,{}()]+")
_NOT_A_NUMBER = re.compile(r"-?nan(\(0x[0-9a-f]+\))?", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,5})?")
_INFINITE = {"inf": np.inf, "-inf": -np.inf, "infinity": np.inf, "-infinity": -np.inf}


class LiteralError(ValueError):
    """A constant whose value the text does not give, or gives in a form that its shape does not allow."""


def literal_values(instruction: Instruction) -> NDArray[np.generic]:
    """The elements of a constant, in its shape.

    Returns:
        bool for pred, int64 or uint64 for whole numbers, complex128 for complex; for floating point, float64 that
        holds exactly the value that the constant's own type rounds to.

    Raises:
        LiteralError: it is elided, is not an array, or does not fit its shape.
    """
    shape, text = instruction.shape, instruction.literal
    if instruction.is_elided:
        raise LiteralError(f"the value of constant {instruction.name!r} is left out of the text ({{...}})")
    if not isinstance(shape, ArrayShape) or text is None or shape.is_dynamic:
        raise LiteralError(f"constant {instruction.name!r} is not an array of known shape")
    if shape.element_count > MAX_ELEMENTS:
        raise LiteralError(f"constant {instruction.name!r} claims {shape.element_count} elements")
    words = _SCALAR.findall(text)
    if len(words) != prod(shape.dimensions):
        raise LiteralError(
            f"constant {instruction.name!r} of shape {shape} should have {prod(shape.dimensions)} elements, "
            f"found {len(words)}"
        )
    element = ELEMENT_TYPES[shape.element_type]
    try:
        return _array(words, element).reshape(shape.dimensions)
    except (ValueError, OverflowError) as error:
        raise LiteralError(f"constant {instruction.name!r} of shape {shape}: {error}") from None


def _array(words: list[str], element: ElementType) -> NDArray[np.generic]:
    if element.kind == "pred":
        return np.array([_truth(word) for word in words], dtype=bool)
    if element.kind in ("signed", "unsigned"):
        return np.array([int(word) for word in words], dtype=np.int64 if element.kind == "signed" else np.uint64)
    if element.kind == "float":
        return np.array([_float(word, element) for word in words], dtype=np.float64)
    if element.kind == "complex":
        return np.array([_complex(word) for word in words], dtype=np.complex128)
    raise ValueError(f"a {element.name} has no literal")


def _truth(word: str) -> bool:
    if word not in ("true", "false", "0", "1"):
        raise ValueError(f"expected true or false, found {word[:24]!r}")
    return word in ("true", "1")


def _complex(word: str) -> complex:
    parts = word.strip("()").split(",")
    if len(parts) != 2:
        raise ValueError(f"expected a complex number such as (1, 2), found {word[:24]!r}")
    real, imaginary = (_float(part.strip(), ELEMENT_TYPES["f64"]) for part in parts)
    return complex(real, imaginary)


def _float(word: str, element: ElementType) -> float:
    if word.lower() in _INFINITE:
        return _INFINITE[word.lower()]
    if _NOT_A_NUMBER.fullmatch(word):
        return np.nan
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"expected a number, found {word[:24]!r}")
    if element.name == "f32":
        return float(np.float32(word))
    if element.name == "f64":
        return float(word)
    return float(rounded(Fraction(word), element))


def rounded(value: Fraction, element: ElementType) -> Fraction:
    """The value of a floating-point type nearest to a rational, ties to even; overflow is not looked at.

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
