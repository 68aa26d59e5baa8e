"""Why one set of MLPerf runs scores better than another.

The score is a mean over runs, and so is each of its parts. Of one run, with `c` the median of what its steady cycles XX

    run_start … run_stop = (first cycle - its epochs × c)   start-up: the first-cycle excess
                         + n × c                            epochs to converge × what an epoch costs
                         + (last result … run_stop)         tail
                         + the rest                         unexplained: cycles that took more or less than the median

The gap between two scores is the difference of these, the product split by the logarithmic mean (`waterfall`). Where
both sides log their evaluations apart, what an epoch costs is split once more, into training, evaluation and scoring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any
from zlib import crc32

import msgspec
import numpy as np

from beatnote.explain.mlperf import Side, comparable
from beatnote.explain.score import kept
from beatnote.explain.split import interval
from beatnote.explain.waterfall import FACTOR_QUANTUM, Part, by_count_and_cost, exactly, log_mean, rounded

PARTS: dict[str, str] = {
    "start-up": "first-cycle excess over the steady cost",
    "epochs": "number to the target",
    "epoch cost": "steady cost of an epoch",
    "training": "what is not evaluation or scoring",
    "evaluation": "eval_start to eval_stop",
    "scoring": "eval_stop to the result",
    "epochs and their cost": "not counted alike, so not told apart",
    "up to the last result": "a side has no steady cycle, so not told apart",
    "tail": "last result to run_stop",
    "unexplained": "cycles off their run's median",
}
"""Part of a gap -> what it is."""

RESAMPLES = 2000


def gap(a: Side, b: Side, *, resamples: int = RESAMPLES) -> Part:
    """Split the gap between two scores, B's minus A's.

    Intervals are 95 % bootstrap intervals over runs, each side drawn on its own, the rule's dropping applied to every
    draw. Of n runs n - 1 are drawn, with replacement, which makes the variance of a mean what it should be (Hesterberg,
    "Unbiasing the bootstrap", 2004). With one run on a side there are none.

    Args:
        a: one side; at least one of its runs reached the target.
        b: the other.
        resamples: how often to draw runs.

    Raises:
        ValueError: on one side no run reached the target.
    """
    tables = _table(a), _table(b)
    split = _splitting(a, b, tables)
    point = split(*(table.means() for table in tables))
    if min(len(table.columns[0]) for table in tables) < 2:
        return _tree(point, {})
    return _tree(point, split(*(table.means(table.draws(resamples)) for table in tables)))


class _Table(msgspec.Struct, frozen=True):
    """The runs of a side that reached the target, as columns.

    Attributes:
        columns: total, epochs, epochs × cost, start-up, tail, evaluation and scoring over all epochs; s but for epochs.
        failed: how many runs did not.
        benchmark: whose rule it is.
        level: 2 where cycles are known, 1 where results are, 0 where only the total is.
        apart: whether evaluation and scoring are known.
    """

    columns: np.ndarray
    failed: int
    benchmark: str
    level: int
    apart: bool

    def means(self, drawn: np.ndarray | None = None) -> np.ndarray:
        """Return the means over the runs that count: of all runs, or of those of each draw in turn."""
        columns = self.columns if drawn is None else self.columns[:, drawn]
        order = np.argsort(columns[0], axis=-1, kind="stable")
        counted = order[..., kept(order.shape[-1], self.failed, self.benchmark)]
        return np.stack([np.take_along_axis(column, counted, axis=-1).mean(axis=-1) for column in columns])

    def draws(self, resamples: int) -> np.ndarray:
        """Draw runs; the same for the same runs, whichever side they are on."""
        count = self.columns.shape[1]
        return np.random.default_rng(crc32(self.columns.tobytes())).integers(0, count, (resamples, count - 1))


def _table(side: Side) -> _Table:
    runs = side.reached
    if not runs:
        raise ValueError("no run reached the target")
    steady = [cycle.s / cycle.epochs for run in runs for cycle in run.steady]
    level = 0 if not all(run.cycles for run in runs) else 2 if steady and min(steady) > 0 else 1
    pooled = median(steady) if steady else 0.0
    apart = level == 2 and side.evaluation is not None
    parts = [_median_parts([c for run in runs for c in run.steady])] if apart else []
    rows: list[tuple[float, ...]] = []
    for run in runs:
        cost = run.epoch_s or pooled
        evaluation, scoring = _median_parts(run.steady, *parts) if apart else (0.0, 0.0)
        first = run.cycles[0].s - run.cycles[0].epochs * cost if run.cycles else 0.0
        n = run.epochs
        rows.append((run.total_s or 0.0, n, n * cost, first, run.tail_s or 0.0, n * evaluation, n * scoring))
    return _Table(np.array(rows).T.copy(), side.score.failed, side.benchmark, level, apart)


def _median_parts(cycles: Sequence[Any], fallback: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return the medians of evaluation and of scoring, an epoch."""
    if not cycles:
        return fallback
    return median(c.evaluation_s / c.epochs for c in cycles), median(c.scoring_s / c.epochs for c in cycles)


