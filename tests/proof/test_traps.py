"""Pairs that look equal and are not, or only under a condition, or only over the reals.

Each must end in a condition, a class of reasoning, or not equal.
"""

from __future__ import annotations

import pytest

from beatnote.comparison import Comparison, compare

from .texts import module

PROVEN = ("identical", "equal", "equal-if")


def compared(parameters: str, a: str, b: str, *, run: bool = False) -> Comparison:
    return compare(module(parameters, a), module(parameters, b), run=run)


def texts(comparison: Comparison) -> list[str]:
    return [condition.text for condition in comparison.programs.conditions]


def test_exp_over_exp_needs_stability_and_finite_inputs() -> None:
    # GIVEN exp(x)/exp(x) against 1
    found = compared(
        "x: f32[4]",
        """e = f32[4] exponential(x)
           r = f32[4] divide(e, e)""",
        """c = f32[] constant(1)
           r = f32[4] broadcast(c), dimensions={}""",
    )
    # THEN it holds over the reals, by the class that says so, for finite inputs
    assert found.programs.verdict == "equal-if"
    assert "stability" in found.programs.classes
    assert texts(found) == ["every element of x is finite"]


def test_log_of_exp_needs_stability() -> None:
    found = compared(
        "x: f32[4]",
        """e = f32[4] exponential(x)
           r = f32[4] log(e)""",
        "r = f32[4] copy(x)",
    )
    assert found.programs.verdict == "equal"
    assert found.programs.classes == ("stability",)


def test_x_minus_x_is_zero_where_x_is_finite() -> None:
    found = compared(
        "x: f32[4]",
        "r = f32[4] subtract(x, x)",
        """c = f32[] constant(0)
           r = f32[4] broadcast(c), dimensions={}""",
    )
    assert found.programs.verdict == "equal-if"
    assert texts(found) == ["every element of x is finite"]
    assert found.programs.conditions[0].held is True


def test_square_of_root_is_x_only_where_x_is_not_negative() -> None:
    # GIVEN sqrt(x)² against x, and sample inputs of both signs
    a = """s = f32[64] sqrt(x)
           r = f32[64] multiply(s, s)"""
    proof_only = compared("x: f32[64]", a, "r = f32[64] copy(x)")
    executed = compared("x: f32[64]", a, "r = f32[64] copy(x)", run=True)
    # THEN the condition is named, seen not to hold, and the verdict is not equal
    assert texts(proof_only) == ["x[i] ≥ 0"]
    assert proof_only.programs.conditions[0].held is False
    assert proof_only.programs.verdict == "unknown"
    assert executed.programs.verdict == "different"


def test_root_of_square_is_not_x() -> None:
    found = compared(
        "x: f32[64]",
        """s = f32[64] multiply(x, x)
           r = f32[64] sqrt(s)""",
        "r = f32[64] copy(x)",
    )
    assert found.programs.verdict not in PROVEN


def test_division_by_itself_needs_a_nonzero_divisor() -> None:
    found = compared(
        "x: f32[4], y: f32[4]",
        """p = f32[4] multiply(x, y)
           r = f32[4] divide(p, y)""",
        "r = f32[4] copy(x)",
    )
    assert found.programs.verdict == "equal-if"
    assert texts(found) == ["every element of y is finite", "y[i] ≠ 0"]


def test_the_same_division_on_both_sides_needs_no_condition() -> None:
    found = compared(
        "x: f32[4], y: f32[4]",
        "r = f32[4] divide(x, y)",
        """o = f32[] constant(1)
           ones = f32[4] broadcast(o), dimensions={}
           i = f32[4] divide(ones, y)
           r = f32[4] multiply(i, x)""",
    )
    assert found.programs.verdict == "equal"
    assert found.programs.classes == ("reordering",)


def test_bf16_round_trip_is_precision() -> None:
    found = compared(
        "x: f32[4]",
        """h = bf16[4] convert(x)
           r = f32[4] convert(h)""",
        "r = f32[4] copy(x)",
    )
    assert found.programs.verdict == "equal"
    assert found.programs.classes == ("precision",)


def test_bf16_round_trip_is_seen_to_differ_when_executed() -> None:
    # GIVEN a round trip that loses more than float32's tolerance
    found = compared(
        "x: f32[64]",
        """h = bf16[64] convert(x)
           r = f32[64] convert(h)""",
        "r = f32[64] copy(x)",
        run=True,
    )
    # THEN the executed numbers outrank the proof over the reals, and the report says both
    assert found.programs.verdict == "different"
    assert any("over the reals" in note for note in found.programs.notes)


