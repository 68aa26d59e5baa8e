"""Timing several steps against each other, so that whatever slows the machine down slows all of them.

Sides are never timed one after the other: each round times every step once, in an order that changes from round
to round. What the samples mean is in `explain`.
"""

from __future__ import annotations

import gc
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SHORT_S = 50e-6
"""A shorter step than this is timed in batches, lest the clock's own cost and resolution count."""
BATCH_S = 500e-6
"""How long a batch should take."""
WARM_UP_CALLS = 5
WARM_UP_S = 0.5
"""Slow steps are warmed up no longer than this, but at least once."""
LONG_S = 0.1
"""A longer step is not run once uncounted before each sample: what the caches hold hardly matters to it."""
LEAST_ROUNDS = 7
"""Fewer rounds than this say little about the spread; they are run even when the budget is spent."""
FEWEST_ROUNDS = 3
"""For steps so slow that `LEAST_ROUNDS` would take several times the budget."""
PATIENCE = 3
"""How many times the budget `LEAST_ROUNDS` may take."""


def interleave(
    steps: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 100,
    budget_s: float = 10.0,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, tuple[float, ...]]:
    """Time steps in rounds.

    Each step is warmed up, then timed once a round: one call that is not counted, because another step has just
    had the caches (unless a call is long), then a batch of calls, whose mean is the sample. Python's garbage
    collector rests meanwhile.

    Args:
        steps: name → a call that returns when its work is done.
        rounds: how many samples to take of each, at most.
        budget_s: stop after about this many seconds, warm-up included, but not before `LEAST_ROUNDS`, or before
            `FEWEST_ROUNDS` where steps are very slow.
        seed: of the order in each round.
        progress: called after each round with the rounds done and the rounds expected.

    Returns:
        name → seconds a call, one sample a round; sample i of every step is from round i.
    """
    deadline = perf_counter() + budget_s
    once_s = {name: _warmed_up_s(step) for name, step in steps.items()}
    calls = {name: ceil(BATCH_S / max(one_s, 1e-9)) if one_s < SHORT_S else 1 for name, one_s in once_s.items()}
    patient = LEAST_ROUNDS * sum(once_s.values()) <= PATIENCE * budget_s
    least = LEAST_ROUNDS if patient else FEWEST_ROUNDS
    names = list(steps)
    samples: dict[str, list[float]] = {name: [] for name in names}
    random = np.random.default_rng(seed)
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        started = perf_counter()
        for done in range(1, rounds + 1):
            for index in random.permutation(len(names)):
                name = names[index]
                if once_s[name] < LONG_S:
                    steps[name]()
                samples[name].append(_mean_s(steps[name], calls[name]))
            now = perf_counter()
            round_s = (now - started) / done
            expected = min(rounds, max(least, done + int((deadline - now) / round_s)))
            if progress is not None:
                progress(done, max(done, expected))
            if done >= expected:
                break
    finally:
        if collecting:
            gc.enable()
    return {name: tuple(values) for name, values in samples.items()}


def _warmed_up_s(step: Callable[[], object]) -> float:
    """Warm a step up and tell how long a call takes."""
    taken: list[float] = []
    while len(taken) < WARM_UP_CALLS and (not taken or sum(taken) < WARM_UP_S):
        taken.append(_mean_s(step, 1))
    return min(taken)


def _mean_s(step: Callable[[], object], calls: int) -> float:
    start = perf_counter()
    for _ in range(calls):
        step()
    return (perf_counter() - start) / calls
