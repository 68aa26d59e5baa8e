"""Sums and reductions over indices are what XLA computes."""

from __future__ import annotations

import pytest

from beatnote.hlo.text import parse
from beatnote.proof.contractions import reducer, widest
from beatnote.proof.licences import Licences

from .executed import REDUCERS, hold, is_left_whole, program, same

DOT = "dot(x, y), lhs_contracting_dims={{{0}}}, rhs_contracting_dims={{{1}}}"

PRODUCTS = {
    "inner product": ("x: f32[4], y: f32[4]", f"r = f32[] {DOT.format(0, 0)}"),
    "matrix times matrix": ("x: f32[2,3], y: f32[3,4]", f"r = f32[2,4] {DOT.format(1, 0)}"),
    "matrix times its transpose": ("x: f32[2,3], y: f32[4,3]", f"r = f32[2,4] {DOT.format(1, 1)}"),
    "outer product": ("x: f32[2], y: f32[3]", f"r = f32[2,3] {DOT.format('', '')}"),
    "two contracted": ("x: f32[2,3,4], y: f32[4,3,5]", f"r = f32[2,5] {DOT.format('1,2', '1,0')}"),
    "contracted of extent 1": ("x: f32[2,1], y: f32[1,3]", f"r = f32[2,3] {DOT.format(1, 0)}"),
    "contracted of extent 0": ("x: f32[2,0], y: f32[0,3]", f"r = f32[2,3] {DOT.format(1, 0)}"),
    "batch": (
        "x: f32[2,3,4], y: f32[2,4,5]",
        f"r = f32[2,3,5] {DOT.format(2, 1)}, lhs_batch_dims={{0}}, rhs_batch_dims={{0}}",
    ),
    "batch in the middle, in another order": (
        "x: f32[3,2,4,5], y: f32[5,4,2,6]",
        f"r = f32[2,4,3,6] {DOT.format(3, 0)}, lhs_batch_dims={{1,2}}, rhs_batch_dims={{2,1}}",
    ),
    "batch alone": (
        "x: f32[3], y: f32[3]",
        f"r = f32[3] {DOT.format('', '')}, lhs_batch_dims={{0}}, rhs_batch_dims={{0}}",
    ),
    "whole numbers that wrap": ("x: s8[2,5], y: s8[5,2]", f"r = s8[2,2] {DOT.format(1, 0)}"),
    "whole numbers at the ends of their range": ("x: s32[5], y: s32[5]", f"r = s32[] {DOT.format(0, 0)}"),
    "square": ("x: f32[3,3]", f"r = f32[3,3] {DOT.format(1, 0).replace('x, y', 'x, x')}"),
}

