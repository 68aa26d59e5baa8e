"""Which parameter of one program is taken for which of the other."""

from __future__ import annotations

import pytest

from beatnote.hlo.shape_text import parse_shape
from beatnote.hlo.shapes import ArrayShape
from beatnote.hlo.text import parse
from beatnote.proof.licences import Licences
from beatnote.proof.parameters import (
    MAX_CANDIDATES,
    Parameter,
    ParameterMismatch,
    candidates,
    colours_of,
    forced_pairs,
    parameters_of,
    positional,
    preferred,
)

from .executed import program, translation


def parameters(text: str) -> tuple[Parameter, ...]:
    """Make parameters of `x:f32[3] i:s32[]`."""
    found: list[Parameter] = []
    for part in text.split():
        name, _, shape_text = part.partition(":")
        shape = parse_shape(shape_text)
        assert isinstance(shape, ArrayShape)
        found.append(Parameter(name, shape))
    return tuple(found)


def names(lines: str) -> list[str]:
    made = parse(f"ENTRY main {{\n{lines}\n z = f32[] constant(0)\n ROOT r = f32[] copy(z)\n}}")
    return [parameter.name for parameter in parameters_of(made)]


def test_parameters_go_by_the_name_the_user_gave_them() -> None:
    assert names(
        """ p.1 = f32[4] parameter(0), metadata={op_name="kernel"}
            q.2 = f32[4] parameter(1), metadata={op_name="params['bias']"}
            x.3 = f32[4] parameter(2)"""
    ) == ["kernel", "q", "x"]


def test_a_name_that_two_parameters_have_is_no_name() -> None:
    assert names(
        """ arg.1 = f32[4] parameter(0), metadata={op_name="w"}
            arg.2 = f32[4] parameter(1), metadata={op_name="w"}"""
    ) == ["arg.1", "arg.2"]


def test_the_arrays_of_a_tuple_are_numbered() -> None:
    assert names(" t = (f32[4], (s32[], f32[])) parameter(0)\n u = (f32[2]) parameter(1)") == ["t.0", "t.1", "t.2", "u"]


@pytest.mark.parametrize(
    ("a", "b", "pairing"),
    [
        ("x:f32[2] y:f32[2]", "x:f32[2] y:f32[2]", (0, 1)),
        ("x:f32[2] y:f32[2]", "y:f32[2] x:f32[2]", (1, 0)),
        ("x:f32[2] y:f32[2]", "u:f32[2] v:f32[2]", (0, 1)),
        ("x:f32[2] y:f32[2]", "y:f32[2] z:f32[2]", (0, 1)),  # not all names are the same: by position
        ("x:f32[2] y:f32[3]", "y:f32[2] x:f32[3]", (0, 1)),  # names that the shapes forbid
        ("x:f32[2] y:f32[3]", "u:f32[3] v:f32[2]", None),
        ("x:f32[2]", "x:s32[2]", None),
        ("x:f32[2] y:f32[2]", "x:f32[2]", (0,)),
        ("x:f32[2]", "x:f32[2] y:f32[2]", (0, None)),
        ("", "", ()),
    ],
)
def test_parameters_are_paired_by_the_same_names_else_by_position(
    a: str, b: str, pairing: tuple[int | None, ...] | None
) -> None:
    assert preferred(parameters(a), parameters(b), {}) == pairing


def test_a_forced_pair_moves_the_others_up() -> None:
    a, b = parameters("x:f32[2] y:f32[2] z:f32[2]"), parameters("u:f32[2] v:f32[2] w:f32[2]")
    assert positional(a, b, {0: 2}) == (2, 0, 1)
    assert preferred(a, b, {1: 0}) == (1, 0, 2)


def test_a_forced_pair_outranks_names() -> None:
    a, b = parameters("x:f32[2] y:f32[2]"), parameters("x:f32[2] y:f32[2]")
    assert preferred(a, b, {1: 0, 0: 1}) == (1, 0)


