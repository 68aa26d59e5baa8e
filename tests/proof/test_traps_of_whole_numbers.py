"""Whole-number arithmetic that looks equal and is not, because it wraps around."""

from __future__ import annotations

from .comparing import PROVEN, compared


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
