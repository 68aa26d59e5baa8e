"""A process of its own: what it returns, tells and raises comes through; its death is one line."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from beatnote.execute.child import ChildError, call_in_child
from beatnote.execute.errors import ExecutionError

Tell = Callable[[str], object]


def doubled(number: int, tell: Tell) -> int:
    print("this is no reply")
    tell("doubling")
    return 2 * number


def failing(tell: Tell) -> None:
    raise ExecutionError("no such thing")


class PlacedError(ValueError):
    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(f"{message} in line {line}")


def failing_in_a_place(tell: Tell) -> None:
    raise PlacedError("no such thing", line=3)


def dying(tell: Tell) -> None:
    print("F1130 12:00:00.000000 1 layout.cc:12] Check failed: a == b (4 vs. 5) Sizes differ", file=sys.stderr)
    print("*** Check failure stack trace: ***", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGABRT)


def leaving(tell: Tell) -> None:
    os._exit(3)


def sleeping(tell: Tell) -> None:
    tell(str(os.getpid()))
    time.sleep(60)


def called(function: Callable[..., object], *arguments: object, silence_s: float = 60) -> tuple[object, list[str]]:
    told: list[str] = []
    return call_in_child(function, *arguments, what="the test", tell=told.append, silence_s=silence_s), told


def test_a_result_and_what_is_told_come_through() -> None:
    assert called(doubled, 21) == (42, ["doubling"])


def test_an_error_is_raised_here() -> None:
    with pytest.raises(ExecutionError, match="no such thing"):
        called(failing)


def test_an_error_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(ChildError, match="PlacedError: no such thing in line 3"):
        called(failing_in_a_place)


def test_a_failed_check_is_one_line() -> None:
    with pytest.raises(ChildError) as raised:
        called(dying)
    assert str(raised.value) == "the test was ended by SIGABRT: Check failed: a == b (4 vs. 5) Sizes differ"


def test_an_exit_says_its_code() -> None:
    with pytest.raises(ChildError, match="the test ended with exit code 3"):
        called(leaving)


def test_silence_has_a_limit_and_leaves_no_process() -> None:
    told: list[str] = []
    with pytest.raises(ChildError, match="the test was ended after 1 s without a sign of life"):
        call_in_child(sleeping, what="the test", tell=told.append, silence_s=1)
    if told:  # on a slow machine it may have been ended before it could say so
        with pytest.raises(ProcessLookupError):
            os.kill(int(told[0]), 0)


def test_the_folder_it_runs_in_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # GIVEN a folder with a file named like a package, which a plain `python -c` would import
    (tmp_path / "pickle.py").write_text("raise RuntimeError('not this one')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert called(doubled, 1)[0] == 2
