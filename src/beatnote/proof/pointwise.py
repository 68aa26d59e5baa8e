"""Elementwise instructions on whole arrays: infinities kept apart, signs and domains followed.

What an opcode computes of one element is in the tables of `elementwise`.
"""

from __future__ import annotations

from fractions import Fraction

from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ArrayShape
from beatnote.proof import elementwise, views
from beatnote.proof.attributes import compared_attributes
from beatnote.proof.domains import Need, absorbed, chosen, needs_of
from beatnote.proof.elementwise import settle
from beatnote.proof.functions import Functions
from beatnote.proof.logic import wrap
from beatnote.proof.reals import sign_of_power, sign_of_product, sign_of_sum
from beatnote.proof.terms import ANY_SIGN, NEGATIVE, NULL, ONE, POSITIVE, ZERO, Poly, as_constant
from beatnote.proof.value import Untranslatable, Value, combined, includes, own_sign

ELEMENTWISE = (
    frozenset(elementwise.REAL_UNARY)
    | frozenset(elementwise.REAL_BINARY)
    | elementwise.UNEXPLAINED
    | {"clamp", "compare", "select", "convert", "reduce-precision", "is-finite", "and", "or", "xor", "not"}
)

COMPARED_AS = {"float": "real", "pred": "pred"}
"""Kinds of element types whose comparisons do not depend on the type."""


def pointwise(
    k: Functions, instruction: Instruction, shape: ArrayShape, operands: list[Value], *, unexplained: bool
) -> Value:
    """Compute an elementwise instruction.

    Args:
        k: the algebra.
        instruction: whose opcode is in `ELEMENTWISE`.
        shape: of the result.
        operands: scalars among them are repeated.
        unexplained: keep it as a function of its operands even where its meaning is known.
    """
    opcode = instruction.opcode
    extents = shape.dimensions
    if any(o.extents not in (extents, ()) for o in operands):
        raise Untranslatable(f"instruction {instruction.name!r} combines arrays of different extents")
    operands = [o if o.extents == extents else views.viewed(k, o, extents, ()) for o in operands]
    support, domain = combined(*operands)
    around = Value(ZERO, extents, shape.element_type, support, domain)
    if around.is_empty:
        return around
    if any(o.special for o in operands) and not unexplained:
        found = _chosen(k, around, opcode, operands)
        if found is not None:
            return found
        unexplained = True
    if unexplained:
        return _function(k, instruction, around, operands)._replace(special="some")
    kind = operands[0].kind if operands else ""
    polys = [o.poly for o in operands]
    if opcode == "compare" and kind == "float" and instruction.attributes.get("type") == "TOTALORDER":
        return _function(k, instruction, around, operands)  # there −0 < 0, and NaN has its place
    if opcode == "compare":
        direction = instruction.attributes.get("direction", "")
        poly = k.compare(polys[0], polys[1], direction, dtype=COMPARED_AS.get(kind, operands[0].dtype))
        needs = absorbed(k, domain, poly, of_nan=int(direction == "NE"))
        return around._replace(poly=poly, domain=needs, sign=NULL | POSITIVE)
    if opcode == "select":
        return select(k, around, operands)
    if opcode == "convert":
        poly = elementwise.convert(k, polys[0], operands[0].dtype, shape.element_type)
        sign = operands[0].sign if around.kind == "float" and kind in ("float", "pred", "unsigned") else ANY_SIGN
        if kind == "float" and not (k.licences.precision or includes(shape.element_type, operands[0].dtype)):
            sign |= NULL  # what is small is rounded to 0
        needs = domain if around.kind == "float" else absorbed(k, domain, poly, of_nan=int(around.kind == "pred"))
        return around._replace(poly=poly, domain=needs, sign=sign & own_sign(shape) or ANY_SIGN)
    if opcode == "clamp" and kind in ("signed", "unsigned"):
        return _clamp_whole(k, around, operands)
    if kind == "float" and (found := _real(k, opcode, around, operands)) is not None:
        return found
    if kind in ("signed", "unsigned") and (poly := elementwise.whole(k, opcode, operands[0].dtype, polys)) is not None:
        return around._replace(poly=poly, sign=own_sign(shape))
    if kind == "pred" and (poly := elementwise.truth(k, opcode, polys)) is not None:
        return around._replace(poly=poly, sign=NULL | POSITIVE)
    if opcode == "reduce-precision" and k.licences.precision:
        return operands[0]
    return _function(k, instruction, around, operands)


def _function(k: Functions, instruction: Instruction, around: Value, operands: list[Value]) -> Value:
    """Apply an elementwise function that is not explained."""
    polys = tuple(o.poly for o in operands)
    if instruction.opcode in elementwise.COMMUTATIVE:
        polys = tuple(sorted(polys))
    types = tuple(COMPARED_AS.get(o.kind, o.dtype) for o in operands)
    attributes = ("function", instruction.opcode, around.dtype, *types, *compared_attributes(instruction))
    kind = "boolean" if around.kind == "pred" else "function"
    sign = own_sign(around)
    atom = k.atom_of(k.close(kind, attributes, polys), sign)
    domain = around.domain
    if instruction.opcode in elementwise.PARTIAL and around.kind == "float":
        domain |= needs_of(k, Need("defined", ((((atom, 1),), 1),)))
    elif around.kind != "float":
        domain = absorbed(k, domain, ((((atom, 1),), 1),))
    return around._replace(poly=((((atom, 1),), 1),), domain=domain, sign=sign)


