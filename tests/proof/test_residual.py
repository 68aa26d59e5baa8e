"""Where a proof stops, the first values that the other side does not compute are listed."""

from __future__ import annotations

import numpy as np

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.proof.prove import prove
from beatnote.proof.residual import MAX_FINDINGS, Finding, residual

from .executed import inputs_of, program

NEGATIVE = [np.array([-1, 2, -3, 4], np.float32)]


def findings(a: Module, b: Module, *, run: bool = True, failed: tuple[int, ...] = ()) -> tuple[Finding, ...]:
    samples = [inputs_of(a, seed) for seed in range(2)] if run else []
    return residual(prove(a, b), (a, b), samples, failed)


def between(parameters: str, a: str, b: str, *, run: bool = True) -> tuple[Finding, ...]:
    return findings(program(parameters, a), program(parameters, b), run=run)


def test_nothing_is_left_of_what_is_proven() -> None:
    assert between("x: f32[4], y: f32[4]", "r = f32[4] add(x, y)", "r = f32[4] add(y, x)") == ()


def test_another_formula_is_arithmetic() -> None:
    # GIVEN programs that part at p, before a tail that they share
    tail = "s = f32[4] exponential(p)\nr = f32[4] tanh(s)"
    (finding,) = between("x: f32[4], y: f32[4]", f"p = f32[4] add(x, y)\n{tail}", f"p = f32[4] subtract(x, y)\n{tail}")
    assert finding == Finding("p", "(x[i] + y[i])", "(x[i] − y[i])", "arithmetic")


def test_without_numbers_a_rule_may_be_missing() -> None:
    (finding,) = between("x: f32[4]", "r = f32[4] sine(x)", "r = f32[4] cosine(x)")
    assert finding == Finding("r", "sine(x[i])", "cosine(x[i])", "missing-rule")
    (unseen,) = between("x: f32[4]", "r = f32[4] add(x, x)", "r = f32[4] multiply(x, x)", run=False)
    assert unseen.kind == "missing-rule"


def test_numbers_that_agree_mean_that_a_rule_is_missing() -> None:
    # GIVEN max(x, y, z) from max(x, y) and from max(y, z), both of which both sides compute, and no rule for it
    body = """a = f32[4] maximum(x, y)
              b = f32[4] maximum(y, z)
              r = f32[4] maximum({})
              t = (f32[4], f32[4], f32[4]) tuple(a, b, r)"""
    (finding,) = between("x: f32[4], y: f32[4], z: f32[4]", body.format("a, z"), body.format("x, b"))
    assert (finding.where, finding.kind) == ("r", "missing-rule")


def test_a_proof_whose_condition_failed_is_conditional() -> None:
    a = program("x: f32[4]", "s = f32[4] sqrt(x)\nr = f32[4] multiply(s, s)")
    b = program("x: f32[4]", "r = f32[4] copy(x)")
    assert residual(prove(a, b), (a, b), [NEGATIVE], [0]) == (Finding("output 0", "x[i]", "x[i]", "conditional"),)


def test_a_place_goes_by_the_words_of_the_model() -> None:
    text = 'ENTRY main {{ \n x = f32[4] parameter(0)\n ROOT r = f32[4] {}(x), metadata={{op_name="net/{}"}}\n}}'
    (finding,) = findings(parse(text.format("negate", "first")), parse(text.format("copy", "second")))
    assert finding.where == "net/first"


def test_a_value_without_a_partner_of_its_type_stands_alone() -> None:
    found = between(
        "x: f32[4], i: s32[4]",
        "a = f32[4] tanh(x)\nr = (f32[4], s32[4]) tuple(a, i)",
        "b = s32[4] negate(i)\nr = (f32[4], s32[4]) tuple(x, b)",
    )
    assert [(finding.a, finding.b) for finding in found] == [("tanh(x[i])", "—"), ("—", "−i[i]")]


def test_what_repeats_is_one_finding_and_there_are_not_too_many() -> None:
    count = MAX_FINDINGS + 5
    parameters = ", ".join(f"x{k}: f32[{k + 1}]" for k in range(count))
    shape = ", ".join(f"f32[{k + 1}]" for k in range(count))
    bodies = ["".join(f"a{k} = f32[{k + 1}] {opcode}(x{k})\n" for k in range(count)) for opcode in ("sine", "cosine")]
    last = f"r = ({shape}) tuple({', '.join(f'a{k}' for k in range(count))})"
    assert len(between(parameters, bodies[0] + last, bodies[1] + last, run=False)) == MAX_FINDINGS
    twice = "{0} = f32[4] {1}(x)\nr = (f32[4], f32[4]) tuple({0}, {0})"
    assert len(between("x: f32[4]", twice.format("a", "sine"), twice.format("b", "cosine"))) == 1


def test_a_program_that_cannot_be_read_leaves_nothing_to_list() -> None:
    broken = program("x: f32[4]", "r = f32[4] call(x), to_apply=gone")
    assert findings(broken, program("x: f32[4]", "r = f32[4] negate(x)"), run=False) == ()
