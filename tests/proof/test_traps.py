"""Pairs that look equal and are not, or only under a condition, or only over the reals.

Each must end in a condition, a class of reasoning, or not equal.
"""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.comparison import Comparison, compare
from beatnote.execute.cpu import compile_program
from beatnote.hlo.text import parse
from beatnote.proof.parameters import ParameterMismatch

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


def test_int8_products_wrap_to_zero() -> None:
    # GIVEN 16·16·x, which is 256·x and so 0 in eight bits, and 16·16·x in sixteen bits
    body = """c = {0}[] constant(16)
              s = {0}[4] broadcast(c), dimensions={{}}
              a = {0}[4] multiply(s, x)
              r = {0}[4] multiply(s, a)"""
    zero = """c = {0}[] constant(0)
              r = {0}[4] broadcast(c), dimensions={{}}"""
    assert compared("x: s8[4]", body.format("s8"), zero.format("s8"), run=True).programs.verdict == "equal"
    assert compared("x: s16[4]", body.format("s16"), zero.format("s16"), run=True).programs.verdict == "different"


def test_a_product_that_wraps_to_zero_has_factors_that_are_not() -> None:
    # GIVEN [x·x = 0] and [x = 0] of eight bits, where 16·16 is 0
    body = """z = s8[] constant(0)
              zeros = s8[4] broadcast(z), dimensions={{}}
              p = s8[4] multiply(x, x)
              r = pred[4] compare({}, zeros), direction=EQ"""
    assert compared("x: s8[4]", body.format("p"), body.format("x")).programs.verdict not in PROVEN


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


@pytest.mark.parametrize(("types", "result"), [(("bf16", "f32"), "f32"), (("f32", "f32"), "bf16")])
def test_a_dot_does_not_round_its_operands_first(types: tuple[str, str], result: str) -> None:
    # GIVEN a dot one of whose types is bfloat16, and the dot of operands rounded to bfloat16
    dot = result + "[] dot({}), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}"
    found = compared(
        f"x: {types[0]}[64], y: {types[1]}[64]",
        f"r = {dot.format('x, y')}",
        f"""a = bf16[64] convert(x)
            b = bf16[64] convert(y)
            r = {dot.format("a, b")}""",
    )
    assert found.programs.verdict == "equal"
    assert found.programs.classes == ("precision",)


def test_an_elided_constant_in_two_calls_is_never_equal() -> None:
    text = """HloModule test
    table {{
      c = f32[4] constant({{...}})
      ROOT r = f32[4] copy(c)
    }}

    ENTRY main {{
      x = f32[4] parameter(0)
      a = f32[4] call(), to_apply=table
      b = f32[4] call(), to_apply=table
      ROOT s = f32[4] {}
    }}"""
    once, twice = parse(text.format("add(x, a)")), parse(text.format("add(b, x)"))
    found = compare(once, twice, run=False)
    assert found.programs.verdict == "unknown"
    # AND inside one program it is one constant
    none = compare(parse(text.format("subtract(a, b)")), parse(text.format("subtract(b, a)")), run=False)
    assert none.programs.verdict == "equal"


@pytest.mark.parametrize(
    ("parameters", "body", "attributes"),
    [
        ("x: f32[4]", 'r = f32[4] custom-call(x), custom_call_target="f"', ("", ", channel_id=1")),
        (
            "x: f32[4]",
            'r = f32[4] custom-call(x), custom_call_target="f"',
            (", backend_config={a}", ", backend_config={b}"),
        ),
        (
            "x: f32[4]",
            'r = f32[4] custom-call(x), custom_call_target="f"',
            (", sharding={manual}", ", sharding={replicated}"),
        ),
        (
            "x: f32[4]",
            "r = f32[4] all-reduce(x), to_apply=sum_f32",
            (", replica_groups={}", ", channel_id=1, replica_groups={}"),
        ),
        (
            "x: f32[4]",
            "r = f32[4] all-reduce(x), to_apply=sum_f32",
            (", replica_groups={{0,1}}", ", replica_groups={{0},{1}}"),
        ),
        ("x: f32[4]", "r = f32[4] all-reduce(x), replica_groups={}", (", to_apply=sum_f32", ", to_apply=max_f32")),
        (
            "k: u64[2]",
            "r = (u64[2], u32[4]) rng-bit-generator(k)",
            (", algorithm=rng_philox", ", algorithm=rng_three_fry"),
        ),
    ],
)
def test_attributes_that_matter_keep_operations_apart(parameters: str, body: str, attributes: tuple[str, str]) -> None:
    first, second = (body + text for text in attributes)
    assert compared(parameters, first, second).programs.verdict not in PROVEN
    assert compared(parameters, first, first + ", metadata={}").programs.verdict == "identical"


def test_which_channel_a_collective_uses_does_not_matter() -> None:
    body = "r = f32[4] all-reduce(x), to_apply=sum_f32, replica_groups={{}}, channel_id={}"
    assert compared("x: f32[4]", body.format(1), body.format(2)).programs.verdict == "equal"


@pytest.mark.parametrize("run", [False, True])
def test_select_and_scatter_depends_on_what_selects(run: bool) -> None:
    # GIVEN the gradients of a maximum and of a minimum over windows, their computations named alike
    text = """HloModule test
    pick {{
      x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT p = pred[] compare(x, y), direction={}
    }}

    plus {{
      x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT s = f32[] add(x, y)
    }}

    ENTRY main {{
      x = f32[8] parameter(0)
      g = f32[4] parameter(1)
      z = f32[] constant(0)
      ROOT r = f32[8] select-and-scatter(x, g, z), window={{size=2 stride=2}}, select=pick, scatter=plus
    }}"""
    largest, least = parse(text.format("GE")), parse(text.format("LE"))
    assert compare(largest, least, run=run).programs.verdict == ("different" if run else "unknown")


