"""What `beatnote.compare` yields: the facts under the JSON contract, in Python and as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import beatnote
from beatnote.comparison import Comparison
from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.proof.parameters import ParameterMismatch
from beatnote.record.live import Live

PAIR = """HloModule {name}
ENTRY main {{
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  s = f32[4] subtract({order})
  ROOT r = (f32[4], f32[4]) tuple(s, {other})
}}
"""


def pair(name: str = "m", order: str = "p, q", other: str = "p") -> Module:
    return parse(PAIR.format(name=name, order=order, other=other))


@pytest.fixture(scope="module")
def timed() -> Comparison:
    return beatnote.compare(pair(), pair("n"), steps=5)


@pytest.fixture(scope="module")
def facts(timed: Comparison) -> dict[str, Any]:
    return json.loads(json.dumps(timed.to_dict()))


def test_the_facts_have_the_keys_of_the_contract(facts: dict[str, Any]) -> None:
    assert facts["schema"] == "beatnote.comparison/1"
    for side in ("a", "b"):
        assert {"operand", "kind", "framework", "versions"} <= facts[side].keys()
        assert facts[side]["kind"] == "program"
        assert {"step_ms", "alone_ms", "compile_s"} <= facts["time"][side].keys()
        assert facts["time"][side]["alone_ms"].keys() == {"median", "low", "high", "n"}
    programs = {
        "verdict", "classes", "conditions", "outputs", "instructions", "matched", "rules", "residual", "executed",
        "parameters",
    }  # fmt: skip
    assert programs <= facts["programs"].keys()
    assert {"gap_ms", "parts"} <= facts["time"].keys()


def test_the_facts_of_an_executed_pair(facts: dict[str, Any]) -> None:
    programs = facts["programs"]
    assert programs["verdict"] == "identical"
    assert programs["instructions"] == {"a": 4, "b": 4}
    assert [output["index"] for output in programs["outputs"]] == [0, 1]
    assert programs["executed"] == {"inputs": 3, "max_abs_diff": [0.0, 0.0], "max_rel_diff": [0.0, 0.0]}
    assert programs["parameters"] == [[0, 0], [1, 1]]
    assert programs["residual"] == []


def test_parts_of_the_time_sum_to_the_gap_to_the_last_digit(facts: dict[str, Any]) -> None:
    time = facts["time"]
    assert [part["name"] for part in time["parts"]] == ["program", "compiler", "framework", "unexplained"]
    assert sum(part["ms"] for part in time["parts"]) == time["gap_ms"]


def test_a_program_that_is_only_a_file_has_no_step_of_its_framework(facts: dict[str, Any]) -> None:
    assert facts["time"]["a"]["step_ms"] is None
    assert facts["time"]["a"]["alone_ms"]["n"] >= 1


def test_without_a_run_nothing_is_executed_and_nothing_timed() -> None:
    found = beatnote.compare(pair(), pair(), run=False)
    assert found.time is None
    assert found.programs.executed is None
    assert found.to_dict()["time"] is None


def test_each_output_has_a_verdict_of_its_own() -> None:
    # GIVEN two programs that differ in their first output only
    found = beatnote.compare(pair(), pair(order="q, p")).programs
    # THEN the whole is as weak as the weakest, and the second is still proven
    assert [output.verdict for output in found.outputs] == ["different", "equal"]
    assert found.verdict == "different"
    assert [finding.kind for finding in found.residual] == ["arithmetic"]


def test_a_map_by_name_says_which_parameters_belong_together() -> None:
    first, second = pair(other="p"), pair(order="q, p", other="q")
    assert beatnote.compare(first, second, run=False).programs.verdict == "unknown"
    mapped = beatnote.compare(first, second, map={"p": "q", "q": "p"}).programs
    assert mapped.verdict == "equal"
    assert mapped.parameters == ((1, 0), (0, 1))
    assert any("not paired by position" in note for note in mapped.notes)


def test_auto_finds_the_pairing() -> None:
    first, second = pair(other="p"), pair(order="q, p", other="q")
    assert beatnote.compare(first, second, map="auto", run=False).programs.verdict == "equal"


def test_a_map_with_an_unknown_name() -> None:
    with pytest.raises(ParameterMismatch, match="B has no parameter 'z'; it has p, q"):
        beatnote.compare(pair(), pair(), map={"p": "z"}, run=False)


def test_different_numbers_of_outputs() -> None:
    single = parse("HloModule one\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT q = f32[4] parameter(1)\n}\n")
    with pytest.raises(ParameterMismatch, match="A yields 2 arrays and B 1"):
        beatnote.compare(pair(), single, run=False)


def test_operands_may_be_paths_and_text(tmp_path: Path) -> None:
    path = tmp_path / "m.hlo"
    path.write_text(PAIR.format(name="m", order="p, q", other="p"), encoding="utf-8")
    found = beatnote.compare(path, str(path), run=False)
    assert isinstance(found, Comparison)
    assert found.programs.verdict == "identical"
    assert (found.a.operand, found.a.name) == (str(path), "m")


def test_progress_is_told_what_is_done() -> None:
    told: list[str] = []
    beatnote.comparison.compare(pair(), pair(), steps=1, progress=told.append)
    assert told[:2] == ["opening m", "opening m"]
    assert "proving" in told
    assert told[-1].startswith("timing")


def test_a_program_that_cannot_be_executed_is_still_proven() -> None:
    # GIVEN a module with a custom call that no machine knows
    text = """HloModule custom
ENTRY e {
  p = f32[4] parameter(0)
  ROOT r = f32[4] custom-call(p), custom_call_target="nobody_knows"
}
"""
    found = beatnote.compare(parse(text), parse(text))
    assert found.programs.verdict == "identical"
    assert found.programs.executed is None
    assert found.time is None
    assert any(note.startswith("not executed: ") for note in found.programs.notes)


def test_the_pair_of_2020_is_proven_without_a_class(shared_data: Path) -> None:
    paths = [shared_data / "hlo/seeds" / f"matvec_grad.{framework}.2020.hlo" for framework in ("jax", "tf")]
    compared = beatnote.compare(*paths)
    assert isinstance(compared, Comparison)
    found = compared.programs
    assert (found.verdict, found.classes, found.conditions) == ("equal", (), ())
    assert found.executed is not None


def test_live_programs_keep_their_framework(live: Callable[[str, str, str], Live]) -> None:
    module = live("jax", "matvec", "gradient").before
    assert beatnote.compare(module, module, run=False).a.framework == "jax"
