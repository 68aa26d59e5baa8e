"""What looks different without mattering is counted by rule."""

from __future__ import annotations

import pytest

from beatnote.hlo.text import parse
from beatnote.proof.differences import RULES, count_rules, dead_scopes
from beatnote.proof.prove import prove

from .executed import program, translation

ONE_RULE = [
    ("dead-code", "x: f32[4]", "d = f32[4] sine(x)\nr = f32[4] negate(x)"),
    ("identity-reshape", "x: f32[4]", "r = f32[4] reshape(x)"),
    ("unit-dimension", "x: f32[4]", "r = f32[1,4,1] reshape(x)"),
    ("unit-dimension", "x: f32[4]", "r = f32[1,4] broadcast(x), dimensions={1}"),
    ("identity-transpose", "x: f32[2,3]", "r = f32[2,3] transpose(x), dimensions={0,1}"),
    ("identity-transpose", "x: f32[2,1,3]", "r = f32[1,2,3] transpose(x), dimensions={1,0,2}"),
    ("identity-convert", "x: f32[4]", "r = f32[4] convert(x)"),
    ("identity-broadcast", "x: f32[4]", "r = f32[4] broadcast(x), dimensions={0}"),
    ("copy", "x: f32[4]", "r = f32[4] copy(x)"),
    ("tuple-wrapping", "x: f32[4]", "r = (f32[4]) tuple(x)"),
    (
        "one-element-reduce",
        "x: f32[1,4]",
        "z = f32[] constant(0)\nr = f32[4] reduce(x, z), dimensions={0}, to_apply=sum_f32",
    ),
    ("power-of-one", "x: f32[]", "c = f32[] constant(1)\nr = f32[] power(x, c)"),
    ("multiply-by-one", "x: f32[]", "c = f32[] constant(1)\nr = f32[] multiply(c, x)"),
    ("multiply-by-one", "x: f32[]", "c = f32[] constant(1)\nr = f32[] divide(x, c)"),
    ("add-zero", "x: f32[]", "c = f32[] constant(0)\nr = f32[] add(c, x)"),
    ("add-zero", "x: f32[]", "c = f32[] constant(0)\nr = f32[] subtract(x, c)"),
    ("infinite-bound", "x: f32[]", "c = f32[] constant(-inf)\nr = f32[] maximum(c, x)"),
    ("infinite-bound", "x: f32[]", "c = f32[] constant(inf)\nr = f32[] minimum(x, c)"),
    ("constant-select", "x: f32[], y: f32[]", "c = pred[] constant(true)\nr = f32[] select(c, x, y)"),
    ("repeated-value", "x: f32[4]", "a = f32[4] sine(x)\nb = f32[4] sine(x)\nr = f32[4] multiply(a, b)"),
]


@pytest.mark.parametrize(("rule", "parameters", "body"), ONE_RULE)
def test_a_program_with_one_such_instruction_counts_one(rule: str, parameters: str, body: str) -> None:
    made = program(parameters, body)
    assert count_rules(made, translation(made)) == {rule: 1}


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("x: f32[6]", "r = f32[2,3] reshape(x)"),
        ("x: f32[3,3]", "r = f32[3,3] transpose(x), dimensions={1,0}"),
        ("x: f32[4]", "r = f32[2,4] broadcast(x), dimensions={1}"),
        ("x: f32[4]", "r = f64[4] convert(x)"),
        ("x: f32[2,4]", "z = f32[] constant(0)\nr = f32[4] reduce(x, z), dimensions={0}, to_apply=sum_f32"),
        ("x: f32[]", "c = f32[] constant(2)\nr = f32[] power(x, c)"),
        ("x: f32[]", "c = f32[] constant(1)\nr = f32[] divide(c, x)"),
        ("x: f32[]", "c = f32[] constant(0)\nr = f32[] subtract(c, x)"),
        ("x: f32[]", "c = f32[] constant(inf)\nr = f32[] maximum(c, x)"),
        ("p: pred[], x: f32[], y: f32[]", "r = f32[] select(p, x, y)"),
        ("x: f32[4], y: f32[4]", "a = f32[4] sine(x)\nb = f32[4] sine(y)\nr = f32[4] multiply(a, b)"),
    ],
)
def test_what_matters_is_not_counted(parameters: str, body: str) -> None:
    made = program(parameters, body)
    assert count_rules(made, translation(made)) == {}


def test_a_call_counts_and_so_does_what_is_in_it_once() -> None:
    made = program(
        "x: f32[4]",
        "a = f32[4] call(x), to_apply=f\nb = f32[4] cosine(a)\nr = f32[4] call(b), to_apply=f",
        "f {\n v = f32[4] parameter(0)\n c = f32[4] copy(v)\n ROOT s = f32[4] sine(c)\n}",
    )
    assert count_rules(made, translation(made)) == {"call-inlined": 2, "copy": 1}


@pytest.mark.parametrize(
    ("rule", "parameters", "a", "b"),
    [
        (
            "join-sums",
            "x: f32[3,4]",
            "z = f32[] constant(0)\na = f32[3] reduce(x, z), dimensions={1}, to_apply=sum_f32\n"
            "r = f32[] reduce(a, z), dimensions={0}, to_apply=sum_f32",
            "z = f32[] constant(0)\nr = f32[] reduce(x, z), dimensions={0,1}, to_apply=sum_f32",
        ),
        (
            "factor-out-of-sum",
            "x: f32[4], y: f32[]",
            "z = f32[] constant(0)\nb = f32[4] broadcast(y), dimensions={}\np = f32[4] multiply(x, b)\n"
            "r = f32[] reduce(p, z), dimensions={0}, to_apply=sum_f32",
            "z = f32[] constant(0)\ns = f32[] reduce(x, z), dimensions={0}, to_apply=sum_f32\nr = f32[] multiply(s, y)",
        ),
        (
            "exp-of-sum",
            "x: f32[], y: f32[]",
            "a = f32[] add(x, y)\nr = f32[] exponential(a)",
            "a = f32[] exponential(x)\nb = f32[] exponential(y)\nr = f32[] multiply(a, b)",
        ),
        ("log-of-product", "x: f32[]", "a = f32[] exponential(x)\nr = f32[] log(a)", "r = f32[] copy(x)"),
    ],
)
def test_steps_of_algebra_are_counted_by_the_proof(rule: str, parameters: str, a: str, b: str) -> None:
    found = prove(program(parameters, a), program(parameters, b))
    assert found.proven == (True,)
    assert found.attempt is not None
    assert found.attempt.rules[rule] > 0
    assert rule in RULES


def test_every_rule_says_why_it_does_not_matter() -> None:
    assert {rule for rule, _, _ in ONE_RULE} <= set(RULES)
    assert all(RULES.values())


def test_dead_code_is_named_in_the_words_of_the_model() -> None:
    made = parse(
        """ENTRY main {
          x = f32[4] parameter(0)
          unused = f32[4] parameter(1)
          c = f32[] constant(3)
          b = f32[4] broadcast(c), dimensions={}
          s = f32[4] sine(x), metadata={op_name="jit(f)/loss/Sum[axis=0]"}
          t = f32[4] cosine(s), metadata={op_name="jit(f)/loss/Sum"}
          u = f32[4] tanh(x)
          ROOT r = f32[4] negate(x), metadata={op_name="jit(f)/live"}
        }"""
    )
    assert dead_scopes(made) == ("Sum", "tanh")
    assert count_rules(made, translation(made)) == {"dead-code": 5}


def test_a_program_without_dead_code_names_none() -> None:
    assert dead_scopes(program("x: f32[4]", "r = f32[4] negate(x)")) == ()
