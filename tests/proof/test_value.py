"""Arrays as terms, tuples of them, and what element types hold."""

from __future__ import annotations

import pytest

from beatnote.hlo.shape_text import parse_shape
from beatnote.proof.index import variable
from beatnote.proof.terms import ANY_SIGN, NULL, ONE, POSITIVE, ZERO
from beatnote.proof.value import Value, combined, includes, leaves, own_sign, shaped

A = Value(ONE, (2, 3), "f32", support=1, domain=frozenset({7}))
B = Value(ZERO, (0,), "u8", support=4, domain=frozenset({8, 9}))


@pytest.mark.parametrize(
    ("dtype", "kind"), [("bf16", "float"), ("s8", "signed"), ("u4", "unsigned"), ("pred", "pred"), ("c64", "complex")]
)
def test_kind_is_that_of_the_element_type(dtype: str, kind: str) -> None:
    assert Value(ZERO, (), dtype).kind == kind


def test_indices_are_one_variable_a_dimension() -> None:
    assert A.indices == (variable(0, 2), variable(1, 3))


def test_an_array_is_empty_when_an_extent_is_0() -> None:
    assert B.is_empty
    assert not A.is_empty
    assert not Value(ONE, (), "f32").is_empty


def test_leaves_are_the_arrays_left_to_right() -> None:
    assert leaves(A) == (A,)
    assert leaves((A, (B, A), ())) == (A, B, A)


def test_arrays_go_back_into_the_tuples_of_a_shape() -> None:
    shape = parse_shape("(f32[2,3], (u8[0], f32[2,3]))")
    assert shaped(shape, iter((A, B, A))) == (A, (B, A))


def test_what_is_computed_from_two_depends_on_and_needs_what_both_do() -> None:
    assert combined(A, B) == (5, frozenset({7, 8, 9}))
    assert combined() == (0, frozenset())


@pytest.mark.parametrize(
    ("dtype", "sign"), [("f32", ANY_SIGN), ("s8", ANY_SIGN), ("u8", NULL | POSITIVE), ("pred", NULL | POSITIVE)]
)
def test_own_sign_of_a_type(dtype: str, sign: int) -> None:
    assert own_sign(Value(ZERO, (), dtype)) == sign


@pytest.mark.parametrize(
    ("wide", "narrow", "found"),
    [
        ("f32", "f32", True),
        ("f32", "bf16", True),
        ("bf16", "f32", False),
        ("f32", "f16", True),
        ("bf16", "f16", False),
        ("f16", "bf16", False),
        ("f64", "f32", True),
        ("f16", "f8e5m2", True),
        ("f8e5m2", "f8e4m3fn", False),
    ],
)
def test_a_type_includes_those_whose_numbers_it_holds(wide: str, narrow: str, found: bool) -> None:
    assert includes(wide, narrow) is found
