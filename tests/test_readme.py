"""What the README shows is what the command prints, but for the numbers of a clock."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.command import beatnote

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"<!-- output: (?P<command>.+?) -->\n```\n(?P<output>.*?)\n```\n<!-- end -->", re.DOTALL)
CLOCK = "A step in its framework: "
"""From this line on, numbers are measured."""


def split(output: str) -> tuple[list[str], str]:
    """Part what is the same every time, line by line, from what is measured."""
    same, clock, measured = output.partition(CLOCK)
    assert clock, output
    return [line.rstrip() for line in same.strip().splitlines()], measured


def rows(measured: str) -> list[str]:
    """Return the first word of every row of the table of the gap's parts."""
    return [line.split()[0] for line in measured[measured.index("of the gap") :].splitlines()[1:] if line.strip()]


def test_the_readme_shows_what_its_first_command_prints(tmp_path: Path) -> None:
    # GIVEN the block of output in the README, WHEN its command is run
    block = BLOCK.search(README.read_text(encoding="utf-8"))
    assert block is not None
    done = beatnote(*shlex.split(block["command"]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # THEN the proof's part is the same, and the clock's has the same rows
    (shown, shown_times), (printed, printed_times) = split(block["output"]), split(done.stdout)
    assert printed == shown
    assert rows(printed_times) == rows(shown_times) == ["program", "compiler", "framework", "unexplained"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
