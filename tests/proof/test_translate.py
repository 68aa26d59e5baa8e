"""Programs become terms: what is live, what has effects, what equals nothing else."""

from __future__ import annotations

import pytest

from beatnote.hlo.text import parse
from beatnote.proof import translate
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Ledger, Licences
from beatnote.proof.prove import prove
from beatnote.proof.terms import Table
from beatnote.proof.translate import Translation, effectful_computations, has_effect, is_random, live_names
from beatnote.proof.value import Untranslatable

from .executed import program, translation


def pair(parameters: str, a: str, b: str) -> tuple[Translation, Translation]:
    """Two programs as the two sides of one comparison."""
    table, made = Table(), (program(parameters, a), program(parameters, b))
    numbers = tuple(range(len(made[0].entry.parameters)))
    first, second = (
        Translation(Functions(table, Ledger(Licences())), m, numbers, side) for m, side in zip(made, "ab", strict=True)
    )
    return first, second


def polys(found: Translation) -> list[object]:
    return [output.poly for output in found.outputs]


def test_dead_code_is_not_read() -> None:
    found = translation(
        program("x: f32[4]", "d = f32[9] never-heard-of(x)\ne = f32[4] call(d), to_apply=gone\nr = f32[4] negate(x)")
    )
    assert set(found.values) == {("main", "x"), ("main", "r")}


def test_liveness_follows_operands() -> None:
    made = program(
        "x: f32[4], y: f32[4]", "a = f32[4] negate(y)\nb = f32[4] negate(x)\nc = f32[4] negate(b)\nr = f32[4] negate(b)"
    )
    assert live_names(made.entry) == {"x", "b", "r"}


def test_what_has_an_effect_is_live_and_named() -> None:
    text = 'e = f32[4] custom-call(x), custom_call_target="f", custom_call_has_side_effect=true\nr = f32[4] negate(x)'
    found = translation(program("x: f32[4]", text))
    assert found.effects == ["e"]
    assert ("main", "e") in found.values


def test_what_calls_something_with_an_effect_is_live() -> None:
    made = parse(
        """send {
          x = f32[4] parameter(0)
          k = token[] after-all()
          ROOT o = token[] outfeed(x, k)
        }
        outer {
          x = f32[4] parameter(0)
          ROOT c = token[] call(x), to_apply=send
        }
        ENTRY main {
          x = f32[4] parameter(0)
          d = token[] call(x), to_apply=outer
          ROOT r = f32[4] negate(x)
        }"""
    )
    assert effectful_computations(made) == {"send", "outer", "main"}
    assert translation(made).effects == ["o"]


@pytest.mark.parametrize(
    ("instruction", "effect", "random"),
    [
        ("r = f32[4] rng(x, x), distribution=rng_uniform", False, True),
        ("r = u64[] rng-get-and-update-state(), delta=1", False, True),
        ('r = f32[4] custom-call(x), custom_call_target="xla_python_cpu_callback"', False, True),
        ('r = f32[4] custom-call(x), custom_call_target="topk"', False, False),
        ('r = f32[4] custom-call(x), custom_call_target="f", custom_call_has_side_effect=true', True, False),
        ("r = f32[4] negate(x)", False, False),
        ("r = (f32[4], token[]) infeed(x)", True, False),
    ],
)
def test_what_has_effects_and_what_is_random(instruction: str, effect: bool, random: bool) -> None:
    root = program("x: f32[4]", instruction).entry.root_instruction
    assert (has_effect(root), is_random(root)) == (effect, random)


RNG = "l = f32[] constant(0)\nh = f32[] constant(1)\n{0} = f32[4] rng(l, h), distribution=rng_uniform\n"


def test_random_numbers_equal_no_others_on_either_side() -> None:
    body = RNG.format("u") + "r = f32[4] add(x, u)"
    a, b = pair("x: f32[4]", body, body)
    assert a.random == ["u"]
    assert polys(a) != polys(b)
    twice = translation(
        program("x: f32[4]", RNG.format("u") + RNG.format("v").splitlines()[2] + "\nr = f32[4] subtract(u, v)")
    )
    assert polys(twice) != [()]


def test_random_numbers_drawn_once_are_themselves() -> None:
    found = translation(program("x: f32[4]", RNG.format("u") + "r = f32[4] subtract(u, u)"))
    assert polys(found) == [()]


def test_a_callback_called_in_a_loop_makes_the_loop_equal_nothing() -> None:
    text = """step {
      s = f32[4] parameter(0)
      ROOT c = f32[4] custom-call(s), custom_call_target="xla_python_cpu_callback"
    }
    test {
      s = f32[4] parameter(0)
      ROOT t = pred[] constant(false)
    }
    ENTRY main {
      x = f32[4] parameter(0)
      ROOT w = f32[4] while(x), condition=test, body=step
    }"""
    found = prove(parse(text), parse(text.replace("ROOT w", "ROOT loop")))
    assert found.proven == (False,)


