"""Which function gives the terms of which opcode.

Elementwise opcodes have tables of their own in `elementwise`; everything else is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from beatnote.hlo.attributes import integers, paddings, slices
from beatnote.hlo.calls import called_computations
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Layout, TupleShape
from beatnote.proof import gathers, views
from beatnote.proof.constants import constant
from beatnote.proof.contractions import dot, is_identity, reduce, reducer, widest
from beatnote.proof.domains import moved
from beatnote.proof.index import Index, variable
from beatnote.proof.index import constant as constant_index
from beatnote.proof.logic import whole_range
from beatnote.proof.pointwise import select
from beatnote.proof.terms import NULL, POSITIVE, ZERO, poly_variables
from beatnote.proof.value import COMPUTED, Untranslatable, Value, Values, combined, shaped
from beatnote.proof.value import leaves as value_leaves

if TYPE_CHECKING:
    from beatnote.proof.translate import Translation

Structure = Callable[["Translation", Instruction, list[Values]], Values]


def _constant(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    shape = instruction.shape
    if instruction.is_elided:
        t.elided.append(instruction.name)
        return t.unknown(instruction, ("elided", t.side, t.place, instruction.name))
    if isinstance(shape, TupleShape) or ELEMENT_TYPES[shape.element_type].kind not in COMPUTED:
        return t.unknown(instruction, ("constant", "".join((instruction.literal or "").split()), str(shape)))
    return constant(t.k, instruction, shape)


def _get(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    operand = operands[0]
    index = int(instruction.attributes["index"])
    if isinstance(operand, Value) or not 0 <= index < len(operand):
        raise Untranslatable(f"instruction {instruction.name!r} takes element {index} of something else than a tuple")
    return operand[index]


def _conditional(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    names = called_computations(instruction)
    test = operands[0]
    if not isinstance(test, Value) or test.dtype != "pred" or len(names) != 2 or test.special:
        return t.operation(instruction, operands)
    yes, no = (value_leaves(t.call(name, [operand])) for name, operand in zip(names, operands[1:], strict=True))
    chosen: list[Value] = []
    for a, b in zip(yes, no, strict=True):
        support, domain = combined(test, a, b)
        if a.special or b.special or a.kind not in COMPUTED:
            return t.operation(instruction, operands)
        where = views.viewed(t.k, test, a.extents, ())
        chosen.append(select(t.k, Value(ZERO, a.extents, a.dtype, support, domain), [where, a, b]))
    return shaped(instruction.shape, iter(chosen))


def _map(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    """Apply a scalar computation to each element: the indices are given names of their own meanwhile."""
    arrays = [operand for operand in operands if isinstance(operand, Value)]
    extents = arrays[0].extents
    names = [t.k.fresh() for _ in extents]
    there: Mapping[int, Index] = {a: variable(n, e) for a, (n, e) in enumerate(zip(names, extents, strict=True))}
    scalars: list[Values] = [
        o._replace(poly=t.k.substitute(o.poly, there), extents=(), domain=moved(t.k, o.domain, there)) for o in arrays
    ]
    result = t.call(called_computations(instruction)[0], scalars)
    if not isinstance(result, Value):
        raise Untranslatable(f"instruction {instruction.name!r} maps to a tuple")
    back: Mapping[int, Index] = {n: variable(a, e) for a, (n, e) in enumerate(zip(names, extents, strict=True))}
    if any(v not in names for v in poly_variables(t.k.table, result.poly)):
        raise Untranslatable(f"instruction {instruction.name!r} maps to something else than a scalar")
    poly, domain = t.k.substitute(result.poly, back), moved(t.k, result.domain, back)
    return result._replace(poly=poly, extents=extents, domain=domain)


def _custom_call(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    if instruction.attributes.get("custom_call_target") == '"Sharding"' and len(operands) == 1:
        return operands[0]  # where an array is kept, not what it holds
    return t.operation(instruction, operands)


def _async_start(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    shape = instruction.shape
    if not isinstance(shape, TupleShape) or len(shape.elements) < 2:
        raise Untranslatable(f"instruction {instruction.name!r} should yield a tuple of operands, result and context")
    result = t.call(called_computations(instruction)[0], operands)
    return (tuple(operands), result, *_context(t, instruction, operands))


def _copy_start(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    return (operands[0], operands[0], *_context(t, instruction, operands))


def _context(t: Translation, instruction: Instruction, operands: list[Values]) -> tuple[Values, ...]:
    """Say what an asynchronous start yields beside operands and result."""
    rest = t.operation(instruction, operands)
    return () if isinstance(rest, Value) else rest[2:]


def _element(position: int) -> Structure:
    def take(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
        operand = operands[0]
        if isinstance(operand, Value) or len(operand) <= position:
            raise Untranslatable(f"instruction {instruction.name!r} should be given a tuple")
        return operand[position]

    return take


def _inline(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    return t.call(called_computations(instruction)[0], operands)


STRUCTURE: dict[str, Structure] = {
    "tuple": lambda t, instruction, operands: tuple(operands),
    "get-tuple-element": _get,
    "constant": _constant,
    "call": _inline,
    "fusion": _inline,
    "map": _map,
    "conditional": _conditional,
    "custom-call": _custom_call,
    "async-start": _async_start,
    "async-update": lambda t, instruction, operands: operands[0],
    "async-done": _element(1),
    "copy-start": _copy_start,
    "copy-done": _element(0),
    "copy": lambda t, instruction, operands: operands[0],
    "opt-barrier": lambda t, instruction, operands: operands[0],
    "add-dependency": lambda t, instruction, operands: operands[0],
    "domain": lambda t, instruction, operands: operands[0],
}

# Instructions that move elements

View = Callable[["Translation", Instruction, ArrayShape, list[Value]], Values]
Dims = tuple[int, ...]


def _bitcast(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
    (value,) = operands
    source = t.operand_layout(instruction)
    if value.dtype != shape.element_type or not _tiled_alike(shape.dimensions, shape.layout, value.extents, source):
        return t.operation(instruction, list(operands))
    orders: list[tuple[int, ...]] = []
    for extents, layout in ((shape.dimensions, shape.layout), (value.extents, source)):
        default = tuple(reversed(range(len(extents))))
        orders.append(layout.minor_to_major if layout is not None and layout.minor_to_major else default)
    sources = views.bitcast_sources(shape.dimensions, orders[0], value.extents, orders[1])
    return views.viewed(t.k, value, shape.dimensions, sources)


def _tiled_alike(extents: Dims, layout: Layout | None, other_extents: Dims, other: Layout | None) -> bool:
    """Whether tiles, if any, are the same and cover the same extents, so that they do not change who follows whom."""
    tiles = layout.tiles if layout is not None else ()
    if tiles != (other.tiles if other is not None else ()):
        return False
    if layout is None or other is None or not tiles:
        return True
    rank = max(map(len, tiles))
    covered = tuple(extents[axis] for axis in layout.minor_to_major[:rank])
    return (
        len(covered) == rank
        and not any(-1 in tile for tile in tiles)
        and covered == tuple(other_extents[axis] for axis in other.minor_to_major[:rank])
    )


def _iota(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
    axis = int(instruction.attributes.get("iota_dimension", "0"))
    if ELEMENT_TYPES[shape.element_type].kind not in ("float", "signed", "unsigned"):
        return t.operation(instruction, list(operands))
    poly = t.k.index_value(variable(axis, shape.dimensions[axis]))
    element = ELEMENT_TYPES[shape.element_type]
    most = 1 << element.precision if element.kind == "float" else whole_range(shape.element_type)[1]
    if shape.dimensions[axis] > most:
        return t.operation(instruction, list(operands))
    return Value(poly, shape.dimensions, shape.element_type, sign=NULL | POSITIVE)


def _joined(make: View) -> View:
    """View several operands as one; tests would multiply infinities by 0, so those are left alone."""

    def view(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
        if any(o.special or o.kind not in COMPUTED for o in operands):
            return t.operation(instruction, list(operands))
        return make(t, instruction, shape, operands)

    return view


VIEWS: dict[str, View] = {
    "reshape": lambda t, i, shape, o: views.reshape(t.k, o[0], shape.dimensions),
    "bitcast": _bitcast,
    "transpose": lambda t, i, shape, o: views.transpose(t.k, o[0], integers(i.attributes["dimensions"])),
    "broadcast": lambda t, i, shape, o: views.broadcast(
        t.k, o[0], shape.dimensions, integers(i.attributes.get("dimensions", "{}"))
    ),
    "slice": lambda t, i, shape, o: views.slice_of(t.k, o[0], slices(i.attributes["slice"])),
    "reverse": lambda t, i, shape, o: views.reverse(t.k, o[0], integers(i.attributes["dimensions"])),
    "iota": _iota,
    "pad": _joined(lambda t, i, shape, o: views.pad(t.k, o[0], o[1], paddings(i.attributes["padding"]))),
    "concatenate": _joined(
        lambda t, i, shape, o: views.concatenate(t.k, tuple(o), integers(i.attributes["dimensions"])[0])
    ),
}


# Instructions that contract, or read at positions that are data

Indexed = Callable[["Translation", Instruction, ArrayShape, list[Value]], Values | None]


def _dot(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    result = ELEMENT_TYPES[shape.element_type].kind
    kinds = {result, *(o.kind for o in operands)}
    mixed = "float" in kinds and len(kinds) > 1
    if len(operands) != 2 or any(o.special for o in operands) or result == "pred" or mixed:
        return None
    if result == "float" and widest(shape.element_type, operands[0].dtype, operands[1].dtype) is None:
        return None
    return dot(t.k, operands[0], operands[1], instruction, shape.dimensions, shape.element_type)


def _reduce(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    names = called_computations(instruction)
    if len(operands) != 2 or len(names) != 1:
        return None
    opcode = reducer(t.computation(names[0]))
    value, initial = operands
    if opcode is None or value.special:
        return None
    if not is_identity(opcode, initial):
        return None  # how often the initial value is used, if at all, is the implementation's choice
    return reduce(t.k, value, initial, opcode, integers(instruction.attributes["dimensions"]))


def _scatter(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    names = called_computations(instruction)
    if len(operands) != 3 or len(names) != 1 or any(o.special for o in operands):
        return None
    if reducer(t.computation(names[0])) != "add" or operands[0].kind == "pred":
        return None
    return gathers.scatter_add(t.k, operands[0], operands[1], operands[2], instruction)


def _without_special(make: Indexed) -> Indexed:
    def indexed(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
        return None if any(o.special for o in operands) else make(t, instruction, shape, operands)

    return indexed


def _starts(t: Translation, value: Value, starts: list[Value]) -> tuple[Value, ...]:
    """Start positions as scalars; programs before 2020 give them as one vector."""
    if len(starts) == 1 and len(starts[0].extents) == 1:
        (vector,) = starts
        return tuple(views.viewed(t.k, vector, (), (constant_index(axis),)) for axis in range(len(value.extents)))
    return tuple(starts)


INDEXED: dict[str, Indexed] = {
    "dot": _dot,
    "reduce": _reduce,
    "scatter": _scatter,
    "gather": _without_special(lambda t, i, shape, o: gathers.gather(t.k, o[0], o[1], i, shape.dimensions)),
    "dynamic-slice": _without_special(
        lambda t, i, shape, o: gathers.dynamic_slice(t.k, o[0], _starts(t, o[0], o[1:]), shape.dimensions)
    ),
    "dynamic-update-slice": _without_special(
        lambda t, i, shape, o: gathers.dynamic_update_slice(t.k, o[0], o[1], _starts(t, o[0], o[2:]))
    ),
}
