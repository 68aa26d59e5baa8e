"""A set of runs, summed up."""

from __future__ import annotations

import pytest

from beatnote.explain.cycles import run_of
from beatnote.explain.mlperf import Quartiles, comparable, differing, one_sided, side_of
from beatnote.read.submission import read_results
from tests.explain.runs import a_run, a_side


def test_a_side():
    side = a_side(
        a_run([5.0, 2.0, 2.0, 2.0], tail_s=0.5, lr=1.0),
        a_run([6.0, 2.0, 4.0], lr=1.0),
        a_run([9.0], status="aborted", lr=2.0),
    )
    assert side.score.s == 12.0  # the run that failed is the slowest, and the fastest is dropped
    assert side.epochs == {3: 1, 4: 1}
    assert side.cycle == Quartiles(2.0, 2.0, 2.0, 5)
    assert side.excess == Quartiles(3.0, 3.0, 3.0, 2)
    assert side.tail is not None
    assert side.tail.median_s == 0.25
    assert (side.evaluation, side.scoring, side.logged) == (None, None, "inside")
    assert side.settings == {"lr": 1.0}
    assert len(side.reached) == 2


def test_a_run_of_one_cycle_borrows_the_others_cost():
    side = a_side(a_run([5.0, 2.0, 2.0]), a_run([6.0]))
    assert side.excess == Quartiles(3.5, 3.25, 3.75, 2)


def test_without_steady_cycles_there_is_no_excess():
    side = a_side(a_run([5.0]), a_run([6.0]))
    assert (side.cycle, side.excess) == (None, None)


def test_evaluation_is_known_only_where_all_runs_log_it():
    parted, unparted = a_run([5.0, 2.0, 2.0], parts_s=(0.5, 0.25)), a_run([5.0, 2.0, 2.0])
    assert a_side(parted, parted).evaluation == Quartiles(0.5, 0.5, 0.5, 4)
    assert a_side(parted, parted).scoring == Quartiles(0.25, 0.25, 0.25, 4)
    assert a_side(parted, unparted).evaluation is None


def test_settings_that_differ():
    a = a_side(
        a_run([2.0, 1.0], lr=1, steps=287.0, only_a=1, varies=1), a_run([2.0], lr=1, steps=287, only_a=1, varies=2)
    )
    b = a_side(a_run([2.0, 1.0], lr=2, steps=287, only_b=1))
    assert [(s.name, s.a, s.b) for s in differing(a, b)] == [("lr", 1, 2)]
    assert one_sided(a, b) == (("only_a",), ("only_b",))


def test_sides_that_count_alike():
    few, many = a_side(a_run([1.0] * 4)), a_side(a_run([1.0] * 40))
    assert comparable(few, few)
    assert not comparable(few, many)
    assert not comparable(few, a_side(a_run([1.0] * 4, counted_in="samples_count")))
    assert not comparable(few, a_side(a_run([])))


def test_no_runs_at_all():
    side = a_side()
    assert (side.score.s, side.reached, side.epochs) == (None, (), {})


@pytest.mark.parametrize(
    ("name", "score_s", "epochs", "cycle_s", "excess_s", "logged"),
    [
        ("tpu-v3-8192-JAX/transformer", 15.46, {4: 5, 5: 5}, 3.355, 0.3, "inside"),
        ("tpu-v3-8192-TF/transformer", 21.27, {5: 4, 6: 6}, 3.24, 3.1, "apart"),
        ("tpu-v3-8192-JAX/resnet", 28.30, {88: 1, 92: 4}, 1.138, 2.1, "inside"),
        ("tpu-v3-8192-TF/resnet", 28.88, {84: 1, 88: 4}, 1.115, 4.0, "inside"),
        ("tpu-v3-8192-JAX/bert", 24.01, {496: 9, 558: 1}, 2.983, 0.1, "asynchronous"),
        ("tpu-v3-8192-TF/bert", 23.57, {496: 10}, 2.8825, 0.5, "inside"),
        ("gpu-v100-8-TF2.0/resnet", 5313.34, {39: 4, 43: 1}, 541.7495, 23.6, "apart"),
        ("gpu-v100-8-TF2.0/bert", 12218.91, {6: 7, 7: 3}, 1976.351, -131.5, "apart"),
    ],
)
def test_the_published_logs(shared_data, name, score_s, epochs, cycle_s, excess_s, logged):
    found = read_results(shared_data / "mlperf-v0.7" / name)
    side = side_of([run_of(events) for log in found.logs for events in log.runs])
    assert side.score.s is not None
    assert side.cycle is not None
    assert side.excess is not None
    assert (round(side.score.s, 2), side.score.faults, side.epochs) == (score_s, (), epochs)
    assert side.cycle.median_s == pytest.approx(cycle_s, abs=1e-6)
    assert round(side.excess.median_s, 1) == excess_s
    assert side.logged == logged
