"""Proofs use as few licences as will do, output by output, and say what they took for granted."""

from __future__ import annotations

from time import monotonic

import pytest

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.proof.notation import Notation
from beatnote.proof.parameters import ParameterMismatch
from beatnote.proof.prove import Proof, prove

from .texts import module

GUARD = """c = s32[] constant(3)
           limit = s32[4] broadcast(c), dimensions={}
           ok = pred[4] compare(i, limit), direction=LE
           n = f32[] constant(nan)
           nans = f32[4] broadcast(n), dimensions={}
           guarded = f32[4] select(ok, x, nans)
        """


def proof(parameters: str, a: str, b: str) -> Proof:
    return prove(module(parameters, a), module(parameters, b))


def claims(found: Proof, output: int = 0) -> list[str]:
    notation = Notation(found.table, found.names)
    return sorted(notation.claim(claim) for claim in found.claims[output])


@pytest.mark.parametrize(
    ("a", "b", "classes"),
    [
        ("r = f32[4] add(x, y)", "r = f32[4] add(y, x)", ()),
        ("a = f32[4] add(x, y)\nr = f32[4] add(a, z)", "a = f32[4] add(y, z)\nr = f32[4] add(x, a)", ("reordering",)),
        (
            "a = f32[4] multiply(x, y)\nb = f32[4] multiply(z, y)\nr = f32[4] add(a, b)",
            "a = f32[4] add(x, z)\nr = f32[4] multiply(a, y)",
            ("reordering",),
        ),
        (
            "a = f32[4] multiply(x, y)\nb = f32[4] multiply(z, y)\nr = f32[4] subtract(a, b)",
            "a = f32[4] subtract(x, z)\nr = f32[4] multiply(a, y)",
            ("reordering", "stability"),
        ),
        ("a = f32[4] exponential(x)\nr = f32[4] log(a)", "r = f32[4] copy(x)", ("stability",)),
        ("a = bf16[4] convert(x)\nr = f32[4] convert(a)", "r = f32[4] copy(x)", ("precision",)),
    ],
)
def test_no_class_is_used_that_is_not_needed(a: str, b: str, classes: tuple[str, ...]) -> None:
    found = proof("x: f32[4], y: f32[4], z: f32[4]", a, b)
    assert found.proven == (True,)
    assert found.classes == classes


def test_another_function_is_not_proven() -> None:
    found = proof("x: f32[4], y: f32[4]", "r = f32[4] subtract(x, y)", "r = f32[4] subtract(y, x)")
    assert found.proven == (False,)
    assert found.claims == (frozenset(),)
    assert found.attempt is not None
    assert found.reason == ""


def test_a_guard_is_claimed_only_where_one_side_lacks_it() -> None:
    parameters = "x: f32[4], i: s32[4]"
    guarded, plain = GUARD + "r = f32[4] negate(guarded)", "r = f32[4] negate(x)"
    assert claims(proof(parameters, guarded, plain)) == ["i[i] ≤ 3"]
    assert claims(proof(parameters, guarded, guarded.replace("negate", "negate"))) == []


def test_a_domain_is_claimed_only_where_one_side_lacks_it() -> None:
    parameters = "x: f32[4], y: f32[4], z: f32[4]"
    quotient = "r = f32[4] divide(x, y)"
    times = "p = f32[4] multiply(x, z)\nq = f32[4] multiply(y, z)\nr = f32[4] divide(p, q)"
    found = proof(parameters, quotient, times)
    assert claims(found) == ["every element of z is finite", "z[i] ≠ 0"]
    assert claims(proof(parameters, quotient, "r = f32[4] divide(x, y), metadata={}")) == []


def test_each_output_has_the_claims_that_it_needs() -> None:
    # GIVEN three outputs: one guarded, one with a root, one with neither
    parameters = "x: f32[4], i: s32[4], y: f32[4]"
    a = (
        GUARD
        + """s = f32[4] sqrt(y)
                   q = f32[4] multiply(s, s)
                   r = (f32[4], f32[4], f32[4]) tuple(guarded, q, x)"""
    )
    found = proof(parameters, a, "r = (f32[4], f32[4], f32[4]) tuple(x, y, x)")
    assert found.proven == (True, True, True)
    assert [claims(found, k) for k in range(3)] == [["i[i] ≤ 3"], ["y[i] ≥ 0"], []]


def test_outputs_are_proven_one_by_one() -> None:
    shape = "r = (f32[4], f32[4]) tuple"
    found = proof(
        "x: f32[4], y: f32[4]", f"n = f32[4] negate(x)\n{shape}(n, x)", f"n = f32[4] negate(x)\n{shape}(n, y)"
    )
    assert found.proven == (True, False)


def test_no_claim_contradicts_another() -> None:
    contrary = GUARD.replace("direction=LE", "direction=GT")
    found = proof("x: f32[4], i: s32[4]", GUARD + "r = f32[4] copy(guarded)", contrary + "r = f32[4] copy(guarded)")
    assert found.proven == (False,)


def nested(depth: int) -> Module:
    """A program of 2^depth calls."""
    text = "c0 {\n x = f32[4] parameter(0)\n ROOT r = f32[4] sine(x)\n}\n"
    for k in range(depth):
        text += f"c{k + 1} {{\n x = f32[4] parameter(0)\n a = f32[4] call(x), to_apply=c{k}\n"
        text += f" ROOT b = f32[4] call(a), to_apply=c{k}\n}}\n"
    return parse(text + f"ENTRY main {{\n x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=c{depth}\n}}")


