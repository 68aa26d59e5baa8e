"""Elementwise instructions, by table: opcode -> term. What is not in a table stays an unexplained function.

A row is the term an opcode stands for, with the identity it is read by as a comment.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from beatnote.hlo.literal import rounded
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.algebra import Undefined
from beatnote.proof.functions import Functions
from beatnote.proof.index import single_digit
from beatnote.proof.logic import whole_range, wrap, wrap_if_whole
from beatnote.proof.terms import ONE, ZERO, Monomial, Number, Poly, as_constant, scalar

HALF = Fraction(1, 2)

Unary = Callable[[Functions, Poly], Poly]
Binary = Callable[[Functions, Poly, Poly], Poly]
WholeUnary = Callable[[Functions, str, Poly], Poly]
WholeBinary = Callable[[Functions, str, Poly, Poly], Poly]

REAL_UNARY: dict[str, Unary] = {
    "negate": lambda k, a: k.times(a, -1),
    "sqrt": lambda k, a: k.power(a, HALF),  # sqrt(a) -> a^(1/2)
    "rsqrt": lambda k, a: k.power(a, -HALF),  # rsqrt(a) -> a^(-1/2)
    "exponential": lambda k, a: k.exp(a),
    "exponential-minus-one": lambda k, a: k.subtract(k.exp(a), ONE),  # expm1(a) -> exp(a) − 1
    "log": lambda k, a: k.log(a),
    "log-plus-one": lambda k, a: k.log(k.add(a, ONE)),  # log1p(a) -> log(1 + a)
    "logistic": lambda k, a: k.logistic(a),
    "tanh": lambda k, a: k.tanh(a),
    "abs": lambda k, a: k.maximum(a, k.times(a, -1), dtype="real"),  # |a| -> max(a, −a)
    "sign": lambda k, a: k.subtract(k.greater(a, ZERO, dtype="real"), k.greater(ZERO, a, dtype="real")),
}

REAL_BINARY: dict[str, Binary] = {
    "add": lambda k, a, b: k.add(a, b),
    "subtract": lambda k, a, b: k.subtract(a, b),
    "multiply": lambda k, a, b: k.multiply(a, b),
    "divide": lambda k, a, b: k.multiply(a, k.power(b, -1)),  # a/b -> a·b^-1
    "maximum": lambda k, a, b: k.maximum(a, b, dtype="real"),
    "minimum": lambda k, a, b: k.minimum(a, b, dtype="real"),
}

WHOLE_UNARY: dict[str, WholeUnary] = {
    "negate": lambda k, dtype, a: wrap(k.times(a, -1), dtype),
}

WHOLE_BINARY: dict[str, WholeBinary] = {
    # arithmetic modulo a power of two; `dtype` says which
    "add": lambda k, dtype, a, b: wrap(k.add(a, b), dtype),
    "subtract": lambda k, dtype, a, b: wrap(k.subtract(a, b), dtype),
    "multiply": lambda k, dtype, a, b: wrap(k.multiply(a, b, exact=True), dtype),
    "maximum": lambda k, dtype, a, b: wrap(k.maximum(a, b, dtype=dtype), dtype),
    "minimum": lambda k, dtype, a, b: wrap(k.minimum(a, b, dtype=dtype), dtype),
}

TRUTH_UNARY: dict[str, Unary] = {
    "not": lambda k, p: k.negation(p),
}

TRUTH_BINARY: dict[str, Binary] = {
    "and": lambda k, p, q: k.multiply(p, q),
    "or": lambda k, p, q: k.either(p, q),
    "xor": lambda k, p, q: k.unlike(p, q),
    "multiply": lambda k, p, q: k.multiply(p, q),
    "minimum": lambda k, p, q: k.multiply(p, q),
    "add": lambda k, p, q: k.either(p, q),
    "maximum": lambda k, p, q: k.either(p, q),
}

COMMUTATIVE = frozenset({"and", "or", "xor"})
"""Among functions that are not explained, those whose operands may be swapped."""

UNEXPLAINED = frozenset(
    [
        "abs",
        "and",
        "atan2",
        "cbrt",
        "ceil",
        "cosine",
        "count-leading-zeros",
        "divide",
        "erf",
        "exponential",
        "exponential-minus-one",
        "floor",
        "log",
        "log-plus-one",
        "logistic",
        "not",
        "or",
        "popcnt",
        "power",
        "remainder",
        "round-nearest-afz",
        "round-nearest-even",
        "rsqrt",
        "shift-left",
        "shift-right-arithmetic",
        "shift-right-logical",
        "sign",
        "sine",
        "sqrt",
        "tan",
        "tanh",
        "xor",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atanh",
        "cosh",
        "sinh",
    ]
)
"""Elementwise opcodes known to be functions of their operands' elements and of nothing else."""

ROUNDING = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "divide",
        "sqrt",
        "rsqrt",
        "power",
        "exponential-minus-one",
        "log-plus-one",
        "logistic",
        "tanh",
    ]
)
"""Real opcodes whose result is rounded, so that without `reordering` it is kept as it is."""

PARTIAL = frozenset({"power", "remainder", "acos", "asin", "acosh", "atanh", "tan"})
"""Unexplained functions that are not defined everywhere."""

MAX_EXPONENT_DENOMINATOR = 16
MAX_EXPONENT = 1 << 16


