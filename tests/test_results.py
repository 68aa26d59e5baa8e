"""MLPerf results compared and described: the facts, and what is said when there is nothing to compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import beatnote
from beatnote.operands import OperandError, is_results
from beatnote.read.mllog import LogError
from beatnote.results import ResultsComparison, ResultsError, compare_results, describe_results
from beatnote.words import describe
from tests.cli.command import SAME
from tests.read.mlperf_logs import START_MS, results, run, write


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    results(tmp_path / "fast", [run([5, 2 + 0.1 * k, 2], lr=1.0) for k in range(5)])
    results(tmp_path / "slow", [run([7, 2 + 0.1 * k, 2, 2], tail_s=0.5, lr=2.0) for k in range(5)])
    results(tmp_path / "bert", [run([5, 2], benchmark="bert")])
    results(tmp_path / "failed", [run([5, 2], status="aborted"), run([5, 2], status=None)])
    write(tmp_path / "same.hlo", SAME.splitlines())
    return tmp_path


def test_the_facts_of_a_comparison(folders: Path) -> None:
    found = beatnote.compare(folders / "fast", str(folders / "slow"))
    assert isinstance(found, ResultsComparison)
    facts = json.loads(json.dumps(found.to_dict()))
    assert facts["schema"] == "beatnote.comparison/1"
    assert facts["a"] == {
        "operand": str(folders / "fast"),
        "kind": "mlperf",
        "framework": None,
        "versions": {},
        "name": "resnet",
    }
    assert facts["programs"] is facts["time"] is None
    assert facts["mlperf"]["settings"] == [{"name": "lr", "a": 1.0, "b": 2.0}]
    side = facts["mlperf"]["b"]
    assert side["score"]["s"] == pytest.approx(13.7)
    assert side["epochs"] == [{"epochs": 4.0, "runs": 5}]
    assert side["cycle"].keys() == {"median_s", "low_s", "high_s", "n"}
    assert [run["status"] for run in side["runs"]] == ["success"] * 5
    assert side["files"][0]["lines"]["events"] == len(run([7, 2, 2, 2], lr=2.0))
    waterfall = facts["waterfall"]
    assert waterfall["s"] == sum(part["s"] for part in waterfall["parts"]) == found.gap.s
    assert waterfall.keys() == {"name", "s", "low_s", "high_s", "within_noise", "parts"}


def test_the_facts_of_a_description(folders: Path) -> None:
    facts = json.loads(json.dumps(describe_results(folders).to_dict()))
    assert facts["schema"] == "beatnote.description/1"
    assert (facts["kind"], facts["programs"]) == ("mlperf", [])
    assert [one["name"] for one in facts["mlperf"]] == ["bert", "failed", "fast", "slow"]
    assert describe(folders / "fast") == describe_results(folders / "fast")
    assert [one.name for one in describe_results(f"{folders}::fast").sets] == ["fast"]


@pytest.mark.parametrize(
    ("a", "b", "error", "expected"),
    [
        ("fast", "bert", ResultsError, "A is resnet and B is bert: only results of the same benchmark can be compared"),
        (
            "fast",
            "failed",
            ResultsError,
            r"B, .*failed, has no run that reached the target: result_0\.txt stopped with",
        ),
        ("fast", "same.hlo", OperandError, r"fast holds MLPerf logs and .*same\.hlo does not: only two of a kind"),
        ("same.hlo", "fast", OperandError, r"fast holds MLPerf logs and .*same\.hlo does not: only two of a kind"),
        ("fast", "", LogError, "holds 4 sets of results: pick one with .*::NAME from bert, failed, fast, slow"),
        ("fast", "missing", OperandError, "fast holds MLPerf logs and .*missing does not"),
    ],
)
def test_what_cannot_be_compared(folders: Path, a: str, b: str, error: type[Exception], expected: str) -> None:
    with pytest.raises(error, match=expected):
        beatnote.compare(folders / a, folders / b)


def test_two_runs_in_one_file_are_two_runs(tmp_path: Path) -> None:
    path = write(tmp_path / "log.txt", [*run([5, 2], status=None), *run([5, 2, 2], start_ms=START_MS + 600_000)])
    (one,) = describe_results(path).sets
    assert [(r.name, r.status) for r in one.side.runs] == [("log.txt", "unfinished"), ("log.txt, run 2", "success")]


def test_what_holds_results(folders: Path) -> None:
    assert is_results(folders)
    assert is_results(f"{folders}::fast")
    assert is_results(folders / "fast" / "result_0.txt")
    assert not is_results(folders / "same.hlo")
    assert not is_results("jax:matvec")
    # a folder with an XLA dump is a dump, whatever lies beside it
    (folders / "module_0001.jit_step.before_optimizations.txt").write_text(SAME, encoding="utf-8")
    assert not is_results(folders)


@pytest.mark.parametrize("benchmark", ["transformer", "resnet", "bert"])
def test_the_published_logs_add_up(shared_data: Path, benchmark: str) -> None:
    logs = shared_data / "mlperf-v0.7"
    there = compare_results(logs / "tpu-v3-8192-JAX" / benchmark, f"{logs}/tpu-v3-8192-TF::{benchmark}")
    back = compare_results(logs / "tpu-v3-8192-TF" / benchmark, logs / "tpu-v3-8192-JAX" / benchmark)
    assert sum(part.s for part in there.gap.parts) == there.gap.s == -back.gap.s
    assert (there.a.framework, there.b.framework) == ("JAX", "research-tf")
