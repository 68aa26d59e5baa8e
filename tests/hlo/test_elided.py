"""Filling in constants that a text leaves out."""

from __future__ import annotations

import pytest

from beatnote.hlo.elided import has_elided, with_values_from
from beatnote.hlo.text import parse

TEXT = """HloModule m, is_scheduled=true

f {
  ROOT k = f32[] constant({...})
}

ENTRY e {
  c = f32[2]{0} constant({...}), metadata={op_name="w"}
  ROOT d = f32[2] constant({3, 4})
}
"""


def test_values_of_the_same_name_are_taken():
    module, other = parse(TEXT), parse(TEXT.replace("f32[2]{0} constant({...})", "f32[2] constant({1, 2})"))
    filled = with_values_from(module, other)
    assert filled.entry["c"].literal == "{1, 2}"
    assert filled.entry["c"].metadata == {"op_name": "w"}
    assert filled.entry["c"].shape == module.entry["c"].shape
    assert filled.computation("f") == module.computation("f")
    assert filled.attributes == module.attributes
    assert has_elided(filled)


@pytest.mark.parametrize(
    "text",
    [
        "HloModule n\nENTRY other { ROOT c = f32[2] constant({1, 2}) }",
        "HloModule n\nENTRY e { ROOT x = f32[2] constant({1, 2}) }",
        "HloModule n\nENTRY e { ROOT c = f32[3] constant({1, 2, 3}) }",
        "HloModule n\nENTRY e { ROOT c = f32[2] parameter(0) }",
    ],
)
def test_what_is_not_the_same_constant_is_left_alone(text: str):
    module = parse(TEXT)
    assert with_values_from(module, parse(text)) == module


def test_another_program_gives_no_values():
    # GIVEN a program with a constant of the same name and shape, which computes something else besides
    other = TEXT.replace("constant({...}), metadata", "constant({1, 2}), metadata").replace(
        "ROOT d = f32[2] constant({3, 4})", "ROOT d = f32[2] negate(c)"
    )
    module = parse(TEXT)
    assert with_values_from(module, parse(other)) == module
