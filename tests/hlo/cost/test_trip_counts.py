"""How often loops turn."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost import cost_of
from beatnote.hlo.cost.trip_counts import trip_count
from beatnote.hlo.text import parse

from .programs import loop


def turns(text: str) -> int | None:
    module = parse(text)
    (found,) = [i for i in module.entry.instructions if i.opcode == "while"]
    return trip_count(module, module.entry, found)


def compare(limit: str, direction: str, dtype: str = "s32") -> str:
    return f"n = {dtype}[] constant({limit})\n ROOT q = pred[] compare(i, n), direction={direction}"


def step(by: str, opcode: str = "add", dtype: str = "s32") -> str:
    return f"one = {dtype}[] constant({by})\n j = {dtype}[] {opcode}(i, one)"


@pytest.mark.parametrize(
    ("condition", "body", "start", "expected"),
    [
        (compare("10", "LT"), step("1"), "0", 10),
        (compare("10", "LE"), step("1"), "0", 11),
        (compare("10", "LT"), step("3"), "0", 4),
        (compare("10", "LT"), step("1"), "12", 0),
        (compare("10", "NE"), step("5"), "0", 2),
        (compare("10", "NE"), step("3"), "0", None),  # steps over it
        (compare("0", "GT"), step("-1"), "7", 7),
        (compare("0", "GE"), step("2", "subtract"), "7", 4),
        (compare("10", "LT"), step("0"), "0", None),  # never ends
        (compare("10", "LT"), step("-1"), "0", None),  # wraps around
        (compare("10", "EQ"), step("1"), "0", None),
        (compare("2147483647", "LE"), step("1"), "0", None),  # wraps around
        (compare("{...}", "LT"), step("1"), "0", None),
        ("n = s32[] constant(4)\n ROOT q = pred[] compare(n, i), direction=GT", step("1"), "0", 4),
        (compare("8", "LT"), "two = s32[] constant(2)\n j = s32[] multiply(i, two)", "1", None),
        (compare("8", "LT"), "one = s32[] constant(1)\n j = s32[] add(one, i)", "0", 8),
        ("ROOT q = pred[] constant(true)", step("1"), "0", None),
    ],
)
def test_a_loop_that_counts(condition, body, start, expected):
    assert turns(loop(condition, body, start)) == expected


def test_what_the_compiler_has_written_down():
    config = ', backend_config={"known_trip_count":{"n":"17"},"known_init_step":{"init":"0","step":"1"}}'
    assert turns(loop("ROOT q = pred[] constant(true)", "j = s32[] copy(i)", config=config)) == 17
    old = ', backend_config="{\\"known_trip_count\\":{\\"n\\":\\"18\\"}}"'
    assert turns(loop("ROOT q = pred[] constant(true)", "j = s32[] copy(i)", config=old)) == 18


def test_a_floating_point_counter_is_not_counted():
    assert turns(loop(compare("10", "LT", "f32"), step("1", dtype="f32"), dtype="f32")) is None


def test_through_fusions_and_calls():
    # GIVEN what an optimised program looks like: the comparison and the step in computations of their own
    less = "less { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = pred[] compare(a, b), direction=LT }\n"
    more = "more { a = s32[] parameter(0)\n b = s32[] constant(2)\n ROOT r = s32[] add(a, b) }\n"
    condition = "n = s32[] constant(9)\n ROOT q = pred[] fusion(i, n), kind=kLoop, calls=less"
    text = loop(condition, "j = s32[] call(i), to_apply=more")
    assert turns(less + more + text) == 5


def test_a_limit_that_is_carried_along():
    text = """
cond { c = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] get-tuple-element(c), index=1
  ROOT q = pred[] compare(i, n), direction=LT }
body { c = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] get-tuple-element(c), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], s32[]) tuple(j, KEPT) }
ENTRY e { z = s32[] constant(0)
  n = s32[] constant(6)
  c = (s32[], s32[]) tuple(z, n)
  ROOT w = (s32[], s32[]) while(c), condition=cond, body=body }
"""
    assert turns(text.replace("KEPT", "n")) == 6
    assert turns(text.replace("KEPT", "j")) is None


def test_a_counter_carried_alone():
    text = """
cond { i = s32[] parameter(0)
  n = s32[] constant(3)
  ROOT q = pred[] compare(i, n), direction=LT }
body { i = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT j = s32[] add(i, one) }
ENTRY e { z = s32[] constant(0)
  ROOT w = s32[] while(z), condition=cond, body=body }
"""
    assert turns(text) == 3


def test_loops_of_programs_that_jax_makes():
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    def scanned(x):
        return jax.lax.scan(lambda c, v: (c * v + 1, jnp.sin(c)), x[0], x)

    def nested(x):
        inner = lambda i, a: a + i * 1.0  # noqa: E731
        return jax.lax.fori_loop(2, 9, lambda i, a: jax.lax.fori_loop(0, 3, inner, a), x)

    def until(x):
        return jax.lax.while_loop(lambda a: a.sum() < 10, lambda a: a * 2, x)

    x = jnp.ones((5, 4), jnp.float32)
    for function, expected in ((scanned, [5]), (nested, [7, 3]), (until, [None])):
        lowered = jax.jit(function).lower(x)
        compiled = lowered.compile().runtime_executable().hlo_modules()[0].to_string()
        for text in (lowered.as_text(dialect="hlo"), compiled):
            assert [found.turns for found in cost_of(parse(text)).loops] == expected, text
