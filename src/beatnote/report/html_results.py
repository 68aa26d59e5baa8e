"""MLPerf results as a page: two sets compared, or one or several described.

Words are in `sentences_results`; what every page shares in `html_page`.
"""

from __future__ import annotations

import msgspec

from beatnote.explain.cycles import Run
from beatnote.explain.waterfall import Part
from beatnote.report.foreign import printable
from beatnote.report.html_bar import Axis, Bar, Chart
from beatnote.report.html_page import render_page
from beatnote.report.quantities import SECONDS, counted, decimal
from beatnote.report.sentences import label
from beatnote.report.sentences_logs import files_text, notes_of
from beatnote.report.sentences_results import (
    COUNTED,
    FACTS,
    fact_rows,
    four_digits,
    gap_decimals,
    heading_sentence,
    interval_sentence,
    part_rows,
    score_sentence,
    settings_heading,
    shares_sentence,
    value_text,
)
from beatnote.results import ResultsComparison, ResultsDescription, ResultSet


class Segment(msgspec.Struct, frozen=True):
    """A stretch of a run: where it begins and how wide it is, in percent, its kind and what it is."""

    left: float
    width: float
    kind: str
    title: str


class RunRow(msgspec.Struct, frozen=True):
    """One run.

    Attributes:
        side: "A", "B", or "" where there is one side.
        name: of its file.
        total: its time, written.
        epochs: how many, written.
        quality: its last result, written.
        remark: how it ended, or that it does not count; '' for a run that counts.
        segments: its start-up, cycles and tail, on the axis of all runs.
    """

    side: str
    name: str
    total: str
    epochs: str
    quality: str
    remark: str
    segments: tuple[Segment, ...]


def render_results(found: ResultsComparison | ResultsDescription) -> str:
    """Return the page for results."""
    return _comparison(found) if isinstance(found, ResultsComparison) else _description(found)


def _comparison(comparison: ResultsComparison) -> str:
    both = (comparison.a, comparison.b)
    return render_page(
        "results",
        facts=comparison.to_dict(),
        scripts=(),
        title=f"{label(both[0].operand)} against {label(both[1].operand)}",
        sides=both,
        heading=heading_sentence(comparison),
        sentences=[shares_sentence(comparison)],
        scores=[(side, score_sentence(one)) for side, one in zip("AB", both, strict=True)],
        chart=waterfall_chart(comparison),
        intervals=interval_sentence(comparison),
        facts_shown=fact_rows(*both),
        facts_caption=FACTS,
        runs=run_rows(*both),
        settings_title=settings_heading(comparison),
        settings=[(s.name, (value_text(s.a), value_text(s.b))) for s in comparison.settings],
        only=[
            f"Only {side} logs {', '.join(map(printable, names))}."
            for side, names in (("A", comparison.settings_a), ("B", comparison.settings_b))
            if names
        ],
        notes=[note for side, one in zip("AB", both, strict=True) for note in notes_of(one, side)],
        sets=(),
    )


def _description(found: ResultsDescription) -> str:
    single = found.sets[0] if len(found.sets) == 1 else None
    name = label(found.operand)
    if single is None:
        heading = f"{name} holds MLPerf results: {counted(len(found.sets), 'set')}."
    else:
        task = printable(single.side.benchmark) or "a benchmark they do not name"
        heading = f"{name} is MLPerf results of {task}: {files_text(single.files)}."
    shown = found.sets if single is None else ()
    return render_page(
        "results",
        facts=found.to_dict(),
        scripts=(),
        title=name,
        sides=found.sets if single is not None else (),
        heading=heading,
        sentences=[f"Pick one with {printable(found.operand)}::NAME."] if single is None else [],
        scores=[("", score_sentence(single))] if single is not None else [],
        chart=None,
        intervals="",
        facts_shown=fact_rows(single) if single is not None else [],
        facts_caption=FACTS,
        runs=run_rows(single) if single is not None else (),
        settings_title="Hyperparameters",
        settings=[(k, (value_text(v),)) for k, v in single.side.settings.items()] if single is not None else [],
        only=[],
        notes=notes_of(single) if single is not None else [],
        sets=[
            (one, len(one.side.runs), four_digits(one.side.score.s) if one.side.score.s is not None else "none")
            for one in shown
        ],
    )


