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

FLOOR = 1e-2
"""An output whose elements are all tiny is held against this much of its tolerance."""


class Agreement(msgspec.Struct, frozen=True):
    """What running both programs showed.

    Attributes:
        inputs: how many sample inputs.
        max_abs_diff: for each output the largest difference over all inputs; None where one side is not a number
            and the other is.
        max_rel_diff: the same against the largest element of the output.
        agrees: for each output, whether every difference is within tolerance.
    """

    inputs: int
    max_abs_diff: tuple[float | None, ...]
    max_rel_diff: tuple[float | None, ...]
    agrees: tuple[bool, ...]


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
    rows = [[difference(a, b) for a, b in zip(run_a(for_a), run_b(for_b), strict=True)] for for_a, for_b in samples]
    outputs = list(zip(*rows, strict=True))
    return Agreement(
        len(samples),
        tuple(_most(row[0] for row in output) for output in outputs),
        tuple(_most(row[1] for row in output) for output in outputs),
        tuple(all(row[2] for row in output) for output in outputs),
    )


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
    return gap, gap / scale if scale else 0.0, gap <= tolerance * max(scale, FLOOR * tolerance)