def real(k: Functions, opcode: str, polys: list[Poly]) -> Poly | None:
    """Say what an opcode computes of real numbers; None when it is in no table."""
    if len(polys) == 1 and opcode in REAL_UNARY:
        return REAL_UNARY[opcode](k, polys[0])
    if len(polys) == 2 and opcode in REAL_BINARY:
        return REAL_BINARY[opcode](k, polys[0], polys[1])
    if opcode == "power":
        return power(k, polys[0], polys[1])
    if opcode == "clamp":  # clamp(low, a, high) -> min(max(a, low), high)
        low, value, high = polys
        return k.minimum(k.maximum(value, low, dtype="real"), high, dtype="real")
    return None


def whole(k: Functions, opcode: str, dtype: str, polys: list[Poly]) -> Poly | None:
    """Say what an opcode computes of whole numbers of a type; None when it is in no table."""
    if len(polys) == 1 and opcode in WHOLE_UNARY:
        return WHOLE_UNARY[opcode](k, dtype, polys[0])
    if len(polys) == 2 and opcode in WHOLE_BINARY:
        return WHOLE_BINARY[opcode](k, dtype, polys[0], polys[1])
    return None


def truth(k: Functions, opcode: str, polys: list[Poly]) -> Poly | None:
    """Say what an opcode computes of truth values; None when it is in no table."""
    if len(polys) == 1 and opcode in TRUTH_UNARY:
        return TRUTH_UNARY[opcode](k, polys[0])
    if len(polys) == 2 and opcode in TRUTH_BINARY:
        return TRUTH_BINARY[opcode](k, polys[0], polys[1])
    return None


def power(k: Functions, a: Poly, b: Poly) -> Poly | None:
    """Raise a to a constant rational power; None for any other."""
    exponent = as_constant(b)
    if exponent is None or Fraction(exponent).denominator > MAX_EXPONENT_DENOMINATOR or abs(exponent) > MAX_EXPONENT:
        return None
    return k.power(a, exponent)


def settle(k: Functions, poly: Poly) -> Poly:
    """Without `reordering`, the result of a rounding operation as one atom, so that nothing is re-associated."""
    if k.licences.reordering or as_constant(poly) is not None:
        return poly
    if len(poly) == 1:
        ((monomial, coefficient),) = poly
        values = [(atom, e) for atom, e in monomial if not k.table.is_boolean(atom)]
        if len(values) <= 1 and all(e == 1 for _, e in values) and _is_power_of_two(coefficient):
            return poly
    return k.whole(poly)


def _is_power_of_two(value: Number) -> bool:
    exact = abs(Fraction(value))
    return exact.numerator & (exact.numerator - 1) == 0 and exact.denominator & (exact.denominator - 1) == 0


def convert(k: Functions, poly: Poly, source: str, target: str) -> Poly:
    """Convert an element of one type to another, exactly as XLA converts."""
    if source == target:
        return poly
    kinds = ELEMENT_TYPES[source].kind, ELEMENT_TYPES[target].kind
    if "complex" in kinds:
        return k.apart("function", ("convert", source, target), (poly,))
    constant = as_constant(wrap_if_whole(poly, source))
    if constant is not None:
        return _convert_constant(k, constant, source, target)
    if kinds[1] == "pred":  # any -> pred: x ≠ 0
        return k.negation(k.equal(poly, ZERO, dtype="real" if kinds[0] == "float" else source))
    if kinds == ("float", "float"):
        return poly if k.licences.precision else k.apart("function", ("convert", source, target), (poly,))
    limits = value_bounds(k, poly)
    if limits is not None and _holds_exactly(limits, source) and _holds_exactly(limits, target):
        return poly
    return k.apart("function", ("convert", source, target), (poly,))


def _convert_constant(k: Functions, value: Number, source: str, target: str) -> Poly:
    element = ELEMENT_TYPES[target]
    if element.kind == "pred":
        return scalar(int(value != 0))
    if element.kind == "float":
        nearest = rounded(Fraction(value), element)
        if abs(nearest) > element.greatest or (target == "f8e8m0fnu" and nearest <= 0):  # that type has no sign
            raise Undefined(f"{float(value):g} as {target}")
        return scalar(nearest)
    least, greatest = whole_range(target)
    if ELEMENT_TYPES[source].kind == "float" and not least <= int(value) <= greatest:
        return k.apart("function", ("convert", source, target), (scalar(value),))
    return wrap(scalar(int(value)), target)  # towards zero; whole numbers wrap around


def value_bounds(k: Functions, poly: Poly) -> tuple[int, int] | None:
    """Return the least and greatest value of a polynomial of tests and digits with whole coefficients."""
    low = high = 0
    for monomial, c in poly:
        most = _greatest(k, monomial)
        if most is None or not isinstance(c, int):
            return None
        least = 0 if monomial else 1
        low += c * (most if c < 0 else least)
        high += c * (most if c > 0 else least)
    return low, high


def _greatest(k: Functions, monomial: Monomial) -> int | None:
    """Return the greatest value of a product of tests and digits."""
    greatest = 1
    for atom, e in monomial:
        kind, _, arguments = k.table.atoms[atom]
        if k.table.is_boolean(atom):
            continue
        digit = single_digit(arguments[0]) if kind == "index" else None
        if digit is None or not isinstance(e, int) or e < 0:
            return None
        greatest *= (digit.modulus - 1) ** e
    return greatest


def _holds_exactly(limits: tuple[int, int], dtype: str) -> bool:
    element = ELEMENT_TYPES[dtype]
    if element.kind == "pred":
        return True
    if element.kind == "float":
        return max(abs(limits[0]), abs(limits[1])) <= 1 << element.precision
    least, greatest = whole_range(dtype)
    return least <= limits[0] and limits[1] <= greatest