REDUCTIONS = {
    "sum": ("x: f32[2,3]", "0", "f32[2]", "{1}", "sum_f32"),
    "sum over all": ("x: f32[2,3,2]", "0", "f32[]", "{0,1,2}", "sum_f32"),
    "sum over none": ("x: f32[2,3]", "0", "f32[2,3]", "{}", "sum_f32"),
    "sum over extent 1": ("x: f32[1,3]", "0", "f32[3]", "{0}", "sum_f32"),
    "sum of nothing": ("x: f32[0,3]", "0", "f32[3]", "{0}", "sum_f32"),
    "largest": ("x: f32[2,3]", "-inf", "f32[3]", "{0}", "max_f32"),
    "largest from the least number": ("x: f32[2,3]", "-3.40282347e+38", "f32[3]", "{0}", "max_f32"),
    "smallest": ("x: f32[2,3]", "inf", "f32[2]", "{1}", "min_f32"),
    "product": ("x: f32[2,3]", "1", "f32[2]", "{1}", "multiply_f32"),
    "whole sum that wraps": ("x: s8[6]", "0", "s8[]", "{0}", "add_s8"),
    "whole product that wraps": ("x: s8[4]", "1", "s8[]", "{0}", "multiply_s8"),
    "largest whole number": ("x: s8[2,3]", "-128", "s8[2]", "{1}", "maximum_s8"),
    "largest unsigned number": ("x: u8[2,3]", "0", "u8[2]", "{1}", "maximum_u8"),
    "smallest whole number": ("x: s32[2,3]", "2147483647", "s32[2]", "{1}", "minimum_s32"),
    "smallest unsigned number": ("x: u8[2,3]", "255", "u8[2]", "{1}", "minimum_u8"),
    "all": ("x: pred[2,3]", "true", "pred[2]", "{1}", "and_pred"),
    "any": ("x: pred[2,3]", "false", "pred[3]", "{0}", "or_pred"),
    "any, as a sum": ("x: pred[4]", "false", "pred[]", "{0}", "add_pred"),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_dot_is_what_xla_computes(name: str) -> None:
    hold(program(*PRODUCTS[name]))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduce_is_what_xla_computes(name: str) -> None:
    parameters, initial, shape, dimensions, to_apply = REDUCTIONS[name]
    dtype = shape.partition("[")[0]
    body = f"c = {dtype}[] constant({initial})\nr = {shape} reduce(x, c), dimensions={dimensions}, to_apply={to_apply}"
    hold(program(parameters, body))


@pytest.mark.parametrize(
    ("parameters", "initial", "to_apply"),
    [
        ("x: f32[4]", "1", "sum_f32"),
        ("x: f32[4]", "0", "max_f32"),
        ("x: f32[4]", "-inf", "min_f32"),
        ("x: f32[4]", "nan", "sum_f32"),
        ("x: f32[4]", "0", "multiply_f32"),
        ("x: f32[4]", "0", "second_f32"),
        ("x: s32[4]", "0", "maximum_s32"),
        ("x: u8[4]", "0", "minimum_u8"),
        ("x: pred[4]", "false", "and_pred"),
        ("x: pred[4]", "true", "or_pred"),
    ],
)
def test_a_reduction_from_a_value_that_matters_is_left_whole(parameters: str, initial: str, to_apply: str) -> None:
    dtype = parameters.split(": ")[1].partition("[")[0]
    body = f"c = {dtype}[] constant({initial})\nr = {dtype}[] reduce(x, c), dimensions={{0}}, to_apply={to_apply}"
    assert is_left_whole(program(parameters, body), "reduce")


def test_a_reduction_from_an_input_is_left_whole() -> None:
    made = program("x: f32[4], i: f32[]", "r = f32[] reduce(x, i), dimensions={0}, to_apply=sum_f32")
    assert is_left_whole(made, "reduce")


@pytest.mark.parametrize("opcode", ["sum_f32", "max_f32"])
def test_reducing_twice_is_reducing_over_both_where_sums_may_be_joined(opcode: str) -> None:
    initial = {"sum_f32": "0", "max_f32": "-inf"}[opcode]
    twice = program(
        "x: f32[3,4]",
        f"""c = f32[] constant({initial})
            a = f32[3] reduce(x, c), dimensions={{1}}, to_apply={opcode}
            r = f32[] reduce(a, c), dimensions={{0}}, to_apply={opcode}""",
    )
    once = program(
        "x: f32[3,4]", f"c = f32[] constant({initial})\nr = f32[] reduce(x, c), dimensions={{0,1}}, to_apply={opcode}"
    )
    assert same(twice, once, Licences(reordering=True))
    assert same(twice, once) is (opcode == "max_f32")  # a maximum is the same in any order


def test_a_dot_sums_in_another_order_than_a_reduce_of_products() -> None:
    dot = program("x: f32[4], y: f32[4]", f"r = f32[] {DOT.format(0, 0)}")
    summed = program(
        "x: f32[4], y: f32[4]",
        "p = f32[4] multiply(x, y)\nc = f32[] constant(0)\nr = f32[] reduce(p, c), dimensions={0}, to_apply=sum_f32",
    )
    assert same(dot, summed, Licences(reordering=True))


@pytest.mark.parametrize(
    ("types", "result", "exact"),
    [
        (("bf16", "bf16"), "f32", ("f32", "f32")),
        (("bf16", "f32"), "f32", ("f32", "f32")),
        (("f32", "f64"), "f64", ("f64", "f64")),
        (("f8e4m3fn", "f8e5m2"), "f32", ("f32", "f32")),
    ],
)
def test_a_dot_of_narrow_types_is_that_of_its_operands_widened(
    types: tuple[str, str], result: str, exact: tuple[str, str]
) -> None:
    parameters = f"x: {types[0]}[4], y: {types[1]}[4]"
    narrow = program(parameters, f"r = {result}[] {DOT.format(0, 0)}")
    widened = f"a = {exact[0]}[4] convert(x)\nb = {exact[1]}[4] convert(y)\nr = {result}[] {DOT.format(0, 0)}"
    assert same(narrow, program(parameters, widened.replace("dot(x, y)", "dot(a, b)")))


def test_a_dot_with_a_narrow_result_does_not_round_its_operands() -> None:
    # GIVEN float32 products rounded to bfloat16 at the end, and bfloat16 products
    at_the_end = program("x: f32[4], y: f32[4]", f"r = bf16[] {DOT.format(0, 0)}")
    before = program(
        "x: f32[4], y: f32[4]",
        f"a = bf16[4] convert(x)\nb = bf16[4] convert(y)\nr = bf16[] {DOT.format(0, 0).replace('x, y', 'a, b')}",
    )
    after = program("x: f32[4], y: f32[4]", f"d = f32[] {DOT.format(0, 0)}\nr = bf16[] convert(d)")
    # THEN they are the same only where conversions are the identity
    assert same(at_the_end, after)
    assert not same(at_the_end, before)
    assert same(at_the_end, before, Licences(precision=True))


@pytest.mark.parametrize("types", [("f16", "bf16", "f16"), ("s8", "f32", "f32"), ("pred", "pred", "pred")])
def test_a_dot_of_types_none_of_which_holds_the_others_is_left_whole(types: tuple[str, str, str]) -> None:
    made = program(f"x: {types[0]}[4], y: {types[1]}[4]", f"r = {types[2]}[] {DOT.format(0, 0)}")
    assert is_left_whole(made, "dot")


@pytest.mark.parametrize(
    ("types", "found"),
    [
        (("f32", "bf16"), "f32"),
        (("bf16", "f32", "f64"), "f64"),
        (("f16", "bf16"), None),
        (("f16", "bf16", "f32"), "f32"),
        (("f32",), "f32"),
    ],
)
def test_the_widest_type_holds_the_numbers_of_all(types: tuple[str, ...], found: str | None) -> None:
    assert widest(*types) == found


@pytest.mark.parametrize(
    ("body", "opcode"),
    [
        ("ROOT r = f32[] add(x, y)", "add"),
        ("ROOT r = f32[] minimum(y, x)", "minimum"),
        ("ROOT r = f32[] subtract(x, y)", None),
        ("ROOT r = f32[] add(x, x)", None),
        ("a = f32[] add(x, y)\n ROOT r = f32[] add(a, y)", None),
        ("n = f32[] negate(y)\n ROOT r = f32[] add(x, n)", None),
    ],
)
def test_a_reducer_is_one_commutative_operation_of_both_parameters(body: str, opcode: str | None) -> None:
    made = parse(f"f {{\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n {body}\n}}\n{REDUCERS}")
    assert reducer(made.computation("f")) == opcode
