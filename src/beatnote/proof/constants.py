"""Constants as terms: numbers where all elements are the same, literals otherwise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from beatnote.hlo.literal import literal_values
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ArrayShape
from beatnote.proof.fractions import short_fraction
from beatnote.proof.functions import Functions
from beatnote.proof.terms import ANY_SIGN, NEGATIVE, NULL, POSITIVE, ZERO, Leaf, scalar
from beatnote.proof.value import Value, own_sign


def constant(k: Functions, instruction: Instruction, shape: ArrayShape) -> Value:
    """Return the value of a constant of a type that is computed with.

    Raises:
        LiteralError: its text does not give its value.
    """
    values = literal_values(instruction)
    around = Value(ZERO, shape.dimensions, shape.element_type, sign=own_sign(shape))
    if values.size == 0:
        return around
    is_float = values.dtype.kind == "f"
    if np.all(values == values.flat[0]) or (is_float and np.all(np.isnan(values))):
        return _uniform(k, around, values.flat[0].item())
    if is_float and not np.all(np.isfinite(values)):
        around = around._replace(special="some")
    sign = _sign_of(values)
    key = (values.dtype.str, values.tobytes())
    leaf = k.table.leaf(Leaf("literal", key, shape.dimensions, shape.element_type, 0, sign, "constant"))
    k.table.literals[leaf] = values
    return around._replace(poly=k.read(leaf, around.indices), sign=sign)


def _uniform(k: Functions, around: Value, number: float) -> Value:
    if around.kind == "float" and not np.isfinite(number):
        name = "nan" if np.isnan(number) else "inf" if number > 0 else "-inf"
        leaf = k.table.leaf(Leaf("special", name, (), around.dtype, 0, ANY_SIGN, name))
        return around._replace(poly=k.read(leaf, ()), special=name)
    value = Fraction(number)
    if around.kind == "float" and k.licences.precision:
        value = short_fraction(value, around.dtype)
    sign = POSITIVE if value > 0 else NEGATIVE if value < 0 else NULL
    return around._replace(poly=scalar(value), sign=sign)


def _sign_of(values: NDArray[np.generic]) -> int:
    numbers = values.astype(np.float64)
    rows = ((NEGATIVE, numbers < 0), (NULL, numbers == 0), (POSITIVE, numbers > 0))
    return sum(sign for sign, where in rows if bool(np.any(where))) or ANY_SIGN
