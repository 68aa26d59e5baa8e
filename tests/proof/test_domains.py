"""What has to hold for a program to yield numbers: kept with its elements, guarded by tests, compared at the end."""

from __future__ import annotations

import pytest

from beatnote.proof.algebra import Undefined
from beatnote.proof.domains import NOTHING, Domain, Need, claims_between, needs_of
from beatnote.proof.functions import Functions
from beatnote.proof.index import variable
from beatnote.proof.licences import Ledger, Licences
from beatnote.proof.notation import Notation
from beatnote.proof.terms import ONE, ZERO, Leaf, Poly, Table, scalar

from .executed import program, translation


def needs(parameters: str, body: str) -> list[str]:
    """What the only output of a program needs, as claims."""
    found = translation(program(parameters, body), Licences(reordering=True))
    names = {k: part.split(":")[0].strip() for k, part in enumerate(parameters.split(", "))}
    notation = Notation(found.k.table, names)
    return sorted(notation.claim(claim) for claim in claims_between(found.k, found.outputs[0].domain, NOTHING))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("r = f32[4] divide(x, y)", ["y[i] ≠ 0"]),
        ("r = f32[4] sqrt(x)", ["x[i] ≥ 0"]),
        ("r = f32[4] rsqrt(x)", ["x[i] ≠ 0", "x[i] ≥ 0"]),
        ("r = f32[4] log(x)", ["x[i] ≠ 0", "x[i] ≥ 0"]),
        ("p = f32[4] multiply(x, y)\nr = f32[4] divide(x, p)", ["x[i] ≠ 0", "y[i] ≠ 0"]),
        ("s = f32[4] multiply(y, y)\nr = f32[4] divide(x, s)", ["y[i] ≠ 0"]),
        ("e = f32[4] exponential(y)\np = f32[4] multiply(x, e)\nr = f32[4] sqrt(p)", ["x[i] ≥ 0"]),
        ("d = f32[4] subtract(x, y)\nr = f32[4] divide(x, d)", ["x[i] − y[i] ≠ 0"]),
        ("d = f32[4] subtract(y, x)\nr = f32[4] divide(x, d)", ["x[i] − y[i] ≠ 0"]),
        ("r = f32[4] power(x, y)", ["power(x[i], y[i]) is defined"]),
        ("r = f32[4] add(x, y)", []),
    ],
)
def test_needs_are_as_few_and_as_small_as_will_do(body: str, found: list[str]) -> None:
    assert needs("x: f32[4], y: f32[4]", body) == found


@pytest.mark.parametrize(
    ("move", "found"),
    [
        ("r = f32[4] reverse(d), dimensions={0}", "y[−i+3] ≠ 0"),
        ("r = f32[2] slice(d), slice={[1:4:2]}", "y[2·i+1] ≠ 0"),
        ("r = f32[2,4] broadcast(d), dimensions={1}", "y[i] ≠ 0"),
        ("z = f32[] constant(0)\nr = f32[] reduce(d, z), dimensions={0}, to_apply=sum_f32", "y[i] ≠ 0"),
        ('r = f32[4] custom-call(d), custom_call_target="f"', "y[i] ≠ 0"),
        ("o = f32[] constant(1)\nr = f32[6] pad(d, o), padding=1_1", "y[(i+3)%4] ≠ 0 where [i−1 ≥ 0]·[−i+4 ≥ 0]"),
    ],
)
def test_needs_move_with_the_elements_that_have_them(move: str, found: str) -> None:
    assert needs("x: f32[4], y: f32[4]", "d = f32[4] divide(x, y)\n" + move) == [found]


GUARDED = """z = f32[] constant(0)
             zeros = f32[4] broadcast(z), dimensions={{}}
             d = f32[4] divide(x, y)
             p = pred[4] compare({}), direction=GT
             r = f32[4] select(p, d, zeros)"""


def test_a_branch_that_is_not_taken_needs_nothing() -> None:
    # GIVEN x/y where x > 0, and x/y where y > 0
    parameters = "x: f32[4], y: f32[4]"
    assert needs(parameters, GUARDED.format("x, zeros")) == ["y[i] ≠ 0 where [x[i] > 0]"]
    assert needs(parameters, GUARDED.format("y, zeros")) == []


