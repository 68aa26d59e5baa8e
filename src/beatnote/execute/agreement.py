"""Running two programs on the same inputs and holding their outputs against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

Array = np.ndarray[Any, Any]
RELATIVE = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}
"""How far outputs may differ, against the largest element of the output, by type; wider types round less."""

NARROW = 0.25
"""The same for 8- and 4-bit types."""

ROUNDINGS = 16
"""Differences of up to this many roundings of the largest input can be cancellation, and contradict no proof."""


class Agreement(msgspec.Struct, frozen=True):
    """What running both programs showed.

    Attributes:
        inputs: how many sample inputs.
        max_abs_diff: for each output the largest difference over all inputs; None where one side is not a number
            and the other is.
        max_rel_diff: the same against the largest element of the output.
        agrees: for each output, whether every difference is within tolerance.
        contradicts: for each output, whether a difference is beyond what rounding can do to a proven one: beyond
            tolerance, and beyond a few roundings of the largest input.
    """

    inputs: int
    max_abs_diff: tuple[float | None, ...]
    max_rel_diff: tuple[float | None, ...]
    agrees: tuple[bool, ...]
    contradicts: tuple[bool, ...]


def agreement(
    run_a: Callable[[Sequence[Array]], list[Array]],
    run_b: Callable[[Sequence[Array]], list[Array]],
    samples: Sequence[tuple[Sequence[Array], Sequence[Array]]],
) -> Agreement:
    """Run both programs on every sample.

    Args:
        run_a: one program.
        run_b: the other.
        samples: inputs of A and of B that belong together.
    """
    rows: list[list[tuple[float | None, float | None, bool, bool]]] = []
    for for_a, for_b in samples:
        largest = max((_largest(array) for array in (*for_a, *for_b)), default=0.0)
        outputs = zip(run_a(for_a), run_b(for_b), strict=True)
        rows.append([(*found, _contradicts(found, a, largest)) for a, b in outputs for found in [difference(a, b)]])
    columns = list(zip(*rows, strict=True))
    return Agreement(
        len(samples),
        tuple(_most(row[0] for row in column) for column in columns),
        tuple(_most(row[1] for row in column) for column in columns),
        tuple(all(row[2] for row in column) for column in columns),
        tuple(any(row[3] for row in column) for column in columns),
    )


def _largest(array: Array) -> float:
    if array.size == 0 or array.dtype == bool:
        return 0.0
    values = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    return float(values[np.isfinite(values)].max(initial=0.0))


def _contradicts(found: tuple[float | None, float | None, bool], output: Array, largest_input: float) -> bool:
    gap, _, agrees = found
    if agrees or gap is None:
        return not agrees
    digits = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}.get(output.dtype.name)
    return digits is None or gap > ROUNDINGS * 2.0**-digits * largest_input


def _most(values: Any) -> float | None:
    found = list(values)
    return None if None in found else max(found)


def difference(a: Array, b: Array) -> tuple[float | None, float | None, bool]:
    """Compare one output: largest difference, the same against the largest element, whether within tolerance.

    Infinities and NaN must stand in the same places; whole numbers and booleans must be equal.
    """
    name = a.dtype.name
    if a.shape != b.shape or name != b.dtype.name:
        return None, None, False
    if a.size == 0:
        return 0.0, 0.0, True
    if name.startswith("complex"):
        pairs = [difference(part(a), part(b)) for part in (np.real, np.imag)]
        return _most(p[0] for p in pairs), _most(p[1] for p in pairs), all(p[2] for p in pairs)
    if not (name in RELATIVE or "float" in name):
        gap = np.abs(a.astype(np.float64) - b.astype(np.float64)).max()
        return float(gap), float(gap), bool(np.array_equal(a, b))
    left, right = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(left) & np.isfinite(right)
    same = np.where(finite, True, (left == right) | (np.isnan(left) & np.isnan(right)))
    if not same.all():
        return None, None, False
    left, right = np.where(finite, left, 0.0), np.where(finite, right, 0.0)
    gap = float(np.abs(left - right).max())
    scale = float(max(np.abs(left).max(), np.abs(right).max()))
    tolerance = RELATIVE.get(name, NARROW)
    return gap, gap / scale if scale else 0.0, gap <= tolerance * scale
