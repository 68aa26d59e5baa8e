"""One set of MLPerf runs of a benchmark, summed up: its score, and what its cycles show.

How two sets compare is in `mlperf_gap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

import msgspec
import numpy as np

from beatnote.explain.cycles import APART, SUCCESS, Run
from beatnote.explain.score import Score, score

ALIKE = 4.0
"""Epochs are taken to be counted alike when neither side has more than this many times those of the other."""


class Quartiles(msgspec.Struct, frozen=True):
    """Values in brief: their median, the quartiles around it, and how many; in seconds."""

    median_s: float
    low_s: float
    high_s: float
    n: int


class Side(msgspec.Struct, frozen=True):
    """One set of runs of a benchmark.

    Attributes:
        benchmark: as submitted; '' where the logs do not say.
        runs: all of them.
        score: by the rules.
        counted_in: what epochs are counted by, such as `epoch_num`.
        cycle_epochs: how many of them a cycle has, most often.
        epochs: epochs to the target -> how many runs took so many, of those that reached it.
        first_epochs: how many the first cycle has, most often.
        cycle: a steady cycle of `cycle_epochs`; None where no run has one.
        excess: of the first cycle over its epochs at the run's own steady cost.
        evaluation: of a steady cycle; None where it cannot be told.
        scoring: from the end of evaluation to the result.
        tail: from the last result to `run_stop`.
        init: initialisation, before the clock.
        logged: how evaluation is logged, a key of `cycles.EVALUATION`.
        settings: what was chosen the same in all runs.
    """

    benchmark: str
    runs: tuple[Run, ...]
    score: Score
    counted_in: str
    cycle_epochs: float
    epochs: dict[float, int]
    first_epochs: float
    cycle: Quartiles | None
    excess: Quartiles | None
    evaluation: Quartiles | None
    scoring: Quartiles | None
    tail: Quartiles | None
    init: Quartiles | None
    logged: str
    settings: dict[str, Any]

    @property
    def reached(self) -> tuple[Run, ...]:
        """The runs that reached the target."""
        return tuple(run for run in self.runs if run.status == SUCCESS and run.total_s is not None)


class Setting(msgspec.Struct, frozen=True):
    """A hyperparameter that is not the same on both sides."""

    name: str
    a: Any
    b: Any


def side_of(runs: Sequence[Run]) -> Side:
    """Sum a set of runs up."""
    reached = [run for run in runs if run.status == SUCCESS and run.total_s is not None]
    benchmark = next((run.benchmark for run in runs if run.benchmark), "")
    steady = [cycle for run in reached for cycle in run.steady]
    size = _most_often([cycle.epochs for cycle in steady or (c for run in reached for c in run.cycles)], 1.0)
    pooled = median([c.s / c.epochs for c in steady]) if steady else None
    logged = _most_often([run.evaluation for run in reached], "inside")
    apart = [c for c in steady if c.evaluation_s is not None] if all(r.evaluation == APART for r in reached) else []
    return Side(
        benchmark,
        tuple(runs),
        score([run.total_s or 0.0 for run in reached], len(runs) - len(reached), benchmark),
        _most_often([run.counted_in for run in reached], "results"),
        size,
        dict(sorted(Counter(run.epochs for run in reached if run.cycles).items())),
        _most_often([run.cycles[0].epochs for run in reached if run.cycles], size),
        _quartiles([cycle.s / cycle.epochs * size for cycle in steady]),
        _quartiles([r.cycles[0].s - r.cycles[0].epochs * (r.epoch_s or pooled) for r in reached if r.cycles])
        if pooled
        else None,
        _quartiles([cycle.evaluation_s or 0.0 for cycle in apart]),
        _quartiles([cycle.scoring_s or 0.0 for cycle in apart]),
        _quartiles([run.tail_s for run in reached if run.tail_s is not None]),
        _quartiles([run.init_s for run in reached if run.init_s is not None]),
        logged,
        _common(reached),
    )


def differing(a: Side, b: Side) -> tuple[Setting, ...]:
    """List the hyperparameters that both sides log with different values, by name."""
    both = sorted(a.settings.keys() & b.settings.keys())
    return tuple(Setting(k, a.settings[k], b.settings[k]) for k in both if a.settings[k] != b.settings[k])


def one_sided(a: Side, b: Side) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List the hyperparameters that only one side logs."""
    return tuple(sorted(a.settings.keys() - b.settings.keys())), tuple(sorted(b.settings.keys() - a.settings.keys()))


def comparable(a: Side, b: Side) -> bool:
    """Tell whether both sides count epochs alike."""
    means = [np.mean([run.epochs for run in side.reached if run.cycles] or [0.0]) for side in (a, b)]
    return a.counted_in == b.counted_in and bool(0 < max(means) <= ALIKE * min(means))


def _most_often(values: Sequence[Any], otherwise: Any) -> Any:
    return Counter(values).most_common(1)[0][0] if values else otherwise


def _quartiles(values: Sequence[float]) -> Quartiles | None:
    if not values:
        return None
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return Quartiles(float(middle), float(low), float(high), len(values))


def _common(runs: Sequence[Run]) -> dict[str, Any]:
    first = runs[0].settings if runs else {}
    return {k: v for k, v in first.items() if all(k in run.settings and run.settings[k] == v for run in runs)}