def test_what_both_branches_need_is_needed() -> None:
    body = """d = f32[4] divide(x, y)
              e = f32[4] divide(z, y)
              r = f32[4] select(p, d, e)"""
    assert needs("x: f32[4], y: f32[4], z: f32[4], p: pred[4]", body) == ["y[i] ≠ 0"]


def test_a_test_of_what_is_no_number_answers_all_the_same() -> None:
    # GIVEN x/y, and whether x/y is positive
    parameters = "x: f32[4], y: f32[4]"
    quotient = "d = f32[4] divide(x, y)\n"
    test = (
        quotient
        + "z = f32[] constant(0)\nb = f32[4] broadcast(z), dimensions={}\np = pred[4] compare(d, b), direction=GT\n"
    )
    table = Table()
    number, tested = (
        translation(program(parameters, text), table=table)
        for text in (
            quotient + "r = f32[4] copy(d)",
            test + "o = f32[4] constant({1, 1, 1, 1})\nr = f32[4] select(p, x, o)",
        )
    )
    a, b = number.outputs[0].domain, tested.outputs[0].domain
    # THEN both need y ≠ 0, but not in the same sense: one is no number there, the other some number
    assert claims_between(number.k, a, a) == frozenset()
    assert claims_between(number.k, b, b) == frozenset()
    assert len(claims_between(number.k, a, b)) == 1


def functions() -> tuple[Functions, Poly, Poly]:
    """An algebra, with two scalars x and y."""
    k = Functions(Table(), Ledger(Licences()))
    x, y = (
        k.read(k.table.leaf(Leaf("parameter", n, (), "f32", 1 << n, 7, name)), ()) for n, name in enumerate(("x", "y"))
    )
    return k, x, y


@pytest.mark.parametrize("what", ["nonzero", "nonnegative"])
def test_what_surely_holds_is_no_need(what: str) -> None:
    k, x, _ = functions()
    positive = k.add(k.multiply(x, x), ONE)
    assert needs_of(k, Need(what, positive)) == NOTHING
    assert needs_of(k, Need(what, k.exp(x))) == NOTHING
    assert needs_of(k, Need(what, scalar(2))) == NOTHING
    assert needs_of(k, Need(what, x, guard=ZERO)) == NOTHING


@pytest.mark.parametrize(("what", "value"), [("nonzero", 0), ("nonnegative", -1)])
def test_what_surely_does_not_hold_is_undefined(what: str, value: int) -> None:
    k, x, _ = functions()
    with pytest.raises(Undefined):
        needs_of(k, Need(what, scalar(value)))
    # BUT not where a test keeps it from mattering
    assert needs_of(k, Need(what, scalar(value), guard=k.greater(x, ZERO, dtype="real")))


def both(k: Functions, *polys: Poly) -> Domain:
    return frozenset(atom for poly in polys for atom in needs_of(k, Need("nonzero", poly)))


def test_claims_are_what_one_side_needs_and_the_other_does_not() -> None:
    k, x, y = functions()
    assert claims_between(k, both(k, x, y), both(k, x, y)) == frozenset()
    assert len(claims_between(k, both(k, x, y), both(k, x))) == 1
    assert len(claims_between(k, both(k, x), both(k, y))) == 2
    assert claims_between(k, both(k, x), NOTHING) == claims_between(k, NOTHING, both(k, x))


def test_multiples_of_a_term_need_the_same() -> None:
    k, x, y = functions()
    difference = k.subtract(x, y)
    assert both(k, difference) == both(k, k.times(difference, -2))


def test_a_need_without_its_guard_covers_that_with_it() -> None:
    k, x, y = functions()
    test = k.greater(y, ZERO, dtype="real")
    plain, guarded = needs_of(k, Need("nonzero", x)), needs_of(k, Need("nonzero", x, guard=test))
    assert plain != guarded
    assert claims_between(k, plain | guarded, plain) == frozenset()
    assert len(claims_between(k, plain, guarded)) == 1


def test_needs_of_every_element_are_one_claim() -> None:
    k, _, _ = functions()
    v = k.read(k.table.leaf(Leaf("parameter", 5, (4,), "f32", 32, 7, "v")), (variable(0, 4),))
    (atom,) = needs_of(k, Need("nonzero", v))
    assert k.table.nodes[k.table.atoms[atom].number].extents == (4,)
