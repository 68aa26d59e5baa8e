"""Sample inputs: types, ranges, and the same for the same seed."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from beatnote.execute.errors import InputError, MissingFrameworkError
from beatnote.execute.inputs import dtype_of, random_inputs
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.hlo.text import parse


def module(*types: str):
    parameters = "\n".join(f"  p{i} = {t} parameter({i})" for i, t in enumerate(types))
    return parse(f"HloModule m\n\nENTRY main {{\n{parameters}\n  ROOT r = f32[] constant(0)\n}}\n")


def test_random_inputs_by_kind():
    # GIVEN a program with a large parameter of each kind
    types = ["f32[1000]", "bf16[1000]", "s32[1000]", "u8[1000]", "s4[1000]", "u2[1000]", "pred[1000]", "c64[1000]"]
    # WHEN inputs are drawn
    f32, bf16, s32, u8, s4, u2, pred, c64 = random_inputs(module(*types), seed=3)
    # THEN floats are about normal, integers small and not negative, booleans both
    assert (f32.dtype.name, bf16.dtype.name, c64.dtype.name) == ("float32", "bfloat16", "complex64")
    for values in (f32, bf16.astype("f"), np.real(c64), np.imag(c64)):
        assert abs(values.mean()) < 0.2
        assert 0.8 < values.std() < 1.2
    assert [set(v.astype(int)) for v in (s32, u8, s4)] == [{0, 1, 2, 3}] * 3
    assert [set(v.astype(int)) for v in (u2, pred)] == [{0, 1}] * 2
    assert pred.dtype == np.bool_


def test_random_inputs_follow_the_seed_and_the_leaves():
    # GIVEN a program with a tuple and scalars
    drawn = [random_inputs(module("(f32[2,3],s64[])", "f32[0]"), seed) for seed in (0, 0, 1)]
    # WHEN inputs are drawn THEN there is one a leaf, and they depend on the seed alone
    assert [(v.shape, v.dtype.name) for v in drawn[0]] == [((2, 3), "float32"), ((), "int64"), ((0,), "float32")]
    assert all(np.array_equal(a, b) for a, b in zip(drawn[0], drawn[1], strict=True))
    assert not np.array_equal(drawn[0][0], drawn[2][0])


@pytest.mark.parametrize(("shape", "part"), [("f32[<=4]", "f32[<=4] has no fixed size"), ("token[]", "type token")])
def test_no_values_for_such_shapes(shape, part):
    with pytest.raises(InputError, match=re.escape(part)):
        random_inputs(module(shape), 0)


def test_every_type_that_an_array_can_have():
    # GIVEN every element type of HLO WHEN its NumPy type is asked for THEN only these have none, and bits agree
    without = {"s1", "u1", "token", "opaque"}
    for name, element in ELEMENT_TYPES.items():
        if name in without:
            with pytest.raises(InputError, match=name):
                dtype_of(name)
        else:
            assert dtype_of(name).itemsize == max(8, element.bits) // 8


def test_narrow_types_need_ml_dtypes(monkeypatch):
    # GIVEN a Python without ml_dtypes WHEN a narrow type is asked for THEN the error names the extra that brings it
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(MissingFrameworkError) as caught:
        dtype_of("bf16")
    assert str(caught.value) == "ml_dtypes is not installed: pip install 'beatnote[jax]'"
    assert dtype_of("f64") == np.float64
