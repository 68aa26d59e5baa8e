"""Finding MLPerf logs: a file, a folder of results, a submission with its systems."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from beatnote.read.mllog import LogError
from beatnote.read.submission import holds_logs, list_results, read_results
from beatnote.runs.mlperf import System
from tests.read.mlperf_logs import results, run, write

SYSTEM = {"system_name": "Box 8", "framework": "Frame 1.0", "submitter": "Us", "accelerator_model_name": None}


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    for system in ("box8", "box16"):
        for benchmark in ("resnet", "bert"):
            results(tmp_path / "results" / system / benchmark, [run([3, 2])] * 2)
    write(tmp_path / "systems" / "box8.json", [json.dumps(SYSTEM)])
    write(tmp_path / "systems" / "box16.json", ["{"])
    write(tmp_path / "README.txt", ["not a log"])
    return tmp_path


def test_a_submission_lists_its_results(submission: Path) -> None:
    found = {one.name: one for one in list_results(submission)}
    assert sorted(found) == ["box16/bert", "box16/resnet", "box8/bert", "box8/resnet"]
    assert found["box8/bert"].system == System("Box 8", "Frame 1.0", "Us", "")
    assert found["box16/bert"].system is None  # its description cannot be read
    assert found["box8/bert"].logs == ()


def test_results_are_picked_by_name(submission: Path) -> None:
    picked = read_results(submission, "box8/bert")
    assert Path(picked.path) == submission / "results" / "box8" / "bert"
    assert [Path(log.path).name for log in picked.logs] == ["result_0.txt", "result_1.txt"]
    assert read_results(submission / "results" / "box8", "bert").logs == picked.logs


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "holds 4 sets of results: pick one with .*::NAME from box16/bert, box16/resnet, box8/bert, box8/resnet"),
        ("bert", "holds 2 sets of results 'bert': pick one with .*::NAME from box16/bert, box8/bert$"),
        ("box8/gnmt", "holds no results 'box8/gnmt': pick one with .*::NAME from box16/bert"),
    ],
)
def test_a_pick_that_is_not_one(submission: Path, name: str, expected: str) -> None:
    with pytest.raises(LogError, match=expected):
        read_results(submission, name)


def test_a_folder_of_one_benchmark_needs_no_pick(submission: Path) -> None:
    assert len(read_results(submission / "results" / "box8" / "bert").logs) == 2
    assert read_results(submission / "results" / "box8" / "bert").system == System("Box 8", "Frame 1.0", "Us", "")


def test_a_description_beside_the_benchmarks(tmp_path: Path) -> None:
    results(tmp_path / "box" / "bert", [run([3, 2])])
    write(tmp_path / "box" / "system.json", [json.dumps(SYSTEM)])
    assert read_results(tmp_path / "box" / "bert").system == System("Box 8", "Frame 1.0", "Us", "")


def test_results_come_in_order_of_number(tmp_path: Path) -> None:
    results(tmp_path, [run([3, 2])] * 11)
    write(tmp_path / "slurm.txt", run([3, 2]))  # named results are there, so this is something else
    names = [Path(log.path).name for log in read_results(tmp_path).logs]
    assert names == [f"result_{number}.txt" for number in range(11)]


def test_logs_of_any_name_where_none_is_named_a_result(tmp_path: Path) -> None:
    write(tmp_path / "b.log", run([3, 2]))
    write(tmp_path / "a.txt", run([3, 2]))
    write(tmp_path / "notes.txt", ["none"])
    assert [Path(log.path).name for log in read_results(tmp_path).logs] == ["a.txt", "b.log"]


def test_where_results_are_named_other_logs_are_no_set(submission: Path) -> None:
    write(submission / "slurm.log", run([3, 2]))
    assert len(list_results(submission)) == 4


def test_logs_in_a_folder_and_in_one_below_it(tmp_path: Path) -> None:
    results(tmp_path, [run([3, 2])])
    results(tmp_path / "old", [run([4, 2])])
    assert [one.name for one in list_results(tmp_path)] == [".", "old"]
    assert len(read_results(tmp_path, ".").logs) == 1


def test_a_folder_that_may_not_be_read_hides_no_other(submission: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def scandir(folder: Path):
        if Path(folder).name == "box16":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert sorted(one.name for one in list_results(submission)) == ["bert", "resnet"]


def test_a_single_file(tmp_path: Path) -> None:
    path = write(tmp_path / "train.log", run([3, 2]))
    assert [log.path for log in read_results(path).logs] == [str(path)]


def test_what_holds_logs(submission: Path, tmp_path: Path) -> None:
    assert holds_logs(submission)
    assert holds_logs(submission / "results" / "box8" / "bert" / "result_0.txt")
    assert not holds_logs(submission / "systems")
    assert not holds_logs(submission / "README.txt")
    assert not holds_logs(tmp_path / "missing")
    with pytest.raises(LogError, match=r"holds no MLPerf logs: expected files such as result_0\.txt"):
        list_results(submission / "systems")


def test_the_published_logs(shared_data: Path) -> None:
    found = list_results(shared_data / "mlperf-v0.7")
    assert len(found) == 8
    for one in found:
        for log in read_results(Path(one.path)).logs:
            assert len(log.runs) == 1
            assert log.lines.unreadable == log.lines.other == log.lines.duplicated == log.lines.repeated == 0
