"""The script that measures parsing: its table, and what it says where it cannot measure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .strategies import TODAY

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "parse.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_one_row_a_file(tmp_path: Path):
    pytest.importorskip("jaxlib")

    # GIVEN
    good, ours_alone = tmp_path / "good.hlo", tmp_path / "ours.hlo"
    good.write_text(TODAY, encoding="utf-8")
    ours_alone.write_text(TODAY.replace("multiply(", "opcode-of-the-future("), encoding="utf-8")

    # WHEN
    done = run("--repeats", "3", str(good), str(ours_alone))

    # THEN
    assert done.returncode == 0, done.stderr
    _, _, head, row, other = done.stdout.splitlines()
    assert head.split() == [
        "file",
        "instructions",
        *("text", "jaxlib's", "ratio", "proto", "jaxlib's", "ratio", "written"),
    ]
    assert row.split()[:2] == ["good.hlo", "11"]
    assert all(float(ratio) > 0 for ratio in re.findall(r"\)  +(\d+\.\d\d)(?=  )", row))
    assert len(re.findall(r"\d+ \(\d+ to \d+\)", row)) == 5
    assert "jaxlib cannot read it" in other


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"%PDF-1.7 \xff", "codec can't decode"), (b"no HLO", "expected '{'")],
)
def test_what_cannot_be_measured_is_said(tmp_path: Path, content: bytes | None, message: str):
    # GIVEN
    file = tmp_path / "bad.hlo"
    if content is not None:
        file.write_bytes(content)

    # WHEN
    done = run(str(file))

    # THEN
    assert done.returncode == 2
    assert done.stderr.startswith(f"cannot read {file}: ")
    assert message in done.stderr
