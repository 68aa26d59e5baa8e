"""The lines of MLPerf training logs, of every round.

    :::MLLOG {"namespace": "", "time_ms": 1593143947282, "key": "run_start", "value": null, "metadata": {…}}
    :::MLL 1558500000.123 run_start: {"value": null, "metadata": {…}}
    :::MLPv0.5.0 resnet 1540000000.123456789 (main.py:17) eval_accuracy: {"epoch": 61, "value": 0.749}

The first is written since 0.7 (mlcommons/logging, `mllog`), the second in 0.6, the third in 0.5 (`mlperf_compliance`).
Logs are what programs printed: other output stands between the lines and within them, ranks write over each other, and
a killed run ends in the middle of one. Nothing of that stops the reader; all of it is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from beatnote.read.mllog_runs import Tally, runs_of
from beatnote.runs.mlperf import Event, Log

TOKEN = re.compile(rb":::ML(?:LOG|L|Pv0\.5(?:\.\d+)?)(?=\s)")
MAX_LINE_BYTES = 1 << 20
"""What is longer is not a log line."""
MAX_EVENTS = 1_000_000
EXAMPLE = ':::MLLOG {"time_ms": 1593143947282, "key": "run_start", …}'
HEAD_BYTES = 1 << 22
"""How far into a file to look for the first log line."""

_HEADED = re.compile(
    r":::ML(?:L|Pv[\d.]+ +(?P<benchmark>[\w\-]+)) +(?P<time>\d+(?:\.\d+)?) +"
    r"(?:\([^()]*\) +)?(?P<key>\w+) *(?P<colon>:)?"
)
_MILLISECONDS_FROM = 1e11
"""Seconds since 1970 stay below this until the year 5138: what is above counts milliseconds."""
_PLACE = frozenset({"file", "lineno"})
_DECODER = json.JSONDecoder()


class LogError(ValueError):
    """A file that is no MLPerf log, or a folder without one."""


def is_log(path: Path) -> bool:
    """Tell whether a file has a log line near its beginning.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return TOKEN.search(file.read(HEAD_BYTES)) is not None


def read_log(path: Path) -> Log:
    """Read a file.

    Raises:
        LogError: it has no log line, or more than `MAX_EVENTS`.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        log = read_lines(_lines(file), path=str(path))
    if not log.lines.events:
        raise LogError(f"{path} holds no MLPerf log lines that can be read: expected lines such as {EXAMPLE}")
    return log


def read_lines(lines: Iterable[bytes], *, path: str = "") -> Log:
    """Read the lines of a log, each with its line break if it has one.

    Raises:
        LogError: there are more than `MAX_EVENTS`.
    """
    tally = Tally()
    events: list[Event] = []
    for number, line in enumerate(lines, 1):
        tally.total += 1
        starts = [match.start() for match in TOKEN.finditer(line)] if len(line) <= MAX_LINE_BYTES else []
        if not starts:
            tally.other += 1
            continue
        for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
            event = _event(line[start:end].decode("utf-8", errors="replace"))
            if event is not None:
                events.append(event)
                continue
            tally.unreadable_at.append(number)
            tally.truncated = end == len(line) and not line.endswith(b"\n")
        if len(events) > MAX_EVENTS:
            raise LogError(f"{path} holds more than {MAX_EVENTS:,} log lines: it is not the log of a training run")
    runs = runs_of(events, tally)
    return Log(path, tally.lines(), runs)


def _lines(file: Any) -> Iterator[bytes]:
    """Split a file at line breaks, what is too long for a log line in pieces that count as one."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
        yield line


def _event(text: str) -> Event | None:
    """Read what follows a token; None where it cannot be read."""
    try:
        return _tagged(text) if text.startswith(":::MLLOG") else _headed(text)
    except (ValueError, RecursionError, OverflowError):
        return None


def _tagged(text: str) -> Event | None:
    found, _ = _DECODER.raw_decode(text, text.index("{"))  # what follows the object was printed by others
    key, time_ms = found.get("key"), found.get("time_ms")
    if not isinstance(key, str) or isinstance(time_ms, bool) or not isinstance(time_ms, int | float | None):
        return None
    return Event(key, _seconds(time_ms, 1e3), found.get("value"), _metadata(found.get("metadata")))


def _headed(text: str) -> Event | None:
    match = _HEADED.match(text)
    if match is None:
        return None
    value: Any = None
    rest = text[match.end() :].lstrip()
    if match["colon"]:
        try:
            value, _ = _DECODER.raw_decode(rest)
        except ValueError:
            if match["benchmark"] is None or rest[:1] in ("{", "[", '"', ""):
                return None
            value = rest.rstrip()  # 0.5 also had values that are not JSON
    time_s = float(match["time"])
    when = _seconds(time_s, 1e3 if time_s > _MILLISECONDS_FROM else 1.0)
    return Event(match["key"], when, *_unpacked(match["key"], value))


def _unpacked(key: str, value: Any) -> tuple[Any, dict[str, Any]]:
    """Part value and metadata: 0.6 has both in one object, 0.5 an object of its own for each key."""
    if isinstance(value, dict):
        metadata = _metadata(value.get("metadata"))
        if "epoch" in value:
            metadata["epoch_num"] = value["epoch"]
        if "success" in value:
            metadata["status"] = "success" if value["success"] is True else "aborted"
        known = {"value", "metadata", "epoch", "success"}
        return (value.get("value") if value.keys() <= known else value), metadata
    if key in ("eval_start", "eval_stop", "train_epoch") and isinstance(value, int | float):
        return value, {"epoch_num": value}
    return value, {}


def _metadata(found: Any) -> dict[str, Any]:
    return {str(k): v for k, v in found.items() if k not in _PLACE} if isinstance(found, dict) else {}


def _seconds(time: float | None, per_s: float) -> float | None:
    """Return a time in seconds; None for none, and for 0, which stands for none."""
    return time / per_s if time is not None and isfinite(time) and time > 0 else None
