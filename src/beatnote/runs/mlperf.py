"""What MLPerf training logs hold, as frozen data. How it is read is in `read.mllog` and `read.submission`.

What the events mean (cycles, start-up, scores) is in `explain`.
"""

from __future__ import annotations

from typing import Any

import msgspec

RESULTS = ("eval_accuracy", "eval_error")
"""Keys of the events that say how good the model is."""


class Event(msgspec.Struct, frozen=True):
    """One line of a log.

    Attributes:
        key: such as `run_start`, `eval_accuracy` or `opt_base_learning_rate`.
        time_s: since 1970; None where the log gives no time (some submitters write 0).
        value: as logged.
        metadata: such as `epoch_num`, without the place in the source.
    """

    key: str
    time_s: float | None
    value: Any
    metadata: dict[str, Any]


class Lines(msgspec.Struct, frozen=True):
    """What the lines of a file were, counted.

    Attributes:
        total: lines in the file.
        events: log lines that were kept.
        other: lines that are no log lines: what else the program printed.
        unreadable: log lines that could not be read.
        unreadable_at: the numbers of the first of them, from 1.
        truncated: whether the last line is a log line that was cut off.
        duplicated: log lines that repeat an earlier one in every respect.
        repeated: events that another rank or process logged too, at another time.
        out_of_order: log lines with a time before that of the line above.
        undated: log lines without a time.
    """

    total: int = 0
    events: int = 0
    other: int = 0
    unreadable: int = 0
    unreadable_at: tuple[int, ...] = ()
    truncated: bool = False
    duplicated: int = 0
    repeated: int = 0
    out_of_order: int = 0
    undated: int = 0


class Log(msgspec.Struct, frozen=True):
    """One file.

    Attributes:
        path: of the file.
        lines: what was found in it.
        runs: the events of each run in it, in order of time, undated ones first; nearly always one run.
    """

    path: str
    lines: Lines
    runs: tuple[tuple[Event, ...], ...]


class System(msgspec.Struct, frozen=True):
    """A system as its submitter describes it; '' where nothing is said.

    Attributes:
        name: such as `TPU v3-8192`.
        framework: such as `JAX`.
        submitter: such as `Google`.
        accelerator: such as `TPU v3`.
    """

    name: str = ""
    framework: str = ""
    submitter: str = ""
    accelerator: str = ""


class Results(msgspec.Struct, frozen=True):
    """The logs of one benchmark on one system, or a single log.

    Attributes:
        path: the folder or file.
        name: what picks it from a submission: `system/benchmark`.
        system: None where no description was found.
        logs: one a file, by name, numbers in order.
    """

    path: str
    name: str
    system: System | None
    logs: tuple[Log, ...]
