"""A log as cycles, however its submitter uses the keys."""

from __future__ import annotations

import pytest

from beatnote.explain.cycles import EVALUATION, STATUS, Cycle, Run, run_of
from beatnote.read.mllog import read_lines
from tests.read.mlperf_logs import START_MS, line, run


def measured(lines: list[str]) -> Run:
    ((events),) = read_lines([f"{one}\n".encode() for one in lines]).runs
    return run_of(events, "result_0.txt")


def seconds(found: Run) -> list[float]:
    return [round(cycle.s, 6) for cycle in found.cycles]


def test_a_plain_run() -> None:
    found = measured(run([5, 2, 3, 2], span=4, tail_s=0.5, init_s=30, global_batch_size=64, seed=7))
    assert (found.name, found.benchmark, found.status) == ("result_0.txt", "resnet", "success")
    assert seconds(found) == [5, 2, 3, 2]
    assert (found.total_s, found.init_s, found.tail_s) == (12.5, 30, 0.5)
    assert (found.epochs, found.epoch_s, found.counted_in) == (16, 0.5, "epoch_num")
    assert found.settings == {"global_batch_size": 64}
    assert found.evaluation == "inside"
    assert found.cycles[0].evaluation_s is None


def test_evaluation_apart_from_training() -> None:
    found = measured(run([5, 2, 2], evaluation_s=0.5, scoring_s=0.25))
    assert found.evaluation == "apart"
    assert [(c.evaluation_s, c.scoring_s) for c in found.cycles] == [(0.5, 0.25)] * 3


def test_a_block_may_be_logged_after_the_training_it_names() -> None:
    # GIVEN block_start just before eval_start, as Lingvo's transformer has it
    lines = [line("run_start")]
    for number, (train_s, result_s) in enumerate([(4.6, 6.3), (7.8, 9.3), (11.0, 12.6)], 1):
        lines += [
            line("block_start", START_MS + 1000 * train_s, first_epoch_num=number, epoch_count=1),
            line("eval_start", START_MS + 1000 * train_s + 50, epoch_num=number),
            line("eval_stop", START_MS + 1000 * train_s + 350, epoch_num=number),
            line("eval_accuracy", START_MS + 1000 * result_s, 0.2, epoch_num=number),
            line("block_stop", START_MS + 1000 * result_s + 20, first_epoch_num=number),
        ]
    found = measured([*lines, line("run_stop", START_MS + 12650, status="success")])
    # THEN cycles go from result to result, and what follows eval_stop is scoring
    assert seconds(found) == [6.3, 3.0, 3.3]
    assert found.evaluation == "apart"
    assert [round(c.scoring_s or 0, 6) for c in found.cycles] == [1.35, 1.15, 1.25]
    assert round(found.tail_s or 0, 6) == 0.05


def test_evaluations_that_overlap_with_training() -> None:
    # GIVEN evaluations that begin before the result of the one before is there, the first after three blocks
    lines = [line("run_start")]
    lines += [line("block_start", START_MS + 100 * n, first_epoch_num=62 * n, epoch_count=62) for n in range(5)]
    lines += [line("eval_start", START_MS + 300 + 100 * n, epoch_num=62 * (3 + n)) for n in range(3)]
    for n in range(3):
        lines.append(line("eval_accuracy", START_MS + 9000 + 3000 * n, 0.7, epoch_num=62 * (3 + n)))
        lines.append(line("eval_stop", START_MS + 9030 + 3000 * n, epoch_num=62 * (3 + n)))
    found = measured([*lines, line("run_stop", START_MS + 15060, status="success")])
    # THEN the cycles are there, unparted, with the epochs that each result says
    assert found.evaluation == "asynchronous"
    assert [(round(c.s, 6), c.epochs, c.evaluation_s) for c in found.cycles] == [
        (9.0, 186, None),
        (3.0, 62, None),
        (3.0, 62, None),
    ]