def waterfall_chart(comparison: ResultsComparison) -> Chart:
    """Lay out the bars that lead from A's score to B's."""
    decimals = gap_decimals(comparison)
    scores = [one.side.score.s or 0.0 for one in (comparison.a, comparison.b)]
    rows = [row for row in part_rows(comparison) if not row.part.parts]
    starts = [scores[0]]
    for row in rows:
        starts.append(starts[-1] + row.part.s)
    reach = [
        (start + end) * 1e3
        for start, part in [*zip(starts, (row.part for row in rows), strict=False), (scores[0], comparison.gap)]
        for end in (0.0, part.s, part.low_s or 0.0, part.high_s or 0.0)
    ]
    axis = Axis([score * 1e3 for score in scores] + reach)
    bars = [_score_bar("A", comparison.a, axis)]
    for row, start in zip(rows, starts, strict=False):
        bars.append(_part_bar(row.name, row.part, start, axis, row.number, row.interval, row.meaning))
    gap = comparison.gap
    ends = [decimal(end, decimals, signed=True) for end in (gap.low_s, gap.high_s) if end is not None]
    interval = f"{' to '.join(ends)} s" if ends else ""
    number = decimal(gap.s, decimals, signed=True)
    bars += [
        _score_bar("B", comparison.b, axis),
        _part_bar("gap, B − A", gap, scores[0], axis, number, interval, "95 % interval" if interval else ""),
    ]
    return Chart(tuple(bars), axis.ticks(SECONDS), SECONDS.name)


def _score_bar(side: str, one: ResultSet, axis: Axis) -> Bar:
    s = one.side.score.s or 0.0
    times = [one.side.reached[place].total_s or 0.0 for place in one.side.score.counted]
    zero, low, high = axis.at(0.0), min(times) * 1e3, max(times) * 1e3
    return Bar(
        f"score of {side}",
        "step",
        s * 1e3,
        low,
        high,
        zero,
        zero,
        axis.at(s * 1e3) - zero,
        (axis.at(low), axis.at(high)),
        four_digits(s),
        f"{four_digits(min(times)).removesuffix(' s')} to {four_digits(max(times))}",
        f"mean and range, n = {len(times):,}",
    )


def _part_bar(name: str, part: Part, start_s: float, axis: Axis, number: str, interval: str, meaning: str) -> Bar:
    low_s, high_s = (part.s if end is None else end for end in (part.low_s, part.high_s))
    start, end = axis.at(start_s * 1e3), axis.at((start_s + part.s) * 1e3)
    return Bar(
        name,
        "noise" if part.within_noise else "more" if part.s > 0 else "less",
        part.s * 1e3,
        low_s * 1e3,
        high_s * 1e3,
        start,
        min(start, end),
        abs(end - start),
        (axis.at((start_s + low_s) * 1e3), axis.at((start_s + high_s) * 1e3)),
        f"{number} s",
        interval,
        f"within noise; {meaning}" if part.within_noise else meaning,
    )


def run_rows(*sets: ResultSet) -> tuple[RunRow, ...]:
    """List every run, from `run_start` to `run_stop` on one axis."""
    longest = max((_span(run) for one in sets for run in one.side.runs), default=0.0)
    rows: list[RunRow] = []
    for place, one in enumerate(sets):
        side = one.side
        counted_runs = {id(side.reached[k]) for k in side.score.counted}
        for run in side.runs:
            reached = any(run is other for other in side.reached)
            remark = run.status if not reached else "" if id(run) in counted_runs else "dropped"
            rows.append(
                RunRow(
                    "AB"[place] if len(sets) > 1 else "",
                    run.name,
                    four_digits(run.total_s) if run.total_s is not None else "·",
                    f"{run.epochs:g}",
                    value_text(run.quality),
                    remark,
                    _segments(run, longest, COUNTED[run.counted_in]),
                )
            )
    return tuple(rows)


def _span(run: Run) -> float:
    return run.total_s or sum(cycle.s for cycle in run.cycles)


def _segments(run: Run, longest: float, noun: str) -> tuple[Segment, ...]:
    if not longest:
        return ()
    cost = run.epoch_s
    stretches: list[tuple[float, str, str]] = []
    for number, cycle in enumerate(run.cycles):
        excess = cycle.s - cycle.epochs * cost if number == 0 and cost is not None else 0.0
        if excess > 0:
            stretches.append((excess, "startup", f"first-cycle excess, {excess:.3f} s"))
        rest = cycle.s - max(excess, 0.0)
        stretches.append((rest, "cycle", f"cycle {number + 1}, {cycle.epochs:g} {noun}s, {rest:.3f} s"))
    stretches.append((run.tail_s or 0.0, "tail", f"tail, {run.tail_s or 0.0:.3f} s"))
    segments: list[Segment] = []
    begin = 0.0
    for s, kind, title in stretches:
        segments.append(Segment(round(100 * begin / longest, 3), round(100 * s / longest, 3), kind, title))
        begin += s
    return tuple(segment for segment in segments if segment.width)
