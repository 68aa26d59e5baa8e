"""Where a program's arithmetic is defined: divisors not zero, roots and logarithms of what is not negative.

A need is a term that has to be nonzero or nonnegative wherever a test, its guard, holds: a selection asks nothing of
the branch that it does not take. Needs are written over a value's indices and move with its elements; brought to a
form in which the same need has the same number, they end as the claims of an output.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from beatnote.proof.algebra import Undefined
from beatnote.proof.evaluate import Evaluator
from beatnote.proof.functions import Functions
from beatnote.proof.index import Index, variable
from beatnote.proof.licences import Claim
from beatnote.proof.terms import (
    ANY_SIGN,
    BOOLEAN_KINDS,
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Monomial,
    Poly,
    as_constant,
    poly_support,
    poly_variables,
)

Bound = tuple[tuple[int, int], ...]
"""(variable, extent) of indices for all of which a need has to hold."""

Domain = frozenset[int]
"""Needs, each as the atom of a node of kind "need" with operands (term, guard)."""

NOTHING: Domain = frozenset()

PLAIN, TESTED, CONTRARY, CERTAIN = "plain", "tested", "contrary", "certain"
"""What comes of a need that fails: not a number, or a test's answer all the same.

Two programs that share a plain need are both undefined where it fails. Where a tested need fails, the answer is what
its term says when tests of what is no number are 0; where a contrary one fails it is the opposite, as that of x ≥ 0 is,
whose term is 1 − [0 > x]. Each is shared only with its like, and only where nothing is re-associated: 1/x and x/x² are
an infinity and not a number for x = 0, which a test tells apart. A certain need is claimed whoever shares it: algebra
has answered already, or the term does not say what the answer is.
"""


class Need(NamedTuple):
    """What has to hold.

    Attributes:
        what: "nonzero", "nonnegative" or "defined".
        poly: the term that has to be so, over the indices of a value and over bound ones.
        guard: the test where it has to be.
        bound: the indices for all of which it has to be.
        strength: PLAIN, TESTED, CONTRARY or CERTAIN.
    """

    what: str
    poly: Poly
    guard: Poly = ONE
    bound: Bound = ()
    strength: str = PLAIN


def needs_of(k: Functions, need: Need) -> Domain:
    """Simplify a need to as few and as small ones as will do; none where it surely holds.

    Raises:
        Undefined: it surely does not, and no guard keeps that from mattering.
    """
    what, poly, guard, _, _ = need
    if guard == ZERO:
        return NOTHING
    if what == "defined":
        return frozenset({_atom(k, need)})
    forbidden = NULL if what == "nonzero" else NEGATIVE
    if k.sign(poly) & forbidden == 0:
        return NOTHING
    if guard != ONE and k.multiply(guard, _failing(k, need)) == ZERO:
        return NOTHING
    if not poly_support(k.table, poly) | poly_support(k.table, guard):
        number = k.table.atoms[_atom(k, need)].number
        if Evaluator(k.table, ()).holds(Claim(what, number)) is False:
            raise Undefined(f"a number that is not {what}")
    if as_constant(poly) is not None:
        return frozenset({_atom(k, need)})
    if len(poly) == 1 and what == "nonzero":
        ((monomial, _),) = poly
        return frozenset(
            _atom(k, need._replace(poly=((((atom, 1),), 1),)))
            for atom, exponent in monomial
            if exponent > 0 and k.sign_of_atom(atom) & NULL
        )
    if len(poly) == 1:
        ((monomial, c),) = poly
        kept = tuple((a, e) for a, e in monomial if k.sign_of_atom(a) != POSITIVE)
        return frozenset({_atom(k, need._replace(poly=((kept, 1 if c > 0 else -1),)))})
    _, _, rest = k.content(poly, with_monomial=False)
    return frozenset({_atom(k, need._replace(poly=rest))})


def _failing(k: Functions, need: Need) -> Poly:
    """Test for what must not be."""
    if need.what == "nonzero":
        return k.equal(need.poly, ZERO, dtype="real")
    return k.greater(ZERO, need.poly, dtype="real")


def _atom(k: Functions, need: Need) -> int:
    what, poly, guard, bound, strength = need
    if what == "nonzero" and as_constant(poly) is None:
        factor, _ = k.oriented("value", (), poly)
        poly = k.times(poly, factor)
    if guard == ONE:
        poly, fitted, _ = k.fit_bound(poly, bound)
        return k.atom_of(k.close("need", (what, strength), (poly,), fitted), ANY_SIGN)
    used = poly_variables(k.table, poly) | poly_variables(k.table, guard)
    closed = k.close("need", (what, strength), (poly, guard), [(v, extent) for v, extent in bound if v in used])
    return k.atom_of(closed, ANY_SIGN)


def _opened(k: Functions, atom: int) -> Need:
    """Take a need apart again, with fresh variables for the bound ones."""
    what, strength = k.table.nodes[k.table.atoms[atom].number].attributes
    polys, bound = k.open(atom)
    return Need(what, polys[0], polys[1] if len(polys) > 1 else ONE, tuple(bound), strength)


def moved(k: Functions, domain: Domain, mapping: Mapping[int, Index], bound: Bound = ()) -> Domain:
    """Replace the indices of needs, as those of the value they belong to are; further ones may become bound."""
    result: set[int] = set()
    for atom in domain:
        if not any(v in mapping for v in k.table.variables(atom)):
            result.add(atom)
            continue
        need = _opened(k, atom)
        poly, guard = k.substitute(need.poly, mapping), k.substitute(need.guard, mapping)
        result |= needs_of(k, need._replace(poly=poly, guard=guard, bound=need.bound + bound))
    return frozenset(result)


def guarded(k: Functions, domain: Domain, test: Poly, bound: Bound = ()) -> Domain:
    """Ask what is needed only where a test holds, for some value of the bound indices in it."""
    if test == ONE and not bound:
        return domain
    result: set[int] = set()
    for need in (_opened(k, atom) for atom in domain):
        result |= needs_of(k, need._replace(guard=k.multiply(need.guard, test), bound=need.bound + bound))
    return frozenset(result)


def chosen(k: Functions, test: Poly, a: Domain, b: Domain) -> Domain:
    """List what a selection of a where the test holds, else of b, needs of the two."""
    return (a & b) | guarded(k, a - b, test) | guarded(k, b - a, k.negation(test))


def absorbed(k: Functions, domain: Domain, answer: Poly, of_nan: int = 0) -> Domain:
    """List what a test, or a conversion to whole numbers, needs: it answers also for what is not a number.

    Args:
        k: the algebra.
        domain: of what is tested.
        answer: the term of the answer.
        of_nan: the answer that XLA gives for what is not a number.
    """
    if not domain:
        return domain
    strength = CERTAIN
    if as_constant(answer) is None and all(_is_one_test(k, monomial) for monomial, _ in answer):
        strength = TESTED if sum(c for monomial, c in answer if not monomial) == of_nan else CONTRARY
    needs = [_opened(k, atom) for atom in domain]
    return frozenset(_atom(k, n if n.strength == CERTAIN else n._replace(strength=strength)) for n in needs)


def _is_one_test(k: Functions, monomial: Monomial) -> bool:
    nodes = [k.table.node_of(atom) for atom, _ in monomial]
    return not nodes or (len(nodes) == 1 and nodes[0] is not None and nodes[0].kind in (*BOOLEAN_KINDS, "function"))


def everywhere(k: Functions, domain: Domain) -> Domain:
    """Bind every index: each element of a result may need what any element of the operand needs."""
    result: set[int] = set()
    for atom in domain:
        _, number, _ = k.table.atoms[atom]
        bound = tuple((k.fresh(), extent) for extent in k.table.nodes[number].extents)
        need = _opened(k, k.table.atom("node", number, tuple(variable(*v) for v in bound)))
        result.add(_atom(k, need._replace(bound=need.bound + bound)))
    return frozenset(result)


def claims_between(k: Functions, a: Domain, b: Domain) -> frozenset[Claim]:
    """Claim what an element of one of two values needs and the same element of the other does not."""
    first, second = _without_implied(k, a), _without_implied(k, b)
    certain = {atom for atom in first & second if _is_claimed_of_both(k, atom, first & second)}
    needs = [_opened(k, atom) for atom in (first ^ second) | certain]
    closed = _without_implied(k, frozenset(_atom(k, need._replace(bound=(), strength=PLAIN)) for need in needs))
    return frozenset(Claim(_opened(k, atom).what, k.table.atoms[atom].number) for atom in closed)


def _is_claimed_of_both(k: Functions, atom: int, shared: Domain) -> bool:
    need = _opened(k, atom)
    if need.strength in (PLAIN, CERTAIN):
        return need.strength == CERTAIN
    other = need._replace(strength=CONTRARY if need.strength == TESTED else TESTED)
    return k.licences.reordering or _atom(k, other) in shared  # of both kinds, which test is which is not known


def _without_implied(k: Functions, domain: Domain) -> Domain:
    """Leave out what is needed without its guard too."""
    return frozenset(
        atom
        for atom in domain
        if (need := _opened(k, atom)).guard == ONE or _atom(k, need._replace(guard=ONE)) not in domain
    )
