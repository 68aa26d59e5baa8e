"""The gap between two scores: parts that always add up, and know their noise."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beatnote.explain.mlperf_gap import PARTS, gap
from beatnote.explain.waterfall import Part
from tests.explain.runs import a_run, a_side, seconds, sides


def values(part: Part) -> dict[str, float]:
    return {part.name: part.s} | {k: v for inner in part.parts for k, v in values(inner).items()}


def intervals(part: Part) -> dict[str, tuple[float | None, float | None]]:
    return {part.name: (part.low_s, part.high_s)} | {k: v for inner in part.parts for k, v in intervals(inner).items()}


def test_a_gap_of_known_parts():
    # GIVEN A: 3 s of start-up and 4 epochs of 2 s; B: 1 s of start-up and 8 epochs of 2 s, one of them a second longer
    a = a_side(a_run([5.0, 2.0, 2.0, 2.0]))
    b = a_side(a_run([3.0, 2.0, 2.0, 3.0, 2.0, 2.0, 2.0, 2.0], tail_s=0.5))
    # WHEN the gap is split THEN every part has its size
    assert values(gap(a, b)) == {
        "gap": 7.5,
        "start-up": -2.0,
        "epochs": 8.0,
        "epoch cost": 0.0,
        "tail": 0.5,
        "unexplained": 1.0,
    }
    # AND one run a side leaves no interval
    assert set(intervals(gap(a, b)).values()) == {(None, None)}


def test_the_cost_of_an_epoch_is_split_where_both_sides_allow():
    a = a_side(a_run([5.0, 4.0, 4.0], parts_s=(1.0, 0.5)))
    b = a_side(a_run([5.0, 5.0, 5.0], parts_s=(1.0, 1.75)))
    found = values(gap(a, b))
    assert found["epoch cost"] == 3.0
    assert (found["training"], found["evaluation"], found["scoring"]) == (-0.75, 0.0, 3.75)
    assert "training" not in values(gap(a, a_side(a_run([5.0, 5.0, 5.0]))))


def test_sides_that_count_epochs_differently():
    found = values(gap(a_side(a_run([5.0, 4.0, 4.0])), a_side(a_run([5.0, 4.0, 4.0], epochs=62.0))))
    assert list(found) == ["gap", "start-up", "epochs and their cost", "tail", "unexplained"]
    assert found["epochs and their cost"] == 0.0


def test_a_side_without_steady_cycles():
    found = values(gap(a_side(a_run([5.0], tail_s=1.0)), a_side(a_run([5.0, 4.0]))))
    assert found == {"gap": 3.0, "up to the last result": 4.0, "tail": -1.0, "unexplained": 0.0}


def test_a_side_without_results():
    nothing = a_side(a_run([], tail_s=9.0))
    assert values(gap(nothing, a_side(a_run([5.0, 4.0])))) == {"gap": 0.0, "unexplained": 0.0}


def test_no_run_that_reached_the_target():
    with pytest.raises(ValueError, match="no run reached the target"):
        gap(a_side(), a_side(a_run([5.0, 4.0])))


@settings(max_examples=200, deadline=None)
@given(sides(), sides())
def test_parts_add_up_to_the_last_digit(a, b):
    found = gap(a, b, resamples=20)
    for whole in (found, *found.parts):
        if whole.parts:
            assert sum(part.s for part in whole.parts) == whole.s
            assert sum(Fraction(part.s) for part in whole.parts) == Fraction(whole.s)
    assert sum(part.s for part in found.leaves()) == found.s
    assert found.s == pytest.approx((b.score.s or 0.0) - (a.score.s or 0.0), abs=1e-8)
    assert values(found).keys() - {"gap"} <= PARTS.keys()


@settings(max_examples=100, deadline=None)
@given(sides(), sides())
def test_swapping_the_sides_negates_every_part(a, b):
    there, back = gap(a, b, resamples=20), gap(b, a, resamples=20)
    assert values(back) == {name: -s for name, s in values(there).items()}
    assert intervals(back) == {
        name: (None if high is None else -high, None if low is None else -low)
        for name, (low, high) in intervals(there).items()
    }


@settings(max_examples=100, deadline=None)
@given(sides())
def test_nothing_is_between_a_side_and_itself(side):
    found = gap(side, side, resamples=20)
    assert set(values(found).values()) == {0.0}
    assert set(intervals(found).values()) <= {(0.0, 0.0), (None, None)}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(seconds, seconds, st.floats(0, 10)), min_size=1, max_size=5),
    st.floats(0.1, 10),
    st.integers(2, 6),
    st.integers(2, 6),
)
def test_a_phase_that_did_not_change_gets_nothing(runs, epoch_s, n, m):
    # GIVEN runs that differ in start-up and tail, n epochs on one side, m on the other, all of the same cost
    def side(count: int, extra_s: float, parts_s: tuple[float, float] | None = None):
        return a_side(
            *(
                a_run([start + epoch_s + extra_s, *[epoch_s] * (count - 1)], tail_s=t, parts_s=parts_s)
                for start, _, t in runs
            )
        )

    # WHEN only their number changes, THEN neither cost nor tail nor start-up has a part in it
    found = values(gap(side(n, 0.0), side(m, 0.0), resamples=5))
    assert found["epoch cost"] == found["tail"] == 0.0
    assert found["start-up"] == pytest.approx(0.0, abs=1e-7)
    assert (found["epochs"] == 0.0) == (n == m)
    # WHEN only start-up changes, THEN nothing else has
    found = values(gap(side(n, 0.0), side(n, 1.5), resamples=5))
    assert found["epochs"] == found["epoch cost"] == found["tail"] == 0.0
    assert found["start-up"] == pytest.approx(1.5, abs=1e-7)
    # WHEN only scoring changes, THEN evaluation has no part in it
    before, after = (0.02 * epoch_s, 0.01 * epoch_s), (0.02 * epoch_s, 0.03 * epoch_s)
    found = values(gap(side(n, 0.0, before), side(n, 0.0, after), resamples=5))
    assert found["evaluation"] == found["epoch cost"] == 0.0
    assert found["scoring"] == -found["training"] > 0


def test_noise_is_told_from_a_difference():
    # GIVEN runs that scatter by 10 %, on two sides that are the same but for five seconds of start-up
    scatter = (0.0, 0.1, 0.2, 0.05, 0.15, 0.12)
    a = a_side(*(a_run([3.0 + x, *[1.0 + x / 10] * 4]) for x in scatter))
    b = a_side(*(a_run([8.0 + x, *[1.0 + x / 9] * 4]) for x in reversed(scatter)))
    found = gap(a, b)
    told = {part.name: part.within_noise for part in (found, *found.parts)}
    assert told == {
        "gap": False,
        "start-up": False,
        "epochs": True,
        "epoch cost": True,
        "tail": True,
        "unexplained": True,
    }


@pytest.mark.parametrize(
    ("benchmark", "expected"),
    [
        (
            "transformer",
            {"gap": 5.82, "start-up": 2.68, "epochs": 3.72, "epoch cost": -0.50, "tail": 0.03, "unexplained": -0.12},
        ),
        (
            "resnet",
            {"gap": 0.58, "start-up": 1.68, "epochs": -1.13, "epoch cost": -0.49, "tail": 0.03, "unexplained": 0.50},
        ),
        (
            "bert",
            {"gap": -0.45, "start-up": 0.34, "epochs": 0.0, "epoch cost": -0.70, "tail": -0.05, "unexplained": -0.04},
        ),
    ],
)
def test_the_published_logs(shared_data, benchmark, expected):
    from beatnote.explain.cycles import run_of
    from beatnote.explain.mlperf import side_of
    from beatnote.read.submission import read_results

    logs = shared_data / "mlperf-v0.7"
    both = [
        side_of([run_of(e) for log in read_results(logs / f"tpu-v3-8192-{name}" / benchmark).logs for e in log.runs])
        for name in ("JAX", "TF")
    ]
    found = gap(*both)
    assert {name: round(s, 2) for name, s in values(found).items()} == expected
    assert sum(part.s for part in found.parts) == found.s
