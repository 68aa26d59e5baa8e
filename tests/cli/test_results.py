"""`beatnote compare` and `show` on MLPerf logs: screens, facts, pages, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import SAME, beatnote
from tests.read.mlperf_logs import results, run, write
from tests.report.comparisons import read_page

FRAMEWORKS = ("jax", "jaxlib", "flax", "tensorflow", "keras", "torch", "ml_dtypes")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    results(tmp_path / "fast", [run([5, 2 + 0.01 * k, 2], lr=1.0) for k in range(5)])
    results(tmp_path / "slow", [run([7, 2 + 0.01 * k, 2, 2], lr=2.0) for k in range(5)])
    write(tmp_path / "same.hlo", SAME.splitlines())
    write(tmp_path / "torn.txt", [":::MLLOG {"])
    return tmp_path


def test_a_comparison_needs_no_framework(folder: Path) -> None:
    done = beatnote("compare", "fast", "slow", "--json", "facts.json", cwd=folder, blocked=FRAMEWORKS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("B takes 4.00 s longer to train resnet than A (95 % interval ")
    assert "wrote report.html" in done.stderr
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    page = read_page((folder / "report.html").read_text(encoding="utf-8"))
    assert json.loads(page.one("script", id="facts").text) == facts


def test_facts_on_standard_output_and_nothing_else(folder: Path) -> None:
    done = beatnote("compare", "fast", "slow", "--json", "-", "--no-html", cwd=folder)
    facts = json.loads(done.stdout)
    assert (facts["a"]["kind"], facts["waterfall"]["name"]) == ("mlperf", "gap")


def test_a_set_and_all_sets(folder: Path) -> None:
    one = beatnote("show", "fast", "--html", "page.html", cwd=folder)
    assert one.returncode == 0, one.stderr
    assert one.stdout.startswith("fast is MLPerf results of resnet: 5 files, ")
    assert read_page((folder / "page.html").read_text(encoding="utf-8")).one("h1").text in one.stdout
    every = beatnote("show", ".", cwd=folder)
    assert every.stdout.splitlines()[-1] == "Pick one with .::NAME."
    assert beatnote("show", ".::slow", cwd=folder).stdout.startswith(".::slow is MLPerf results of resnet: 5 files, ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("compare", "fast", "same.hlo"), "fast holds MLPerf logs and same.hlo does not"),
        (("compare", "fast", "."), ". holds 2 sets of results: pick one with .::NAME from fast, slow"),
        (
            ("compare", "fast", "slow", "--expect", "equal"),
            "--expect takes a verdict on programs, and MLPerf logs hold",
        ),
        (("show", ".::medium"), ". holds no results 'medium': pick one with .::NAME from fast, slow"),
        (("show", "torn.txt"), "torn.txt holds no MLPerf log lines that can be read"),
    ],
)
def test_errors_are_one_line(folder: Path, arguments: tuple[str, ...], expected: str) -> None:
    done = beatnote(*arguments, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1].startswith(f"beatnote: {expected}")
    assert "Traceback" not in done.stderr
    assert not (folder / "report.html").exists()
