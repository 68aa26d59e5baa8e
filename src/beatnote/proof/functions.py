"""Exponentials and logarithms, and the functions that are written with them.

exp of a sum is a product of exps and log of a product a sum of logs only where the `stability` class is allowed:
over the reals both hold, in floating point they are what shifted and unshifted softmax differ by.
"""

from __future__ import annotations

from beatnote.proof.algebra import Undefined
from beatnote.proof.licences import Ledger
from beatnote.proof.logic import Logic
from beatnote.proof.terms import ANY_SIGN, ONE, POSITIVE, ZERO, Monomial, Poly, Table, as_constant, scalar


class Functions(Logic):
    """Logic that knows exp and log."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        super().__init__(table, ledger)
        self.makers |= {
            "exp": lambda _, polys, __: self.exp(polys[0]),
            "log": lambda _, polys, __: self.log(polys[0]),
        }

    def exp(self, poly: Poly) -> Poly:
        """E to the polynomial."""
        if poly == ZERO:
            return ONE
        if not self.licences.stability:
            return self._exp_atom(poly)
        result = ONE
        for monomial, c in poly:  # exp(Σ c·m) -> Π exp(m)^c
            logged = self._exponent_of_log(monomial)
            if logged is not None:  # exp(c·log x) -> x^c
                result = self.multiply(result, self.power(logged, c))
            else:
                result = self.multiply(result, self.power(self._exp_atom(((monomial, 1),)), c))
        if len(poly) > 1:
            self.ledger.rules["exp-of-sum"] += 1
        return result

    def _exp_atom(self, poly: Poly) -> Poly:
        return ((((self.atom_of(self.close("exp", (), (poly,)), POSITIVE), 1),), 1),)

    def _exponent_of_log(self, monomial: Monomial) -> Poly | None:
        if len(monomial) == 1 and monomial[0][1] == 1 and self.kind_of(monomial[0][0]) == "log":
            return self.operands(monomial[0][0])[0]
        return None

    def log(self, poly: Poly) -> Poly:
        """Take the natural logarithm."""
        value = as_constant(poly)
        if value is not None:
            if value <= 0:
                raise Undefined("the logarithm of a number that is not positive")
            return ZERO if value == 1 else self.apart("log", (), (scalar(value),))
        if not self.licences.stability or len(poly) != 1:
            return self.apart("log", (), (poly,))
        ((monomial, c),) = poly
        unknown = tuple((a, e) for a, e in monomial if self.sign_of_atom(a) != POSITIVE)
        known = [(a, e) for a, e in monomial if self.sign_of_atom(a) == POSITIVE]
        if (c < 0 and not unknown) or not known:
            return self.apart("log", (), (poly,))
        rest: Poly = ((unknown, c),)
        result = self.log(rest) if rest != ONE else ZERO
        for atom, e in known:  # log(a^e·b) -> e·log a + log b for a > 0
            if self.kind_of(atom) == "exp":  # log(exp x) -> x
                inner = self.operands(atom)[0]
            else:
                inner = self.apart("log", (), (((((atom, 1),), 1),),))
            result = self.add(result, self.times(inner, e))
        self.ledger.rules["log-of-product"] += 1
        return result

    def logistic(self, x: Poly) -> Poly:
        """1 / (1 + exp(−x)); kept as it is where exp may not be rewritten."""
        if not self.licences.stability:
            return self.apart("logistic", (), (x,), POSITIVE)
        return self.power(self.add(ONE, self.exp(self.times(x, -1))), -1)

    def tanh(self, x: Poly) -> Poly:
        """(exp(2x) − 1) / (exp(2x) + 1); kept as it is where exp may not be rewritten."""
        if not self.licences.stability:
            return self.apart("tanh", (), (x,), ANY_SIGN)
        squared = self.exp(self.times(x, 2))
        return self.subtract(ONE, self.times(self.power(self.add(ONE, squared), -1), 2))
