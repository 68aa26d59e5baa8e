"""One MLPerf run as time: initialisation, cycles from one result to the next, and the tail.

Submitters agree on `run_start`, `eval_accuracy` and `run_stop`, and on little else: some log `block_start` after the
training that it names, some evaluate inside a block and log no `eval_start`, some evaluate while they train. So a run
is measured from one result to the next, and a cycle is parted into training and evaluation only where every
`eval_start` lies between the results around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from statistics import median
from typing import Any

import msgspec

from beatnote.runs.mlperf import RESULTS, Event

PROGRESS = ("epoch_num", "samples_count", "step_num")
"""What a result says of how far training was when it was taken, in order of preference."""

APART = "apart"
INSIDE = "inside"
ASYNCHRONOUS = "asynchronous"
INCOMPLETE = "incomplete"
EVALUATION: dict[str, str] = {
    APART: "every evaluation is logged between the results around it",
    INSIDE: "no eval_start is logged: evaluation is somewhere in the cycle and cannot be told from training",
    ASYNCHRONOUS: "evaluations begin before the result of the one before is there: they overlap with training and "
    "cannot be told from it; blocks end before their evaluations do, so their times are not used either",
    INCOMPLETE: "some evaluations are logged and some are not: they cannot be told from training",
}
"""How evaluation is logged -> what follows."""

SUCCESS = "success"
STATUS: dict[str, str] = {
    SUCCESS: "reached the target",
    "aborted": "stopped without reaching the target",
    "unfinished": "has no run_stop",
    "unsaid": "has a run_stop that does not say whether the target was reached",
    "unstarted": "has no run_start",
}
"""How a run ended -> in words."""

_STRUCTURE = ("run_", "init_", "block_", "epoch_", "eval_", "submission_", "train_epoch")
_NOT_CHOSEN = frozenset({"cache_clear", "seed", "benchmark", "tracked_stats", "eval_samples", "train_samples"})


class Cycle(msgspec.Struct, frozen=True):
    """From one result to the next, the first from `run_start`.

    Attributes:
        s: how long.
        epochs: trained in it, as the log counts them.
        evaluation_s: from `eval_start` to `eval_stop`, or to the result where that comes first; None where unknown.
        scoring_s: from `eval_stop` to the result.
    """

    s: float
    epochs: float
    evaluation_s: float | None = None
    scoring_s: float | None = None


class Run(msgspec.Struct, frozen=True):
    """One run.

    Attributes:
        name: of its file.
        benchmark: as submitted; '' where the log does not say.
        status: a key of `STATUS`.
        total_s: from `run_start` to `run_stop`; None where one is missing.
        init_s: from `init_start` to `init_stop`, before the clock; None where one is missing.
        cycles: up to the last result before the clock stops.
        tail_s: from the last result to `run_stop`; None where there is neither.
        counted_in: the metadata that `Cycle.epochs` is taken from; `results` where there is none, one a cycle.
        evaluation: a key of `EVALUATION`.
        quality: the last result, as logged.
        settings: what was chosen, by key: batch size, optimiser and so on.
    """

    name: str
    benchmark: str
    status: str
    total_s: float | None
    init_s: float | None
    cycles: tuple[Cycle, ...]
    tail_s: float | None
    counted_in: str
    evaluation: str
    quality: Any
    settings: dict[str, Any]

    @property
    def epochs(self) -> float:
        """How many were trained up to the last result."""
        return sum(cycle.epochs for cycle in self.cycles)

    @property
    def steady(self) -> tuple[Cycle, ...]:
        """The cycles after the first."""
        return self.cycles[1:]

    @property
    def epoch_s(self) -> float | None:
        """What an epoch costs: the median of the steady cycles; None where there are none."""
        return median(cycle.s / cycle.epochs for cycle in self.steady) if self.steady else None


def run_of(events: Sequence[Event], name: str = "") -> Run:
    """Measure one run.

    Args:
        events: of the run, in order of time.
        name: of its file.
    """
    start, stop = _time(events, "run_start"), _time(events, "run_stop")
    clocked = [e for e in events if e.time_s is not None and start is not None and start <= e.time_s <= (stop or 1e300)]
    results, counted_in, progress = _results(clocked)
    times = [start or 0.0, *(result.time_s or 0.0 for result in results)]
    evaluation, parted = _evaluations(clocked, times)
    cycles = tuple(
        Cycle(end - begin, epochs, *parts)
        for (begin, end), epochs, parts in zip(pairwise(times), progress, parted, strict=True)
    )
    init = _time(events, "init_start"), _time(events, "init_stop")
    return Run(
        name,
        next((str(e.value) for e in events if e.key in ("submission_benchmark", "benchmark")), ""),
        _status(events, start, stop),
        stop - start if start is not None and stop is not None else None,
        init[1] - init[0] if init[0] is not None and init[1] is not None else None,
        cycles,
        stop - times[-1] if stop is not None and results else None,
        counted_in,
        evaluation,
        results[-1].value if results else None,
        _settings(events),
    )


def _time(events: Sequence[Event], key: str) -> float | None:
    return next((event.time_s for event in events if event.key == key and event.time_s is not None), None)


def _status(events: Sequence[Event], start: float | None, stop: float | None) -> str:
    if start is None:
        return "unstarted"
    if stop is None:
        return "unfinished"
    said = next((e.metadata.get("status") for e in events if e.key == "run_stop"), None)
    return "unsaid" if said is None else SUCCESS if said == SUCCESS else "aborted"


def _results(clocked: Sequence[Event]) -> tuple[list[Event], str, list[float]]:
    """Return the results, what they count progress in, and the progress from each to the next."""
    found = [event for event in clocked if event.key in RESULTS]
    for key in PROGRESS:
        counts = [float(event.metadata[key]) for event in found if _is_number(event.metadata.get(key))]
        if not found or len(counts) < len(found):
            continue
        last = dict(zip(counts, found, strict=True))  # of several metrics the last
        steps = [after - before for before, after in pairwise(last)]
        if all(step > 0 for step in steps):
            return list(last.values()), key, [_first(clocked, next(iter(last)), steps), *steps]
    return found, "results", [1.0] * len(found)


def _first(clocked: Sequence[Event], count: float, steps: Sequence[float]) -> float:
    """Return how much was trained before the first result; some count epochs from 0."""
    block = next((e.metadata for e in clocked if e.key == "block_start"), {})
    from_zero = block.get("first_epoch_num") == 0 and block.get("epoch_count") == count + 1
    if from_zero:
        return count + 1
    return count if count > 0 else steps[0] if steps else 1.0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18 and isfinite(value)


def _evaluations(
    clocked: Sequence[Event], times: Sequence[float]
) -> tuple[str, list[tuple[float, float] | tuple[None, None]]]:
    """Tell how evaluation is logged, and how long it and the scoring after it take in each cycle."""
    starts = [e.time_s for e in clocked if e.key == "eval_start" and e.time_s is not None]
    stops = [e.time_s for e in clocked if e.key == "eval_stop" and e.time_s is not None]
    nothing: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * (len(times) - 1)
    if not starts or len(times) < 2:
        return INSIDE, nothing
    parted: list[tuple[float, float] | tuple[None, None]] = []
    for begin, end in pairwise(times):
        own = [start for start in starts if begin <= start <= end]
        if len(own) != 1:
            early = any(start < result for start, result in zip(starts[1:], times[1:], strict=False))
            return ASYNCHRONOUS if early else INCOMPLETE, nothing
        stop = next((stop for stop in stops if own[0] <= stop <= end), end)
        parted.append((stop - own[0], end - stop))
    return APART, parted


def _settings(events: Sequence[Event]) -> dict[str, Any]:
    return {
        event.key: event.value
        for event in events
        if isinstance(event.value, int | float | str | list | bool)
        and not event.key.startswith(_STRUCTURE)
        and event.key not in _NOT_CHOSEN
    }
