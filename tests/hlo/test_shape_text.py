"""Reading shapes, and where a wrong one is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given

from beatnote.hlo.shape_text import ShapeError, parse_shape, shape_at
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Layout, Shape, TupleShape, array

from .strategies import shapes

LAID_OUT = ArrayShape("f32", (3,), (False,), Layout((0,)))


@given(shapes)
def test_what_is_printed_is_read_back(shape: Shape):
    assert parse_shape(str(shape)) == shape


@pytest.mark.parametrize("name", sorted(ELEMENT_TYPES))
def test_every_element_type(name: str):
    assert parse_shape(f"{name}[]") == array(name)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (" f32 [ 2 , 3 ] { 1 , 0 } ", ArrayShape("f32", (2, 3), (False, False), Layout((1, 0)))),
        ("f32[2/*c*/,3]//d\n{0,1}", ArrayShape("f32", (2, 3), (False, False), Layout((0, 1)))),
        ("f32[<= 08]", ArrayShape("f32", (8,), (True,))),
        ("f32[]{: T(8, 128) S( 1 )}", ArrayShape("f32", layout=Layout((), "T(8,128)S(1)"))),
        ("f32[]{:D(C+~)L(16)#(u32)*(s32)E(4)}", ArrayShape("f32", layout=Layout((), "D(C+~)L(16)#(u32)*(s32)E(4)"))),
        ("f32[]{:SC(0:1,2)(1:3)M(8)}", ArrayShape("f32", layout=Layout((), "SC(0:1,2)(1:3)M(8)"))),
        ("f32[]{:P( (s32[4]{0:T(8)}, u8[2]) )}", ArrayShape("f32", layout=Layout((), "P((s32[4]{0:T(8)}, u8[2]))"))),
        ("(f32[], /*index=1*/s32[2], ( ) )", TupleShape((array("f32"), array("s32", 2), TupleShape()))),
        ("(f32[], /* any */\n f32[2], //x\nf32[3] {0} )", TupleShape((array("f32"), array("f32", 2), LAID_OUT))),
        ("f32[9223372036854775807]", array("f32", 2**63 - 1)),
    ],
)  # fmt: skip
def test_forms(text: str, shape: Shape):
    assert parse_shape(text) == shape


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("", "expected a shape such as f32[8,16]{1,0}, found the end of the text", 0),
        ("float[]", "unknown element type 'float'", 0),
        ("(f32[], x[])", "unknown element type 'x'", 8),
        ("f32", "expected a shape such as f32[8,16]{1,0}, found 'f32'", 0),
        ("f32[2", "expected ',' or ']' after a dimension, found the end of the text", 5),
        ("f32[2,]", "expected a dimension (8, <=8 or ?), found ']'", 6),
        ("f32[<=?]", "expected a dimension (8, <=8 or ?), found '<=?]'", 4),
        ("f32[2]{}", "expected a layout that orders 1 dimensions, found '}'", 7),
        ("f32[2]{0", "expected '}' at the end of a layout such as {1,0:T(8,128)}, found the end of the text", 8),
        ("f32[2]{:T(8)}", "expected a layout that orders 1 dimensions, found ':T(8)}'", 7),
        ("f32[2]{0:T8}", "expected '}' at the end of a layout such as {1,0:T(8,128)}, found 'T8}'", 9),
        ("f32[2]{0:P(s32[2}", "expected ',' or ']' after a dimension, found '}'", 16),
        ("f32[2]{0:P(s32[2]}", "expected ')' after the physical shape, found '}'", 17),
        ("(f32[]", "expected ',' or ')' in a tuple shape, found the end of the text", 6),
        ("f32[] add", "expected the end of the shape, found 'add'", 6),
        ("(" * 70, "shapes nested more than 64 deep", 65),
    ],
)
def test_errors(text: str, message: str, position: int):
    # WHEN
    with pytest.raises(ShapeError) as caught:
        parse_shape(text)

    # THEN
    assert (str(caught.value), caught.value.position) == (message, position)


def test_the_brace_of_a_computation_is_no_layout():
    # GIVEN
    text = "-> f32[] { a = f32[] parameter(0) }"

    # THEN
    assert shape_at(text, 3) == (array("f32"), 8)
