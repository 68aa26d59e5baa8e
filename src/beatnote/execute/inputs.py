"""Arrays for a program's parameters: which NumPy type, sample values, and whether given ones fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from beatnote.execute.errors import InputError
from beatnote.execute.frameworks import require
from beatnote.execute.prepare import parameter_shapes
from beatnote.hlo.shapes import ELEMENT_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beatnote.hlo.module import Module
    from beatnote.hlo.shapes import ArrayShape

_NUMPY = {
    "pred": "bool",
    "s8": "int8",
    "s16": "int16",
    "s32": "int32",
    "s64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
}
_ML_DTYPES = {
    "bf16": "bfloat16",
    "s2": "int2",
    "s4": "int4",
    "u2": "uint2",
    "u4": "uint4",
    **{name: f"float{name[1]}_{name[2:]}" for name in ELEMENT_TYPES if name.startswith(("f8", "f4"))},
}
INTEGER_LIMIT = 4
"""Sample integers are below this, so that they can be labels, indices or counts of small things."""


def dtype_of(element_type: str) -> np.dtype[Any]:
    """Return the NumPy type of an HLO element type.

    Raises:
        InputError: NumPy has none, not even with ml_dtypes.
        MissingFrameworkError: it is one of the narrow types and ml_dtypes, which comes with JAX, is missing.
    """
    if element_type in _NUMPY:
        return np.dtype(_NUMPY[element_type])
    if element_type in _ML_DTYPES:
        return np.dtype(getattr(require("ml_dtypes", extra="jax"), _ML_DTYPES[element_type]))
    raise InputError(f"no array can hold elements of type {element_type}")


def random_inputs(module: Module, seed: int) -> list[np.ndarray]:
    """Draw sample arrays for a program's parameters, tuples flattened: the same for the same seed.

    Floats are standard normal, integers 0 to 3 (0 to 1 where the type holds no more), booleans even.

    Raises:
        InputError: a parameter is dynamic or of a type without NumPy's equal.
    """
    random = np.random.default_rng(seed)
    return [_random(shape, random) for shape in parameter_shapes(module)]


def _random(shape: ArrayShape, random: np.random.Generator) -> np.ndarray:
    if shape.is_dynamic:
        raise InputError(f"a parameter of shape {shape} has no fixed size to draw values for")
    dtype = dtype_of(shape.element_type)
    element = ELEMENT_TYPES[shape.element_type]
    size = shape.dimensions
    match element.kind:
        case "float":
            values = random.standard_normal(size)
        case "complex":
            values = random.standard_normal(size) + 1j * random.standard_normal(size)
        case "pred":
            values = random.integers(0, 2, size)
        case _:
            values = random.integers(0, INTEGER_LIMIT if element.bits > 2 else 2, size)
    return np.asarray(values).astype(dtype)


def check_inputs(inputs: Sequence[np.ndarray], shapes: Sequence[ArrayShape]) -> None:
    """Check that inputs fit the parameters.

    Raises:
        InputError: their number, a shape or a type differs.
    """
    if len(inputs) != len(shapes):
        raise InputError(f"expected {len(shapes)} inputs, found {len(inputs)}")
    for number, (value, shape) in enumerate(zip(inputs, shapes, strict=True)):
        expected = dtype_of(shape.element_type)
        if value.dtype != expected or value.shape != shape.dimensions:
            raise InputError(
                f"input {number}: expected {expected.name}{list(shape.dimensions)}, "
                f"found {value.dtype.name}{list(value.shape)}"
            )
