"""Tests and what is chosen by them: comparisons, booleans, selections, maxima, clamps.

A test is a polynomial that is 0 or 1; `select(p, a, b)` is `p·a + (1 − p)·b`, so algebra does the rest. Comparisons
come down to two kinds of node: `greater` and `equal`, of a real number with 0, or of two whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.index import Index, bounds, constant, single_digit, subtract
from beatnote.proof.index import add as add_indices
from beatnote.proof.index import scale as scale_index
from beatnote.proof.licences import Claim, Ledger
from beatnote.proof.sums import Sums
from beatnote.proof.terms import (
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Monomial,
    Number,
    Poly,
    Table,
    as_constant,
    atoms_of,
    freeze,
    scalar,
)

MAX_CASES = 3
"""Tests inside a comparison are split into cases when there are no more than these."""


class Logic(Sums):
    """Sums that knows tests."""

    def __init__(self, table: Table, ledger: Ledger) -> None:
        super().__init__(table, ledger)
        self.makers |= {
            "greater": lambda attributes, polys, _: self.greater(*_sides(polys), dtype=str(attributes[0])),
            "equal": lambda attributes, polys, _: self.equal(polys[0], ZERO, dtype=str(attributes[0])),
            "nan": lambda _, polys, __: self.not_a_number(polys[0]),
            "maximum": lambda _, polys, __: self.maximum(*polys, dtype="real"),
            "clamp": lambda attributes, polys, _: self.clamp_whole(
                polys[0],
                attributes[1],
                attributes[2],
                dtype=str(attributes[0]),  # type: ignore[arg-type]
            ),
        }
        self.solvers.append(self._solve_data)

    # Booleans

    def negation(self, p: Poly) -> Poly:
        """1 − p."""
        return self.subtract(ONE, p)

    def either(self, p: Poly, q: Poly) -> Poly:
        """P or q."""
        return self.subtract(self.add(p, q), self.multiply(p, q))

    def unlike(self, p: Poly, q: Poly) -> Poly:
        """P xor q."""
        return self.subtract(self.add(p, q), self.times(self.multiply(p, q), 2))

    def select(self, p: Poly, a: Poly, b: Poly) -> Poly:
        """p·a + (1 − p)·b."""
        value = as_constant(p)
        if value is not None:
            return a if value else b
        if a == b:
            return a
        return self.add(self.multiply(p, a), b, self.times(self.multiply(p, b), -1))

    def assignments_that_make(self, p: Poly, value: int) -> list[dict[int, int]]:
        """Values of the tests in a boolean polynomial, all combinations of which make it `value`."""
        tests = list(dict.fromkeys(atoms_of(p)))
        if len(tests) > MAX_CASES or not all(self.table.is_boolean(atom) for atom in tests):
            return []
        found: list[dict[int, int]] = []
        for values in product((0, 1), repeat=len(tests)):
            case: dict[int, int] = dict(zip(tests, values, strict=True))
            if sum(c for m, c in p if all(case[a] for a, _ in m)) == value:
                found.append(case)
        return found

    def note_guard(self, p: Poly) -> None:
        """Remember what has to hold for p to be 1, when that is one combination of tests."""
        cases = self.assignments_that_make(p, 1)
        if len(cases) == 1:
            for atom, value in cases[0].items():
                kind, number, _ = self.table.atoms[atom]
                if kind == "node":
                    self.ledger.guards.add(Claim("true" if value else "false", number))

    # Comparisons

    def compare(self, a: Poly, b: Poly, direction: str, *, dtype: str) -> Poly:
        """Test `a direction b`, the direction as XLA spells it."""
        if dtype == "real" and a == b and as_constant(a) is None and direction not in ("GT", "LT"):
            unlike = self.not_a_number(a)
            return unlike if direction == "NE" else self.negation(unlike)
        if direction == "GT":
            return self.greater(a, b, dtype=dtype)
        if direction == "LT":
            return self.greater(b, a, dtype=dtype)
        if direction == "GE":
            return self.negation(self.greater(b, a, dtype=dtype))
        if direction == "LE":
            return self.negation(self.greater(a, b, dtype=dtype))
        if direction == "EQ":
            return self.equal(a, b, dtype=dtype)
        if direction == "NE":
            return self.negation(self.equal(a, b, dtype=dtype))
        raise ValueError(f"no comparison {direction!r}")

    def not_a_number(self, a: Poly) -> Poly:
        """Test for what does not equal itself: never a real number, so that the test may be granted to fail."""
        if as_constant(a) is not None:
            return ZERO
        _, closed = self.oriented("nan", (), self.content(a, with_monomial=False)[2])
        atom = self.atom_of(closed, NULL | POSITIVE)
        self.ledger.guards.add(Claim("false", self.table.atoms[atom].number))
        return self.test(atom)

    def greater(self, a: Poly, b: Poly, *, dtype: str) -> Poly:
        """Test whether a > b."""
        if dtype == "real":
            return self._by_cases((self.subtract(a, b),), lambda polys: self._positive(polys[0]))
        if dtype == "pred":
            return self.multiply(a, self.negation(b))  # 1 > 0 only
        return self._whole_greater(a, b, dtype)

    def equal(self, a: Poly, b: Poly, *, dtype: str) -> Poly:
        """Test whether a = b."""
        if dtype == "pred":
            return self.negation(self.unlike(a, b))
        difference = self.subtract(a, b)
        if dtype != "real":
            difference = wrap(difference, dtype)
            index = self._as_index(difference)
            if index is not None and _fits(index, dtype):
                return self.is_zero(index)
            return self._by_cases((difference,), lambda polys: self._null(wrap(polys[0], dtype), dtype))
        return self._by_cases((difference,), lambda polys: self._null(polys[0], dtype))

    def _by_cases(self, polys: tuple[Poly, ...], test: Callable[[tuple[Poly, ...]], Poly]) -> Poly:
        """Split a test of terms that contain tests: Σ over the values of those of [those]·test(terms at them)."""
        inside = list(dict.fromkeys(a for poly in polys for a in atoms_of(poly) if self.table.is_boolean(a)))
        if not inside or len(inside) > MAX_CASES:
            return test(polys)
        self.ledger.rules["split-into-cases"] += 1
        parts: list[Poly] = []
        for values in product((0, 1), repeat=len(inside)):
            case: dict[int, int] = dict(zip(inside, values, strict=True))
            weight = ONE
            for atom, value in case.items():
                one: Poly = ((((atom, 1),), 1),)
                weight = self.multiply(weight, one if value else self.negation(one))
            if weight:
                parts.append(self.multiply(weight, test(tuple(_at(poly, case) for poly in polys))))
        return self.add(*parts)

    def _positive(self, d: Poly) -> Poly:
        """[d > 0] for a real d without tests in it."""
        sign = self.sign(d)
        if sign & POSITIVE == 0:
            return ZERO
        if sign == POSITIVE:
            return ONE
        if len(d) == 1:
            ((monomial, c),) = d
            kept = tuple((a, e) for a, e in monomial if self.sign_of_atom(a) != POSITIVE)
            if len(kept) == 1 and isinstance(kept[0][1], int) and kept[0][1] % 2:
                kept = ((kept[0][0], 1),)
            d = ((kept, 1 if c > 0 else -1),)
        return self._oriented_test("greater", d, lambda: self._null(d, "real"))

    def _oriented_test(self, kind: str, d: Poly, null: Callable[[], Poly]) -> Poly:
        """[d > 0] as a node, by way of [d > 0] = 1 − [−d > 0] − [d = 0] where −d comes first."""
        _, _, d = self.content(d, with_monomial=False)
        factor, closed = self.oriented(kind, ("real",), d)
        test = self.test(self.atom_of(closed, NULL | POSITIVE))
        return test if factor > 0 else self.subtract(self.negation(test), null())

    def test(self, atom: int) -> Poly:
        """A test node's atom as a polynomial: the atom, or what it is granted to be."""
        granted = self.ledger.granted(self.table.atoms[atom].number)
        return scalar(granted) if granted is not None else ((((atom, 1),), 1),)

    def _null(self, d: Poly, dtype: str) -> Poly:
        """[d = 0] for a d without tests in it."""
        value = as_constant(d)
        if value is not None:
            return ONE if value == 0 else ZERO
        if dtype == "real":
            if self.sign(d) & NULL == 0:
                return ZERO
            if len(d) == 1:
                return self._null_monomial(d[0][0])
            _, _, d = self.content(d, with_monomial=False)
        else:
            d = _centred(d, dtype)
        _, closed = self.oriented("equal", (dtype,), d)
        return self.test(self.atom_of(closed, NULL | POSITIVE))

    def _null_monomial(self, monomial: Monomial) -> Poly:
        """Use that a product is 0 where a factor is."""
        none = ONE
        for atom, e in monomial:
            if e > 0 and self.sign_of_atom(atom) & NULL:
                closed = self.close("equal", ("real",), (((((atom, 1),), 1),),))
                none = self.multiply(none, self.negation(self.test(self.atom_of(closed, NULL | POSITIVE))))
        return self.negation(none)

    # Whole numbers

    def _whole_greater(self, a: Poly, b: Poly, dtype: str) -> Poly:
        a, b = wrap(a, dtype), wrap(b, dtype)
        if a == b:
            return ZERO
        left, right = self._as_index(a), self._as_index(b)
        if left is not None and right is not None and _fits(left, dtype) and _fits(right, dtype):
            return self.at_least_zero(subtract(left, add_indices(right, constant(1))))
        return self._by_cases((a, b), lambda polys: self._data_greater(polys[0], polys[1], dtype))

    def _data_greater(self, a: Poly, b: Poly, dtype: str) -> Poly:
        """Test whether a > b for whole numbers that are data; nothing is moved across: sums of them may wrap around."""
        least, greatest = whole_range(dtype)
        a, b = wrap(a, dtype), wrap(b, dtype)
        if a == b:
            return ZERO
        low, high = as_constant(a), as_constant(b)
        if low is not None and high is not None:
            return ONE if low > high else ZERO
        if low is not None:  # [c > b] = 1 − [b > c − 1]
            return self.negation(self._whole_greater(b, scalar(low - 1), dtype)) if low > least else ZERO
        if high is not None and high >= greatest:
            return ZERO
        forward = self.close("greater", (dtype,), (a, b))
        if high is None:
            backward = self.close("greater", (dtype,), (b, a))
            if backward.polys < forward.polys:  # [a > b] = 1 − [b > a] − [a = b]
                test = self.test(self.atom_of(backward, NULL | POSITIVE))
                return self.subtract(self.negation(test), self.equal(a, b, dtype=dtype))
        return self.test(self.atom_of(forward, NULL | POSITIVE))

    def _as_index(self, poly: Poly) -> Index | None:
        """Read a polynomial of indices and whole constants as an index."""
        total = constant(0)
        for monomial, c in poly:
            if not isinstance(c, int):
                return None
            if not monomial:
                total = add_indices(total, constant(c))
                continue
            if len(monomial) != 1 or monomial[0][1] != 1 or self.table.atoms[monomial[0][0]].kind != "index":
                return None
            total = add_indices(total, scale_index(self.table.atoms[monomial[0][0]].arguments[0], c))
        return total

    def clamp_whole(self, value: Poly, low: int, high: int, *, dtype: str) -> Poly:
        """min(max(value, low), high) for whole numbers; the value itself where it is known to be between."""
        value = wrap(value, dtype)
        number = as_constant(value)
        if number is not None:
            return scalar(min(max(number, low), high))
        index = self._as_index(value)
        if index is not None and low <= bounds(index)[0] and bounds(index)[1] <= high:
            return value
        below = self._whole_greater(scalar(low), value, dtype)
        above = self._whole_greater(value, scalar(high), dtype)
        if below == ZERO and above == ZERO:
            return value
        if low == high:
            return scalar(low)
        self.note_guard(self.negation(below))
        self.note_guard(self.negation(above))
        return self.apart("clamp", (dtype, low, high), (value,))

    def data_in_range(self, dtype: str, value: Poly, extent: int) -> Poly:
        """[0 ≤ value < extent]."""
        return self.subtract(
            self._whole_greater(value, scalar(-1), dtype) if whole_range(dtype)[0] < 0 else ONE,
            self._whole_greater(value, scalar(extent - 1), dtype),
        )

    def _solve_data(self, atom: int, rest: Monomial, v: int, extent: int) -> Poly | None:
        """Σ_v [v = e]·f -> f·[0 ≤ e < extent] for an e that is data, when f does not depend on v."""
        node = self.table.node_of(atom)
        if node is None or node.kind != "equal" or node.attributes[0] == "real":
            return None
        if v not in self.table.variables(atom) or any(v in self.table.variables(a) for a, _ in rest):
            return None
        target = self._one_hot_target(atom, v, extent)
        dtype = str(node.attributes[0])
        if target is None or whole_range(dtype)[1] < extent:
            return None
        return self.multiply(((rest, 1),), self.data_in_range(dtype, wrap(target, dtype), extent))

    def _one_hot_target(self, atom: int, v: int, extent: int) -> Poly | None:
        """Find the e in [v − e = 0] or [e − v = 0], when it does not depend on v."""
        (difference,) = self.operands(atom)
        own = [(m, c) for m, c in difference if any(v in self.table.variables(a) for a, _ in m)]
        if len(own) != 1 or abs(own[0][1]) != 1 or len(own[0][0]) != 1 or own[0][0][0][1] != 1:
            return None
        kind, _, arguments = self.table.atoms[own[0][0][0][0]]
        digit = single_digit(arguments[0]) if kind == "index" else None
        if digit is None or digit != (v, 1, extent):
            return None
        rest = freeze({m: c for m, c in difference if m != own[0][0]})
        return self.times(rest, -1 if own[0][1] > 0 else 1)

    # Maxima

    def maximum(self, a: Poly, b: Poly, *, dtype: str) -> Poly:
        """max(a, b) = b + (a − b)·[a > b]; kept as it is where sums may not be re-associated."""
        if a == b:
            return a
        if dtype == "real":
            sign = self.sign(self.subtract(a, b))
            if sign & NEGATIVE == 0:
                return a
            if sign & POSITIVE == 0:
                return b
            if ZERO in (a, b):
                x = a if b == ZERO else b
                return self.multiply(x, self.greater(x, ZERO, dtype=dtype))  # max(x, 0) -> x·[x > 0]
            if not self.licences.reordering:
                forward, backward = (self.close("maximum", (), pair) for pair in ((a, b), (b, a)))
                closed = min(forward, backward, key=lambda c: c.polys)
                return ((((self.atom_of(closed, self.sign(a) | self.sign(b)), 1),), 1),)
        return self._greater_of(a, b, dtype, a, b)

    def _greater_of(self, a: Poly, b: Poly, dtype: str, if_a: Poly, if_b: Poly) -> Poly:
        """Take one polynomial where a > b and another where b > a; where a = b they are equal."""
        test, other = self.greater(a, b, dtype=dtype), self.greater(b, a, dtype=dtype)
        if len(other) < len(test):  # [a > b] is written as 1 − [b > a] − [a = b]
            test, if_a, if_b = other, if_b, if_a
        return self.add(if_b, self.multiply(self.subtract(if_a, if_b), test))

    def minimum(self, a: Poly, b: Poly, *, dtype: str) -> Poly:
        """min(a, b) = −max(−a, −b) for reals, b + (a − b)·[b > a] for whole numbers (−a may not exist)."""
        if dtype == "real":
            return self.times(self.maximum(self.times(a, -1), self.times(b, -1), dtype=dtype), -1)
        return self._greater_of(a, b, dtype, b, a)


