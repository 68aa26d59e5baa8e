"""The time split as bars on one axis: A's step, the parts that lead from it to B's step, B's step, and the gap.

Positions are in percent of the axis's width; what is drawn comes from the `Time` unchanged.
"""

from __future__ import annotations

from math import ceil, floor, log10

import msgspec

from beatnote.report.quantities import Unit, decimal, decimals_of
from beatnote.report.sentences import in_frameworks, shown_ms, shown_parts, time_unit
from beatnote.trial import Milliseconds, Time

_TICKS = 6


class Bar(msgspec.Struct, frozen=True):
    """One row.

    Attributes:
        name: what it is.
        kind: "step", "more" and "less" for parts that add and save time, or "noise".
        ms: its length; negative to the left.
        low_ms: the low end of its interval.
        high_ms: the high end.
        start: where it begins, in percent.
        left: its left end, in percent.
        width: in percent.
        whisker: both ends of its interval, in percent.
        value: its length, written.
        interval: its interval, written.
        remark: what else there is to say.
    """

    name: str
    kind: str
    ms: float
    low_ms: float
    high_ms: float
    start: float
    left: float
    width: float
    whisker: tuple[float, float]
    value: str
    interval: str
    remark: str


class Tick(msgspec.Struct, frozen=True):
    """A line of the axis: where, in percent, and what it says."""

    at: float
    label: str


class Chart(msgspec.Struct, frozen=True):
    """All rows and their axis."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    unit: str


class Axis:
    """From milliseconds to percent, over everything that is to be drawn."""

    def __init__(self, values_ms: list[float]) -> None:
        self.low, self.high = min(0.0, *values_ms), max(0.0, *values_ms)
        margin = (self.high - self.low or 1.0) * 0.02
        self.low -= margin if self.low < 0 else 0.0
        self.high += margin

    def at(self, ms: float) -> float:
        """Return where a time is, in percent."""
        return round(100 * (ms - self.low) / (self.high - self.low), 3)

    def ticks(self, unit: Unit) -> tuple[Tick, ...]:
        """Return lines at round numbers of a unit."""
        low, high = self.low * unit.per_ms, self.high * unit.per_ms
        rough = (high - low) / _TICKS
        power = 10.0 ** floor(log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
        decimals = decimals_of(step, 1)
        return tuple(
            Tick(self.at(k * step / unit.per_ms), decimal(k * step, decimals) if k else "0")
            for k in range(ceil(low / step), floor(high / step) + 1)
        )


def bar_width(part: float, widest: float) -> float:
    """Return the width of a bar that begins at 0, in percent of the widest."""
    return round(100 * part / widest, 2) if widest else 0.0


def chart(time: Time) -> Chart:
    """Lay out the bars of a time split."""
    unit = time_unit(time)
    a, b = shown_ms(time.a, time), shown_ms(time.b, time)
    starts = [a.median]
    for part in shown_parts(time):
        starts.append(starts[-1] + part.ms)
    ends = [(s + p.low_ms, s + p.high_ms, s + p.ms) for s, p in zip(starts, shown_parts(time), strict=False)]
    gap = (a.median + time.gap_low_ms, a.median + time.gap_high_ms)
    axis = Axis([a.high, b.high, a.median, b.median, *gap, *(value for end in ends for value in end)])
    where = "" if in_frameworks(time) else " alone"
    bars = [
        _step(f"step of A{where}", a, axis, unit),
        *(
            _part(part.name, (part.ms, part.low_ms, part.high_ms), start, axis, unit, noise=part.within_noise)
            for start, part in zip(starts, shown_parts(time), strict=False)
        ),
        _step(f"step of B{where}", b, axis, unit),
        _part(
            "gap, B − A",
            (time.gap_ms, time.gap_low_ms, time.gap_high_ms),
            a.median,
            axis,
            unit,
            noise=time.within_noise,
        ),
    ]
    return Chart(tuple(bars), axis.ticks(unit), unit.name)


def _step(name: str, ms: Milliseconds, axis: Axis, unit: Unit) -> Bar:
    zero, end = axis.at(0.0), axis.at(ms.median)
    return Bar(
        name,
        "step",
        ms.median,
        ms.low,
        ms.high,
        zero,
        zero,
        end - zero,
        (axis.at(ms.low), axis.at(ms.high)),
        unit.time(ms.median, ms.high - ms.low),
        unit.interval(ms.low, ms.high),
        f"median and quartiles, n = {ms.n:,}",
    )


def _part(name: str, ms: tuple[float, float, float], start_ms: float, axis: Axis, unit: Unit, *, noise: bool) -> Bar:
    length, low, high = ms
    start, end = axis.at(start_ms), axis.at(start_ms + length)
    return Bar(
        name,
        "noise" if noise else "more" if length > 0 else "less",
        length,
        low,
        high,
        start,
        min(start, end),
        abs(end - start),
        (axis.at(start_ms + low), axis.at(start_ms + high)),
        unit.time(length, high - low, signed=True),
        unit.interval(low, high, signed=True),
        "within noise" if noise else "95 % interval",
    )
