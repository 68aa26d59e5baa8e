"""Keeping a framework's start-up chatter off the terminal, without hiding what went wrong."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHATTER = re.compile(
    rb"""(?mx)
    ^ (?: [IW]\d{4}\ \d\d:\d\d:[^\n]*
        | WARNING:\ All\ log\ messages\ before\ absl::InitializeLog[^\n]*
        | To\ enable\ the\ following\ instructions:[^\n]*
    ) \n?
    """
)


@contextmanager
def quiet_native_log() -> Iterator[None]:
    """Hold back what native code writes to standard error, then pass on all but informations and warnings.

    Python's own `sys.stderr` goes on to the terminal meanwhile, so that progress shown by another thread stays
    where it is. Some native libraries log before any setting of theirs is read; this is for those.
    """
    sys.stderr.flush()
    try:
        terminal = os.dup(2)
    except OSError:  # no standard error at all
        yield
        return
    python_stderr = sys.stderr
    with tempfile.TemporaryFile() as held, os.fdopen(os.dup(terminal), "w", encoding="utf-8") as direct:
        os.dup2(held.fileno(), 2)
        stand_in = _StandIn(direct)
        if _writes_to_descriptor_2(python_stderr):
            sys.stderr = cast("TextIO", stand_in)
        try:
            yield
        finally:
            stand_in.stream = sys.stderr = python_stderr
            os.dup2(terminal, 2)
            os.close(terminal)
            held.seek(0)
            os.write(2, without_chatter(held.read()))


def without_chatter(log: bytes) -> bytes:
    """Drop the informations and warnings from a native log."""
    return _CHATTER.sub(b"", log)


class _StandIn:
    """A stream that is another one: a log handler made meanwhile keeps it, so it must outlive the first."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _writes_to_descriptor_2(stream: TextIO) -> bool:
    try:
        return stream.fileno() == 2
    except (AttributeError, OSError, ValueError):
        return False