def test_when_time_is_up_there_is_a_reason_and_no_proof() -> None:
    started = monotonic()
    found = prove(nested(14), nested(13), limit_s=0.2)
    assert monotonic() - started < 5
    assert found.proven == ()
    assert found.attempt is None
    assert found.reason == "no proof within the time given"


def test_a_program_that_inlines_to_too_much_is_refused() -> None:
    found = prove(nested(40), nested(41), limit_s=1)
    assert found.proven == ()
    assert found.reason


def test_many_parameters_alike_are_not_all_tried() -> None:
    # GIVEN programs that differ, with more pairings than anyone can list
    parameters = ", ".join(f"p{k}: f32[2]" for k in range(14))
    total = "".join(f"\ns{k} = f32[2] add(s{k - 1}, p{k})" for k in range(1, 14))
    body = "s0 = f32[2] {}(p0)" + total
    started = monotonic()
    found = proof(parameters, body.format("sine"), body.format("cosine"))
    assert found.proven == (False,)
    assert monotonic() - started < 20


@pytest.mark.parametrize(
    ("parameters", "instruction"),
    [
        ("x: f32[4]", "r = f32[5] copy(x)"),
        ("x: f32[4]", "r = f32[4] get-tuple-element(x), index=0"),
        ("x: f32[4]", "r = f32[4] transpose(x)"),
        ("x: f32[4]", "r = f32[4] call(x), to_apply=gone"),
        ("x: f32[4], y: f32[5]", "r = f32[4] add(x, y)"),
    ],
)
def test_what_is_no_program_has_a_reason_in_one_line(parameters: str, instruction: str) -> None:
    found = proof(parameters, instruction, "r = f32[4] negate(x)")
    assert found.proven == ()
    assert "'r'" in found.reason or "'gone'" in found.reason
    assert "\n" not in found.reason


def test_identical_programs_are_so_whatever_can_be_proven() -> None:
    rng = "l = f32[] constant(0)\nh = f32[] constant(1)\nr = f32[4] rng(l, h), distribution=rng_uniform"
    found = proof("x: f32[4]", rng, rng)
    assert found.identical
    assert found.proven == (False,)


def test_programs_that_are_identical_but_for_their_pairing_are_not() -> None:
    a = module("x: f32[4], y: f32[4]", "r = f32[4] subtract(x, y)")
    b = module("y: f32[4], x: f32[4]", "r = f32[4] subtract(y, x)")
    found = prove(a, b)
    assert found.pairing == (1, 0)
    assert not found.identical
    assert found.proven == (False,)


def test_another_pairing_is_only_suggested() -> None:
    # GIVEN x − y, and u − v whose parameters come in another order
    a = module("x: f32[4], y: f32[4]", "r = f32[4] subtract(x, y)")
    b = module("v: f32[4], u: f32[4]", "r = f32[4] subtract(u, v)")
    found = prove(a, b)
    assert found.proven == (False,)
    assert found.pairing == (0, 1)
    assert found.suggestion == (1, 0)
    # THEN it is taken when it may be searched for, or is said
    for accepted in (prove(a, b, search=True), prove(a, b, names={"x": "u", "y": "v"})):
        assert accepted.proven == (True,)
        assert accepted.pairing == (1, 0)
        assert accepted.suggestion is None


def test_where_shapes_forbid_positions_pairs_are_found_by_what_is_done_with_them() -> None:
    a = module(
        "x: f32[4], k: s32[4], y: f32[4]", "c = f32[4] convert(k)\nd = f32[4] subtract(x, y)\nr = f32[4] add(c, d)"
    )
    b = module(
        "i: s32[4], v: f32[4], u: f32[4]", "c = f32[4] convert(i)\nd = f32[4] subtract(u, v)\nr = f32[4] add(c, d)"
    )
    found = prove(a, b)
    assert found.proven == (True,)
    assert found.pairing == (1, 2, 0)


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (
            ("x: f32[4]", "r = f32[4] negate(x)"),
            ("x: f32[5]", "r = f32[5] negate(x)"),
            "the programs' parameters cannot be paired: A takes (x: f32[4]) and B takes (x: f32[5])",
        ),
        (
            ("x: f32[4]", "r = f32[4] negate(x)"),
            ("x: f32[4], y: f32[4]", "r = f32[4] add(x, y)"),
            "the programs' parameters cannot be paired: A takes (x: f32[4]) and B takes (x: f32[4], y: f32[4])",
        ),
        (
            ("x: f32[4]", "r = f32[4] negate(x)"),
            ("x: f32[4]", "r = (f32[4], f32[4]) tuple(x, x)"),
            "the programs cannot be compared: A yields 1 arrays and B 2",
        ),
    ],
)
def test_programs_that_cannot_be_compared_are_refused_in_one_line(
    a: tuple[str, str], b: tuple[str, str], text: str
) -> None:
    with pytest.raises(ParameterMismatch) as error:
        prove(module(*a), module(*b))
    assert str(error.value) == text


def test_a_parameter_that_nothing_depends_on_needs_no_partner() -> None:
    found = prove(module("x: f32[4]", "r = f32[4] negate(x)"), module("x: f32[4], seed: u32[]", "r = f32[4] negate(x)"))
    assert found.proven == (True,)
    assert found.pairing == (0, None)
    assert found.names == {0: "x", 2: "seed"}


def test_a_program_that_does_more_than_yield_its_outputs_proves_nothing() -> None:
    body = """s = f32[4] custom-call(x), custom_call_target="f", custom_call_has_side_effect=true
              r = f32[4] {}(x)"""
    found = proof("x: f32[4]", body.format("negate"), body.format("negate") + ", metadata={}")
    assert found.proven == (False,)
