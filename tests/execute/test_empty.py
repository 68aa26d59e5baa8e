"""The empty program: the signature of another, and zeros."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.execute.cpu import compile_program
from beatnote.execute.empty import empty_program
from beatnote.execute.inputs import dtype_of
from beatnote.execute.prepare import output_shapes, parameter_shapes
from beatnote.hlo.shapes import array
from beatnote.hlo.text import parse, render

TYPES = ["f32", "bf16", "pred", "s32", "u64", "c64", "f8e5m2", "s4"]


@pytest.mark.parametrize("element_type", TYPES)
def test_it_takes_and_returns_what_it_should(element_type):
    # GIVEN a signature of a type
    parameters, outputs = [array(element_type, 2, 3), array("f32")], [array(element_type, 4), array(element_type)]
    # WHEN the empty program is made and run
    module = empty_program(parameters, outputs)
    vector, scalar = compile_program(module).run()
    # THEN it has that signature, survives a round trip through text, and returns zeros
    assert parameter_shapes(module) == tuple(parameters)
    assert output_shapes(module) == tuple(outputs)
    assert parse(render(module)) == module
    assert (vector.shape, scalar.shape) == ((4,), ())
    assert vector.dtype == scalar.dtype == dtype_of(element_type)
    assert not np.any(vector.astype(complex))
    assert not np.any(scalar.astype(complex))
