"""Scores by the training rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.explain.score import kept, score


def test_the_fastest_and_the_slowest_are_dropped() -> None:
    found = score([5.0, 1.0, 4.0, 9.0, 3.0], 0, "resnet")
    assert (found.s, found.counted, found.faults) == (4.0, (0, 2, 4), ())


def test_one_run_that_fails_is_the_slowest() -> None:
    found = score([5.0, 1.0, 4.0, 3.0], 1, "resnet")
    assert (found.s, found.counted, found.faults) == (4.0, (0, 2, 3), ())


def test_more_that_fail_make_no_score() -> None:
    found = score([5.0, 1.0, 3.0], 2, "resnet")
    assert found.s == 3.0
    assert found.faults == ("2 of 5 runs did not reach the target, and the rules allow 1",)


def test_unet3d_drops_four_at_either_end() -> None:
    times = [float(time) for time in range(40)]
    assert score(times, 0, "unet3d").counted == tuple(range(4, 36))
    assert score(times[:37], 3, "unet3d").counted == tuple(range(4, 36))


@pytest.mark.parametrize(
    ("times", "fault"),
    [
        ([], "the rules ask for 10 runs of bert, and there are 0"),
        ([1.0], "the rules ask for 10 runs of bert, and there is 1"),
        ([1.0, 2.0], "the rules ask for 10 runs of bert, and there are 2"),
    ],
)
def test_too_few_runs(times: list[float], fault: str) -> None:
    found = score(times, 0, "bert")
    assert found.faults == (fault,)
    assert found.s == (sum(times) / len(times) if times else None)


def test_nothing_is_asked_of_a_benchmark_that_is_not_known() -> None:
    found = score([1.0, 2.0, 3.0], 0, "mine")
    assert (found.s, found.asked, found.faults) == (2.0, None, ())
    assert score([1.0, 2.0], 0, "mine").faults == ("too few runs to drop the fastest and the slowest",)


@given(st.integers(0, 50), st.integers(0, 6), st.sampled_from(["resnet", "unet3d", ""]))
def test_something_counts_where_something_reached_the_target(reached: int, failed: int, benchmark: str) -> None:
    assert (len(range(reached)[kept(reached, failed, benchmark)]) > 0) == (reached > 0)
