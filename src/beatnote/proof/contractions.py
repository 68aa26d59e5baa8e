"""Instructions that sum or otherwise reduce over indices: dot and reduce."""

from __future__ import annotations

from beatnote.hlo.attributes import integers
from beatnote.hlo.module import Computation, Instruction
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.attributes import how_exactly
from beatnote.proof.domains import NOTHING, moved
from beatnote.proof.elementwise import convert, settle
from beatnote.proof.functions import Functions
from beatnote.proof.index import Index, variable
from beatnote.proof.logic import whole_range, wrap
from beatnote.proof.reals import sign_of_product, sign_of_sum
from beatnote.proof.terms import ANY_SIGN, NULL, POSITIVE, Poly, as_constant
from beatnote.proof.value import EMPTY, Value, combined, includes

REDUCERS = frozenset({"add", "multiply", "maximum", "minimum", "and", "or"})
"""Opcodes that reduce in any order."""


def dot(k: Functions, lhs: Value, rhs: Value, instruction: Instruction, extents: tuple[int, ...], dtype: str) -> Value:
    """Σ over the contracting dimensions of lhs·rhs; batch dimensions first, then those of lhs, then of rhs."""
    rows = {
        name: integers(instruction.attributes.get(name, "{}"))
        for name in ("lhs_contracting_dims", "rhs_contracting_dims", "lhs_batch_dims", "rhs_batch_dims")
    }
    batch = len(rows["lhs_batch_dims"])
    wide = widest(dtype, lhs.dtype, rhs.dtype) or dtype
    bound = [(k.fresh(), lhs.extents[axis]) for axis in rows["lhs_contracting_dims"]]
    next_axis = batch
    factors: list[Poly] = []
    domain = NOTHING
    for value, side in ((lhs, "lhs"), (rhs, "rhs")):
        sources: list[Index] = []
        for axis, extent in enumerate(value.extents):
            if axis in rows[f"{side}_batch_dims"]:
                sources.append(variable(rows[f"{side}_batch_dims"].index(axis), extent))
            elif axis in rows[f"{side}_contracting_dims"]:
                sources.append(variable(*bound[rows[f"{side}_contracting_dims"].index(axis)]))
            else:
                sources.append(variable(next_axis, extent))
                next_axis += 1
        poly = convert(k, value.poly, value.dtype, wide)
        mapping = dict(enumerate(sources))
        factors.append(k.substitute(poly, mapping))
        domain |= moved(k, value.domain, mapping, tuple(bound))
    support, _ = combined(lhs, rhs)
    if lhs.is_empty or rhs.is_empty:
        return Value(EMPTY, extents, dtype, support, NOTHING, NULL)
    product = k.multiply(*factors, exact=lhs.kind != "float")
    if lhs.kind != "float":
        return Value(wrap(k.sum(wrap(product, dtype), bound), dtype), extents, dtype, support, domain)
    sign = sign_of_product(lhs.sign, rhs.sign)
    total = settle(k, k.sum(product if bound else settle(k, product), bound))
    how = how_exactly(instruction)
    if how and total and not k.licences.precision:
        total = k.apart("rounded", how, (total,), k.sign(total) | NULL)
    total = convert(k, total, wide, dtype)  # what is multiplied and summed in a wider type is rounded at the end
    sign = sign_of_sum(sign, sign) | (NULL if wide != dtype else 0)  # what is small is rounded to 0
    return Value(total, extents, dtype, support, domain, sign)


def widest(*dtypes: str) -> str | None:
    """Find the one among some floating-point types that holds the numbers of all; None where none does."""
    return next((wide for wide in dtypes if all(includes(wide, other) for other in dtypes)), None)


def reducer(computation: Computation) -> str | None:
    """Return the opcode of a computation that combines its two parameters with one commutative operation, else None."""
    root = computation.root_instruction
    names = {parameter.name for parameter in computation.parameters}
    if len(names) == 2 and set(root.operands) == names and len(root.operands) == 2 and root.opcode in REDUCERS:
        return root.opcode
    return None


def reduce(k: Functions, value: Value, initial: Value, opcode: str, dimensions: tuple[int, ...]) -> Value:
    """Reduce over some dimensions, in any order, from an initial value that changes nothing."""
    kept = [axis for axis in range(len(value.extents)) if axis not in dimensions]
    bound = [(k.fresh(), value.extents[axis]) for axis in dimensions]
    sources: list[Index] = [(0, ())] * len(value.extents)
    for place, axis in enumerate(kept):
        sources[axis] = variable(place, value.extents[axis])
    for v, axis in zip(bound, dimensions, strict=True):
        sources[axis] = variable(*v)
    extents = tuple(value.extents[axis] for axis in kept)
    support, _ = combined(value, initial)
    if value.is_empty:
        return initial._replace(extents=extents, support=support)
    mapping = dict(enumerate(sources))
    domain = moved(k, value.domain, mapping, tuple(bound)) | initial.domain
    poly, sign = _reduced(k, k.substitute(value.poly, mapping), bound, opcode, value)
    return Value(poly, extents, value.dtype, support, domain, sign)


def _reduced(k: Functions, body: Poly, bound: list[tuple[int, int]], opcode: str, value: Value) -> tuple[Poly, int]:
    bound = [(v, extent) for v, extent in bound if extent > 1]
    if not bound:
        return body, value.sign
    if value.kind == "pred":
        opcode = {"add": "or", "maximum": "or", "multiply": "and", "minimum": "and"}.get(opcode, opcode)
    if opcode == "add":
        total = k.sum(body, bound)
        sign = sign_of_sum(value.sign, value.sign) if value.kind == "float" else ANY_SIGN
        return settle(k, total) if value.kind == "float" else wrap(total, value.dtype), sign
    kind = "boolean" if value.kind == "pred" else "reduce"
    dtype = "real" if value.kind == "float" else value.dtype
    if kind == "boolean":
        return k.reduction(kind, (opcode, dtype), body, bound, NULL | POSITIVE), NULL | POSITIVE
    if dtype != "real" or opcode == "multiply":
        return k.reduction(kind, (opcode, dtype), body, bound, ANY_SIGN), ANY_SIGN
    own = k.sign(body) if value.domain else value.sign  # the latter may hold only where the value is a number
    return k.reduction(kind, (opcode, dtype), body, bound, own), value.sign


def is_identity(opcode: str, initial: Value) -> bool:
    """Whether a reduction's initial value changes nothing."""
    if initial.special:
        return initial.special == {"maximum": "-inf", "minimum": "inf"}.get(opcode)
    neutral: dict[str, int] = {"add": 0, "multiply": 1, "or": 0, "and": 1}
    if initial.kind in ("signed", "unsigned"):
        least, greatest = whole_range(initial.dtype)
        neutral |= {"maximum": least, "minimum": greatest, "and": -1 if least < 0 else greatest}
    value = as_constant(initial.poly)
    greatest = ELEMENT_TYPES[initial.dtype].greatest
    if value is not None and initial.kind == "float" and opcode in ("maximum", "minimum"):
        return value <= -greatest if opcode == "maximum" else value >= greatest
    return value is not None and value == neutral.get(opcode)
