"""MLPerf results to report on, put together by hand."""

from __future__ import annotations

from functools import cache

import msgspec

from beatnote.explain.cycles import Run
from beatnote.explain.mlperf import differing, one_sided, side_of
from beatnote.explain.mlperf_gap import gap
from beatnote.results import FileLines, ResultsComparison, ResultsDescription, ResultSet
from beatnote.runs.mlperf import Lines, System
from tests.explain.runs import a_run

HOSTILE = "<script>alert(1)</script>\x1b[2J{{ 7*7 }}"


def a_set(
    runs: list[Run], operand: str = "fast", system: System | None = None, lines: Lines | None = None
) -> ResultSet:
    files = tuple(FileLines(f"result_{k}.txt", lines or Lines(total=9, events=9)) for k in range(len(runs)))
    return ResultSet(operand, "", f"/data/{operand}", system, side_of(runs), files)


def compared(a: ResultSet, b: ResultSet) -> ResultsComparison:
    x, y = a.side, b.side
    return ResultsComparison(a, b, gap(x, y), differing(x, y), *one_sided(x, y))


def five(
    start_s: float, epoch_s: float, epochs: int, *, parts_s: tuple[float, float] | None = None, **settings
) -> list[Run]:
    """Five runs that differ a little."""
    return [
        a_run(
            [start_s + epoch_s + 0.1 * k, *[epoch_s + 0.01 * k] * (epochs + (k == 4) - 1)],
            tail_s=0.01,
            parts_s=parts_s,
            **settings,
        )
        for k in range(5)
    ]


@cache
def slower() -> ResultsComparison:
    """B starts up two seconds later and takes two epochs more; only A logs evaluations apart; a line is amiss."""
    a = a_set(five(1.0, 2.0, 4, parts_s=(0.5, 0.25), lr=1.0, beta=0.5), "fast", System("Box 8", "Frame", "Us", "X1"))
    odd = Lines(total=12, events=9, other=2, unreadable=1, unreadable_at=(4,), repeated=3)
    b = a_set(five(3.0, 2.0, 6, lr=2.5, beta=0.5, only=1), "slow", lines=odd)
    return compared(a, b)


@cache
def split() -> ResultsComparison:
    """Both sides log evaluations apart, and B scores for longer."""
    return compared(a_set(five(1.0, 2.0, 4, parts_s=(0.5, 0.0))), a_set(five(1.0, 3.0, 4, parts_s=(0.5, 1.0)), "slow"))


@cache
def single() -> ResultsComparison:
    """One run a side."""
    return compared(a_set([a_run([3.0, 2.0, 2.0])]), a_set([a_run([5.0, 2.0, 2.0])], "slow"))


@cache
def hostile_results() -> ResultsComparison:
    """Names and values that try to be something else than text."""
    system = System(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    runs = [a_run([3.0, 2.0], benchmark=HOSTILE) for _ in range(2)]
    runs = [msgspec.structs.replace(run, settings={HOSTILE: f"{k}{HOSTILE}"}) for k, run in enumerate(runs)]
    return compared(*(a_set([run], HOSTILE, system) for run in runs))


@cache
def one_set() -> ResultsDescription:
    """Five runs, of which one failed."""
    runs = [*five(1.0, 2.0, 4, lr=1.0)[:4], a_run([3.0, 2.0], status="aborted", lr=1.0)]
    return ResultsDescription("fast", (a_set(runs),))


@cache
def submission() -> ResultsDescription:
    """Two sets, of one of which nothing reached the target."""
    good = a_set(five(1.0, 2.0, 4), "all")
    bad = ResultSet("all", "box/<b>", "/data/all", None, side_of([a_run([3.0], status="unfinished")]), ())
    return ResultsDescription("all", (good, bad))


@cache
def hostile_set() -> ResultsDescription:
    return ResultsDescription(HOSTILE, (hostile_results().a,))
