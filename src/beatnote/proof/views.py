"""Instructions that only move elements: each becomes a substitution of indices, and tests where ranges meet."""

from __future__ import annotations

from beatnote.hlo.attributes import Padding, Slice
from beatnote.proof.domains import NOTHING, guarded, moved
from beatnote.proof.functions import Functions
from beatnote.proof.index import ZERO, Index, add, constant, divide, linear, scale, subtract, unravel, variable
from beatnote.proof.logic import wrap_if_whole
from beatnote.proof.terms import ONE, Poly
from beatnote.proof.value import EMPTY, Value


def viewed(k: Functions, value: Value, extents: tuple[int, ...], sources: tuple[Index, ...]) -> Value:
    """Make the array whose element is the operand's element at `sources`, one index for each of its dimensions."""
    if value.is_empty or 0 in extents:
        return value._replace(poly=EMPTY, extents=extents, domain=NOTHING)
    mapping = dict(enumerate(sources))
    poly = wrap_if_whole(k.substitute(value.poly, mapping), value.dtype)
    return value._replace(poly=poly, extents=extents, domain=moved(k, value.domain, mapping))


def reshape(k: Functions, value: Value, extents: tuple[int, ...]) -> Value:
    """Reshape: the same elements in row-major order."""
    if value.extents == extents or value.is_empty:
        return value._replace(extents=extents)
    indices = tuple(variable(axis, extent) for axis, extent in enumerate(extents))
    return viewed(k, value, extents, unravel(linear(extents, indices), value.extents))


def transpose(k: Functions, value: Value, permutation: tuple[int, ...]) -> Value:
    """Dimension i of the result is dimension `permutation[i]` of the operand."""
    extents = tuple(value.extents[axis] for axis in permutation)
    sources = [ZERO] * len(extents)
    for axis, source in enumerate(permutation):
        sources[source] = variable(axis, extents[axis])
    return viewed(k, value, extents, tuple(sources))


def broadcast(k: Functions, value: Value, extents: tuple[int, ...], dimensions: tuple[int, ...]) -> Value:
    """Dimension i of the operand is dimension `dimensions[i]` of the result; an extent of 1 is repeated."""
    sources = tuple(
        variable(target, extents[target]) if value.extents[axis] != 1 else ZERO
        for axis, target in enumerate(dimensions)
    )
    return viewed(k, value, extents, sources)


def slice_of(k: Functions, value: Value, ranges: tuple[Slice, ...]) -> Value:
    """Every stride-th element from start up to limit, in each dimension."""
    extents = tuple(max(0, -(-(r.limit - r.start) // r.stride)) for r in ranges)
    sources = tuple(
        add(scale(variable(axis, extent), r.stride), constant(r.start))
        for axis, (extent, r) in enumerate(zip(extents, ranges, strict=True))
    )
    return viewed(k, value, extents, sources)


def reverse(k: Functions, value: Value, dimensions: tuple[int, ...]) -> Value:
    """Reverse the order of elements along some dimensions."""
    sources = tuple(
        subtract(constant(extent - 1), variable(axis, extent)) if axis in dimensions else variable(axis, extent)
        for axis, extent in enumerate(value.extents)
    )
    return viewed(k, value, value.extents, sources)


def pad(k: Functions, value: Value, filler: Value, rows: tuple[Padding, ...]) -> Value:
    """[inside]·operand + [outside]·filler; negative padding cuts off."""
    extents = tuple(
        row.low + row.high + extent + max(0, extent - 1) * row.interior
        for row, extent in zip(rows, value.extents, strict=True)
    )
    sources: list[Index] = []
    inside: Poly = ONE
    for axis, (row, extent) in enumerate(zip(rows, value.extents, strict=True)):
        shifted = subtract(variable(axis, extents[axis]), constant(row.low))
        source, between = divide(shifted, row.interior + 1)
        inside = k.multiply(inside, k.multiply(k.is_zero(between), k.in_range(source, extent)))
        sources.append(source)
    if 0 in extents:
        return filler._replace(poly=EMPTY, extents=extents, domain=NOTHING)
    if value.is_empty:
        return filler._replace(extents=extents)
    body = viewed(k, value, extents, tuple(sources))
    outside = k.negation(inside)
    poly = k.add(k.multiply(inside, body.poly), k.multiply(outside, filler.poly))
    return Value(
        wrap_if_whole(poly, value.dtype),
        extents,
        value.dtype,
        value.support | filler.support,
        guarded(k, body.domain, inside) | guarded(k, filler.domain, outside),
        value.sign | filler.sign,
    )


def concatenate(k: Functions, values: tuple[Value, ...], dimension: int) -> Value:
    """Σ over the pieces of [inside the piece]·piece."""
    total = sum(value.extents[dimension] for value in values)
    extents = tuple(total if axis == dimension else e for axis, e in enumerate(values[0].extents))
    position = variable(dimension, total)
    poly: Poly = ()
    support = sign = 0
    domain = NOTHING
    start = 0
    for value in values:
        extent = value.extents[dimension]
        support |= value.support
        if value.is_empty:
            continue
        sign |= value.sign
        source = subtract(position, constant(start))
        sources = tuple(
            (source if extent > 1 else ZERO) if axis == dimension else variable(axis, e)
            for axis, e in enumerate(extents)
        )
        piece = viewed(k, value, extents, sources)
        inside = k.in_range(source, extent)
        poly = k.add(poly, k.multiply(inside, piece.poly))
        domain |= guarded(k, piece.domain, inside)
        start += extent
    dtype = values[0].dtype
    return Value(wrap_if_whole(poly, dtype), extents, dtype, support, domain, sign or values[0].sign)


def bitcast_sources(
    extents: tuple[int, ...], order: tuple[int, ...], source_extents: tuple[int, ...], source_order: tuple[int, ...]
) -> tuple[Index, ...]:
    """Where each element of a bitcast comes from: the same place in memory, under both layouts.

    Args:
        extents: of the result.
        order: its minor-to-major order.
        source_extents: of the operand.
        source_order: the operand's minor-to-major order.
    """
    major = tuple(reversed(order))
    position = linear(tuple(extents[a] for a in major), tuple(variable(a, extents[a]) for a in major))
    source_major = tuple(reversed(source_order))
    found = unravel(position, tuple(source_extents[a] for a in source_major))
    return tuple(found[source_major.index(axis)] for axis in range(len(source_extents)))
