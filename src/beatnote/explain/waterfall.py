"""A gap as a tree of parts that add up to it: pure arithmetic, whatever the parts are.

Where a time is a count times a unit cost, the difference of two such products is split by the logarithmic mean,

    n' c' - n c = L ln(n'/n) + L ln(c'/c),    L = (n' c' - n c) / ln(n' c' / (n c)),

the only split that does not depend on which changes first and leaves nothing over (Ang, "LMDI decomposition approach:
a guide for implementation", Energy Policy 86, 2015).

Times are rounded to `QUANTUM_S`, a power of two, before they are added or subtracted. Sums and differences of such
numbers are exact in floating point, in any order, so the parts add up to the gap to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

QUANTUM_S = 2.0**-30
"""A nanosecond, nearly: far below any log's clock, and exact sums up to 2**22 s, a month and a half."""
FACTOR_QUANTUM = 2.0**-40
"""Of counts and unit costs: fine enough that rounding them does not show in their product."""

_SMALL = 1e-6


class Part(msgspec.Struct, frozen=True):
    """A part of a gap, B minus A, or the gap itself.

    Attributes:
        name: what it is.
        s: how much.
        low_s: the low end of its interval over repeated runs; None where there is none to give.
        high_s: the high end.
        parts: what it consists of; their `s` add up to its own exactly. None where it is not taken apart.
    """

    name: str
    s: float
    low_s: float | None = None
    high_s: float | None = None
    parts: tuple[Part, ...] = ()

    @property
    def within_noise(self) -> bool | None:
        """Whether the interval holds 0; None where there is no interval."""
        return None if self.low_s is None or self.high_s is None else self.low_s <= 0.0 <= self.high_s

    def leaves(self) -> tuple[Part, ...]:
        """Return the parts that are not taken apart, in order; they add up to the whole as well."""
        return tuple(leaf for part in self.parts for leaf in part.leaves()) if self.parts else (self,)


def rounded(value: np.ndarray | float, quantum: float = QUANTUM_S) -> np.ndarray:
    """Round to a multiple of a quantum."""
    return np.round(np.asarray(value, dtype=float) / quantum) * quantum


def log_mean(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return (b - a) / ln(b / a), which is a where both are the same.

    Written as sqrt(a b) sinh(d) / d with d = ln(b / a) / 2, it does not cancel where a and b are close, and is the same
    to the last digit when they change places.
    """
    half = (np.log(b) - np.log(a)) / 2
    near = np.abs(half) < _SMALL
    safe = np.where(near, 1.0, half)
    return np.sqrt(a * b) * np.where(near, 1.0, np.sinh(safe) / safe)


def by_count_and_cost(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Split the difference of two products of a count and a unit cost, `b` minus `a`; all positive."""
    mean = log_mean(a[0] * a[1], b[0] * b[1])
    return mean * (np.log(b[0]) - np.log(a[0])), mean * (np.log(b[1]) - np.log(a[1]))


def exactly(total: float, shares: Sequence[float]) -> tuple[float, ...]:
    """Round shares that add up to a total but for floating point, so that they do exactly.

    What rounding leaves over goes to the largest share, so that a share of 0 stays 0.
    """
    found = [float(rounded(share)) for share in shares]
    largest = max(range(len(found)), key=lambda place: abs(shares[place]))
    found[largest] += total - sum(found)
    return tuple(found)
