"""Timing steps in rounds: every step in every round, in changing order, within a budget."""

from __future__ import annotations

import gc
from time import sleep

import pytest

from beatnote.record.steps import FEWEST_ROUNDS, LEAST_ROUNDS, WARM_UP_CALLS, interleave


def sleeper(name, calls, seconds=0.0005):
    def step():
        calls.append(name)
        sleep(seconds)

    return step


def test_every_round_has_every_step_in_changing_order():
    # GIVEN three steps that leave a trace
    calls = []
    steps = {name: sleeper(name, calls) for name in "abc"}
    # WHEN they are timed for 12 rounds
    samples = interleave(steps, rounds=12)
    # THEN each has a sample a round, no shorter than the step
    assert {name: len(values) for name, values in samples.items()} == {"a": 12, "b": 12, "c": 12}
    assert all(value >= 0.0005 for values in samples.values() for value in values)
    # AND after the warm-up each round calls each step twice, the first not counted, in orders that differ
    timed = calls[3 * WARM_UP_CALLS :]
    rounds = ["".join(timed[i : i + 6 : 2]) for i in range(0, len(timed), 6)]
    assert timed[::2] == timed[1::2]
    assert len(rounds) == 12
    assert {"".join(sorted(order)) for order in rounds} == {"abc"}
    assert len(set(rounds)) > 2


def test_short_steps_are_timed_in_batches():
    # GIVEN a step far shorter than the clock can tell, and a long one
    calls, long_calls = [], []
    # WHEN both are timed
    samples = interleave({"short": lambda: calls.append(1), "long": sleeper("long", long_calls)}, rounds=LEAST_ROUNDS)
    # THEN the short one was called many times a sample, and its samples are of one call
    assert len(calls) > 100 * LEAST_ROUNDS
    assert len(long_calls) == WARM_UP_CALLS + 2 * LEAST_ROUNDS
    assert max(samples["short"]) < min(samples["long"])


def test_the_budget_ends_it_but_not_before_the_least_rounds():
    # GIVEN steps that take longer than the budget WHEN they are timed THEN the least number of rounds is run
    samples = interleave({"a": sleeper("a", [], 0.005)}, rounds=1000, budget_s=0.02)
    assert len(samples["a"]) == LEAST_ROUNDS


def test_very_slow_steps_are_run_in_fewer_rounds():
    # GIVEN a step that alone takes several times the budget WHEN it is timed THEN it is run no more than needed
    calls = []
    samples = interleave({"a": sleeper("a", calls, 0.15)}, rounds=1000, budget_s=0.001)
    assert len(samples["a"]) == FEWEST_ROUNDS
    assert len(calls) <= 4 + FEWEST_ROUNDS


def test_fewer_rounds_than_the_least_may_be_asked_for():
    assert len(interleave({"a": sleeper("a", [])}, rounds=2)["a"]) == 2


def test_progress_ends_where_it_said():
    # GIVEN a budget for some of the rounds WHEN steps are timed THEN progress counts up to the rounds there are
    seen = []
    samples = interleave(
        {"a": sleeper("a", [])}, rounds=10_000, budget_s=0.05, progress=lambda done, all_: seen.append((done, all_))
    )
    assert [done for done, _ in seen] == list(range(1, len(samples["a"]) + 1))
    assert seen[-1][0] == seen[-1][1]
    assert all(done <= expected <= 10_000 for done, expected in seen)


def test_garbage_collection_rests_and_comes_back():
    # GIVEN a step that looks whether the collector is on WHEN it is timed THEN it is off in the rounds only
    states = []
    interleave({"a": lambda: states.append(gc.isenabled())}, rounds=2)
    assert states[-1] is False
    assert gc.isenabled()


def test_garbage_collection_comes_back_after_an_error():
    # GIVEN a step that fails once its rounds have begun
    def step():
        if not gc.isenabled():
            raise RuntimeError("no")

    # WHEN it is timed THEN the error comes through and the collector is on again
    with pytest.raises(RuntimeError, match="no"):
        interleave({"a": step}, rounds=2)
    assert gc.isenabled()
