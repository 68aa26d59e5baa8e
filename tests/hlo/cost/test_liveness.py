"""How much memory a program holds at once."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost.liveness import liveness_of
from beatnote.hlo.errors import CostError
from beatnote.hlo.text import parse

from .programs import loop

KB = 4 * 256


def peak(body: str, header: str = "", before: str = "") -> tuple[int, str]:
    found = liveness_of(parse(f"{header}{before}ENTRY e {{\n x = f32[256] parameter(0)\n{body}\n}}\n"))
    assert found.argument_bytes == KB
    return found.peak_bytes // KB, found.instruction


def test_a_value_dies_after_its_last_use():
    # GIVEN a chain, THEN the argument and two values of it are held at once
    assert peak(" a = f32[256] negate(x)\n b = f32[256] negate(a)\n ROOT c = f32[256] negate(b)") == (3, "b")


def test_a_value_is_held_for_as_long_as_it_is_used():
    body = " a = f32[256] negate(x)\n b = f32[256] negate(a)\n c = f32[256] negate(b)\n ROOT d = f32[256] add(a, c)"
    assert peak(body) == (4, "c")


def test_what_is_never_used_dies_at_once():
    body = " a = f32[256] negate(x)\n b = f32[256] negate(x)\n ROOT c = f32[256] negate(x)"
    assert peak(body) == (2, "a")


def test_outputs_are_held_to_the_end():
    body = (
        " a = f32[256] negate(x)\n b = f32[256] negate(x)\n c = f32[256] negate(x)\n"
        " ROOT t = (f32[256], f32[256], f32[256]) tuple(a, b, c)"
    )
    assert peak(body) == (4, "c")


def test_an_output_that_is_written_over_an_argument_takes_nothing():
    header = "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n"
    assert peak(" ROOT a = f32[256] negate(x)") == (2, "a")
    assert peak(" ROOT a = f32[256] negate(x)", header)[0] == 1


def test_renamed_values_share_memory():
    body = (
        " a = f32[256] negate(x)\n b = f32[16,16] reshape(a)\n t = (f32[16,16], f32[256]) tuple(b, x)\n"
        " g = f32[16,16] get-tuple-element(t), index=0\n ROOT c = f32[16,16] negate(g)"
    )
    assert peak(body) == (3, "c")


def test_a_part_is_changed_in_place_but_not_of_an_argument():
    change = "f32[256] dynamic-update-slice({}, u, z)"
    start = " z = s32[] constant(0)\n u = f32[0] constant({})\n"
    assert peak(f"{start} ROOT r = {change.format('x')}")[0] == 2
    assert peak(f"{start} a = f32[256] negate(x)\n ROOT r = {change.format('a')}")[0] == 2


def test_a_loop_holds_its_carry_and_what_its_body_makes():
    # GIVEN a loop that doubles a vector of 8, THEN the vector beside its double, the counter and its successor
    text = loop(
        "n = s32[] constant(9)\n ROOT q = pred[] compare(i, n), direction=LT",
        "one = s32[] constant(1)\n j = s32[] add(i, one)",
    )
    assert liveness_of(parse(text)).peak_bytes == 32 + 32 + 4


def test_a_call_holds_what_it_makes_inside():
    before = (
        "f { a = f32[256] parameter(0)\n b = f32[256] negate(a)\n c = f32[256] negate(b)\n ROOT d = f32[] reduce(c) }\n"
    )
    assert peak(" ROOT r = f32[] call(x), to_apply=f", before=before) == (3, "r")


def test_an_asynchronous_operation_holds_its_result_from_its_start():
    body = (
        " s = (f32[256], f32[256], u32[]) copy-start(x)\n a = f32[256] negate(x)\n d = f32[256] copy-done(s)\n"
        " ROOT r = f32[256] add(a, d)"
    )
    assert peak(body) == (4, "r")


def test_many_elements_of_one_tuple_take_no_time():
    shapes = ", ".join(["f32[1]"] * 3000)
    lines = [f" a{k} = f32[1] negate(y)" for k in range(3000)]
    lines.append(f" t = ({shapes}) tuple({', '.join(f'a{k}' for k in range(3000))})")
    lines += [f" g{k} = f32[1] get-tuple-element(t), index={k}" for k in range(3000)]
    text = "ENTRY e {\n y = f32[1] parameter(0)\n" + "\n".join(lines) + "\n ROOT r = f32[1] negate(g7)\n}\n"
    assert liveness_of(parse(text)).peak_bytes >= 4 * 3000


def test_what_breaks_the_rules_is_an_error():
    with pytest.raises(CostError, match="breaks the rules of HLO"):
        peak(" ROOT r = f32[256] get-tuple-element(x), index=q")


def test_near_to_what_xla_sets_aside():
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    def gradient(weights, x):
        return jax.grad(lambda w: (jnp.tanh(x @ w[0]) @ w[1]).sum())(weights)

    def scanned(x):
        return jax.lax.scan(lambda c, v: (c @ v, jnp.tanh(c)), x[0], x)[1]

    square = jnp.ones((300, 300))
    for function, arguments in (
        (gradient, ([jnp.ones((256, 512)), jnp.ones((512, 128))], jnp.ones((64, 256)))),
        (scanned, (jnp.ones((32, 64, 64)),)),
        (lambda x: jnp.exp(x) @ jnp.sin(x) @ x, (square,)),
    ):
        # GIVEN a scheduled program, and the memory that XLA's buffer assignment sets aside for it
        compiled = jax.jit(function).lower(*arguments).compile()
        set_aside = compiled.memory_analysis()
        theirs = sum(getattr(set_aside, f"{part}_size_in_bytes") for part in ("argument", "output", "temp"))
        ours = liveness_of(parse(compiled.runtime_executable().hlo_modules()[0].to_string()))
        # THEN
        assert ours.argument_bytes == set_aside.argument_size_in_bytes
        assert ours.peak_bytes == pytest.approx(theirs, rel=0.03)