def test_a_custom_call_depends_on_the_layout_of_its_result() -> None:
    text = """ENTRY main {{
      x = f32[2,2] parameter(0)
      ROOT r = f32[2,2]{} custom-call(x), custom_call_target="fill"
    }}"""
    plain, row_major, column_major = (parse(text.format(layout)) for layout in ("", "{1,0}", "{0,1}"))
    assert compare(plain, row_major, run=False).programs.verdict == "equal"
    assert compare(plain, column_major, run=False).programs.verdict not in PROVEN


def test_a_custom_call_of_a_tuple_is_not_one_of_its_elements() -> None:
    found = compared(
        "x: f32[4], y: f32[4]",
        """t = (f32[4], f32[4]) tuple(x, y)
           r = f32[4] custom-call(t), custom_call_target="f\"""",
        'r = f32[4] custom-call(x, y), custom_call_target="f"',
    )
    assert found.programs.verdict not in PROVEN


def test_which_shard_a_device_sees_matters() -> None:
    # GIVEN the two halves of an array dealt to two devices, one way and the other
    body = """s = f32[4] custom-call(x), custom_call_target="Sharding", sharding={{devices=[2]{}}}
              r = f32[2] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={{manual}}"""
    assert compared("x: f32[4]", body.format("0,1"), body.format("1,0")).programs.verdict not in PROVEN


def test_a_bitcast_between_tiles_is_not_a_reshape() -> None:
    # GIVEN 8×256 in tiles of 8×128: in memory, a tile's rows lie together
    text = """ENTRY main {{
      x = f32[8,256]{{1,0{0}}} parameter(0)
      ROOT r = f32[8,2,128]{{2,1,0{0}}} {1}(x)
    }}"""
    tiled = [parse(text.format(":T(8,128)", opcode)) for opcode in ("bitcast", "reshape")]
    plain = [parse(text.format("", opcode)) for opcode in ("bitcast", "reshape")]
    assert compare(*tiled, run=False).programs.verdict not in PROVEN
    assert compare(*plain, run=False).programs.verdict == "equal"


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


def test_comparing_a_sum_that_wraps_is_not_comparing_its_parts() -> None:
    # GIVEN x + 100 > y + 100 and x > y in eight bits
    body = """c = s8[] constant(100)
              s = s8[64] broadcast(c), dimensions={{}}
              a = s8[64] add(x, s)
              b = s8[64] add(y, s)
              r = pred[64] compare({}), direction={}"""
    parameters = "x: s8[64], y: s8[64]"
    moved, plain = body.format("a, b", "GT"), body.format("x, y", "GT")
    assert compared(parameters, moved, plain).programs.verdict not in PROVEN
    # AND equality holds modulo any number
    assert compared(parameters, body.format("a, b", "EQ"), body.format("x, y", "EQ")).programs.verdict == "equal"


def test_clamping_a_sum_that_wraps_is_not_clamping_within_its_limits() -> None:
    # GIVEN clamp(0, x + 1, 127) and max(x + 1, 0) of eight bits, and clamp(-128, x + 1, 127)
    body = """o = s8[] constant(1)
              ones = s8[64] broadcast(o), dimensions={{}}
              a = s8[64] add(x, ones)
              low = s8[] constant({})
              high = s8[] constant(127)
              r = s8[64] {}"""
    clamped, whole = (body.format(low, "clamp(low, a, high)") for low in (0, -128))
    unchanged = body.format(0, "copy(a)")
    assert compared("x: s8[64]", clamped, unchanged).programs.verdict not in ("identical", "equal")
    assert compared("x: s8[64]", whole, unchanged).programs.verdict == "equal"


def test_a_forced_pair_that_conflicts_is_one_line() -> None:
    a = module("a: f32[4], c: f32[3]", "r = f32[4] negate(a)")
    b = module("b: f32[4], d: f32[3]", "r = f32[4] negate(b)")
    for names, words in (
        ({"a": "d"}, "cannot map a=d: f32[4] is not f32[3]"),
        ({"a": "b", "0": "1"}, "cannot map 0=1: one of the two is mapped to another already"),
        ({"a": "nothing"}, "B has no parameter 'nothing'; it has b, d"),
    ):
        with pytest.raises(ParameterMismatch) as error:
            compare(a, b, run=False, map=names)
        assert str(error.value) == words


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


def test_products_of_other_precision_are_precision() -> None:
    body = """d = f32[2] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}{}
              r = f32[2] negate(d)"""
    highest = body.format(", operand_precision={highest,highest}")
    found = compared("x: f32[2,3], y: f32[3]", body.format(""), highest)
    assert (found.programs.verdict, found.programs.classes) == ("equal", ("precision",))
    usual = compared("x: f32[2,3], y: f32[3]", body.format(""), body.format(", operand_precision={default,default}"))
    assert (usual.programs.verdict, usual.programs.classes) == ("equal", ())


def test_adding_updates_one_by_one_is_reordering() -> None:
    # GIVEN updates that all fall on one element, which XLA adds to it one by one
    scattered = """i = s32[3,1] constant({{0},{0},{0}})
                   r = f32[1] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
                       scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum_f32""".replace(",\n", ",")
    summed = """z = f32[] constant(0)
                s = f32[] reduce(u, z), dimensions={0}, to_apply=sum_f32
                b = f32[1] reshape(s)
                r = f32[1] add(x, b)"""
    found = compared("x: f32[1], u: f32[3]", scattered, summed)
    assert (found.programs.verdict, found.programs.classes) == ("equal", ("reordering",))
