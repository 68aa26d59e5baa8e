"""What MLPerf results say, in sentences and rows: the same in the terminal and in HTML.

Pure functions from finished results to plain text. No number goes without its unit and its spread, and what the logs
cannot tell is said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from beatnote.explain.mlperf import Quartiles, Side
from beatnote.explain.mlperf_gap import PARTS
from beatnote.explain.score import DROPPED
from beatnote.explain.waterfall import Part
from beatnote.report.foreign import beginning, printable
from beatnote.report.quantities import counted, decimal, decimals_for, decimals_of, listed
from beatnote.report.sentences import label
from beatnote.results import ResultsComparison, ResultSet

NOT_TOLD = "not told apart"
FACTS = (
    "Medians (quartiles) over cycles, or over runs, that reached the target. "
    "Initialisation is before the clock starts and in no score."
)
"""What the rows of `fact_rows` are."""
COUNTED: dict[str, str] = {
    "epoch_num": "epoch",
    "samples_count": "sample",
    "step_num": "step",
    "results": "result",
}
"""What epochs are counted by -> what one is called."""
CLOCK_DECIMALS = 3
"""Logs give times in milliseconds."""
MANY_RUNS = 20

_VALUE_WIDTH = 40


class PartRow(msgspec.Struct, frozen=True):
    """A part of the gap, written.

    Attributes:
        name: what it is.
        depth: 1 for a part of a part.
        part: it.
        number: how many seconds.
        interval: its interval with the unit; '' where there is none.
        noise: whether it is within noise.
        meaning: what the part is.
    """

    name: str
    depth: int
    part: Part
    number: str
    interval: str
    noise: bool
    meaning: str


# The gap


def heading_sentence(comparison: ResultsComparison) -> str:
    """Return the gap in one sentence."""
    gap, decimals = comparison.gap, gap_decimals(comparison)
    task = printable(comparison.a.side.benchmark or comparison.b.side.benchmark) or "the benchmark"
    amount = f"{decimal(abs(gap.s), decimals)} s"
    more = "longer" if gap.s > 0 else "less"
    if gap.low_s is None or gap.high_s is None:
        found = f"B takes {amount} {more} to train {task} than A" if gap.s else f"A and B take the same to train {task}"
        return f"{found}; with a single run on a side, how much of that is noise cannot be told."
    if gap.within_noise:
        between = f"{decimal(gap.low_s, decimals, signed=True)} to {decimal(gap.high_s, decimals, signed=True)} s"
        signed = decimal(gap.s, decimals, signed=True)
        return f"No gap beyond noise in training {task}: B minus A is {signed} s (95 % interval {between})."
    low, high = sorted((abs(gap.low_s), abs(gap.high_s)))
    between = f"{decimal(low, decimals)} to {decimal(high, decimals)} s"
    return f"B takes {amount} {more} to train {task} than A (95 % interval {between})."


def shares_sentence(comparison: ResultsComparison) -> str:
    """Return the parts of the gap that stand out, the largest first, and those that do not."""
    rows = [row for row in part_rows(comparison) if row.depth == 0]
    told = sorted((row for row in rows if not row.noise and row.part.s), key=lambda row: -abs(row.part.s))
    quiet = [row.name for row in rows if row.noise]
    rest = f"{listed(quiet)} {'is' if len(quiet) == 1 else 'are'} within noise" if quiet else ""
    shares = listed([f"{row.name} {row.number} s" for row in told])
    return f"Of it: {'; '.join(filter(None, (shares, rest)))}." if told or quiet else "Both take the same."


def interval_sentence(comparison: ResultsComparison) -> str:
    """Return what the intervals are, and how far to trust them."""
    counts = [len(one.side.reached) for one in (comparison.a, comparison.b)]
    if min(counts) < 2:
        return "No intervals: a single run does not show how runs vary."
    few = "; so few runs make them rough" if min(counts) < MANY_RUNS else ""
    return f"Intervals: 95 %, bootstrap over {counts[0]} runs of A and {counts[1]} of B{few}."


def gap_decimals(comparison: ResultsComparison) -> int:
    """Count the decimals that all parts of the gap are given in, so that what is shown adds up: those of the scores."""
    return _decimals(max(one.side.score.s or 0.0 for one in (comparison.a, comparison.b)))


def part_rows(comparison: ResultsComparison) -> tuple[PartRow, ...]:
    """List the parts of the gap, and the parts of those below them."""
    decimals = gap_decimals(comparison)
    rows: list[PartRow] = []
    for part in comparison.gap.parts:
        meaning = PARTS[part.name] + (_epochs_of(comparison) if part.name == "epochs" else "")
        rows.append(_row(part, 0, decimals, meaning))
        rows.extend(_row(inner, 1, decimals, PARTS[inner.name]) for inner in part.parts)
    return tuple(rows)


def _row(part: Part, depth: int, decimals: int, meaning: str) -> PartRow:
    interval = ""
    if part.low_s is not None and part.high_s is not None:
        ends = (decimal(end, decimals, signed=True) for end in (part.low_s, part.high_s))
        interval = f"{' to '.join(ends)} s"
    number = decimal(part.s, decimals, signed=True)
    return PartRow(part.name, depth, part, number, interval, part.within_noise is True, meaning)


def _epochs_of(comparison: ResultsComparison) -> str:
    a, b = (_mean_epochs(one.side) for one in (comparison.a, comparison.b))
    return f", {a} in A, {b} in B (means)"


def _mean_epochs(side: Side) -> str:
    runs = [side.reached[place] for place in side.score.counted]
    mean = sum(run.epochs for run in runs) / len(runs)
    return decimal(mean, decimals_of(mean, 3))


# One side


def score_sentence(one: ResultSet) -> str:
    """Return what a set of runs scores, and how that comes about."""
    side = one.side
    where = _made_on(one)
    if side.score.s is None:
        return f"{where}: no run reached the target."
    times = [side.reached[place].total_s or 0.0 for place in side.score.counted]
    runs = len(side.runs)
    mean = f"{where}: {four_digits(side.score.s)}"
    if runs == 1:
        return f"{mean}, by a single run."
    spread = f"{four_digits(min(times)).removesuffix(' s')} to {four_digits(max(times))}"
    if len(times) == len(side.reached):
        of = f"all {runs} runs" if len(times) == runs else f"the {len(times)} of {runs} runs that reached the target"
        return f"{mean}, the mean of {of} ({spread})."
    dropped = DROPPED.get(side.benchmark, 1)
    ends = "the fastest and the slowest" if dropped == 1 else f"the {dropped} fastest and the {dropped} slowest"
    return f"{mean}, the mean of {len(times)} of {runs} runs ({spread}) after {ends} are dropped."


def _made_on(one: ResultSet) -> str:
    system = one.system
    made = [printable(part) for part in (one.framework or "", f"on {system.name}" if system and system.name else "")]
    return " ".join(filter(None, made)) or label(one.path)


def four_digits(s: float) -> str:
    """Write a time that is computed, not estimated, in four digits."""
    return f"{decimal(s, _decimals(s))} s"


def _decimals(s: float) -> int:
    return min(CLOCK_DECIMALS, decimals_of(s, 4))


def fact_rows(*sets: ResultSet) -> list[tuple[str, tuple[str, ...]]]:
    """List what the logs show of each set, row by row."""
    sizes = {_size_text(one.side) for one in sets}
    alike = len(sizes) == 1
    rows: list[tuple[str, Callable[[Side], str]]] = [
        ("epochs to the target", epochs_text),
        (f"cycle of {sizes.pop()}" if alike else "cycle", lambda side: _cycle_text(side, sized=not alike)),
        ("first-cycle excess", lambda side: quartiles_text(side.excess, NOT_TOLD)),
        ("evaluation, a cycle", lambda side: quartiles_text(side.evaluation, NOT_TOLD)),
        ("scoring, a cycle", lambda side: quartiles_text(side.scoring, NOT_TOLD)),
        ("tail", lambda side: quartiles_text(side.tail)),
        ("initialisation", lambda side: quartiles_text(side.init)),
    ]
    return [(name, tuple(write(one.side) for one in sets)) for name, write in rows]


def epochs_text(side: Side) -> str:
    """Write in how many epochs how many runs were done, and in cycles where a cycle has several."""
    if not side.epochs:
        return "not logged"
    parts: list[str] = []
    for epochs, runs in side.epochs.items():
        cycles = epochs / side.cycle_epochs
        inside = f" = {cycles:,.0f} × {side.cycle_epochs:g}" if side.cycle_epochs != 1 and cycles == int(cycles) else ""
        parts.append(f"{epochs:g}{inside} ({counted(runs, 'run')})")
    return ", ".join(parts)


def _size_text(side: Side) -> str:
    noun = COUNTED[side.counted_in]
    return f"{side.cycle_epochs:g} {noun}{'' if side.cycle_epochs == 1 else 's'}"


def _cycle_text(side: Side, *, sized: bool) -> str:
    if side.cycle is None:
        return "no second result"
    return quartiles_text(side.cycle) + (f" for {_size_text(side)}" if sized else "")


def quartiles_text(found: Quartiles | None, otherwise: str = "not logged") -> str:
    """Write a median with its quartiles, in seconds, no finer than the logs' clock."""
    if found is None:
        return otherwise
    decimals = min(CLOCK_DECIMALS, decimals_for(found.high_s - found.low_s, found.median_s))
    if found.n == 1:
        return f"{decimal(found.median_s, decimals)} s (n = 1)"
    median, low, high = (decimal(s, decimals) for s in (found.median_s, found.low_s, found.high_s))
    return f"{median} s ({low} to {high} s, n = {found.n:,})"


# Hyperparameters


def value_text(value: Any) -> str:
    """Write the value of a hyperparameter."""
    return beginning(printable(f"{value:.6g}" if isinstance(value, float) else str(value)), _VALUE_WIDTH)


def settings_heading(comparison: ResultsComparison) -> str:
    """Return what the hyperparameters that differ may explain."""
    if not comparison.settings:
        return "No hyperparameter that both sides log differs."
    return "Hyperparameters that differ: they may explain the number of epochs, which logs alone cannot show"
