"""Terms are written in index notation."""

from __future__ import annotations

import pytest

from beatnote.proof.index import add, constant, divide, scale, variable
from beatnote.proof.licences import Claim, Licences
from beatnote.proof.notation import MAX_LENGTH, Notation, index_text

from .executed import program, translation

EVERYTHING = Licences(reordering=True, stability=True, precision=True)


def written(parameters: str, body: str, licences: Licences = EVERYTHING) -> str:
    found = translation(program(parameters, body), licences)
    names = {k: part.split(":")[0].strip() for k, part in enumerate(parameters.split(", "))}
    return Notation(found.k.table, names).poly(found.outputs[0].poly)


SUM = "z = f32[] constant(0)\nr = f32[] reduce({}, z), dimensions={{0}}, to_apply=sum_f32"


@pytest.mark.parametrize(
    ("parameters", "body", "text"),
    [
        ("x: f32[]", "r = f32[] copy(x)", "x"),
        ("x: f32[4]", "r = f32[4] copy(x)", "x[i]"),
        ("x: f32[4]", "r = f32[4] negate(x)", "−x[i]"),
        ("x: f32[4], y: f32[4]", "r = f32[4] subtract(x, y)", "x[i] − y[i]"),
        ("x: f32[4], y: f32[4]", "r = f32[4] divide(x, y)", "x[i]/y[i]"),
        ("x: f32[4]", "c = f32[4] constant({2, 2, 2, 2})\nr = f32[4] multiply(x, c)", "2·x[i]"),
        ("x: f32[4]", "r = f32[4] multiply(x, x)", "x[i]^2"),
        ("x: f32[4]", "r = f32[4] sqrt(x)", "sqrt(x[i])"),
        ("x: f32[4]", "e = f32[4] sqrt(x)\no = f32[4] constant({1, 1, 1, 1})\nr = f32[4] divide(o, e)", "1/sqrt(x[i])"),
        (
            "x: f32[4], y: f32[4]",
            "a = f32[4] multiply(x, y)\no = f32[4] constant({1, 1, 1, 1})\nr = f32[4] divide(o, a)",
            "1/(x[i]·y[i])",
        ),
        ("x: f32[4]", "r = f32[4] exponential(x)", "exp(x[i])"),
        ("x: f32[4]", "r = f32[4] sine(x)", "sine(x[i])"),
        ("x: f32[4]", "c = f32[4] constant({0, 0, 0, 0})\nr = f32[4] copy(c)", "0"),
        ("x: f32[2,3]", "r = f32[3,2] transpose(x), dimensions={1,0}", "x[j, i]"),
        ("x: f32[9]", "r = f32[3] slice(x), slice={[1:9:3]}", "x[3·i+1]"),
        ("x: f32[3]", "r = f32[3] reverse(x), dimensions={0}", "x[−i+2]"),
        ("x: f32[6]", "r = f32[2,3] reshape(x)", "x[3·i+j]"),
        ("x: f32[4]", SUM.format("x"), "Σi x[i]"),
        (
            "x: f32[2,3], y: f32[3]",
            "r = f32[2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
            "Σj x[i, j]·y[j]",
        ),
        (
            "x: f32[2,3]",
            "n = f32[] constant(-inf)\nr = f32[2] reduce(x, n), dimensions={1}, to_apply=max_f32",
            "max_j(x[i, j])",
        ),
        (
            "p: pred[3]",
            "t = pred[] constant(true)\nr = pred[] reduce(p, t), dimensions={0}, to_apply=and_pred",
            "all_i(p[i])",
        ),
        ("x: f32[4], y: f32[4]", "r = pred[4] compare(x, y), direction=GT", "[x[i] − y[i] > 0]"),
        ("i: s32[4]", "c = s32[4] constant({2, 2, 2, 2})\nr = pred[4] compare(i, c), direction=GT", "[i[i] ≥ 3]"),
    ],
)
def test_terms_are_written_in_index_notation(parameters: str, body: str, text: str) -> None:
    assert written(parameters, body) == text


