"""Shapes as data: what they print, and questions about them."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.hlo.shapes import ELEMENT_TYPES, UNBOUNDED, ArrayShape, Layout, TupleShape, array, leaves, same_array


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (array("f32"), "f32[]"),
        (array("f32", 2, 3), "f32[2,3]"),
        (ArrayShape("f32", (2, 3), (False, False), Layout((1, 0))), "f32[2,3]{1,0}"),
        (ArrayShape("f32", (), (), Layout(())), "f32[]{}"),
        (ArrayShape("f32", (), (), Layout((), "T(128)")), "f32[]{:T(128)}"),
        (ArrayShape("bf16", (8, UNBOUNDED), (True, True), Layout((0, 1), "S(1)")), "bf16[<=8,?]{0,1:S(1)}"),
        (TupleShape(), "()"),
        (TupleShape((array("s32"), TupleShape((array("token"),)))), "(s32[], (token[]))"),
    ],
)
def test_printing(shape: ArrayShape | TupleShape, text: str):
    assert str(shape) == text


@pytest.mark.parametrize(
    ("properties", "tiles", "memory_space"),
    [
        ("", (), 0),
        ("T(8,128)(2,1)S(5)", ((8, 128), (2, 1)), 5),
        ("T(*,8)", ((-1, 8),), 0),
        ("D(D,S)T(4)SC(0:1,2)", ((4,),), 0),
        ("T(4)P((s32[2]{0:S(3)}))", ((4,),), 0),
    ],
)
def test_what_a_layout_says(properties: str, tiles: tuple[tuple[int, ...], ...], memory_space: int):
    # WHEN
    layout = Layout((0,), properties)

    # THEN
    assert (layout.tiles, layout.memory_space) == (tiles, memory_space)


def test_counts_and_dynamic_dimensions():
    # GIVEN
    dynamic = ArrayShape("f32", (8, 3), (True, False))

    # THEN
    assert (dynamic.element_count, dynamic.is_dynamic) == (24, True)
    assert (array("f32").element_count, array("f32", 0, 4).element_count) == (1, 0)
    assert TupleShape((array("f32"), dynamic)).is_dynamic
    assert not TupleShape((array("f32"), TupleShape())).is_dynamic


def test_leaves_are_the_arrays_from_left_to_right():
    a, b, c = array("f32"), array("s32", 2), array("pred")
    assert leaves(TupleShape((a, TupleShape((b,)), TupleShape(), c))) == (a, b, c)
    assert leaves(a) == (a,)


def test_same_but_for_layouts():
    # GIVEN
    plain = array("f32", 2, 3)
    tiled = ArrayShape("f32", (2, 3), (False, False), Layout((0, 1), "T(8,128)"))

    # THEN
    assert same_array(plain, tiled)
    assert same_array(TupleShape((plain, tiled)), TupleShape((tiled, plain)))
    assert not same_array(plain, array("f32", 3, 2))
    assert not same_array(plain, array("f64", 2, 3))
    assert not same_array(plain, ArrayShape("f32", (2, 3), (True, False)))
    assert not same_array(plain, TupleShape((plain,)))
    assert not same_array(TupleShape((plain,)), TupleShape((plain, plain)))


ML_DTYPES = {
    "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e4m3": "float8_e4m3",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e3m4": "float8_e3m4",
    "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn": "float4_e2m1fn",
    "bf16": "bfloat16",
}


@pytest.mark.parametrize("name", sorted(row.name for row in ELEMENT_TYPES.values() if row.kind == "float"))
def test_floating_point_types_are_what_ml_dtypes_and_numpy_say(name: str):
    ml_dtypes = pytest.importorskip("ml_dtypes")

    # GIVEN
    element = ELEMENT_TYPES[name]
    dtype = getattr(ml_dtypes, ML_DTYPES[name]) if name in ML_DTYPES else np.dtype(f"f{element.bits // 8}")
    limits = ml_dtypes.finfo(dtype)

    # THEN
    assert element.precision == limits.nmant + 1
    assert element.greatest == float(limits.max)
    assert 2.0**element.min_exponent == float(limits.smallest_subnormal)
