"""The numbers of constants: exact, in range, nested as their shape is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.hlo.literal import LiteralError, literal_values, rounded
from beatnote.hlo.module import Instruction
from beatnote.hlo.shape_text import parse_shape
from beatnote.hlo.shapes import ELEMENT_TYPES

from .test_shapes import ML_DTYPES


def values(shape: str, literal: str) -> np.ndarray:
    return literal_values(Instruction("c", "constant", parse_shape(shape), (), literal))


@pytest.mark.parametrize(
    ("shape", "literal", "expected"),
    [
        ("f32[]", "1.5", 1.5),
        ("f32[]", "-inf", -np.inf),
        ("f32[]", "nan", np.nan),
        ("f32[]", "-nan(0x400001)", np.nan),
        ("f32[]", "3.40282347e+38", 3.4028234663852886e38),
        ("f32[]", "0.1", 0.10000000149011612),
        ("f64[]", "0.1", 0.1),
        ("bf16[]", "0.1", 0.10009765625),
        ("f16[]", "65519", 65504.0),
        ("f32[2]", "{1, 1e-45}", [1.0, 1.401298464324817e-45]),
        ("f32[2,3]", "{ { 1, 2, 3 }, { 4, 5, 6 } }", [[1, 2, 3], [4, 5, 6]]),
        ("f32[2,3]{0,1}", "{{1,2,3},\n{4,5,6}}", [[1, 2, 3], [4, 5, 6]]),
        ("f32[2,2]{1,0}", "f32[2,2] { { 1, 2 }, { 3, 4 } }", [[1, 2], [3, 4]]),
        ("f32[0]", "{}", []),
        ("f32[2,0]", "{ {}, {} }", [[], []]),
        ("f32[0,1000000000000]", "{}", np.zeros((0, 1_000_000_000_000))),
        ("pred[3]", "{1, 0, true}", [True, False, True]),
        ("pred[]", "false", False),
        ("s8[2]", "{-128, 127}", [-128, 127]),
        ("u64[]", "18446744073709551615", np.uint64(2**64 - 1)),
        ("s4[1]", "{-8}", [-8]),
        ("c64[2]", "{(1, -inf), (nan, 0.1)}", [complex(1, -np.inf), complex(np.nan, 0.10000000149011612)]),
        ("c128[]", "(0.1, 2)", complex(0.1, 2)),
    ],
)
def test_values(shape: str, literal: str, expected: object):
    # WHEN
    found = values(shape, literal)

    # THEN
    np.testing.assert_array_equal(found, np.array(expected))
    assert str(parse_shape(shape)).startswith(f"{shape.partition('[')[0]}[{','.join(map(str, found.shape))}]")


@pytest.mark.parametrize(
    ("shape", "literal", "message"),
    [
        ("f32[8]", "{...}", "the value of constant 'c' is left out of the text ({...})"),
        ("f32[8]", "{1, ...}", "the value of constant 'c' is left out of the text ({...})"),
        ("(f32[], s32[])", "(1, 2)", "constant 'c' is not an array of known shape"),
        ("f32[<=2]", "{1, 2}", "constant 'c' is not an array of known shape"),
        ("f32[99999999999]", "{1}", "constant 'c' claims 99999999999 elements"),
        ("f32[2]", "{1, 2, 3}", "constant 'c' of shape f32[2]: should have 2 elements, found 3"),
        ("f32[2,2]", "{1, 2, 3, 4}", "constant 'c' of shape f32[2,2]: its braces do not nest as its dimensions do"),
        ("f32[2,2]", "{{1, 2, 3}, {4}}", "constant 'c' of shape f32[2,2]: its braces do not nest as its dimensions do"),
        ("f32[]", "{1}", "constant 'c' of shape f32[]: its braces do not nest as its dimensions do"),
        ("f32[2]", "f32[1,2] {{1, 2}}", "constant 'c' of shape f32[2]: its elements are written as f32[1,2]"),
        ("f32[99999999,0]", "{}", "constant 'c' of shape f32[99999999,0]: its braces do not nest as its dimensions do"),
        ("f32[]", "one", "constant 'c' of shape f32[]: expected a number, found 'one'"),
        ("f32[]", "1e39", "constant 'c' of shape f32[]: 1e39 is out of the range of f32"),
        ("f64[]", "1e99999", "constant 'c' of shape f64[]: 1e99999 is out of the range of f64"),
        ("f16[]", "65520", "constant 'c' of shape f16[]: 65520 is out of the range of f16"),
        ("f8e4m3fn[]", "inf", "constant 'c' of shape f8e4m3fn[]: f8e4m3fn has no infinity"),
        ("f4e2m1fn[]", "nan", "constant 'c' of shape f4e2m1fn[]: f4e2m1fn has no NaN"),
        ("f8e8m0fnu[]", "-1", "constant 'c' of shape f8e8m0fnu[]: f8e8m0fnu has only positive values"),
        ("s8[]", "128", "constant 'c' of shape s8[]: 128 is out of the range of s8"),
        ("u8[]", "-1", "constant 'c' of shape u8[]: -1 is out of the range of u8"),
        ("s32[]", "1.5", "constant 'c' of shape s32[]: expected a whole number, found '1.5'"),
        ("s32[]", "9" * 5000, f"constant 'c' of shape s32[]: expected a whole number, found '{'9' * 24}'"),
        ("pred[]", "2", "constant 'c' of shape pred[]: expected true or false, found '2'"),
        ("c64[]", "1", "constant 'c' of shape c64[]: expected a complex number such as (1, 2), found '1'"),
        ("token[]", "0", "constant 'c' of shape token[]: a token has no value"),
    ],
)  # fmt: skip
def test_what_has_no_value(shape: str, literal: str, message: str):
    with pytest.raises(LiteralError) as caught:
        values(shape, literal)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", sorted(ML_DTYPES))
def test_every_value_of_the_small_types_is_read_back_from_its_decimal(name: str):
    ml_dtypes = pytest.importorskip("ml_dtypes")

    # GIVEN every bit pattern
    element = ELEMENT_TYPES[name]
    patterns = np.arange(2 ** min(element.bits, 16), dtype=np.uint16 if element.bits == 16 else np.uint8)
    with np.errstate(invalid="ignore"):
        typed = patterns.view(getattr(ml_dtypes, ML_DTYPES[name])).astype(np.float64)
    typed = typed[np.isfinite(typed)]

    # WHEN
    literal = "{" + ", ".join(repr(float(value)) for value in typed) + "}"

    # THEN
    np.testing.assert_array_equal(values(f"{name}[{len(typed)}]", literal), typed)


@given(
    st.sampled_from(sorted({row.name for row in ELEMENT_TYPES.values() if row.kind == "float"} - {"f8e8m0fnu"})),
    st.floats(-4, 4, allow_nan=False),
)
def test_a_constant_is_rounded_as_its_type_rounds(name: str, value: float):
    # WHEN
    (found,) = values(f"{name}[1]", f"{{{value!r}}}")

    # THEN
    assert Fraction(float(found)) == rounded(Fraction(value), ELEMENT_TYPES[name])
