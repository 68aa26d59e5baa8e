"""Instructions of two programs that compute the same have the same number."""

from __future__ import annotations

from beatnote.proof.matching import matched, values_by_place
from beatnote.proof.prove import prove

from .executed import program, translation


def matches(parameters: str, a: str, b: str) -> set[tuple[str, str]]:
    """Pairs of instruction names that have the same number."""
    attempt = prove(program(parameters, a), program(parameters, b)).attempt
    assert attempt is not None
    left, right = matched(attempt)
    return {(x, y) for (_, x), n in left.items() for (_, y), m in right.items() if n == m}


def test_values_that_both_sides_compute_are_matched() -> None:
    found = matches(
        "x: f32[4], y: f32[4]",
        "s = f32[4] sine(x)\nt = f32[4] multiply(s, y)\nr = f32[4] cosine(t)",
        "u = f32[4] sine(x)\nv = f32[4] multiply(y, u)\nr = f32[4] tanh(v)",
    )
    assert found == {("x", "x"), ("y", "y"), ("s", "u"), ("t", "v")}


def test_order_of_dimensions_and_extents_of_1_do_not_count() -> None:
    found = matches(
        "x: f32[2,3]",
        "s = f32[2,3] sine(x)\nr = f32[2,3] cosine(s)",
        """t = f32[3,2] transpose(x), dimensions={1,0}
           u = f32[3,1,2] reshape(t)
           v = f32[3,1,2] sine(u)
           r = f32[3,1,2] tanh(v)""",
    )
    assert ("s", "v") in found
    assert ("x", "u") in found
    assert ("r", "r") not in found


def test_types_count() -> None:
    found = matches(
        "x: s8[2]", "a = s8[2] add(x, x)\nr = s32[2] convert(a)", "a = s32[2] convert(x)\nr = s32[2] add(a, a)"
    )
    assert found == {("x", "x")}


def test_dead_instructions_have_no_number() -> None:
    made = program("x: f32[4]", "d = f32[4] sine(x)\nr = f32[4] negate(x)")
    assert set(values_by_place(translation(made))) == {("main", "x"), ("main", "r")}


def test_tuples_have_no_number_but_their_elements_do() -> None:
    made = program("x: f32[4]", "t = (f32[4], f32[4]) tuple(x, x)\nr = f32[4] get-tuple-element(t), index=1")
    numbers = values_by_place(translation(made))
    assert set(numbers) == {("main", "x"), ("main", "r")}
    assert len(set(numbers.values())) == 1


def test_instructions_inside_calls_are_matched_too() -> None:
    made = program(
        "x: f32[4]",
        "r = f32[4] call(x), to_apply=f",
        "f {\n v = f32[4] parameter(0)\n ROOT s = f32[4] sine(v)\n}",
    )
    numbers = values_by_place(translation(made))
    assert numbers["f", "s"] == numbers["main", "r"]
    assert numbers["f", "v"] == numbers["main", "x"]