@pytest.mark.parametrize(
    ("asked", "forced"),
    [
        ({"x": "u"}, {0: 0}),
        ({"x": "v", "y": "u"}, {1: 0, 0: 1}),
        ({"1": "0"}, {0: 1}),
        ({"x": "u", "0": "0"}, {0: 0}),
        ({}, {}),
    ],
)
def test_pairs_are_asked_for_by_name_or_number(asked: dict[str, str], forced: dict[int, int]) -> None:
    assert forced_pairs(parameters("x:f32[2] y:f32[2]"), parameters("u:f32[2] v:f32[2]"), asked) == forced


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"q": "u"}, "A has no parameter 'q'; it has x, y, n"),
        ({"x": "7"}, "B has no parameter '7'; it has u, v, m"),
        ({"x": "-1"}, "B has no parameter '-1'; it has u, v, m"),
        ({"x": "m"}, "cannot map x=m: f32[2] is not s32[2]"),
        ({"x": "u", "y": "u"}, "cannot map y=u: one of the two is mapped to another already"),
        ({"x": "u", "0": "v"}, "cannot map 0=v: one of the two is mapped to another already"),
    ],
)
def test_what_cannot_be_paired_is_said_in_one_line(asked: dict[str, str], text: str) -> None:
    with pytest.raises(ParameterMismatch) as error:
        forced_pairs(parameters("x:f32[2] y:f32[2] n:s32[2]"), parameters("u:f32[2] v:f32[2] m:s32[2]"), asked)
    assert str(error.value) == text


def test_candidates_pair_equal_shapes_only_and_each_once() -> None:
    a, b = parameters("x:f32[2] y:f32[2] n:s32[]"), parameters("m:s32[] u:f32[2] v:f32[2]")
    assert list(candidates(a, b, {})) == [(2, 0, 1), (2, 1, 0)]


def test_the_position_is_the_likeliest_candidate_and_the_name_the_next() -> None:
    a, b = parameters("x:f32[2] y:f32[2] z:f32[2]"), parameters("z:f32[2] y:f32[2] x:f32[2]")
    found = list(candidates(a, b, {}))
    assert found[:2] == [(0, 1, 2), (2, 1, 0)]
    assert len(found) == len(set(found)) == 6


def test_candidates_keep_what_is_forced() -> None:
    a, b = parameters("x:f32[2] y:f32[2] z:f32[2]"), parameters("u:f32[2] v:f32[2] w:f32[2]")
    found = list(candidates(a, b, {1: 2}))
    assert sorted(found) == [(0, 2, 1), (1, 2, 0)]


def test_there_are_not_too_many_candidates() -> None:
    many = parameters(" ".join(f"x{k}:f32[2]" for k in range(12)))
    assert len(list(candidates(many, many, {}))) <= MAX_CANDIDATES


def test_parameters_of_which_none_fit_have_no_pairs() -> None:
    assert list(candidates(parameters("x:f32[2]"), parameters("y:f32[3]"), {})) == [(None,)]


def test_colours_are_what_is_done_with_a_parameter_whatever_its_place() -> None:
    # GIVEN x·exp(y) and the same with its parameters swapped
    a = program("x: f32[4], y: f32[4]", "e = f32[4] exponential(y)\nr = f32[4] multiply(x, e)")
    b = program("y: f32[4], x: f32[4]", "e = f32[4] exponential(y)\nr = f32[4] multiply(x, e)")
    colours: list[list[int]] = []
    for made in (a, b):
        found = translation(made, Licences(reordering=True))
        colours.append(colours_of(found.k.table, found.outputs, [0, 1]))
    # THEN they have two colours, which go with what is done with them
    assert len(set(colours[0])) == 2
    assert colours[0] == colours[1][::-1]


def test_parameters_that_are_alike_have_one_colour() -> None:
    found = translation(program("x: f32[4], y: f32[4]", "r = f32[4] add(x, y)"), Licences(reordering=True))
    assert len(set(colours_of(found.k.table, found.outputs, [0, 1]))) == 1
