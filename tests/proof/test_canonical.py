"""Closed terms: the same function has the same number whatever its variables are called, and no other one does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.proof import index
from beatnote.proof.canonical import close, intern
from beatnote.proof.functions import Functions
from beatnote.proof.index import Index
from beatnote.proof.prove import prove
from beatnote.proof.terms import ANY_SIGN, Atom, Monomial, Number, Poly, freeze

from .strategies import EXTENTS, QUICK, arrays, everywhere, functions, indices, numbers, parameter, seeds
from .texts import module

GRID = everywhere()


def read(k: Functions, number: int, *at: Index) -> int:
    """The atom of a parameter of extents 4, 4, … at indices."""
    return parameter(k, number, [4] * len(at), at)[0][0][0][0]


def closed_atom(k: Functions, *polys: Poly, kind: str = "whole", bound: tuple[tuple[int, int], ...] = ()) -> int:
    return intern(k.table, close(k.table, kind, (), polys, bound), ANY_SIGN)


@st.composite
def recipes(draw: st.DrawFn) -> list[tuple[Number, list[tuple[str, int, tuple[Index, ...], int]]]]:
    """Sums of products of parameters, tests and indices; close to each other, so that they may coincide."""
    some = draw(st.lists(indices(), min_size=1, max_size=3))
    place = st.sampled_from(some)
    leaf = st.tuples(st.just("leaf"), st.integers(0, 1), st.tuples(place, place), st.integers(1, 2))
    test = st.tuples(st.sampled_from(["at-least-0", "is-0"]), st.just(0), st.tuples(place), st.just(1))
    factors = st.lists(st.one_of(leaf, test), min_size=1, max_size=3, unique_by=lambda f: f[:3])
    return draw(st.lists(st.tuples(st.integers(1, 3), factors), min_size=1, max_size=4))


def made(k: Functions, recipe, variables: dict[int, Index]) -> Poly:
    terms: dict[Monomial, Number] = {}
    for coefficient, factors in recipe:
        found: dict[int, Number] = {}
        for kind, number, places, exponent in factors:
            at = tuple(index.substitute(place, variables) for place in places)
            found[read(k, number, *at) if kind == "leaf" else k.table.atom(kind, 0, at)] = exponent
        monomial = tuple(sorted(found.items()))
        terms[monomial] = terms.get(monomial, 0) + coefficient
    return freeze(terms)


@QUICK
@given(recipes(), seeds)
def test_a_closed_term_at_its_arguments_is_the_term(recipe, seed: int):
    # GIVEN
    k = functions()
    poly = made(k, recipe, {})
    inputs = arrays(seed, (4, 4), (4, 4))

    # WHEN
    atom = closed_atom(k, poly)

    # THEN
    expected = numbers(k, poly, inputs, EXTENTS)
    np.testing.assert_allclose(numbers(k, ((((atom, 1),), 1),), inputs, EXTENTS), expected, atol=1e-9)


@QUICK
@given(recipes(), st.permutations([10, 11, 12]))
def test_the_names_of_variables_do_not_matter(recipe, names: list[int]):
    # GIVEN
    k = functions()
    there = {v: index.variable(names[v], extent) for v, extent in enumerate(EXTENTS)}

    # WHEN
    first, second = closed_atom(k, made(k, recipe, {})), closed_atom(k, made(k, recipe, there))

    # THEN the same function, at arguments that differ as the variables do
    (_, number, at), (_, other, there_at) = k.table.atoms[first], k.table.atoms[second]
    assert number == other
    moved = tuple(index.substitute(argument, there) for argument in at)
    orders = k.table.nodes[number].symmetries
    assert there_at in [tuple(moved[p] for p in order) for order in orders]


def test_terms_with_one_form_over_their_digits_are_counted_once_each():
    # GIVEN x[i − i % 2] and x[2·(i // 2)], the same element written in two ways
    k = functions()
    i, low, high = (index.of_digit(index.Digit(0, *digit)) for digit in ((1, 4), (1, 2), (2, 2)))
    one, other = read(k, 0, index.subtract(i, low)), read(k, 0, index.scale(high, 2))
    assert one != other
    x = [1.0, 2.0, 3.0, 4.0]

    # THEN their sum is twice, their product the square, and their difference nothing
    both = ((((closed_atom(k, freeze({((one, 1),): 1, ((other, 1),): 1})), 1),), 1),)
    product = ((((closed_atom(k, ((((one, 1), (other, 1)), 1),)), 1),), 1),)
    neither = ((((closed_atom(k, freeze({((one, 1),): 1, ((other, 1),): -1})), 1),), 1),)
    assert numbers(k, both, [x], (4,)).tolist() == [2, 2, 6, 6]
    assert numbers(k, product, [x], (4,)).tolist() == [1, 1, 9, 9]
    assert numbers(k, neither, [x], (4,)).tolist() == [0, 0, 0, 0]


def test_the_product_of_a_test_with_itself_in_another_form_is_the_test():
    # GIVEN [i − i % 2 ≥ 1] and [2·(i // 2) ≥ 1]
    k = functions()
    i, low, high = (index.of_digit(index.Digit(0, *digit)) for digit in ((1, 4), (1, 2), (2, 2)))
    less_one = index.constant(-1)
    one = k.table.atom("at-least-0", 0, (index.add(i, index.scale(low, -1), less_one),))
    other = k.table.atom("at-least-0", 0, (index.add(index.scale(high, 2), less_one),))

    # THEN
    product, test = ((tuple(sorted([(one, 1), (other, 1)])), 1),), ((((other, 1),), 1),)
    closed, alone = k.table.node_of(closed_atom(k, product)), k.table.node_of(closed_atom(k, test))
    assert closed is not None
    assert alone is not None
    assert closed.polys == alone.polys


ROW, COLUMN, LAYER = (index.variable(v, 4) for v in range(3))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        # x[i, j]·y[j, k] against others with the same parameters
        ([(0, ROW, COLUMN), (1, COLUMN, LAYER)], [(1, ROW, LAYER), (0, COLUMN, ROW)], True),
        ([(0, ROW, COLUMN), (1, COLUMN, LAYER)], [(0, ROW, COLUMN), (1, LAYER, COLUMN)], False),
        ([(0, ROW, COLUMN), (1, COLUMN, LAYER)], [(0, ROW, COLUMN), (1, COLUMN, ROW)], False),
        ([(0, ROW, COLUMN), (1, COLUMN, LAYER)], [(0, ROW, COLUMN), (0, COLUMN, LAYER)], False),
        ([(0, ROW, ROW)], [(0, ROW, COLUMN)], False),
        (
            [(0, ROW, COLUMN), (0, COLUMN, LAYER), (0, LAYER, ROW)],
            [(0, COLUMN, ROW), (0, ROW, LAYER), (0, LAYER, COLUMN)],
            True,
        ),
        (
            [(0, ROW, COLUMN), (0, COLUMN, LAYER), (0, LAYER, ROW)],
            [(0, ROW, COLUMN), (0, COLUMN, LAYER), (0, ROW, LAYER)],
            False,
        ),
    ],
)
def test_which_products_are_the_same_function(one: list, other: list, is_same: bool):
    # GIVEN
    k = functions()
    polys = [((tuple(sorted((read(k, *factor), 1) for factor in factors)), 1),) for factors in (one, other)]

    # WHEN
    numbers_found = [k.table.atoms[closed_atom(k, poly)].number for poly in polys]

    # THEN
    assert (numbers_found[0] == numbers_found[1]) is is_same


def test_coefficients_exponents_kinds_and_extents_matter():
    # GIVEN
    k = functions()
    x = read(k, 0, ROW)
    short = read(k, 0, index.variable(0, 3))
    polys: list[Poly] = [
        ((((x, 1),), 1),),
        ((((x, 1),), -1),),
        ((((x, 2),), 1),),
        ((((x, Fraction(1, 2)),), 1),),
        ((((short, 1),), 1),),
    ]

    # THEN
    atoms = [closed_atom(k, poly, kind=kind) for poly in polys for kind in ("exp", "log")]
    assert len({k.table.atoms[atom].number for atom in atoms}) == len(atoms)


def test_bound_variables_have_no_names():
    # GIVEN Σ_j x[i, j]·y[j], with two names for j
    k = functions()

    def total(i: int, j: int) -> Atom:
        at = index.variable(i, 4), index.variable(j, 4)
        product = tuple(sorted([(read(k, 0, *at), 1), (read(k, 1, at[1]), 1)]))
        return k.table.atoms[closed_atom(k, ((product, 1),), kind="sum", bound=((j, 4),))]

    # THEN
    assert total(0, 1) == total(0, 7)
    assert total(0, 1).number == total(5, 0).number
    assert total(5, 0).arguments == (index.variable(5, 4),)


def test_a_bound_variable_is_not_a_free_one():
    k = functions()
    poly: Poly = ((((read(k, 0, ROW, COLUMN), 1),), 1),)
    rows = closed_atom(k, poly, kind="sum", bound=((1, 4),))
    columns = closed_atom(k, poly, kind="sum", bound=((0, 4),))
    assert k.table.atoms[rows].number != k.table.atoms[columns].number


def test_arguments_that_may_be_swapped_are_known():
    # GIVEN x[i]·x[j] and x[i]·y[j]
    k = functions()
    symmetric = close(k.table, "whole", (), (((tuple(sorted([(read(k, 0, ROW), 1), (read(k, 0, COLUMN), 1)])), 1),),))
    plain = close(k.table, "whole", (), (((tuple(sorted([(read(k, 0, ROW), 1), (read(k, 1, COLUMN), 1)])), 1),),))

    # THEN
    assert set(symmetric.symmetries) == {(0, 1), (1, 0)}
    assert symmetric.symmetries[0] == plain.symmetries[0] == (0, 1)
    assert plain.symmetries == ((0, 1),)


def test_the_table_knows_what_a_closed_term_depends_on():
    k = functions()
    atom = closed_atom(k, ((((read(k, 0, ROW), 1),), 1), (((read(k, 3, COLUMN), 1),), 2)))
    assert k.table.support(atom) == 0b1001


def test_a_program_that_adds_a_term_twice_is_not_the_one_that_adds_it_once():
    # GIVEN x where i > i % 2 and x where 2·(i // 2) > 0, which hold for the same i
    both = """i = s32[4] iota(), iota_dimension=0
        remainders = s32[2,2] iota(), iota_dimension=1
        remainder = s32[4] reshape(remainders)
        quotients = s32[2,2] iota(), iota_dimension=0
        quotient = s32[4] reshape(quotients)
        twice = s32[4] add(quotient, quotient)
        z = s32[] constant(0)
        zeros = s32[4] broadcast(z), dimensions={}
        p = pred[4] compare(i, remainder), direction=GT
        q = pred[4] compare(twice, zeros), direction=GT
        pf = f32[4] convert(p)
        qf = f32[4] convert(q)
        px = f32[4] multiply(pf, x)
        qx = f32[4] multiply(qf, x)"""
    added = f"{both}\n s = f32[4] add(px, qx)\n r = f32[4] exponential(s)"
    doubled = f"{both}\n s = f32[4] add(qx, qx)\n r = f32[4] exponential(s)"
    alone = f"{both}\n r = f32[4] exponential(qx)"

    # THEN
    sides = [module("x: f32[4]", body) for body in (added, doubled, alone)]
    assert prove(sides[0], sides[2]).proven == (False,)
    assert prove(sides[0], sides[1]).proven == (True,)