def test_int8_round_trip_is_not_the_identity() -> None:
    found = compared(
        "x: s32[4]",
        """n = s8[4] convert(x)
           r = s32[4] convert(n)""",
        "r = s32[4] copy(x)",
    )
    assert found.programs.verdict not in PROVEN


def test_int32_wraps_around() -> None:
    found = compared(
        "x: s32[4]",
        """c = s32[] constant(1)
           ones = s32[4] broadcast(c), dimensions={}
           y = s32[4] add(x, ones)
           r = pred[4] compare(y, x), direction=GT""",
        """t = pred[] constant(true)
           r = pred[4] broadcast(t), dimensions={}""",
    )
    assert found.programs.verdict not in PROVEN


def test_uint32_arithmetic_is_modular() -> None:
    found = compared(
        "x: u32[4]",
        """c = u32[] constant(4294967295)
           most = u32[4] broadcast(c), dimensions={}
           r = u32[4] multiply(x, most)""",
        "r = u32[4] negate(x)",
    )
    assert found.programs.verdict == "equal"


def test_constants_that_differ_in_the_seventh_digit_differ() -> None:
    rows = [
        f"""c = f32[] constant({value})
            s = f32[4] broadcast(c), dimensions={{}}
            r = f32[4] multiply(x, s)"""
        for value in ("0.1234567", "0.1234568")
    ]
    assert compared("x: f32[4]", *rows).programs.verdict not in PROVEN


def test_a_rounded_fraction_is_precision() -> None:
    # GIVEN x/384 against x times the float32 next to 1/384, and one float32 further
    divided = """c = f32[] constant(384)
                 s = f32[4] broadcast(c), dimensions={}
                 r = f32[4] divide(x, s)"""
    times = """c = f32[] constant({})
               s = f32[4] broadcast(c), dimensions={{}}
               r = f32[4] multiply(x, s)"""
    near = compared("x: f32[4]", divided, times.format("0.00260416674"))
    next_float = compared("x: f32[4]", divided, times.format("0.00260416697"))
    assert near.programs.verdict == "equal"
    assert "precision" in near.programs.classes
    assert next_float.programs.verdict not in PROVEN


@pytest.mark.parametrize("run", [False, True])
def test_min_from_minus_infinity_is_not_min(run: bool) -> None:
    body = """c = f32[] constant({})
              r = f32[] reduce(x, c), dimensions={{0}}, to_apply=min_f32"""
    found = compared("x: f32[4]", body.format("-inf"), body.format("inf"), run=run)
    assert found.programs.verdict not in PROVEN


def test_a_dropped_nan_guard_is_a_condition() -> None:
    found = compared(
        "x: f32[4], i: s32[4]",
        """c = s32[] constant(3)
           limit = s32[4] broadcast(c), dimensions={}
           ok = pred[4] compare(i, limit), direction=LE
           n = f32[] constant(nan)
           nans = f32[4] broadcast(n), dimensions={}
           r = f32[4] select(ok, x, nans)""",
        "r = f32[4] copy(x)",
    )
    assert found.programs.verdict == "equal-if"
    assert "i[j] ≤ 3" in texts(found) or "i[i] ≤ 3" in texts(found)


def test_guards_that_contradict_each_other_prove_nothing() -> None:
    # GIVEN two programs, each NaN exactly where the other is not
    body = """c = s32[] constant(1)
              limit = s32[4] broadcast(c), dimensions={{}}
              ok = pred[4] compare(i, limit), direction={}
              n = f32[] constant(nan)
              nans = f32[4] broadcast(n), dimensions={{}}
              r = f32[4] select(ok, x, nans)"""
    found = compared("x: f32[4], i: s32[4]", body.format("LE"), body.format("GT"), run=True)
    assert found.programs.verdict not in PROVEN


def test_elided_constants_are_never_equal() -> None:
    body = """c = f32[4] constant({...})
              r = f32[4] add(x, c)"""
    found = compared("x: f32[4]", body, body)
    assert found.programs.verdict == "unknown"
    assert any("leaves out the value of constant c" in note for note in found.programs.notes)


def test_random_numbers_are_never_equal() -> None:
    body = """low = f32[] constant(0)
              high = f32[] constant(1)
              u = f32[4] rng(low, high), distribution=rng_uniform
              r = f32[4] add(x, u)"""
    other = body.replace("add(x, u)", "add(u, x)")
    assert compared("x: f32[4]", body, other).programs.verdict not in PROVEN


