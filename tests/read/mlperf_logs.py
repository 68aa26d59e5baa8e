"""MLPerf logs written afresh: lines, runs of given cycles, folders of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

START_MS = 1_600_000_000_000


def line(key: str, time_ms: float | None = START_MS, value: Any = None, **metadata: Any) -> str:
    """A line as `mllog` writes it since 0.7."""
    where = {"file": "train.py", "lineno": 17, **metadata}
    return ":::MLLOG " + json.dumps(
        {"namespace": "", "time_ms": time_ms, "event_type": "", "key": key, "value": value, "metadata": where}
    )


def run(
    cycles_s: Sequence[float],
    *,
    start_ms: float = START_MS,
    span: int = 1,
    init_s: float = 30.0,
    tail_s: float = 0.0,
    evaluation_s: float | None = None,
    scoring_s: float = 0.0,
    status: str | None = "success",
    benchmark: str = "resnet",
    **hyperparameters: Any,
) -> list[str]:
    """A run with a result at the end of each cycle.

    Args:
        cycles_s: seconds from one result to the next, the first from `run_start`.
        start_ms: of `run_start`.
        span: epochs a cycle.
        init_s: from `init_start` to `init_stop`, just before `run_start`.
        tail_s: from the last result to `run_stop`.
        evaluation_s: from `eval_start` to `eval_stop` in each cycle; None to log neither.
        scoring_s: from `eval_stop` to the result.
        status: of `run_stop`; None to log none.
        benchmark: of the submission.
        hyperparameters: to be logged.
    """
    lines = [
        line("submission_benchmark", start_ms - 1000 * init_s, benchmark),
        line("init_start", start_ms - 1000 * init_s),
        *(line(key, start_ms - 10, value) for key, value in hyperparameters.items()),
        line("init_stop", start_ms),
        line("run_start", start_ms),
    ]
    now = start_ms
    for number, cycle_s in enumerate(cycles_s, 1):
        result = now + 1000 * cycle_s
        lines.append(line("block_start", now, first_epoch_num=(number - 1) * span + 1, epoch_count=span))
        if evaluation_s is not None:
            stop = result - 1000 * scoring_s
            lines.append(line("eval_start", stop - 1000 * evaluation_s, epoch_num=number * span))
            lines.append(line("eval_stop", stop, epoch_num=number * span))
        lines.append(line("eval_accuracy", result, 0.1 * number, epoch_num=number * span))
        lines.append(line("block_stop", result, first_epoch_num=(number - 1) * span + 1, epoch_count=span))
        now = result
    if status is not None:
        lines.append(line("run_stop", now + 1000 * tail_s, status=status))
    return lines


def write(path: Path, lines: Sequence[str]) -> Path:
    """Write a log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    return path


def results(folder: Path, runs: Sequence[Sequence[str]]) -> Path:
    """Write a folder of results."""
    for number, lines in enumerate(runs):
        write(folder / f"result_{number}.txt", lines)
    return folder
