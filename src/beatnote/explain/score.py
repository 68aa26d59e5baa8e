"""The score of a set of MLPerf runs, by the training rules.

"Each benchmark result is computed by dropping the fastest and slowest runs, then taking the mean of the remaining
times. For this purpose, a single non-converging run may be treated as the slowest run and dropped. A benchmark result
is invalid if there is more than one non-converging run." (mlcommons/training_policies, training_rules.adoc, benchmark
results.) Of unet3d four are dropped at either end, and up to four may be non-converging: so counts mlcommons/logging,
which also says how many runs each benchmark asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

DROPPED = {"unet3d": 4}
"""Benchmark -> how many of the fastest, and of the slowest, do not count, where that is not one."""

ASKED: dict[str, int] = {
    "bert": 10,
    "dlrm": 5,
    "dlrm_dcnv2": 10,
    "gnmt": 10,
    "gpt3": 3,
    "llama2_70b_lora": 10,
    "llama31_405b": 3,
    "maskrcnn": 5,
    "minigo": 10,
    "ncf": 10,
    "resnet": 5,
    "rnnt": 10,
    "ssd": 5,
    "transformer": 10,
    "unet3d": 40,
}
"""Benchmark -> how many runs the rules ask for."""


class Score(msgspec.Struct, frozen=True):
    """A score and how it came about.

    Attributes:
        s: the mean of the runs that count; None where there are none.
        counted: the places of the runs that count among those that reached the target.
        reached: how many runs reached the target.
        failed: how many did not.
        asked: how many runs the rules ask for; None where that is not known.
        faults: why this is not a score by the rules, in sentences; none where it is.
    """

    s: float | None
    counted: tuple[int, ...]
    reached: int
    failed: int
    asked: int | None
    faults: tuple[str, ...]


def kept(reached: int, failed: int, benchmark: str) -> slice:
    """Return which of the runs that reached the target count, when they are sorted by time.

    All of them do where the rule leaves none, or does not allow so many to fail.
    """
    dropped = DROPPED.get(benchmark, 1)
    if failed > dropped or reached + failed <= 2 * dropped or reached <= dropped:
        return slice(0, reached)
    return slice(dropped, reached - (dropped - failed))


def score(times_s: Sequence[float], failed: int, benchmark: str) -> Score:
    """Score a set of runs.

    Args:
        times_s: of the runs that reached the target, from `run_start` to `run_stop`.
        failed: how many did not reach it.
        benchmark: as submitted.
    """
    order = sorted(range(len(times_s)), key=lambda place: times_s[place])
    counted = tuple(order[kept(len(times_s), failed, benchmark)])
    dropped, asked = DROPPED.get(benchmark, 1), ASKED.get(benchmark)
    faults: list[str] = []
    runs = len(times_s) + failed
    if failed > dropped:
        faults.append(f"{failed} of {runs} runs did not reach the target, and the rules allow {dropped}")
    if asked is not None and runs < asked:
        faults.append(f"the rules ask for {asked} runs of {benchmark}, and there {'is' if runs == 1 else 'are'} {runs}")
    elif failed <= dropped and len(counted) == len(times_s):
        faults.append("too few runs to drop the fastest and the slowest")
    mean = sum(times_s[place] for place in sorted(counted)) / len(counted) if counted else None
    return Score(mean, tuple(sorted(counted)), len(times_s), failed, asked, tuple(faults))