_Splitter = Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]
_TOTAL, _EPOCHS, _COST, _FIRST, _TAIL, _EVALUATION, _SCORING = range(7)
_INNER = ("training", "evaluation", "scoring")
"""The parts of what an epoch costs."""


def _splitting(a: Side, b: Side, tables: tuple[_Table, _Table]) -> _Splitter:
    """Choose how finely the logs of both sides can be split."""
    level = min(table.level for table in tables)
    apart = all(table.apart for table in tables)
    alike = comparable(a, b)

    def split(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
        total, cost, first, tail = (_row(x, y, row) for row in (_TOTAL, _COST, _FIRST, _TAIL))
        if level == 0:
            return {"gap": total}
        if level == 1:
            return {"gap": total, "up to the last result": total - tail, "tail": tail}
        if not alike:
            return {"gap": total, "start-up": first, "epochs and their cost": cost, "tail": tail}
        return {"gap": total, "start-up": first, **_by_epochs(x, y, apart=apart), "tail": tail}

    return split


def _row(x: np.ndarray, y: np.ndarray, row: int) -> np.ndarray:
    return rounded(y[row]) - rounded(x[row])


def _by_epochs(x: np.ndarray, y: np.ndarray, *, apart: bool) -> dict[str, np.ndarray]:
    """Split what the epochs take into their number and their cost, and that into what it is spent on."""
    (n, c), (m, d) = (
        (rounded(means[_EPOCHS], FACTOR_QUANTUM), rounded(means[_COST] / means[_EPOCHS], FACTOR_QUANTUM))
        for means in (x, y)
    )
    epochs, cost = by_count_and_cost((n, c), (m, d))
    found = {"epochs and their cost": rounded(m * d) - rounded(n * c), "epochs": epochs, "epoch cost": cost}
    if apart:
        evaluation, scoring = (
            rounded(y[row] / y[_EPOCHS], FACTOR_QUANTUM) - rounded(x[row] / x[_EPOCHS], FACTOR_QUANTUM)
            for row in (_EVALUATION, _SCORING)
        )
        # seconds of the gap for each second that an epoch costs more
        weight = log_mean(n * c, m * d) / log_mean(c, d)
        shares = ((d - c) - evaluation - scoring, evaluation, scoring)
        found |= {name: weight * share for name, share in zip(_INNER, shares, strict=True)}
    return found


def _tree(point: dict[str, np.ndarray], draws: dict[str, np.ndarray]) -> Part:
    """Put parts together, each rounded so that they add up."""
    s = {name: float(value) for name, value in point.items()}
    inner: list[float] = []
    if "epochs" in s:
        s["epochs"], s["epoch cost"] = exactly(s.pop("epochs and their cost"), (s["epochs"], s["epoch cost"]))
        draws.pop("epochs and their cost", None)
    if "training" in s:
        inner = list(exactly(s["epoch cost"], [s.pop(name) for name in _INNER]))
    total = s.pop("gap")
    s["unexplained"] = total - sum(s.values())
    if draws:
        draws["unexplained"] = draws["gap"] - sum(draws[name] for name in s if name != "unexplained")
    low_high = {name: interval(values) for name, values in draws.items()}

    def part(name: str, value: float, parts: tuple[Part, ...] = ()) -> Part:
        return Part(name, value, *low_high.get(name, (None, None)), parts)

    spent = tuple(part(name, value) for name, value in zip(_INNER, inner, strict=False))
    return part("gap", total, tuple(part(n, v, spent if n == "epoch cost" else ()) for n, v in s.items()))