def test_an_elided_constant_equals_only_itself() -> None:
    body = "c = f32[4] constant({...})\nd = f32[4] constant({...})\n"
    a, b = pair("x: f32[4]", body + "r = f32[4] add(x, c)", body + "r = f32[4] add(x, c)")
    assert a.elided == ["c"]
    assert polys(a) != polys(b)
    assert polys(translation(program("x: f32[4]", body + "r = f32[4] subtract(c, d)"))) != [()]
    assert polys(translation(program("x: f32[4]", body + "r = f32[4] subtract(c, c)"))) == [()]


def test_support_is_what_the_program_computes_from() -> None:
    found = translation(program("x: f32[4], y: f32[4], z: f32[4]", "d = f32[4] subtract(y, y)\nr = f32[4] add(x, d)"))
    assert found.outputs[0].support == 0b011  # y, although it cancels; not z


def test_parameters_go_by_the_numbers_given_to_them() -> None:
    table = Table()
    texts = ("r = f32[4] subtract(x, y)", "r = f32[4] subtract(y, x)")
    first, second = (
        Translation(Functions(table, Ledger(Licences())), program("x: f32[4], y: f32[4]", text), numbers, "a")
        for text, numbers in zip(texts, ((0, 1), (1, 0)), strict=True)
    )
    assert polys(first) == polys(second)


@pytest.mark.parametrize("devices", ["replica_count=2", "num_partitions=2"])
def test_what_depends_on_the_number_of_devices_says_so(devices: str) -> None:
    table = Table()
    text = "HloModule m, {}\nENTRY main {{\n ROOT r = u32[] {}()\n}}"
    for opcode in ("replica-id", "partition-id"):
        one, two, again = (
            translation(parse(text.format(header, opcode)), table=table) for header in ("is_x=1", devices, devices)
        )
        assert polys(one) != polys(two)
        assert polys(two) == polys(again)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "f {\n v = f32[] parameter(0)\n ROOT r = f32[] call(v), to_apply=f\n}\n"
            "ENTRY main {\n x = f32[] parameter(0)\n ROOT r = f32[] call(x), to_apply=f\n}",
            "computation 'f' calls itself",
        ),
        (
            "ENTRY main {\n x = f32[4] parameter(0)\n ROOT r = f32[5] reverse(x), dimensions={}\n}",
            "should yield f32[5], yields f32[4]",
        ),
        (
            "ENTRY main {\n x = f32[4] parameter(0)\n ROOT r = f64[4] reverse(x), dimensions={}\n}",
            "should yield f64[4], yields f32[4]",
        ),
    ],
)
def test_what_is_no_program_is_refused(text: str, words: str) -> None:
    with pytest.raises(Untranslatable) as error:
        translation(parse(text))
    assert words in str(error.value)


def test_too_many_instructions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate, "MAX_INSTRUCTIONS", 3)
    translation(program("x: f32[4]", "a = f32[4] negate(x)\nr = f32[4] sine(a)"))
    with pytest.raises(Untranslatable, match="more than 3 instructions after inlining"):
        translation(program("x: f32[4]", "a = f32[4] negate(x)\nb = f32[4] sine(a)\nr = f32[4] sine(b)"))


def test_a_value_inlined_more_than_once_is_that_of_the_first_call() -> None:
    found = translation(
        program(
            "x: f32[4], y: f32[4]",
            "a = f32[4] call(x), to_apply=f\nb = f32[4] call(y), to_apply=f\nr = f32[4] add(a, b)",
            "f {\n v = f32[4] parameter(0)\n ROOT s = f32[4] sine(v)\n}",
        )
    )
    assert found.values["f", "s"] == found.values["main", "a"]
    assert found.values["f", "s"] != found.values["main", "b"]


def test_guards_inside_a_loop_are_not_asked_of_the_inputs() -> None:
    text = """step {{
      s = f32[4] parameter(0)
      n = f32[] constant(nan)
      z = f32[] constant(0)
      nans = f32[4] broadcast(n), dimensions={{}}
      zeros = f32[4] broadcast(z), dimensions={{}}
      p = pred[4] compare(s, zeros), direction=GT
      ROOT r = f32[4] select(p, s, nans)
    }}
    test {{
      s = f32[4] parameter(0)
      ROOT t = pred[] constant(false)
    }}
    ENTRY main {{
      x = f32[4] parameter(0)
      ROOT r = f32[4] {}
    }}"""
    inlined = translation(parse(text.format("call(x), to_apply=step")))
    looped = translation(parse(text.format("while(x), condition=test, body=step")))
    assert len(inlined.k.ledger.guards) == 1
    assert looped.k.ledger.guards == set()
