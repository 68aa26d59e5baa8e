"""Numbers for people: with a unit, as many digits as their spread allows, and a real minus sign.

What the numbers mean is said in `sentences`.
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, isfinite, log10

import msgspec

MINUS = "−"
_PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))


class Unit(msgspec.Struct, frozen=True):
    """A unit of time.

    Attributes:
        name: as printed.
        per_ms: how many of it make a millisecond.
    """

    name: str
    per_ms: float

    def number(self, ms: float, resolution_ms: float, *, signed: bool = False) -> str:
        """Write a time without its unit, as exactly as a spread such as the width of its interval allows."""
        return decimal(ms * self.per_ms, decimals_for(resolution_ms * self.per_ms, ms * self.per_ms), signed=signed)

    def time(self, ms: float, resolution_ms: float, *, signed: bool = False) -> str:
        """Write a time with its unit."""
        return f"{self.number(ms, resolution_ms, signed=signed)} {self.name}"

    def interval(self, low_ms: float, high_ms: float, *, signed: bool = False) -> str:
        """Write an interval with its unit: `245 to 305 µs`."""
        width = high_ms - low_ms
        return f"{self.number(low_ms, width, signed=signed)} to {self.time(high_ms, width, signed=signed)}"


MICROSECONDS = Unit("µs", 1e3)
MILLISECONDS = Unit("ms", 1.0)
SECONDS = Unit("s", 1e-3)


def unit_for(ms: float) -> Unit:
    """Choose the unit that times of this size are best read in."""
    if abs(ms) < 1.0:
        return MICROSECONDS
    return MILLISECONDS if abs(ms) < 10_000.0 else SECONDS


def decimals_for(resolution: float, value: float) -> int:
    """Count the decimals worth showing of a value whose spread is known; three digits of it where there is none.

    A spread from 1.00 to 3.54 of a power of ten is given two digits, a larger one a single digit: the rule of the
    Particle Data Group (Review of Particle Physics, introduction, 5.3).
    """
    if resolution <= 0:
        return decimals_of(value, 3)
    return decimals_of(resolution, 2 if resolution / 10.0 ** _exponent(resolution) < 3.55 else 1)


def decimals_of(value: float, digits: int) -> int:
    """Count the decimals that show so many digits of a value."""
    return max(0, digits - 1 - _exponent(value)) if value else 0


def _exponent(value: float) -> int:
    return floor(log10(abs(value)) + 1e-9)


def decimal(value: float, decimals: int, *, signed: bool = False) -> str:
    """Write a number in full: thousands apart, a real minus sign, and a plus sign where the sign matters."""
    text = f"{abs(value):,.{decimals}f}"
    if not text.strip("0.,"):
        return text
    return f"{MINUS if value < 0 else '+' if signed else ''}{text}"


def short(value: float | None) -> str:
    """Write a number of any size in two digits: `757`, `0.97`, `2.2e-7`; `not a number` for None."""
    if value is None or not isfinite(value):
        return "not a number"
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return decimal(value, decimals_of(value, 2))
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0').replace('-', MINUS)}e{int(exponent)}"


def scaled(value: float, unit: str) -> str:
    """Write an exact count with a prefix of its unit, in three digits: `612 GB`, `1.54 kB`, `7 flop`."""
    for factor, prefix in _PREFIXES:
        if abs(value) >= factor * 0.9995:
            number = value / factor
            return f"{decimal(number, 0 if factor == 1 else decimals_of(max(number, 1.0), 3))} {prefix}{unit}"
    return f"{decimal(value, 0)} {unit}"


def duration(seconds: float, digits: int = 3) -> str:
    """Write a time that is computed, which has no spread: `65.7 ns`, `2,899 ms`."""
    if 0 < seconds < 1e-6:
        return f"{decimal(seconds * 1e9, decimals_of(seconds * 1e9, digits))} ns"
    unit = unit_for(seconds * 1e3)
    value = seconds * 1e3 * unit.per_ms
    return f"{decimal(value, decimals_of(value, digits))} {unit.name}"


def percent(share: float) -> str:
    """Write a share of a whole in two digits, and no more than a decimal: `84 %`, `0.6 %`, `< 0.1 %`."""
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return f"{decimal(100 * share, 1 if 0 < share < 0.0995 else 0)} %"


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: `1 input`, `13,012 instructions`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(words: list[str] | tuple[str, ...]) -> str:
    """Join words as a sentence does: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def ranges(numbers: list[int] | tuple[int, ...]) -> str:
    """Write ascending whole numbers with runs as ranges: `0–3, 7`."""
    starts = [n for before, n in pairwise([-2, *numbers]) if n != before + 1]
    ends = [n for n, after in pairwise([*numbers, numbers[-1] + 2]) if after != n + 1] if numbers else []
    return ", ".join(str(s) if s == e else f"{s}–{e}" for s, e in zip(starts, ends, strict=True))
