"""The numbers of terms and conditions, each against NumPy on a few inputs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from beatnote.proof import evaluate, index
from beatnote.proof.evaluate import Evaluator, NotEvaluable
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Claim
from beatnote.proof.prove import prove
from beatnote.proof.terms import ANY_SIGN, NULL, ONE, POSITIVE, Leaf, Poly, scalar

from .strategies import functions, numbers, parameter
from .texts import module

X = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.0]])
ROW, COLUMN = index.variable(0, 2), index.variable(1, 3)


def one(atom: int) -> Poly:
    return ((((atom, 1),), 1),)


def number_of(k: Functions, poly: Poly) -> int:
    """The node that a polynomial of one atom applies."""
    (((atom, _),), _) = poly[0]
    return k.table.atoms[atom].number


def need(k: Functions, what: str, *polys: Poly, bound: tuple[tuple[int, int], ...] = ()) -> Claim:
    """The claim that a term is so where a guard, if given, holds."""
    atom = k.atom_of(k.close("need", (what, "plain"), polys, bound), ANY_SIGN)
    return Claim(what, k.table.atoms[atom].number)


def test_polynomials():
    # GIVEN 3·x² − x/2 + 1 over two variables, of which only one is used
    k = functions()
    x = parameter(k, 0, (2, 3), (ROW, index.constant(1)))
    poly = k.add(k.times(k.power(x, 2), 3), k.times(x, Fraction(-1, 2)), ONE)

    # THEN
    expected = 3 * X[:, 1] ** 2 - X[:, 1] / 2 + 1
    found = numbers(k, poly, [X], (2, 3))
    np.testing.assert_allclose(found, np.broadcast_to(expected[:, None], (2, 3)))
    assert numbers(k, (), [X], (2, 3)).tolist() == [[0] * 3] * 2
    assert float(numbers(k, scalar(Fraction(1, 4)), [])) == 0.25


def test_tests_and_values_of_indices():
    k = functions()
    difference = index.subtract(ROW, COLUMN)
    rows = (("index", [[0, -1, -2], [1, 0, -1]]), ("at-least-0", [[1, 0, 0], [1, 1, 0]]), ("is-0", np.eye(2, 3)))
    for kind, expected in rows:
        found = numbers(k, one(k.table.atom(kind, 0, (difference,))), [], (2, 3))
        np.testing.assert_array_equal(found, expected)


def test_sums_and_functions():
    k = functions()
    x = parameter(k, 0, (2, 3))
    for poly, expected in (
        (k.sum(x, [(1, 3)]), X.sum(axis=1)),
        (k.sum(k.exp(x), [(1, 3)]), np.exp(X).sum(axis=1)),
        (k.substitute(k.log(k.exp(x)), {1: index.constant(2)}), X[:, 2]),
        (k.reduction("reduce", ("maximum", "real"), x, [(1, 3)], ANY_SIGN), X.max(axis=1)),
        (k.reduction("reduce", ("minimum", "real"), x, [(1, 3)], ANY_SIGN), X.min(axis=1)),
        (k.reduction("reduce", ("multiply", "real"), x, [(1, 3)], ANY_SIGN), X.prod(axis=1)),
    ):
        np.testing.assert_allclose(numbers(k, poly, [X], (2,)), expected)


def test_whole_numbers_wrap_around_where_they_are_compared():
    # GIVEN
    k = functions()
    x = parameter(k, 0, (3,), dtype="s8")
    values = np.array([127, -128, 5], dtype=np.int8)

    # THEN x + 1 > 0 and 2·x = 10, in eight bits
    assert numbers(k, k.greater(k.add(x, ONE), scalar(0), dtype="s8"), [values], (3,)).tolist() == [0, 0, 1]
    assert numbers(k, k.equal(k.times(x, 2), scalar(10), dtype="s8"), [values], (3,)).tolist() == [0, 0, 1]
    assert numbers(k, k.equal(k.times(x, 2), scalar(0), dtype="s8"), [values], (3,)).tolist() == [0, 1, 0]


def test_whole_numbers_wrap_around_where_they_are_multiplied():
    k = functions()
    x = parameter(k, 0, (2,), dtype="u8")
    product = k.reduction("reduce", ("multiply", "u8"), x, [(0, 2)], ANY_SIGN)
    assert float(numbers(k, product, [np.array([20, 13], dtype=np.uint8)])) == 4


@pytest.mark.parametrize("values", [[2**53 + 2, 0], [2**40 + 1, 2**40 + 1]])
def test_whole_numbers_that_lose_digits_have_no_numbers(values: list[int]):
    # GIVEN x² > 5 and 2⁴⁰·x − 2⁴⁰·y = 0, the terms of which are large and their difference is not
    k = functions()
    x, y = (parameter(k, number, dtype="s64") for number in range(2))
    difference = k.times(k.subtract(x, y), 1 << 40)

    # THEN
    for poly in (
        k.greater(k.multiply(x, x, exact=True), scalar(5), dtype="s64"),
        k.equal(difference, scalar(0), dtype="s64"),
    ):
        with pytest.raises(NotEvaluable, match="double precision"):
            numbers(k, poly, [np.int64(v) for v in values])


def test_an_operation_that_is_not_explained_has_no_numbers():
    # GIVEN
    k = functions()
    leaf = k.table.leaf(Leaf("operation", "sort", (3,), "f32", 1, ANY_SIGN, "sort"))
    function = k.apart("function", ("function", "erf", "f32"), (parameter(k, 0, (2, 3)),))
    alone = parameter(k, 7, (2, 3))

    # THEN
    for poly, reason in ((k.read(leaf, (COLUMN,)), "operation sort"), (function, "erf"), (alone, "parameter p7")):
        with pytest.raises(NotEvaluable, match=reason):
            numbers(k, poly, [X], (2, 3))


def test_what_has_too_many_elements_has_no_numbers():
    with pytest.raises(NotEvaluable, match=r"\d+ elements"):
        numbers(functions(), ONE, [], (evaluate.MAX_POINTS, 2))


# Claims


def test_a_test_holds_when_it_does_everywhere():
    # GIVEN
    k = functions()
    x = parameter(k, 0, (3,), dtype="s32")
    below, among, beyond = (number_of(k, k.greater(x, scalar(limit), dtype="s32")) for limit in (-5, 0, 9))
    evaluator = Evaluator(k.table, [np.array([-3, 0, 9], dtype=np.int32)])

    # THEN
    assert [evaluator.holds(Claim("true", number)) for number in (below, among, beyond)] == [True, False, False]
    assert [evaluator.holds(Claim("false", number)) for number in (below, among, beyond)] == [False, False, True]


@pytest.mark.parametrize(
    ("what", "shift", "held"),
    [("nonzero", 0, False), ("nonzero", 4, True), ("nonnegative", 0, False), ("nonnegative", 2, True)],
)
def test_a_need_holds_when_it_does_everywhere(what: str, shift: int, held: bool):
    k = functions()
    x = k.add(parameter(k, 0, (2, 3)), scalar(shift))
    assert Evaluator(k.table, [X]).holds(need(k, what, x)) is held


def test_a_term_is_defined_where_it_is_a_number():
    k = functions()
    inverse = k.power(parameter(k, 0, (2, 3)), -1)
    assert Evaluator(k.table, [X]).holds(need(k, "defined", inverse)) is False
    assert Evaluator(k.table, [X + 0.25]).holds(need(k, "defined", inverse)) is True


@pytest.mark.parametrize(("limit", "held"), [(0, True), (-1, False)])
def test_a_need_is_asked_only_where_its_guard_holds(limit: int, held: bool):
    # GIVEN x ≠ 0 where x > limit, of which there is a 0 in x
    k = functions()
    x = parameter(k, 0, (2, 3))
    claim = need(k, "nonzero", x, k.greater(x, scalar(limit), dtype="real"))

    # THEN
    assert Evaluator(k.table, [X]).holds(claim) is held


def test_the_guard_of_a_need_may_use_the_indices_it_binds():
    # GIVEN x[i, j] ≠ 0 for every j of which j ≥ i + 1
    k = functions()
    guard = k.at_least_zero(index.subtract(COLUMN, index.add(ROW, index.constant(1))))
    claim = need(k, "nonzero", parameter(k, 0, (2, 3)), guard, bound=((1, 3),))

    # THEN
    assert Evaluator(k.table, [X]).holds(claim) is True
    assert Evaluator(k.table, [X * [1, 1, 0]]).holds(claim) is False


def test_a_gather_by_constant_positions_of_what_is_divided_by_a_constant():
    """What it needs is guarded by tests of positions that are bound, and depends on no parameter."""
    # GIVEN
    body = """c = f32[4] constant({{1.5, 2.75, 3.5, 4.25}})
        i = f32[4] iota(), iota_dimension=0
        d = f32[4] subtract(c, i)
        q = f32[4] divide(x, d)
        m = f32[4] {}
        p = s32[2,1] constant({{{{2}},{{0}}}})
        r = f32[2] gather(m, p), offset_dims={{}}, collapsed_slice_dims={{0}}, start_index_map={{0}},
          index_vector_dim=1, slice_sizes={{1}}""".replace(",\n          ", ", ")
    twice = body.format("copy(q)").replace("r =", "n = f32[4] negate(m)\n o = f32[4] negate(n)\n r =")
    other = body.format("negate(q)")

    # THEN
    found, not_found = (
        prove(module("x: f32[4]", body.format("copy(q)")), module("x: f32[4]", b)) for b in (twice, other)
    )
    assert (found.proven, found.reason) == ((True,), "")
    assert (not_found.proven, not_found.reason) == ((False,), "")


def test_whether_a_parameter_is_finite():
    evaluator = Evaluator(functions().table, [X, np.array([1.0, np.inf]), np.array([np.nan]), np.array([3])])
    assert [evaluator.holds(Claim("finite", number)) for number in range(5)] == [True, False, False, True, None]


def test_a_claim_about_what_has_no_numbers_is_open():
    k = functions()
    function = k.apart("function", ("function", "erf", "f32"), (parameter(k, 0, (2, 3)),))
    test = k.apart("boolean", ("function", "is-finite", "pred"), (parameter(k, 0, (2, 3)),), NULL | POSITIVE)
    evaluator = Evaluator(k.table, [X])
    assert evaluator.holds(need(k, "nonzero", function)) is None
    assert evaluator.holds(Claim("true", number_of(k, test))) is None
