"""The fast reader takes only what the full grammar reads, and the same of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from beatnote.hlo.lines import Lines
from beatnote.hlo.module import Module
from beatnote.hlo.text import HloSyntaxError, parse

from .strategies import FORMS, OF_2020, TODAY, damaged_texts


def outcome(text: str) -> Module | str:
    """The module, or the whole text of the error."""
    try:
        return parse(text)
    except HloSyntaxError as error:
        return str(error)


def outcome_by_scanner(text: str) -> Module | str:
    """The same, every line read by the full grammar."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lines, "read", lambda self, position, body: position)
        patch.setattr(Lines, "header", lambda self, position: None)
        return outcome(text)


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_both_readers_agree_on_every_form(text: str):
    assert outcome(text) == outcome_by_scanner(text)


@pytest.mark.parametrize(
    "name", ["models/jax_bert.before.hlo", "models/tf_bert.before.hlo", "xla-benchmarks/mof_reshapes.hlo"]
)
def test_both_readers_agree_on_published_modules(shared_data: Path, name: str):
    text = (shared_data / "hlo" / name).read_text(encoding="utf-8")
    assert outcome(text) == outcome_by_scanner(text)


@given(damaged_texts)
@settings(max_examples=1000, deadline=None)
def test_both_readers_agree_on_damaged_texts_and_their_errors(text: str):
    assert outcome(text) == outcome_by_scanner(text)


@pytest.mark.parametrize("text", [TODAY, OF_2020], ids=["today", "2020"])
def test_dumps_are_read_by_the_fast_reader_alone(text: str, monkeypatch: pytest.MonkeyPatch):
    # GIVEN
    def refuse(self: object) -> None:
        raise AssertionError("read by the full grammar")

    monkeypatch.setattr("beatnote.hlo.body.Body.read_instruction", refuse)

    # THEN
    assert parse(text).instruction_count >= 10


@pytest.mark.parametrize(
    "line",
    [
        "y = f32[] negate(x), a=1,\n  b=2",
        "y = f32[] negate(x)\n  , a=1",
        "y = f32[] negate(x), a=[1]\n  {2}",
        "y = f32[] negate(x), a={1} // comment",
        "y = f32[] /* c */ negate(x)",
        "y = f32[]//c\n  negate(x)",
        'y = f32[] negate(x), a="}\n  z = f32[] negate(x)"',
        'y = f32[] negate(x), a="\\\\", b="\\""',
        "y = f32[] negate(x), a='\"', b='\"'",
        "y = f32[] negate( x )",
        "y = f32[] add(x,x)",
        "y = f32[] add(x, )",
        "y = f32[] add(%x, )",
        "y = f32[] add(%x, /*index=5*/)",
        "ROOT  y = f32[] negate(x)",
        "%y = f32[] negate(%x)",
        "y = f32[] negate(f32[] x)",
        "y = f32[] constant( 1 )",
        "y = f32[4] constant({1,\n  2, 3, 4})",
        "y = f32[] tuple(x, /*index=1*/x, /* other */x)",
        "y = f32[] negate(x), metadata={op_name=\"a\"}, metadata={op_name=\"b\"}",
        "y = f32[] negate(x), a=1, metadata={op_name=\"a\"}, a=2",
        "y = f32[] negate(x), a=1, a=2",
        "y = f32[] negate(x), metadata={op_name=\"a\"},",
        "y = f32[] negate(x), sharding={replicated metadata={op_name=\"a\"}}",
        "y = f32[] negate(x), metadata={op_name=\"a\"}, b=1, \n  c=2",
        "y = f32[] negate(x), metadata={op_name=\"a\"}, b=1, ",
        "y = f32[] negate(x), b=1, ",
        "y = f32[] negate(x), b=1,",
        "y = f32[] negate(x), b=1 ",
        "ROOT y = f32[] parameter(1), a=(",
        "y = f32[] parameter(1), a=/*c*/1",
        "ROOT y = f32[] negate(x), a=/*c*/1",
        "y = f32[] constant({1, 2)",
        "y = f32[] constant()",
        "y = f32[] parameter()",
        "ROOT = f32[] negate(x)",
        "x = f32[] negate(x)",
        "y = f32[] iota()",
    ],
)  # fmt: skip
def test_both_readers_agree_on_single_lines(line: str):
    text = f"e {{\n  x = f32[] parameter(0)\n  {line}\n  last = f32[] negate(x)\n}}\n"
    assert outcome(text) == outcome_by_scanner(text)