def _chosen(k: Functions, around: Value, opcode: str, operands: list[Value]) -> Value | None:
    """Compute an operation one of whose operands is infinite or NaN, where its result is one of its operands."""
    if opcode == "select":
        if as_constant(operands[0].poly) is not None:
            return select(k, around, operands)
        if operands[2].special == "nan" and not operands[1].special:
            k.note_guard(operands[0].poly)
        if operands[1].special == "nan" and not operands[2].special:
            k.note_guard(k.negation(operands[0].poly))
        return None
    if opcode in ("maximum", "minimum") and operands[0].kind == "float":
        neutral, absorbing = ("-inf", "inf") if opcode == "maximum" else ("inf", "-inf")
        for one, other in (operands, operands[::-1]):
            if one.special == neutral or (other.special == absorbing and one.special not in ("nan", "some")):
                return other._replace(support=around.support, domain=around.domain)
    return None


def select(k: Functions, around: Value, operands: list[Value]) -> Value:
    """Select between two arrays by a test; nothing is asked of a branch that is not taken."""
    test, a, b = operands
    value = as_constant(test.poly)
    if value is not None:
        taken = a if value else b
        support, domain = combined(test, taken)
        return taken._replace(support=support, domain=domain)
    poly = k.select(test.poly, a.poly, b.poly)
    if around.kind in ("signed", "unsigned"):
        poly = wrap(poly, around.dtype)
    domain = test.domain | chosen(k, test.poly, a.domain, b.domain)
    return around._replace(poly=poly, domain=domain, sign=a.sign | b.sign)


def _clamp_whole(k: Functions, around: Value, operands: list[Value]) -> Value:
    low, value, high = operands
    dtype = value.dtype
    limits = as_constant(wrap(low.poly, dtype)), as_constant(wrap(high.poly, dtype))
    if limits[0] is not None and limits[1] is not None and limits[0] <= limits[1]:
        return around._replace(poly=k.clamp_whole(value.poly, int(limits[0]), int(limits[1]), dtype=dtype))
    rows = elementwise.WHOLE_BINARY
    poly = rows["minimum"](k, dtype, rows["maximum"](k, dtype, value.poly, low.poly), high.poly)
    return around._replace(poly=poly)


def _real(k: Functions, opcode: str, around: Value, operands: list[Value]) -> Value | None:
    """Compute an operation on real numbers that is explained; None for others."""
    polys = [o.poly for o in operands]
    if opcode == "power" and as_constant(polys[1]) == 0:  # 1, also of what is not a number
        return around._replace(poly=ONE, support=operands[1].support, domain=operands[1].domain, sign=POSITIVE)
    for operand in operands if opcode in NEEDS_SIGN else ():
        if not operand.domain:  # else the sign holds only where the operand is a number
            k.learn(operand.poly, operand.sign)
    domain = around.domain
    for what, position in _requirements(opcode, polys):
        argument = k.add(polys[position], ONE) if opcode == "log-plus-one" else polys[position]
        domain |= needs_of(k, Need(what, argument))
    poly = elementwise.real(k, opcode, polys)
    if poly is None:
        return None
    if opcode in elementwise.ROUNDING:
        poly = settle(k, poly)
    return around._replace(poly=poly, domain=domain, sign=_sign(opcode, operands) or ANY_SIGN)


NEEDS_SIGN = frozenset(["divide", "sqrt", "rsqrt", "power", "log", "log-plus-one", "maximum", "minimum", "abs"])


def _requirements(opcode: str, polys: list[Poly]) -> list[tuple[str, int]]:
    """Say what has to hold of which operand for the result to be a real number."""
    rows: dict[str, list[tuple[str, int]]] = {
        "divide": [("nonzero", 1)],
        "sqrt": [("nonnegative", 0)],
        "rsqrt": [("nonnegative", 0), ("nonzero", 0)],
        "log": [("nonnegative", 0), ("nonzero", 0)],
        "log-plus-one": [("nonnegative", 0), ("nonzero", 0)],
    }
    if opcode != "power":
        return rows.get(opcode, [])
    exponent = as_constant(polys[1])
    if exponent is None:  # left unexplained
        return []
    needed = [("nonnegative", 0)] if Fraction(exponent).denominator != 1 else []
    return [*needed, ("nonzero", 0)] if exponent < 0 else needed


def _sign(opcode: str, operands: list[Value]) -> int:
    signs = [o.sign for o in operands]
    if opcode == "add":
        return sign_of_sum(*signs)
    if opcode == "subtract":
        return sign_of_sum(signs[0], sign_of_product(signs[1], NEGATIVE))
    if opcode == "negate":
        return sign_of_product(signs[0], NEGATIVE)
    if opcode == "multiply":
        return sign_of_power(signs[0], 2) if operands[0].poly == operands[1].poly else sign_of_product(*signs)
    if opcode == "divide":
        return sign_of_product(signs[0], sign_of_power(signs[1], -1))
    if opcode in ("sqrt", "rsqrt"):
        return sign_of_power(signs[0], Fraction(1 if opcode == "sqrt" else -1, 2))
    if opcode == "power":
        exponent = as_constant(operands[1].poly)
        return sign_of_power(signs[0], exponent) if exponent is not None else ANY_SIGN
    if opcode in ("exponential", "logistic"):
        return POSITIVE
    if opcode == "abs":
        return (signs[0] & (NULL | POSITIVE)) | (POSITIVE if signs[0] & NEGATIVE else 0)
    if opcode == "maximum" and not (signs[0] & NEGATIVE and signs[1] & NEGATIVE):
        return (signs[0] | signs[1]) & ~NEGATIVE
    return ANY_SIGN
