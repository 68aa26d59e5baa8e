"""Outputs that are written over parameters."""

from __future__ import annotations

import pytest

from beatnote.hlo.aliasing import Alias, aliases_of, leaf_number
from beatnote.hlo.module import Module
from beatnote.hlo.shapes import TupleShape, array
from beatnote.hlo.text import parse

from .strategies import TODAY


def test_aliases_of_a_step():
    assert aliases_of(parse(TODAY)) == (Alias(0, 0), Alias(1, 1, must=True))


def test_tuples_are_flattened_and_what_does_not_fit_is_left_out():
    text = """HloModule m, input_output_alias={ {1}: (1, {1}, must-alias), {7}: (0, {}), {}: (0, {}), {0}: (9, {}) }
ENTRY e { a = f32[] parameter(0)
  b = (f32[], s32[]) parameter(1)
  c = s32[] get-tuple-element(b), index=1
  ROOT r = (f32[], s32[]) tuple(a, c) }
"""
    assert aliases_of(parse(text)) == (Alias(1, 2, must=True),)


def test_a_program_that_says_nothing_of_it():
    assert aliases_of(parse("ENTRY e { ROOT a = f32[] parameter(0) }")) == ()
    assert aliases_of(Module("nothing", (), attributes_text="input_output_alias={ {}: (0, {}) }")) == ()


@pytest.mark.parametrize(
    ("path", "number"), [((0,), 0), ((1, 0), 1), ((1, 1), 2), ((2,), 3), ((1,), None), ((0, 0), None)]
)
def test_numbering_the_arrays_of_a_tuple(path, number):
    a = array("f32")
    assert leaf_number(TupleShape((a, TupleShape((a, a)), a)), path) == number
