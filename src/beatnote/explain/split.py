"""Why one step takes longer than another: the gap between two step times, split by whose it is.

Pure functions on samples; how they are taken is none of this module's business.

Four times are known of each side, medians over the same rounds: `step`, the program in its framework; `empty`, a
program of the same signature that computes nothing, in its framework; `alone`, the program under one runtime common
to both sides; `alone_empty`, the empty program under that runtime. Then, B minus A,

    gap         = step
    program     = alone
    framework   = empty
    compiler    = (step - empty) - (alone - alone_empty)
    unexplained = gap - program - framework - compiler

The compiler's part is what the same program takes more under the framework's own XLA and flags than under the common
runtime, each without the cost of being called. What is unexplained is then the difference in what the common runtime
takes to call the two signatures.

Times are rounded to `QUANTUM_MS`, a power of two, before they are subtracted. Sums and differences of such numbers
are exact in floating point, in any order, so the parts add up to the gap to the last digit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

QUANTUM_MS = 2.0**-30
"""A picosecond, nearly: far below any clock, and exact sums up to 2**22 ms, more than an hour."""
CONFIDENCE = 0.95
"""How much of the bootstrap an interval holds."""


class Side(msgspec.Struct, frozen=True):
    """What was measured of one side, in seconds, one sample a round and the rounds the same throughout.

    Attributes:
        step_s: the program in its framework.
        empty_s: an empty program of the same signature in its framework.
        alone_s: the program under the runtime common to both sides.
        alone_empty_s: the empty program under that runtime.
    """

    step_s: tuple[float, ...]
    empty_s: tuple[float, ...]
    alone_s: tuple[float, ...]
    alone_empty_s: tuple[float, ...]


class Spread(msgspec.Struct, frozen=True):
    """Samples in brief: their median, the quartiles around it, and how many."""

    median_ms: float
    low_ms: float
    high_ms: float
    n: int


class Part(msgspec.Struct, frozen=True):
    """A difference of medians, B minus A.

    Attributes:
        name: whose it is.
        ms: the difference.
        low_ms: the low end of its bootstrap interval over rounds.
        high_ms: the high end.
    """

    name: str
    ms: float
    low_ms: float
    high_ms: float

    @property
    def within_noise(self) -> bool:
        """Whether the interval holds 0: the measurement does not tell it from nothing."""
        return self.low_ms <= 0.0 <= self.high_ms


class Split(msgspec.Struct, frozen=True):
    """The gap and its parts, whose `ms` add up to the gap's exactly."""

    gap: Part
    parts: tuple[Part, ...]


def spread(samples_s: Sequence[float]) -> Spread:
    """Sum samples up by their median and quartiles.

    Raises:
        ValueError: there are none.
    """
    if not samples_s:
        raise ValueError("no samples to take a median of")
    low, median, high = np.quantile(samples_s, (0.25, 0.5, 0.75)) * 1e3
    return Spread(float(median), float(low), float(high), len(samples_s))


def split(a: Side, b: Side, *, resamples: int = 1000, seed: int = 0) -> Split:
    """Split the gap between two steps, B's time minus A's, into program, compiler, framework and unexplained.

    Args:
        a: the samples of one side.
        b: those of the other, from the same rounds.
        resamples: how often to draw rounds, with replacement, for the intervals. The same rounds are drawn of all
            samples, so that what was common to a round stays in common.
        seed: of the draws.

    Raises:
        ValueError: there are no rounds, or not the same number in all samples.
    """
    samples_ms = np.array(_rows(a, b)) * 1e3
    rounds = samples_ms.shape[1]
    drawn = np.random.default_rng(seed).integers(0, rounds, (resamples, rounds))
    point = _differences(_rounded(np.median(samples_ms, axis=1)))
    draws = _differences(_rounded(np.median(samples_ms[:, drawn], axis=2)))
    gap, *parts = (
        Part(name, float(point[name]), *interval(draws[name]))
        for name in ("gap", "program", "compiler", "framework", "unexplained")
    )
    return Split(gap, tuple(parts))


def _rows(a: Side, b: Side) -> list[tuple[float, ...]]:
    rows = [samples for side in (a, b) for samples in (side.step_s, side.empty_s, side.alone_s, side.alone_empty_s)]
    lengths = {len(samples) for samples in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"expected samples from the same rounds, found {sorted(lengths)} of them")
    return rows


def _rounded(medians_ms: np.ndarray) -> np.ndarray:
    return np.round(medians_ms / QUANTUM_MS) * QUANTUM_MS


def _differences(medians: np.ndarray) -> dict[str, np.ndarray]:
    step, empty, alone, alone_empty = medians[4:] - medians[:4]
    compiler = (step - empty) - (alone - alone_empty)
    return {
        "gap": step,
        "program": alone,
        "compiler": compiler,
        "framework": empty,
        "unexplained": step - alone - compiler - empty,
    }


def interval(draws: np.ndarray) -> tuple[float, float]:
    """Return the order statistics that cut off the same number of draws at both ends."""
    ordered = np.sort(draws)
    cut = int(len(ordered) * (1 - CONFIDENCE) / 2)
    return float(ordered[cut]), float(ordered[len(ordered) - 1 - cut])
