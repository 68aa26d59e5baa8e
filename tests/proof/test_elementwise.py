"""What elementwise opcodes compute: whole numbers as NumPy's types do, truth values, real numbers, conversions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import elementwise, index
from beatnote.proof.algebra import Undefined
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Licences
from beatnote.proof.logic import whole_range
from beatnote.proof.prove import prove
from beatnote.proof.terms import Number, Poly, as_constant, scalar

from .strategies import (
    DTYPES,
    EVERYTHING,
    NONE,
    QUICK,
    REORDERING,
    THOROUGH,
    arrays,
    as_dtype,
    functions,
    licences,
    numbers,
    parameter,
    seeds,
)
from .texts import module

WHOLE = sorted([*elementwise.WHOLE_BINARY, *elementwise.WHOLE_UNARY])
NARROW = ["s8", "s16", "u8"]
COUNT = 64


def operands(k: Functions, opcode: str, dtype: str) -> list[Poly]:
    count = 1 if opcode in (*elementwise.WHOLE_UNARY, *elementwise.REAL_UNARY, *elementwise.TRUTH_UNARY) else 2
    return [parameter(k, number, (COUNT,), dtype=dtype) for number in range(count)]


# Whole numbers


@QUICK
@given(st.sampled_from(WHOLE), st.sampled_from(NARROW), licences, seeds)
def test_whole_numbers_wrap_around(opcode: str, dtype: str, allowed: Licences, seed: int):
    # GIVEN any values of the type
    k = functions(allowed)
    inputs = arrays(seed, (COUNT,), (COUNT,), dtype=DTYPES[dtype])
    inputs[0][:2] = np.iinfo(DTYPES[dtype]).min
    polys = operands(k, opcode, dtype)

    # WHEN
    poly = elementwise.whole(k, opcode, dtype, polys)

    # THEN
    assert poly is not None
    with np.errstate(over="ignore"):
        expected = getattr(np, {"negate": "negative"}.get(opcode, opcode))(*inputs[: len(polys)])
    np.testing.assert_array_equal(as_dtype(numbers(k, poly, inputs, (COUNT,)), dtype), expected)


@THOROUGH
@given(st.sampled_from(WHOLE), st.sampled_from(["s8", "u8", "s32", "u32", "s64", "u64"]), st.data())
def test_whole_constants_wrap_around(opcode: str, dtype: str, data: st.DataObject):
    # GIVEN
    k = functions()
    values = data.draw(st.lists(st.integers(*whole_range(dtype)), min_size=2, max_size=2))
    polys = [scalar(value) for value in values[: len(operands(k, opcode, dtype))]]

    # WHEN
    poly = elementwise.whole(k, opcode, dtype, polys)

    # THEN
    row = {"add": int.__add__, "subtract": int.__sub__, "multiply": int.__mul__, "maximum": max, "minimum": min}
    exact = -values[0] if opcode == "negate" else row[opcode](*values)
    least, greatest = whole_range(dtype)
    assert poly is not None
    assert as_constant(poly) == (exact - least) % (greatest - least + 1) + least


def test_whole_numbers_are_added_in_any_order_and_multiples_vanish():
    k = functions()
    x, y = operands(k, "add", "u8")

    def whole(opcode: str, *polys: Poly) -> Poly:
        found = elementwise.whole(k, opcode, "u8", list(polys))
        assert found is not None
        return found

    assert whole("add", x, y) == whole("add", y, x)
    assert whole("multiply", x, scalar(255)) == whole("negate", x)
    assert whole("multiply", whole("multiply", x, scalar(16)), scalar(16)) == scalar(0)
    difference = whole("subtract", x, y)
    assert whole("multiply", difference, y) == whole("subtract", whole("multiply", x, y), whole("multiply", y, y))


@pytest.mark.parametrize("opcode", ["divide", "remainder", "power", "and", "abs", "sign", "shift-left", "not"])
def test_what_is_not_explained_of_whole_numbers(opcode: str):
    k = functions()
    assert elementwise.whole(k, opcode, "s32", operands(k, "add", "s32")) is None
    assert elementwise.whole(k, opcode, "s32", operands(k, "negate", "s32")) is None
    assert opcode in elementwise.UNEXPLAINED


# Truth values


@pytest.mark.parametrize(
    ("opcode", "table"),
    [
        ("and", [0, 0, 0, 1]),
        ("or", [0, 1, 1, 1]),
        ("xor", [0, 1, 1, 0]),
        ("multiply", [0, 0, 0, 1]),
        ("minimum", [0, 0, 0, 1]),
        ("add", [0, 1, 1, 1]),
        ("maximum", [0, 1, 1, 1]),
    ],
)
def test_truth_values(opcode: str, table: list[int]):
    k = functions()
    poly = elementwise.truth(k, opcode, [parameter(k, number, dtype="pred") for number in range(2)])
    assert poly is not None
    assert [float(numbers(k, poly, case)) for case in product((False, True), repeat=2)] == table
    assert opcode in elementwise.TRUTH_BINARY


def test_not():
    k = functions()
    poly = elementwise.truth(k, "not", [parameter(k, 0, dtype="pred")])
    assert poly is not None
    assert [float(numbers(k, poly, [p])) for p in (False, True)] == [1, 0]
    assert elementwise.truth(k, "negate", [poly]) is None


# Real numbers

UNARY = {
    "negate": np.negative,
    "sqrt": np.sqrt,
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "exponential": np.exp,
    "exponential-minus-one": np.expm1,
    "log": np.log,
    "log-plus-one": np.log1p,
    "logistic": lambda a: 1 / (1 + np.exp(-a)),
    "tanh": np.tanh,
    "abs": np.abs,
    "sign": np.sign,
}


@pytest.mark.parametrize("allowed", [NONE, REORDERING, EVERYTHING])
@pytest.mark.parametrize("opcode", sorted(elementwise.REAL_UNARY))
def test_functions_of_a_real_number(opcode: str, allowed: Licences):
    # GIVEN
    k = functions(allowed)
    (values,) = arrays(1, (COUNT,))
    values[0] = 0
    if opcode in ("sqrt", "rsqrt", "log", "log-plus-one"):
        values = np.abs(values) + 0.25

    # WHEN
    poly = elementwise.real(k, opcode, [parameter(k, 0, (COUNT,))])

    # THEN
    assert poly is not None
    np.testing.assert_allclose(numbers(k, poly, [values], (COUNT,)), UNARY[opcode](values), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("allowed", [NONE, REORDERING, EVERYTHING])
@pytest.mark.parametrize("opcode", sorted(elementwise.REAL_BINARY))
def test_functions_of_two_real_numbers(opcode: str, allowed: Licences):
    k = functions(allowed)
    inputs = arrays(2, (COUNT,), (COUNT,))
    poly = elementwise.real(k, opcode, operands(k, opcode, "f64"))
    assert poly is not None
    np.testing.assert_allclose(numbers(k, poly, inputs, (COUNT,)), getattr(np, opcode)(*inputs), rtol=1e-9)


@pytest.mark.parametrize("allowed", [NONE, EVERYTHING])
def test_clamped_real_numbers(allowed: Licences):
    # GIVEN limits that cross, where XLA's answer is the upper one
    k = functions(allowed)
    inputs = arrays(3, (COUNT,), (COUNT,), (COUNT,))
    low, value, high = (parameter(k, number, (COUNT,)) for number in range(3))

    # WHEN
    poly = elementwise.real(k, "clamp", [low, value, high])

    # THEN
    assert poly is not None
    expected = np.minimum(np.maximum(inputs[1], inputs[0]), inputs[2])
    np.testing.assert_allclose(numbers(k, poly, inputs, (COUNT,)), expected, rtol=1e-9)


def test_powers_by_a_constant_are_explained_and_others_are_not():
    k = functions(EVERYTHING)
    x, y = operands(k, "power", "f64")
    assert elementwise.real(k, "power", [x, scalar(2)]) == k.multiply(x, x)
    assert elementwise.real(k, "power", [x, scalar(Fraction(1, 2))]) == k.power(x, Fraction(1, 2))
    assert elementwise.real(k, "power", [x, y]) is None
    assert elementwise.real(k, "power", [x, scalar(Fraction(1, 17))]) is None
    assert elementwise.real(k, "power", [x, scalar(1 << 17)]) is None
    assert elementwise.real(k, "erf", [x]) is None


# What rounds


@pytest.mark.parametrize("allowed", [NONE, REORDERING])
def test_the_results_of_rounding_operations_are_kept_whole_unless_reordered(allowed: Licences):
    # GIVEN
    k = functions(allowed)
    x, y = operands(k, "add", "f32")
    total = elementwise.settle(k, k.add(x, y))

    # THEN (x + y) + x is x + (x + y), and 2·x + y only where sums may be re-associated
    left = elementwise.settle(k, k.add(total, x))
    assert left == elementwise.settle(k, k.add(x, total))
    assert (left == elementwise.settle(k, k.add(k.times(x, 2), y))) is allowed.reordering


@pytest.mark.parametrize(
    ("factor", "is_exact"), [(2, True), (Fraction(-1, 4), True), (3, False), (Fraction(1, 3), False)]
)
def test_scaling_by_powers_of_two_rounds_nothing(factor: Number, is_exact: bool):
    k = functions()
    x, y = operands(k, "add", "f32")
    test = parameter(k, 3, (COUNT,), dtype="pred")
    assert (elementwise.settle(k, k.times(x, factor)) == k.times(x, factor)) is is_exact
    assert (elementwise.settle(k, k.times(k.multiply(x, test), factor)) == k.times(k.multiply(x, test), factor)) is (
        is_exact
    )
    assert elementwise.settle(k, k.multiply(x, y)) != k.multiply(x, y)
    assert elementwise.settle(k, k.power(x, 2)) != k.power(x, 2)


@pytest.mark.parametrize(
    ("factor", "classes"), [(3, ("reordering",)), (10, ("reordering",)), (4, ()), (Fraction(1, 2), ())]
)
def test_what_is_divided_and_multiplied_again_is_the_same_without_rounding_only_for_powers_of_two(
    factor: Number, classes: tuple[str, ...]
):
    # GIVEN x / factor · factor
    there_and_back = f"""c = f32[] constant({float(factor)})
        s = f32[4] broadcast(c), dimensions={{}}
        q = f32[4] divide(x, s)
        r = f32[4] multiply(q, s)"""

    # WHEN
    proof = prove(module("x: f32[4]", there_and_back), module("x: f32[4]", "r = f32[4] copy(x)"))

    # THEN
    assert (proof.proven, proof.classes) == ((True,), classes)


# Conversions


def converted(k: Functions, poly: Poly, *types: str) -> Poly:
    for source, target in pairwise(types):
        poly = elementwise.convert(k, poly, source, target)
    return poly


@THOROUGH
@given(
    st.sampled_from(["s8", "u8", "s16", "s32", "u32", "s64"]),
    st.sampled_from(["s8", "u8", "s16", "s32", "u32", "f32", "f64", "pred"]),
    st.data(),
)
def test_whole_constants_convert_as_their_bits_do(source: str, target: str, data: st.DataObject):
    # GIVEN
    value = data.draw(st.integers(*whole_range(source)))
    types = {**DTYPES, "s64": np.int64, "f32": np.float32, "f64": np.float64, "pred": np.bool_}

    # THEN
    found = as_constant(converted(functions(), scalar(value), source, target))
    assert found == Fraction(np.array(value, dtype=types[source]).astype(types[target]).item())


@THOROUGH
@given(st.floats(-300, 300, width=32), st.sampled_from(["s8", "u8", "s32", "f16", "f64", "pred"]))
def test_float_constants_are_cut_or_rounded(value: float, target: str):
    # GIVEN
    exact = Fraction(value)
    found = as_constant(converted(functions(), scalar(exact), "f32", target))

    # THEN
    if target in DTYPES:
        least, greatest = whole_range(target)
        assert found == (int(exact) if least <= int(exact) <= greatest else None)  # XLA's choice is left open
    else:
        of = {"f16": np.float16, "f64": np.float64, "pred": np.bool_}[target]
        assert found == Fraction(np.float32(value).astype(of).item())


@pytest.mark.parametrize(
    ("value", "target"), [(1 << 17, "f16"), (-500, "f8e4m3fn"), (0, "f8e8m0fnu"), (-1, "f8e8m0fnu")]
)
def test_constants_that_a_type_does_not_hold(value: int, target: str):
    with pytest.raises(Undefined):
        converted(functions(), scalar(value), "f32", target)


@pytest.mark.parametrize(
    ("types", "allowed", "is_same"),
    [
        (("f32", "bf16", "f32"), NONE, False),
        (("f32", "bf16", "f32"), EVERYTHING, True),
        (("f32", "f64", "f32"), EVERYTHING, True),
        (("s32", "s8", "s32"), EVERYTHING, False),
        (("s32", "u32", "s32"), EVERYTHING, False),
        (("s32", "f32", "s32"), EVERYTHING, False),
        (("f32", "s32", "f32"), EVERYTHING, False),
        (("f32", "f32"), NONE, True),
    ],
)
def test_round_trips_of_data(types: tuple[str, ...], allowed: Licences, is_same: bool):
    k = functions(allowed)
    x = parameter(k, 0, (COUNT,), dtype=types[0])
    assert (converted(k, x, *types) == x) is is_same


@pytest.mark.parametrize("source", ["s32", "u8", "f32"])
def test_what_is_not_0_is_true(source: str):
    k = functions()
    x = parameter(k, 0, (COUNT,), dtype=source)
    values = np.arange(COUNT) % 3
    np.testing.assert_array_equal(numbers(k, converted(k, x, source, "pred"), [values], (COUNT,)), values != 0)


@pytest.mark.parametrize(
    ("extent", "source", "target", "is_same"),
    [
        (2048, "s32", "f16", True),
        (2050, "s32", "f16", False),
        (128, "s32", "s8", True),
        (129, "s32", "s8", False),
        (256, "f32", "u8", True),
        (300, "f32", "u8", False),
        (1 << 20, "s32", "f32", True),
    ],
)
def test_positions_are_converted_exactly_where_both_types_hold_them(
    extent: int, source: str, target: str, is_same: bool
):
    k = functions()
    position = k.index_value(index.variable(0, extent))
    assert (converted(k, position, source, target) == position) is is_same


def test_positions_that_have_wrapped_around_are_not_converted_as_they_are():
    k = functions()
    position = k.index_value(index.variable(0, 200))
    assert converted(k, k.times(position, 2), "u8", "s32") != k.times(position, 2)
    assert converted(k, k.times(position, -1), "s32", "u32") != k.times(position, -1)
    assert converted(k, k.times(position, -1), "s32", "f32") == k.times(position, -1)


def test_tests_are_converted_exactly():
    k = functions()
    p, q = (parameter(k, number, dtype="pred") for number in range(2))
    either = k.either(p, q)
    assert converted(k, either, "pred", "f32", "s32", "pred") == either
    assert converted(k, either, "pred", "bf16") == either
    assert converted(k, p, "pred", "s1") != p  # 1 is −1 there


def test_the_bounds_of_what_is_made_of_tests_and_positions():
    # GIVEN
    k = functions()
    p = parameter(k, 0, dtype="pred")
    position = k.index_value(index.variable(0, 5))
    x = parameter(k, 1)

    # THEN
    assert elementwise.value_bounds(k, k.add(k.times(p, -3), k.times(position, 2), scalar(1))) == (-2, 9)
    assert elementwise.value_bounds(k, k.multiply(p, k.power(position, 2))) == (0, 16)
    assert elementwise.value_bounds(k, scalar(-7)) == (-7, -7)
    assert elementwise.value_bounds(k, x) is None
    assert elementwise.value_bounds(k, k.times(p, Fraction(1, 2))) is None
    assert elementwise.value_bounds(k, k.power(k.add(position, scalar(1)), -1)) is None


def test_the_tables_know_each_other():
    explained = {*elementwise.REAL_UNARY, *elementwise.REAL_BINARY, "power"}
    assert not elementwise.ROUNDING - explained
    assert not elementwise.PARTIAL - elementwise.UNEXPLAINED
    assert not elementwise.COMMUTATIVE - elementwise.UNEXPLAINED
