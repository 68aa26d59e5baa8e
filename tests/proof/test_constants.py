"""Constants as terms: numbers where all elements are equal, leaves with their elements otherwise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from beatnote.hlo.literal import LiteralError
from beatnote.hlo.shapes import ArrayShape
from beatnote.proof.constants import constant
from beatnote.proof.functions import Functions
from beatnote.proof.terms import ANY_SIGN, NEGATIVE, NULL, POSITIVE, Number, as_constant
from beatnote.proof.value import Value

from .strategies import EVERYTHING, NONE, functions, numbers
from .texts import module


def read(text: str, k: Functions | None = None) -> Value:
    """The value of `f32[2] constant({1, 2})`."""
    instruction = module("x: f32[]", f"r = {text}").entry.root_instruction
    assert isinstance(instruction.shape, ArrayShape)
    return constant(k or functions(), instruction, instruction.shape)


@pytest.mark.parametrize(
    ("text", "number", "sign"),
    [
        ("f32[] constant(0.5)", Fraction(1, 2), POSITIVE),
        ("f32[] constant(0.1)", Fraction(float(np.float32(0.1))), POSITIVE),
        ("f64[] constant(0.1)", Fraction(0.1), POSITIVE),
        ("bf16[] constant(0.1)", Fraction(205, 2048), POSITIVE),
        ("f32[2,2] constant({{-3, -3}, {-3, -3}})", -3, NEGATIVE),
        ("f32[2] constant({0, -0})", 0, NULL),
        ("s8[] constant(-128)", -128, NEGATIVE),
        ("u64[] constant(18446744073709551615)", (1 << 64) - 1, POSITIVE),
        ("s64[] constant(9007199254740993)", (1 << 53) + 1, POSITIVE),
        ("pred[2] constant({true, true})", 1, POSITIVE),
        ("pred[] constant(false)", 0, NULL),
    ],
)
def test_equal_elements_are_one_exact_number(text: str, number: Number, sign: int):
    value = read(text)
    assert as_constant(value.poly) == number
    assert value.sign == sign
    assert value.special == ""
    assert value.support == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("f32[] constant(0.1)", Fraction(1, 10)),
        ("f32[] constant(0.00260416674)", Fraction(1, 384)),
        ("f32[] constant(0.1234567)", Fraction(float(np.float32(0.1234567)))),
        ("bf16[] constant(0.1)", Fraction(205, 2048)),
        ("s32[] constant(7)", 7),
    ],
)
def test_numbers_are_read_as_short_fractions_only_with_precision(text: str, number: Number):
    assert as_constant(read(text, functions(EVERYTHING)).poly) == number


@pytest.mark.parametrize(
    ("text", "elements", "sign"),
    [
        ("f32[3] constant({1, 0.5, 2})", [1, 0.5, 2], POSITIVE),
        ("f32[2,2] constant({{1, 0}, {0, 1}})", [[1, 0], [0, 1]], NULL | POSITIVE),
        ("s32[3] constant({-1, 0, -5})", [-1, 0, -5], NEGATIVE | NULL),
        ("f32[2] constant({-1, 1})", [-1, 1], NEGATIVE | POSITIVE),
        ("pred[3] constant({true, false, true})", [1, 0, 1], NULL | POSITIVE),
    ],
)
def test_other_elements_are_kept(text: str, elements: list, sign: int):
    # GIVEN
    k = functions()

    # WHEN
    value = read(text, k)

    # THEN
    assert numbers(k, value.poly, [], value.extents).tolist() == elements
    assert value.sign == sign
    assert value.special == ""
    assert value.poly == read(text, k).poly


def test_constants_that_differ_in_shape_type_or_one_element_differ():
    k = functions()
    texts = [
        "f32[4] constant({1, 2, 3, 4})",
        "f32[4] constant({1, 2, 3, 4.00000048})",
        "f32[2,2] constant({{1, 2}, {3, 4}})",
        "f64[4] constant({1, 2, 3, 4})",
        "s32[4] constant({1, 2, 3, 4})",
        "s64[4] constant({1, 2, 3, 4})",
    ]
    assert len({read(text, k).poly for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "special"),
    [
        ("f32[] constant(inf)", "inf"),
        ("f32[2] constant({-inf, -inf})", "-inf"),
        ("f32[] constant(nan)", "nan"),
        ("f32[2] constant({nan, -nan})", "nan"),
        ("f32[2] constant({1, inf})", "some"),
        ("f32[2] constant({nan, inf})", "some"),
        ("f32[2] constant({-inf, inf})", "some"),
    ],
)
def test_infinities_and_nan_are_no_numbers(text: str, special: str):
    value = read(text)
    assert value.special == special
    assert as_constant(value.poly) is None


def test_infinities_and_nan_differ_from_each_other():
    k = functions()
    assert len({read(f"f32[] constant({name})", k).poly for name in ("inf", "-inf", "nan")}) == 3


def test_a_constant_without_elements():
    value = read("f32[0,2] constant({})")
    assert value.is_empty
    assert (value.extents, value.dtype) == ((0, 2), "f32")


@pytest.mark.parametrize("text", ["f32[4] constant({...})", "f32[2] constant({1, 2, 3})", "s8[] constant(128)"])
def test_a_text_that_does_not_give_the_value(text: str):
    with pytest.raises(LiteralError):
        read(text, functions(NONE))


def test_a_literal_has_the_sign_of_its_type_at_least():
    assert read("u8[2] constant({0, 3})").sign == NULL | POSITIVE
    assert read("f32[0] constant({})").sign == ANY_SIGN
