"""Elementwise instructions are what XLA computes, with infinities, signs and domains followed."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.proof.licences import Licences

from .executed import hold, inputs_of, program, same, translation

FLOAT_UNARY = ("negate", "abs", "sign", "exponential", "exponential-minus-one", "logistic", "tanh")
FLOAT_UNARY_OF_POSITIVE = ("sqrt", "rsqrt", "log", "log-plus-one")
FLOAT_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum")
WHOLE_BINARY = ("add", "subtract", "multiply", "maximum", "minimum")
TRUTH_BINARY = ("and", "or", "xor", "add", "multiply", "maximum", "minimum")
DIRECTIONS = ("EQ", "NE", "GT", "GE", "LT", "LE")
TYPES = ("f32", "f64", "s8", "s32", "u8", "u32", "pred")


@pytest.mark.parametrize("opcode", FLOAT_UNARY)
def test_functions_of_a_real_number(opcode: str) -> None:
    hold(program("x: f32[9]", f"r = f32[9] {opcode}(x)"))


@pytest.mark.parametrize("opcode", FLOAT_UNARY_OF_POSITIVE)
def test_functions_of_a_positive_number(opcode: str) -> None:
    hold(program("x: f32[9]", f"e = f32[9] exponential(x)\nr = f32[9] {opcode}(e)"))


@pytest.mark.parametrize("opcode", FLOAT_BINARY)
def test_functions_of_two_real_numbers(opcode: str) -> None:
    hold(program("x: f32[9], y: f32[9]", f"r = f32[9] {opcode}(x, y)"))


@pytest.mark.parametrize("exponent", ["0", "1", "2", "3", "-1", "0.5", "-0.5", "0.25"])
def test_constant_powers_of_a_positive_number(exponent: str) -> None:
    hold(
        program(
            "x: f32[9]",
            f"""e = f32[9] exponential(x)
                c = f32[] constant({exponent})
                s = f32[9] broadcast(c), dimensions={{}}
                r = f32[9] power(e, s)""",
        )
    )


@pytest.mark.parametrize("dtype", ["s8", "u8"])
@pytest.mark.parametrize("opcode", WHOLE_BINARY)
def test_whole_numbers_wrap_around(opcode: str, dtype: str) -> None:
    hold(program(f"x: {dtype}[20], y: {dtype}[20]", f"a = {dtype}[20] {opcode}(x, y)\nr = {dtype}[20] {opcode}(a, x)"))


@pytest.mark.parametrize("opcode", WHOLE_BINARY)
def test_unsigned_numbers_do_not_go_below_zero(opcode: str) -> None:
    made = program("x: u32[4], y: u32[4]", f"r = u32[4] {opcode}(x, y)")
    hold(made, [np.array([0, 1, 5, 7], np.uint32), np.array([1, 1, 9, 2], np.uint32)])


@pytest.mark.parametrize("opcode", TRUTH_BINARY)
def test_truth_values(opcode: str) -> None:
    made = program("x: pred[4], y: pred[4]", f"a = pred[4] {opcode}(x, y)\nr = pred[4] not(a)")
    hold(made, [np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_comparisons(direction: str, dtype: str) -> None:
    # GIVEN numbers some of which are the same on both sides
    made = program(f"x: {dtype}[30], y: {dtype}[30]", f"r = pred[30] compare(x, y), direction={direction}")
    x, y = inputs_of(made)
    y[::3] = x[::3]
    hold(made, [x, y])


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("limit", ["0", "-128", "127", "3"])
def test_comparisons_with_a_constant(direction: str, limit: str) -> None:
    made = program(
        "x: s8[]",
        f"c = s8[] constant({limit})\nr = pred[] compare(x, c), direction={direction}",
    )
    for value in (-128, -1, 0, 2, 3, 4, 127):
        hold(made, [np.array(value, np.int8)])


@pytest.mark.parametrize("source", ["f32", "s8", "s32", "u8", "u32", "pred"])
@pytest.mark.parametrize("dtype", ["f32", "s32", "u8", "pred"])
def test_conversions_of_truth_values_and_of_counters(source: str, dtype: str) -> None:
    # GIVEN values of a type that every type holds: 0 and 1, and 0 to 4
    tests = program("x: pred[4]", f"a = {source}[4] convert(x)\nr = {dtype}[4] convert(a)")
    hold(tests, [np.array([0, 1, 1, 0], bool)])
    if source != "pred":
        hold(program("x: pred[1]", f"a = {source}[5] iota(), iota_dimension=0\nr = {dtype}[5] convert(a)"))


@pytest.mark.parametrize(
    ("value", "source", "dtype"),
    [
        ("2.75", "f32", "s32"),
        ("-2.75", "f32", "s32"),
        ("-0.5", "f32", "u8"),
        ("300", "s32", "u8"),
        ("200", "u8", "s8"),
        ("-1", "s8", "u32"),
        ("16777217", "s32", "f32"),
        ("0.3", "f32", "pred"),
        ("256", "s32", "pred"),
        ("0.1", "f64", "f32"),
    ],
)
def test_conversions_of_constants(value: str, source: str, dtype: str) -> None:
    hold(program("x: pred[]", f"c = {source}[] constant({value})\nr = {dtype}[] convert(c)"), seeds=(0,))


@pytest.mark.parametrize(
    ("source", "dtype"),
    [("f32", "s32"), ("s32", "s8"), ("s8", "u8"), ("s32", "f32"), ("f32", "f64"), ("f64", "f32"), ("u32", "s32")],
)
def test_a_conversion_of_data_is_no_identity(source: str, dtype: str) -> None:
    there = program(f"x: {source}[4]", f"a = {dtype}[4] convert(x)\nr = {source}[4] convert(a)")
    assert not same(there, program(f"x: {source}[4]", f"r = {source}[4] copy(x)"))


@pytest.mark.parametrize("dtype", ["f32", "s8", "u8", "pred"])
def test_selections(dtype: str) -> None:
    hold(program(f"p: pred[9], x: {dtype}[9], y: {dtype}[9]", f"r = {dtype}[9] select(p, x, y)"))


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("f32", "-0.5", "0.75"),
        ("f32", "1", "-1"),
        ("s8", "-2", "3"),
        ("s8", "3", "-2"),
        ("u8", "1", "254"),
        ("s8", "-128", "127"),
        ("s8", "2", "2"),
    ],
)
def test_clamps_also_between_limits_in_the_wrong_order(dtype: str, low: str, high: str) -> None:
    hold(
        program(
            f"x: {dtype}[20]",
            f"""l = {dtype}[] constant({low})
                h = {dtype}[] constant({high})
                a = {dtype}[20] add(x, x)
                r = {dtype}[20] clamp(l, a, h)""",
        )
    )


@pytest.mark.parametrize("dtype", ["f32", "s8", "u8"])
def test_clamps_between_data(dtype: str) -> None:
    hold(program(f"l: {dtype}[20], x: {dtype}[20], h: {dtype}[20]", f"r = {dtype}[20] clamp(l, x, h)"))


@pytest.mark.parametrize(
    ("body", "same_as"),
    [
        ("r = f32[4] maximum(x, low)", "r = f32[4] copy(x)"),
        ("r = f32[4] minimum(high, x)", "r = f32[4] copy(x)"),
        ("r = f32[4] maximum(x, high)", "r = f32[4] copy(high)"),
        ("r = f32[4] minimum(low, x)", "r = f32[4] copy(low)"),
        ("r = f32[4] maximum(low, high)", "r = f32[4] copy(high)"),
    ],
)
def test_infinite_limits_limit_nothing_or_all(body: str, same_as: str) -> None:
    infinities = """i = f32[] constant(inf)
                    n = f32[] constant(-inf)
                    high = f32[4] broadcast(i), dimensions={}
                    low = f32[4] broadcast(n), dimensions={}
                 """
    assert same(program("x: f32[4]", infinities + body), program("x: f32[4]", infinities + same_as))


def test_not_a_number_outlasts_an_infinite_limit() -> None:
    # GIVEN max(NaN, ∞) and max(1, ∞), which XLA has as NaN and ∞
    some = "c = f32[2] constant({nan, 1})\ni = f32[2] constant({inf, inf})\nr = f32[2] maximum(c, i)"
    assert not same(program("x: f32[]", some), program("x: f32[]", "r = f32[2] constant({inf, inf})"))


@pytest.mark.parametrize("opcode", ["add", "multiply", "negate", "exponential"])
def test_arithmetic_with_infinities_is_not_that_of_real_numbers(opcode: str) -> None:
    operands = "c, x" if opcode in ("add", "multiply") else "c"
    (output,) = translation(program("x: f32[]", f"c = f32[] constant(inf)\nr = f32[] {opcode}({operands})")).outputs
    assert output.special == "some"


def test_total_order_knows_a_negative_zero() -> None:
    # GIVEN a comparison that has −0 < 0, and one that does not
    floats = program("x: f32[4], y: f32[4]", "r = pred[4] compare(x, y), direction=LT")
    total = program("x: f32[4], y: f32[4]", "r = pred[4] compare(x, y), direction=LT, type=TOTALORDER")
    assert not same(floats, total)
    assert same(total, total)
    whole = ("x: s32[4], y: s32[4]", "r = pred[4] compare(x, y), direction=LT")
    assert same(program(*whole), program(whole[0], whole[1] + ", type=SIGNED"))


def test_what_is_rounded_may_be_zero() -> None:
    # GIVEN 1/exp(x) after rounding, which may divide by 0, and a test whether it does
    body = """e = f32[4] exponential(x)
              h = f16[4] convert(e)
              o = f16[] constant(1)
              z = f16[] constant(0)
              ones = f16[4] broadcast(o), dimensions={}
              zeros = f16[4] broadcast(z), dimensions={}
              d = f16[4] divide(ones, h)
              p = pred[4] compare(h, zeros), direction=GT
              """
    guarded, plain = (
        program("x: f32[4]", body + last) for last in ("r = f16[4] select(p, d, zeros)", "r = f16[4] copy(d)")
    )
    # THEN the test answers itself only where conversions are the identity
    assert not same(guarded, plain, Licences(reordering=True, stability=True))
    assert same(guarded, plain, Licences(precision=True))


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        ("r = f32[4] divide(x, y)", True),
        ("r = f32[4] sqrt(x)", True),
        ("r = f32[4] log(x)", True),
        ("r = f32[4] log-plus-one(x)", True),
        ("r = f32[4] power(x, y)", True),
        ("r = f32[4] add(x, y)", False),
        ("e = f32[4] exponential(y)\nr = f32[4] divide(x, e)", False),
        ("s = f32[4] multiply(x, x)\nr = f32[4] sqrt(s)", False),
        ("a = f32[4] abs(x)\nr = f32[4] sqrt(a)", False),
        ("c = f32[] constant(3)\ns = f32[4] broadcast(c), dimensions={}\nr = f32[4] divide(x, s)", False),
        (
            "s = f32[4] multiply(x, x)\no = f32[] constant(1)\nb = f32[4] broadcast(o), dimensions={}\n"
            "p = f32[4] add(s, b)\nr = f32[4] log(p)",
            False,
        ),
    ],
)
def test_what_may_be_undefined_needs_something(body: str, needs: bool) -> None:
    (output,) = translation(program("x: f32[4], y: f32[4]", body)).outputs
    assert bool(output.domain) is needs


def test_functions_that_are_not_explained_are_those_of_equal_operands() -> None:
    parameters = "x: f32[4], y: f32[4]"
    sine = program(parameters, "s = f32[4] add(x, y)\nr = f32[4] sine(s)")
    assert same(sine, program(parameters, "s = f32[4] add(y, x)\nr = f32[4] sine(s)"))
    assert not same(sine, program(parameters, "s = f32[4] add(x, y)\nr = f32[4] cosine(s)"))
    assert not same(sine, program(parameters, "s = f32[4] subtract(x, y)\nr = f32[4] sine(s)"))


@pytest.mark.parametrize(
    ("opcode", "commutes"),
    [("and", True), ("or", True), ("xor", True), ("shift-left", False), ("divide", False), ("remainder", False)],
)
def test_operands_of_bitwise_functions_may_be_swapped(opcode: str, commutes: bool) -> None:
    parameters = "x: s32[4], y: s32[4]"
    a, b = (program(parameters, f"r = s32[4] {opcode}({operands})") for operands in ("x, y", "y, x"))
    assert same(a, b) is commutes


def test_the_same_function_of_another_type_is_another() -> None:
    bits = "n = {0}[4] not(c)\nr = s32[4] convert(n)"
    a, b = (program("x: s32[4]", f"c = {t}[4] convert(x)\n{bits.format(t)}") for t in ("s8", "u8"))
    assert not same(a, b)


@pytest.mark.parametrize(("bits", "is_same"), [((8, 7), True), ((8, 6), False), ((5, 7), False)])
def test_reduce_precision_is_the_identity_only_for_precision(bits: tuple[int, int], is_same: bool) -> None:
    text = "r = f32[4] reduce-precision(x), exponent_bits={}, mantissa_bits={}"
    own, other = program("x: f32[4]", text.format(8, 7)), program("x: f32[4]", text.format(*bits))
    assert same(own, other) is is_same
    assert not same(own, program("x: f32[4]", "r = f32[4] copy(x)"))
    assert same(own, program("x: f32[4]", "r = f32[4] copy(x)"), Licences(precision=True))
