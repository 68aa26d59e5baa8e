"""Terms as data: what has one number, and what is known of it."""

from __future__ import annotations

import pytest
from hypothesis import given

from beatnote.proof import index
from beatnote.proof.terms import (
    ANY_SIGN,
    NEGATIVE,
    NULL,
    POSITIVE,
    Leaf,
    Node,
    Table,
    as_constant,
    atoms_of,
    freeze,
    poly_support,
    poly_variables,
    reachable,
    scalar,
)

from .strategies import THOROUGH, fractions

X = Leaf("parameter", 0, (4,), "f32", 1, ANY_SIGN, "x")
ROW, COLUMN = index.variable(0, 4), index.variable(1, 4)


def one(atom: int):
    return ((((atom, 1),), 1),)


def node(kind: str, *polys, extents: tuple[int, ...] = (4,), support: int = 1) -> Node:
    return Node(kind, (), extents, (), polys, ((0,),), support)


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (X._replace(note="weights"), True),
        (X._replace(kind="argument"), False),
        (X._replace(key=1), False),
        (X._replace(extents=(2, 2)), False),
        (X._replace(dtype="bf16"), False),
    ],
)
def test_a_leaf_is_what_it_is_read_from_not_what_it_is_called(other: Leaf, is_same: bool):
    table = Table()
    assert (table.leaf(X) == table.leaf(other)) is is_same


def test_equal_nodes_have_one_number():
    # GIVEN
    table = Table()
    x = one(table.atom("leaf", table.leaf(X), (ROW,)))

    # WHEN
    first, again = table.node(node("exp", x), POSITIVE), table.node(node("exp", x), POSITIVE)

    # THEN
    assert first == again == table.find_node(("exp", (), (4,), (), (x,)))
    assert table.node(node("log", x), ANY_SIGN) != first
    assert table.find_node(("sine", (), (4,), (), (x,))) is None


def test_what_is_learned_of_a_sign_is_kept_and_nothing_is_forgotten():
    # GIVEN
    table = Table()
    x = one(table.atom("leaf", table.leaf(X), (ROW,)))
    number = table.node(node("whole", x), NULL | POSITIVE)

    # THEN
    table.node(node("whole", x), ANY_SIGN)
    assert table.signs[number] == NULL | POSITIVE
    table.node(node("whole", x), NEGATIVE | NULL)
    assert table.signs[number] == NULL
    table.node(node("whole", x), POSITIVE)  # a contradiction: nothing can be told from it
    assert table.signs[number] == NULL


def test_an_atom_depends_on_the_variables_of_its_arguments():
    # GIVEN
    table = Table()
    leaf = table.leaf(X)
    quotient, _ = index.divide(index.add(ROW, COLUMN), 3)

    # WHEN
    whole, part = table.atom("leaf", leaf, (ROW,)), table.atom("leaf", leaf, (quotient,))

    # THEN
    assert whole == table.atom("leaf", leaf, (ROW,)) != part
    assert table.variables(whole) == {0}
    assert table.variables(part) == {0, 1}
    assert poly_variables(table, freeze({((whole, 1),): 1, ((part, 2),): 3})) == {0, 1}


@pytest.mark.parametrize("kind", ["greater", "equal", "nan", "boolean"])
def test_tests_are_0_or_1(kind: str):
    table = Table()
    x = one(table.atom("leaf", table.leaf(X), (ROW,)))
    assert table.is_boolean(table.atom("node", table.node(node(kind, x), NULL | POSITIVE), (ROW,)))


def test_which_other_atoms_are_0_or_1():
    table = Table()
    assert table.is_boolean(table.atom("at-least-0", 0, (ROW,)))
    assert table.is_boolean(table.atom("is-0", 0, (ROW,)))
    assert table.is_boolean(table.atom("leaf", table.leaf(X._replace(dtype="pred")), (ROW,)))
    assert not table.is_boolean(table.atom("leaf", table.leaf(X), (ROW,)))
    assert not table.is_boolean(table.atom("index", 0, (index.variable(0, 2),)))
    exp = table.node(node("exp", one(table.atom("leaf", table.leaf(X), (ROW,)))), POSITIVE)
    assert not table.is_boolean(table.atom("node", exp, (ROW,)))


def test_what_an_index_can_be():
    table = Table()
    below = index.subtract(ROW, index.constant(1))
    assert table.sign(table.atom("index", 0, (ROW,))) == NULL | POSITIVE
    assert table.sign(table.atom("index", 0, (below,))) == ANY_SIGN
    assert table.sign(table.atom("at-least-0", 0, (below,))) == NULL | POSITIVE


def test_support_is_inherited():
    # GIVEN
    table = Table()
    x = table.atom("leaf", table.leaf(X), (ROW,))
    y = table.atom("leaf", table.leaf(X._replace(key=1, support=2)), (ROW,))
    exp = table.atom("node", table.node(node("exp", one(y), support=2), POSITIVE), (ROW,))

    # THEN
    assert poly_support(table, ()) == 0
    assert poly_support(table, one(table.atom("index", 0, (ROW,)))) == 0
    assert poly_support(table, freeze({((x, 1), (exp, 2)): 1})) == 3
    assert table.node_of(exp) is not None
    assert table.node_of(x) is None


def test_everything_that_a_term_is_built_from():
    # GIVEN
    table = Table()
    leaves = [table.leaf(X._replace(key=k)) for k in range(3)]
    inner = table.node(node("exp", one(table.atom("leaf", leaves[0], (ROW,)))), POSITIVE)
    outer = table.node(node("log", one(table.atom("node", inner, (ROW,)))), ANY_SIGN)
    alone = table.node(node("tanh", one(table.atom("leaf", leaves[2], (ROW,)))), ANY_SIGN)
    poly = freeze({((table.atom("node", outer, (ROW,)), 1), (table.atom("leaf", leaves[1], (ROW,)), 1)): 1})

    # THEN
    assert reachable(table, (poly,)) == ({leaves[0], leaves[1]}, {inner, outer})
    assert alone not in reachable(table, (poly,))[1]


@THOROUGH
@given(fractions)
def test_a_number_is_a_term(value):
    assert as_constant(scalar(value)) == value
    assert as_constant(one(0)) is None


def test_what_cancels_is_left_out_and_the_order_does_not_matter():
    a, b, c = ((1, 1),), ((2, 1),), ()
    assert freeze({b: 2, a: 0, c: 1}) == freeze({c: 1, b: 2})
    assert list(atoms_of(freeze({a: 1, ((1, 1), (2, 3)): 1}))) == [1, 1, 2]