def test_a_sum_kept_whole_stands_in_parentheses() -> None:
    text = written("x: f32[], y: f32[], z: f32[]", "a = f32[] add(x, y)\nr = f32[] multiply(a, z)", Licences())
    assert text == "(z·(x + y))"


def test_a_parameter_without_a_name_goes_by_its_number() -> None:
    found = translation(program("x: f32[4]", "r = f32[4] copy(x)"))
    assert Notation(found.k.table).poly(found.outputs[0].poly) == "parameter 0[i]"


def test_what_is_too_long_ends_in_an_ellipsis() -> None:
    many = ", ".join(f"a_long_name_{k}: f32[]" for k in range(60))
    text = written(
        many,
        "s0 = f32[] copy(a_long_name_0)"
        + "".join(f"\ns{k} = f32[] add(s{k - 1}, a_long_name_{k})" for k in range(1, 60)),
    )
    assert len(text) == MAX_LENGTH
    assert text.endswith("…")


def test_bound_letters_are_not_those_of_the_outside() -> None:
    text = written(
        "x: f32[2,3], y: f32[4]",
        "z = f32[] constant(0)\n"
        "s = f32[2] reduce(x, z), dimensions={1}, to_apply=sum_f32\n"
        "b = f32[2,4] broadcast(s), dimensions={0}\n"
        "c = f32[2,4] broadcast(y), dimensions={1}\nr = f32[2,4] multiply(b, c)",
    )
    assert sorted(text.split("·")) == ["y[j]", "Σk x[i, k]"]


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (constant(0), "0"),
        (constant(-3), "−3"),
        (variable(0, 5), "i"),
        (add(scale(variable(0, 5), 4), variable(1, 4), constant(1)), "4·i+j+1"),
        (add(scale(variable(0, 5), -1), constant(4)), "−i+4"),
        (add(variable(0, 5), constant(-1)), "i−1"),
        (divide(variable(0, 12), 4)[0], "i//4"),
    ],
)
def test_indices_are_written_as_arithmetic(index: tuple, text: str) -> None:
    assert index_text(index, {0: "i", 1: "j"}) == text


def test_a_finite_parameter_is_called_by_its_name() -> None:
    found = translation(program("x: f32[4]", "r = f32[4] copy(x)"))
    assert Notation(found.k.table, {0: "kernel"}).claim(Claim("finite", 0)) == "every element of kernel is finite"


@pytest.mark.parametrize(
    ("parameters", "test", "holds", "fails"),
    [
        ("x: f32[4], y: f32[4]", "r = pred[4] compare(x, y), direction=GT", "x[i] − y[i] > 0", "x[i] − y[i] ≤ 0"),
        ("x: f32[4], y: f32[4]", "r = pred[4] compare(x, y), direction=EQ", "x[i] − y[i] = 0", "x[i] − y[i] ≠ 0"),
        ("x: f32[4]", "r = pred[4] compare(x, x), direction=NE", "x[i] is not a number", "x[i] is a number"),
        ("i: s32[4], k: s32[4]", "r = pred[4] compare(i, k), direction=GT", "i[i] > k[i]", "i[i] ≤ k[i]"),
        ("i: s32[]", "c = s32[] constant(-5)\nr = pred[] compare(i, c), direction=GT", "i ≥ −4", "i ≤ −5"),
    ],
)
def test_tests_are_written_as_they_hold_or_fail(parameters: str, test: str, holds: str, fails: str) -> None:
    found = translation(program(parameters, test))
    names = {k: part.split(":")[0].strip() for k, part in enumerate(parameters.split(", "))}
    notation = Notation(found.k.table, names)
    atom = next(a for m, _ in found.outputs[0].poly for a, _ in m)
    number = found.k.table.atoms[atom].number
    assert notation.claim(Claim("true", number)) == holds
    assert notation.claim(Claim("false", number)) == fails
