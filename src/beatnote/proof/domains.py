"""Where a program's arithmetic is defined: divisors not zero, roots and logarithms of what is not negative.

Claims are about closed terms, brought to a form in which the same requirement has the same number.
"""

from __future__ import annotations

from beatnote.proof.algebra import Undefined
from beatnote.proof.canonical import intern
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Claim
from beatnote.proof.terms import ANY_SIGN, NEGATIVE, NULL, POSITIVE, Poly, as_constant


def claims_of(k: Functions, what: str, poly: Poly) -> frozenset[Claim]:
    """What has to be claimed for a polynomial to be "nonzero" or "nonnegative"; nothing where it surely is.

    Raises:
        Undefined: it surely is not.
    """
    forbidden = NULL if what == "nonzero" else NEGATIVE
    sign = k.sign(poly)
    if sign & forbidden == 0:
        return frozenset()
    value = as_constant(poly)
    if value is not None:
        raise Undefined(f"a number that is not {what}")
    if len(poly) == 1 and what == "nonzero":
        ((monomial, _),) = poly
        claims = [
            _claim(k, what, (((((atom, 1),), 1),)))
            for atom, exponent in monomial
            if exponent > 0 and k.sign_of_atom(atom) & NULL
        ]
        return frozenset(claims)
    if len(poly) == 1:
        ((monomial, c),) = poly
        kept = tuple((a, e) for a, e in monomial if k.sign_of_atom(a) != POSITIVE)
        return frozenset({_claim(k, what, ((kept, 1 if c > 0 else -1),))})
    _, _, rest = k.content(poly, with_monomial=False)
    if k.sign(rest) & forbidden == 0:
        return frozenset()
    return frozenset({_claim(k, what, rest)})


def _claim(k: Functions, what: str, poly: Poly) -> Claim:
    if what == "nonzero":
        _, closed = k.oriented("value", (), poly)
    else:
        closed = k.close("value", (), (poly,))
    atom = intern(k.table, closed, ANY_SIGN)
    return Claim(what, k.table.atoms[atom].number)
