"""MLPerf logs: lines of every round, and everything else that is found between and within them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.read.mllog import MAX_LINE_BYTES, LogError, is_log, read_lines, read_log
from beatnote.runs.mlperf import Event, Lines, Log
from tests.read.mlperf_logs import START_MS, line, run, write


def read(*lines: str) -> Log:
    return read_lines([f"{one}\n".encode() for one in lines])


def only(log: Log) -> tuple[Event, ...]:
    (events,) = log.runs
    return events


def keys(log: Log) -> list[list[str]]:
    return [[event.key for event in events] for events in log.runs]


def test_a_line_since_0_7() -> None:
    (event,) = only(read(line("eval_accuracy", 1593143951089, 0.25, epoch_num=3)))
    assert event == Event("eval_accuracy", 1593143951.089, 0.25, {"epoch_num": 3})


def test_a_line_of_0_6() -> None:
    text = ':::MLL 1558500000.125 eval_accuracy: {"value": 0.25, "metadata": {"epoch_num": 3, "lineno": 7}}'
    assert only(read(text)) == (Event("eval_accuracy", 1558500000.125, 0.25, {"epoch_num": 3}),)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("run_start", Event("run_start", 1540000000.5, None, {})),
        ("eval_start: 4", Event("eval_start", 1540000000.5, 4, {"epoch_num": 4})),
        ('eval_accuracy: {"epoch": 4, "value": 0.7}', Event("eval_accuracy", 1540000000.5, 0.7, {"epoch_num": 4})),
        ('run_stop: {"success": true}', Event("run_stop", 1540000000.5, None, {"status": "success"})),
        ('run_stop: {"success": false}', Event("run_stop", 1540000000.5, None, {"status": "aborted"})),
        ("opt_name: sgd", Event("opt_name", 1540000000.5, "sgd", {})),
        ('input_size: {"x": 1}', Event("input_size", 1540000000.5, {"x": 1}, {})),
    ],
)
def test_a_line_of_0_5(tag: str, expected: Event) -> None:
    assert only(read(f":::MLPv0.5.0 resnet 1540000000.500000000 (resnet_main.py:12) {tag}")) == (expected,)


def test_lines_without_a_time() -> None:
    # some submitters date what they add to a finished log 0: it is true of the run, and of no moment in it
    log = read(line("run_start", START_MS), line("submission_org", 0, "Some"), line("seed", None, 4))
    assert [(event.key, event.time_s is None) for event in only(log)] == [
        ("submission_org", True),
        ("seed", True),
        ("run_start", False),
    ]
    assert (log.lines.undated, log.lines.out_of_order) == (2, 0)


def test_other_output_is_counted() -> None:
    log = read("loading data", f"0: {line('run_start')} done", "", "step 1 :::MLLOGGER started")
    assert keys(log) == [["run_start"]]
    assert log.lines == Lines(total=4, events=1, other=3)


@pytest.mark.parametrize(
    "text",
    [
        ":::MLLOG {'key': 'run_start', 'time_ms': 1}",
        ":::MLLOG __import__('os')",
        ":::MLLOG []",
        ':::MLLOG {"key": 1, "time_ms": 2}',
        ':::MLLOG {"key": "run_start", "time_ms": "2"}',
        ':::MLLOG {"key": "run_start", "time_ms": true}',
        ':::MLLOG {"key": "run_start", "time_ms": 1' + "0" * 5000 + "}",
        ':::MLLOG {"key": "run_start", "time_ms": 1' + "0" * 400 + "}",
        ":::MLLOG " + '{"value": ' * 100_000,
        ":::MLL yesterday run_start: {}",
        ":::MLL 1558500000.0 run_start: {'value': None}",
        ':::MLPv0.5.0 resnet 1540000000.5 (main.py:1) run_stop: {"success": tr',
    ],
)
def test_unreadable_lines_are_survived_and_counted(text: str) -> None:
    log = read("hello", text, line("run_start"))
    assert keys(log) == [["run_start"]]
    assert (log.lines.unreadable, log.lines.unreadable_at, log.lines.truncated) == (1, (2,), False)


def test_a_log_cut_off_in_a_line() -> None:
    whole = "".join(f"{one}\n" for one in run([3, 2, 2]))
    log = read_lines(whole[:-40].encode().splitlines(keepends=True))
    assert (log.lines.truncated, log.lines.unreadable) == (True, 1)
    assert keys(log)[0][-1] == "block_stop"


@given(st.integers(0, len("\n".join(run([3, 2, 2])))))
def test_a_log_cut_off_anywhere(length: int) -> None:
    # GIVEN a log cut off anywhere WHEN it is read THEN the lines before the cut are all there
    text = "\n".join(run([3, 2, 2]))
    log = read_lines(text[:length].encode().splitlines(keepends=True))
    whole = text[:length].count("\n")
    assert whole <= log.lines.events <= whole + 1
    assert log.lines.unreadable + log.lines.other <= 1


def test_lines_written_over_each_other() -> None:
    first, second = line("block_start", first_epoch_num=1), line("block_stop", first_epoch_num=1)
    log = read(first + second, first[:30] + line("eval_accuracy", value=0.5, epoch_num=1))
    assert sorted(keys(log)[0]) == ["block_start", "block_stop", "eval_accuracy"]
    assert (log.lines.unreadable, log.lines.unreadable_at, log.lines.truncated) == (1, (2,), False)


def test_duplicates_and_disorder() -> None:
    lines = run([3, 2, 2])
    whole = read(*lines)
    mixed = read(*reversed(lines), lines[3], lines[4])
    assert sorted(map(str, only(mixed))) == sorted(map(str, only(whole)))
    assert [e.time_s for e in only(mixed)] == sorted(e.time_s or 0 for e in only(mixed))
    assert mixed.lines.duplicated == 2
    assert mixed.lines.out_of_order > 0
    assert whole.lines == Lines(total=len(lines), events=len(lines))


def test_two_ranks_in_one_file() -> None:
    # GIVEN two ranks that log the same run, the second 40 ms later, their lines interleaved
    first, second = run([3, 2, 2]), run([3, 2, 2], start_ms=START_MS + 40)
    log = read(*(one for both in zip(first, second, strict=True) for one in both))
    # THEN there is one run, with the times of the rank that was first
    assert only(log) == only(read(*first))
    assert log.lines.repeated == len(second)
    assert log.lines.events == len(first)


def test_a_run_started_over_is_another_run() -> None:
    # GIVEN a run that dies after two results, and one after it in the same file
    died = run([3, 2], status=None)
    log = read(line("seed", 0, 3), *died, *run([3, 2, 2], start_ms=START_MS + 600_000))
    # THEN both are there, each with its own initialisation and with what has no time
    assert [(run[0].key, run[1].key, run[-1].key) for run in log.runs] == [
        ("seed", "submission_benchmark", "block_stop"),
        ("seed", "submission_benchmark", "run_stop"),
    ]
    assert log.lines.repeated == 0


def test_a_line_too_long_is_no_log_line(tmp_path: Path) -> None:
    path = write(tmp_path / "log.txt", [line("run_start"), "x" * (3 * MAX_LINE_BYTES) + line("run_stop"), line("seed")])
    log = read_log(path)
    assert keys(log) == [["run_start", "seed"]]
    assert (log.lines.total, log.lines.other) == (3, 1)


def test_a_file_without_log_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "log.txt", ["nothing", ":::MLLOG {"])
    assert is_log(path)
    with pytest.raises(LogError, match=r"log\.txt holds no MLPerf log lines that can be read: expected lines such as"):
        read_log(path)
    assert not is_log(write(tmp_path / "other.txt", ["nothing"]))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.binary(max_size=80) | json_values.map(lambda v: b":::MLLOG " + json.dumps(v).encode()), max_size=8))
def test_no_bytes_stop_the_reader(lines: list[bytes]) -> None:
    log = read_lines(lines)
    assert log.lines.total == len(lines)


@given(
    st.dictionaries(st.sampled_from(["key", "time_ms", "value", "metadata"]), json_values).map(json.dumps), json_values
)
def test_no_object_stops_the_reader(text: str, value: object) -> None:
    read(f":::MLLOG {text}", f":::MLL 1.5 run_stop: {json.dumps(value)}")
    read(f":::MLPv0.5.0 resnet 1.5 (a:1) eval_accuracy: {json.dumps(value)}")
