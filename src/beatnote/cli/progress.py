"""Saying on standard error what is being done, without touching standard output."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Give a function that shows the current stage: a spinner in a terminal, a line a stage elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - slow to import, and not needed for --help

        with Console(stderr=True).status("starting") as status:
            yield lambda stage: status.update(stage.replace("[", r"\["))
        return
    last = ""

    def line(stage: str) -> None:
        nonlocal last
        plain = re.sub(r", round \d+ of \d+$", "", stage)
        if plain != last:
            print(f"{plain} …", file=sys.stderr, flush=True)
            last = plain

    yield line