def test_random_bits_from_a_key_are_a_function_of_the_key() -> None:
    body = """bits = (u64[2], u32[4]) rng-bit-generator(key), algorithm=rng_three_fry
              u = u32[4] get-tuple-element(bits), index=1
              r = u32[4] {}"""
    same = compared("key: u64[2]", body.format("negate(u)"), body.format("copy(u)").replace("copy(u)", "negate(u)"))
    other = compared("key: u64[2]", body.format("negate(u)"), body.format("not(u)"))
    assert same.programs.verdict == "identical"
    assert other.programs.verdict not in PROVEN


def test_a_clamped_dynamic_slice_is_a_one_hot_sum_only_inside() -> None:
    found = compared(
        "x: f32[4], i: s32[]",
        """s = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
           r = f32[] reshape(s)""",
        """k = s32[4] iota(), iota_dimension=0
           spread = s32[4] broadcast(i), dimensions={}
           hit = pred[4] compare(k, spread), direction=EQ
           one = f32[4] convert(hit)
           r = f32[] dot(one, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}""",
    )
    assert found.programs.verdict == "equal-if"
    assert texts(found) == ["0 ≤ i ≤ 3"]


def test_scatter_with_repeated_indices_is_not_a_selection() -> None:
    found = compared(
        "x: f32[4], i: s32[2,1], u: f32[2]",
        """r = f32[4] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
               scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second_f32""".replace("\n", " "),
        """r = f32[4] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
               scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum_f32""".replace("\n", " "),
    )
    assert found.programs.verdict not in PROVEN


def test_strict_and_non_strict_masks_differ_at_zero() -> None:
    body = """c = f32[] constant(0)
              zeros = f32[4] broadcast(c), dimensions={{}}
              m = pred[4] compare(x, zeros), direction={}
              r = f32[4] select(m, g, zeros)"""
    found = compared("x: f32[4], g: f32[4]", body.format("GT"), body.format("GE"))
    assert found.programs.verdict not in PROVEN


def test_two_pass_variance_is_mean_of_squares_less_square_of_mean() -> None:
    mean = """z = f32[] constant(0)
              c = f32[] constant(8)
              s = f32[] reduce(x, z), dimensions={0}, to_apply=sum_f32
              m = f32[] divide(s, c)"""
    two_pass = f"""{mean}
        mb = f32[8] broadcast(m), dimensions={{}}
        d = f32[8] subtract(x, mb)
        q = f32[8] multiply(d, d)
        t = f32[] reduce(q, z), dimensions={{0}}, to_apply=sum_f32
        r = f32[] divide(t, c)"""
    one_pass = f"""{mean}
        q = f32[8] multiply(x, x)
        t = f32[] reduce(q, z), dimensions={{0}}, to_apply=sum_f32
        e = f32[] divide(t, c)
        n = f32[] multiply(m, m)
        r = f32[] subtract(e, n)"""
    found = compared("x: f32[8]", two_pass, one_pass)
    # THEN it is equal, and the report says that it is numerically another computation
    assert found.programs.verdict == "equal"
    assert "reordering" in found.programs.classes


def test_shifted_softmax_needs_stability() -> None:
    soft = """z = f32[] constant(0)
              e = f32[8] exponential({})
              s = f32[] reduce(e, z), dimensions={{0}}, to_apply=sum_f32
              sb = f32[8] broadcast(s), dimensions={{}}
              r = f32[8] divide(e, sb)"""
    shifted = """n = f32[] constant(-inf)
                 m = f32[] reduce(x, n), dimensions={0}, to_apply=max_f32
                 mb = f32[8] broadcast(m), dimensions={}
                 d = f32[8] subtract(x, mb)
              """ + soft.format("d")
    found = compared("x: f32[8]", shifted, soft.format("x"))
    assert found.programs.verdict == "equal"
    assert "stability" in found.programs.classes


def test_an_unexplained_power_must_be_defined() -> None:
    found = compared(
        "x: f32[4], y: f32[4]",
        """p = f32[4] power(x, y)
           r = f32[4] subtract(p, p)""",
        """c = f32[] constant(0)
           r = f32[4] broadcast(c), dimensions={}""",
    )
    assert found.programs.verdict not in ("identical", "equal")
    assert "power(x[i], y[i]) is defined" in texts(found)