def test_some_evaluations_logged_and_some_not() -> None:
    lines = run([5, 2, 2], evaluation_s=0.5)
    gone = next(k for k, text in enumerate(lines) if '"eval_start"' in text and '"epoch_num": 2' in text)
    assert measured(lines[:gone] + lines[gone + 1 :]).evaluation == "incomplete"


def test_an_evaluation_without_its_end_goes_on_to_the_result() -> None:
    lines = [one for one in run([5, 2, 2], evaluation_s=0.5, scoring_s=0.25) if '"eval_stop"' not in one]
    found = measured(lines)
    assert [(c.evaluation_s, c.scoring_s) for c in found.cycles] == [(0.75, 0.0)] * 3


@pytest.mark.parametrize(
    ("progress", "counted_in", "epochs"),
    [
        ([{"epoch_num": 1}, {"epoch_num": 2}], "epoch_num", [1, 1]),
        ([{"epoch_num": 3}, {"epoch_num": 7}], "epoch_num", [3, 4]),
        ([{"epoch_num": 0}, {"epoch_num": 2}], "epoch_num", [2, 2]),
        ([{"epoch_num": 0.05}, {"epoch_num": 0.1}], "epoch_num", [0.05, 0.05]),
        ([{"samples_count": 600}, {"samples_count": 900}], "samples_count", [600, 300]),
        ([{"epoch_num": 2}, {"epoch_num": 1}], "results", [1, 1]),
        ([{"epoch_num": "one"}, {"epoch_num": True}], "results", [1, 1]),
        ([{}, {"epoch_num": 2}], "results", [1, 1]),
    ],
)
def test_what_epochs_are_counted_by(progress: list[dict[str, object]], counted_in: str, epochs: list[float]) -> None:
    results = [line("eval_accuracy", START_MS + 1000 * (k + 1), 0.1 * k, **p) for k, p in enumerate(progress)]
    found = measured([line("run_start"), *results])
    assert (found.counted_in, [cycle.epochs for cycle in found.cycles]) == (counted_in, epochs)


def test_epochs_counted_from_zero() -> None:
    lines = [line("run_start"), line("block_start", first_epoch_num=0, epoch_count=4)]
    lines += [line("eval_accuracy", START_MS + 1000 * k, 0.1, epoch_num=4 * k - 1) for k in (1, 2)]
    assert [cycle.epochs for cycle in measured(lines).cycles] == [4, 4]


def test_two_metrics_make_one_result() -> None:
    # the target is reached when the last of them is known
    lines = [line("run_start")]
    for number in (1, 2):
        lines.append(line("eval_error", START_MS + 4000 * number, 90, samples_count=512 * number, metric="FID"))
        lines.append(
            line("eval_error", START_MS + 4000 * number + 500, 0.15, samples_count=512 * number, metric="CLIP")
        )
    assert [(cycle.s, cycle.epochs) for cycle in measured(lines).cycles] == [(4.5, 512), (4.0, 512)]


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        ([line("run_stop", START_MS + 9000, status="success")], "success"),
        ([line("run_stop", START_MS + 9000, status="aborted")], "aborted"),
        ([line("run_stop", START_MS + 9000)], "unsaid"),
        ([], "unfinished"),
    ],
)
def test_how_a_run_ends(ending: list[str], status: str) -> None:
    found = measured([*run([5, 2], status=None), *ending])
    assert found.status == status
    assert status in STATUS
    assert (found.total_s is None) == (found.tail_s is None) == (status == "unfinished")


def test_a_log_without_a_start_has_no_times() -> None:
    found = measured([one for one in run([5, 2]) if '"run_start"' not in one])
    assert (found.status, found.total_s, found.cycles, found.tail_s) == ("unstarted", None, (), None)


def test_results_after_the_clock_stopped_do_not_count() -> None:
    found = measured([*run([5, 2]), line("eval_accuracy", START_MS + 9000, 0.8, epoch_num=3)])
    assert len(found.cycles) == 2


def test_every_way_of_logging_is_explained() -> None:
    assert EVALUATION.keys() == {"apart", "inside", "asynchronous", "incomplete"}
    assert Cycle(1.0, 1.0) == Cycle(1.0, 1.0, None, None)
