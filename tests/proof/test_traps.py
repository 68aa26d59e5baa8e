"""Arithmetic that looks equal and is not, or only under a condition, or only over the reals.

Each pair must end in a condition, a class of reasoning, or not equal; those of whole numbers, which wrap
around, are in `test_traps_of_whole_numbers`, those of other operations in `test_traps_of_operations`.
"""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.comparison import compare
from beatnote.execute.cpu import compile_program

from .comparing import PROVEN, compared, texts
from .texts import module


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


def test_the_branch_not_taken_needs_no_domain() -> None:
    # GIVEN log(x) where x > 0 and else 0, written two ways
    body = """z = f32[] constant(0)
              zeros = f32[64] broadcast(z), dimensions={{}}
              l = f32[64] log(x)
              p = pred[64] compare(x, zeros), direction={}
              r = f32[64] select(p, {})"""
    found = compared("x: f32[64]", body.format("GT", "l, zeros"), body.format("LE", "zeros, l"), run=True)
    # THEN nothing is asked of x, although it is of both signs
    assert found.programs.verdict == "equal"
    assert texts(found) == []


def test_the_branch_taken_needs_its_domain() -> None:
    body = """z = f32[] constant(0)
              zeros = f32[64] broadcast(z), dimensions={{}}
              o = f32[] constant(1)
              ones = f32[64] broadcast(o), dimensions={{}}
              q = f32[64] divide(y, y)
              p = pred[64] compare(x, zeros), direction=GT
              r = f32[64] select(p, {}, zeros)"""
    found = compared("x: f32[64], y: f32[64]", body.format("q"), body.format("ones"))
    assert found.programs.verdict == "equal-if"
    assert "y[i] ≠ 0 where [x[i] > 0]" in texts(found)


def test_total_order_tells_zeros_apart() -> None:
    # GIVEN x < y as floating point and as total order, which XLA answers differently for −0 < 0
    body = "r = pred[64] compare(x, y), direction=LT, type={}"
    floats, total = (module("x: f32[64], y: f32[64]", body.format(kind)) for kind in ("FLOAT", "TOTALORDER"))
    zeros = [np.full(64, -0.0, np.float32), np.full(64, 0.0, np.float32)]
    assert compile_program(floats).run(zeros)[0].any() != compile_program(total).run(zeros)[0].any()
    # THEN nothing proves them the same
    assert compare(floats, total, run=False).programs.verdict not in PROVEN


def test_not_a_number_is_not_infinite() -> None:
    # GIVEN max([NaN, 1], ∞), which is [NaN, ∞]
    found = compared(
        "x: f32[]",
        """c = f32[2] constant({nan, 1})
           i = f32[2] constant({inf, inf})
           r = f32[2] maximum(c, i)""",
        "r = f32[2] constant({inf, inf})",
    )
    assert found.programs.verdict not in PROVEN


def test_the_power_0_is_1_also_of_what_is_not_a_number() -> None:
    # GIVEN log(x)^0, where log(x) may be NaN: XLA says 1
    body = """l = f32[4] log(x)
              z = f32[] constant(0)
              zeros = f32[4] broadcast(z), dimensions={}
              r = f32[4] power(l, zeros)"""
    (executed,) = compile_program(module("x: f32[4]", body)).run([np.array([-1, 0, np.nan, 2], np.float32)])
    assert np.array_equal(executed, np.ones(4))
    # THEN it is 1, without a condition
    one = """o = f32[] constant(1)
             r = f32[4] broadcast(o), dimensions={}"""
    found = compared("x: f32[4]", body, one)
    assert found.programs.verdict == "equal"
    assert texts(found) == []


def test_an_unknown_direction_is_refused_in_one_line() -> None:
    body = "r = pred[4] compare(x, y), direction=ABOUT"
    found = compared("x: f32[4], y: f32[4]", body, body.replace("(x, y)", "(y, x)"))
    assert found.programs.verdict == "unknown"
    assert found.programs.notes == ("no proof: instruction 'r' (compare): no comparison 'ABOUT'",)


@pytest.mark.parametrize(
    ("a", "b", "is_equal"),
    [
        ("r = pred[64] compare(l, z), direction=GT", "r = pred[64] compare(z, l), direction=LT", True),
        ("r = pred[64] compare(l, z), direction=GE", "r = pred[64] compare(z, l), direction=LE", True),
        (
            "r = pred[64] compare(l, z), direction=GE",
            "p = pred[64] compare(l, z), direction=LT\nr = pred[64] not(p)",
            False,
        ),
        (
            "r = pred[64] compare(l, z), direction=GT",
            "p = pred[64] compare(l, z), direction=LE\nr = pred[64] not(p)",
            False,
        ),
        (
            "r = pred[64] compare(l, z), direction=NE",
            "p = pred[64] compare(l, z), direction=EQ\nr = pred[64] not(p)",
            True,
        ),
    ],
)
@pytest.mark.parametrize("run", [False, True])
def test_what_is_no_number_is_neither_less_nor_not_less(a: str, b: str, is_equal: bool, run: bool) -> None:
    # GIVEN tests of log(x) for x of both signs, whose answers for NaN are the same or not
    body = """o = f32[] constant(0)
              z = f32[64] broadcast(o), dimensions={}
              l = f32[64] log(x)
           """
    found = compared("x: f32[64]", body + a, body + b, run=run)
    # THEN without a condition they are equal only in the former case
    assert (found.programs.verdict in PROVEN) is is_equal
    assert texts(found) == ([] if is_equal else ["x[i] ≥ 0", "x[i] ≠ 0"])


def test_a_test_tells_an_infinity_from_what_is_no_number() -> None:
    # GIVEN 1/x > 0 and x/x² > 0, of an infinity and of NaN where x is 0
    body = """o = f32[] constant(0)
              z = f32[4] broadcast(o), dimensions={{}}
              i = f32[] constant(1)
              one = f32[4] broadcast(i), dimensions={{}}
              s = f32[4] multiply(x, x)
              d = f32[4] divide({})
              r = pred[4] compare(d, z), direction=GT"""
    found = compared("x: f32[4]", body.format("one, x"), body.format("x, s"))
    assert found.programs.verdict == "equal-if"
    assert texts(found) == ["x[i] ≠ 0"]