def _at(poly: Poly, case: dict[int, int]) -> Poly:
    """Put values in for tests."""
    terms: dict[Monomial, Number] = {}
    for monomial, c in poly:
        if all(case.get(atom, 1) for atom, _ in monomial):
            rest = tuple(factor for factor in monomial if factor[0] not in case)
            terms[rest] = terms.get(rest, 0) + c
    return freeze(terms)


def _sides(polys: tuple[Poly, ...]) -> tuple[Poly, Poly]:
    return (polys[0], ZERO) if len(polys) == 1 else (polys[0], polys[1])


def whole_range(dtype: str) -> tuple[int, int]:
    """Return the least and greatest value of a whole-number element type."""
    row = ELEMENT_TYPES[dtype]
    if row.kind == "unsigned":
        return 0, (1 << row.bits) - 1
    return -(1 << (row.bits - 1)), (1 << (row.bits - 1)) - 1


def wrap(poly: Poly, dtype: str) -> Poly:
    """Coefficients reduced to the range of a whole-number type: its arithmetic is modulo a power of two."""
    least, greatest = whole_range(dtype)
    modulus = greatest - least + 1
    return tuple((m, r) for m, c in poly if (r := (int(c) - least) % modulus + least))


def _centred(poly: Poly, dtype: str) -> Poly:
    """Coefficients reduced to the range around 0, also of an unsigned type: y − x is then the negative of x − y."""
    least, greatest = whole_range(dtype)
    modulus = greatest - least + 1
    return tuple((m, r) for m, c in poly if (r := (int(c) + modulus // 2) % modulus - modulus // 2))


def wrap_if_whole(poly: Poly, dtype: str) -> Poly:
    """Reduce coefficients as `wrap` does where the type is one of whole numbers."""
    return wrap(poly, dtype) if ELEMENT_TYPES[dtype].kind in ("signed", "unsigned") else poly


def _fits(index: Index, dtype: str) -> bool:
    low, high = bounds(index)
    least, greatest = whole_range(dtype)
    return least <= low and high <= greatest
