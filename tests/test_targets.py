"""Programs compiled for chips that are not here: the same program, another, or one clear line."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from beatnote.comparison import compare
from beatnote.execute import ahead_of_time
from beatnote.execute.ahead_of_time import TargetError, compile_for, parse_target
from beatnote.execute.errors import ExecutionError, MissingFrameworkError
from beatnote.hlo.text import parse
from beatnote.targets import compile_both

from .proof.texts import module

needs_compiler = pytest.mark.skipif(find_spec("libtpu") is None, reason="libtpu is not installed: beatnote[tpu]")

DOUBLE = module("x: f32[256]", "r = f32[256] add(x, x)")
TIMES_TWO = module(
    "x: f32[256]", "c = f32[] constant(2)\nb = f32[256] broadcast(c), dimensions={}\nr = f32[256] multiply(x, b)"
)


@pytest.mark.parametrize(
    ("text", "topology"),
    [("tpu:v4:2x2x1", "v4:2x2x1"), ("tpu:v3", "v3:2x2"), ("tpu:v5e:4x8", "v5e:4x8"), ("tpu:tpu7x", "tpu7x:2x2x1")],
)
def test_a_target_names_a_topology(text: str, topology: str) -> None:
    assert parse_target(text).topology == topology


@pytest.mark.parametrize("text", ["", "tpu", "tpu:", "tpu:v9", "tpu:v4:2", "tpu:v4:2x2x1;", "gpu:a100", "v4:2x2x1"])
def test_what_is_no_target_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(TargetError, match=r"targets are tpu:CHIP or tpu:CHIP:TOPOLOGY, such as tpu:v4:2x2x1"):
        parse_target(text)


def test_without_the_compiler_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_of_time, "is_installed", lambda package: package != "libtpu")
    with pytest.raises(MissingFrameworkError, match=r"libtpu is not installed: pip install 'beatnote\[tpu\]'"):
        compare(DOUBLE, DOUBLE, run=False, targets=["tpu:v4"])


def test_a_program_that_cannot_be_compiled_leaves_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beatnote.targets.compile_for", lambda *_: (ExecutionError("no"), ExecutionError("never")))
    found = compile_both(parse_target("tpu:v4"), (DOUBLE, DOUBLE), (0,), [], lambda _: None)
    assert (found.verdict, found.problem, found.a) == ("unknown", "A: no; B: never", None)


@needs_compiler
def test_the_pair_of_2020_is_one_program_on_v3_and_v4(shared_data: Path) -> None:
    # GIVEN the two dumps of the first thread
    paths = [shared_data / "hlo/seeds" / f"matvec_grad.{framework}.2020.hlo" for framework in ("jax", "tf")]
    # WHEN both are compiled for both chips
    found = compare(*paths, run=False, targets=["tpu:v3:2x2", "tpu:v4:2x2x1"]).targets
    # THEN the compiler makes the same three fusions of both
    for one in found:
        assert one.a is not None
        assert one.b is not None
        assert one.verdict == "identical"
        assert one.a.opcodes["fusion"] == one.b.opcodes["fusion"] == 3
        assert one.a.flops == one.b.flops == 85


@needs_compiler
def test_programs_that_differ_on_the_chip_are_still_proven() -> None:
    (found,) = compare(DOUBLE, TIMES_TWO, run=False, targets=["tpu:v4"]).targets
    assert found.verdict in ("identical", "equal")
    assert found.a is not None
    assert found.a.bytes_accessed >= 2 * 4 * 256


@needs_compiler
def test_a_topology_that_does_not_open_and_a_program_that_is_refused() -> None:
    (row,) = compare(DOUBLE, DOUBLE, run=False, targets=["tpu:v3:1x1"]).targets
    assert row.problem.startswith("libtpu does not open tpu:v3:1x1: ")
    assert "\n" not in row.problem
    wrong = parse("HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[3] slice(x), slice={[2:9]}\n}")
    good, bad = compile_for(parse_target("tpu:v4"), [DOUBLE, wrong], lambda _: None)
    assert not isinstance(good, ExecutionError)
    assert isinstance(bad, ExecutionError)


@needs_compiler
def test_a_program_that_takes_the_compiler_down_is_one_line() -> None:
    crash = parse("HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[5] reshape(x)\n}")
    (found,) = compare(crash, crash, run=False, targets=["tpu:v4"]).targets
    assert found.problem.startswith("the compiler for tpu:v4 was ended by SIGABRT: Check failed: ")
