"""Instructions that only move elements: each becomes a substitution of indices, and tests where ranges meet."""

from __future__ import annotations

from beatnote.hlo.attributes import Padding, Slice
from beatnote.proof.index import ZERO, Index, add, constant, divide, linear, scale, subtract, unravel, variable
from beatnote.proof.licences import Claim
from beatnote.proof.substitution import Substitution
from beatnote.proof.terms import Poly
from beatnote.proof.value import EMPTY, Value


def viewed(k: Substitution, value: Value, extents: tuple[int, ...], sources: tuple[Index, ...]) -> Value:
    """The array whose element is the operand's element at `sources`, one index for each of its dimensions."""
    if value.is_empty or 0 in extents:
        return value._replace(poly=EMPTY, extents=extents)
    return value._replace(poly=k.substitute(value.poly, dict(enumerate(sources))), extents=extents)


def reshape(k: Substitution, value: Value, extents: tuple[int, ...]) -> Value:
    """The same elements in row-major order."""
    if value.extents == extents or value.is_empty:
        return value._replace(extents=extents)
    indices = tuple(variable(axis, extent) for axis, extent in enumerate(extents))
    return viewed(k, value, extents, unravel(linear(extents, indices), value.extents))


def transpose(k: Substitution, value: Value, permutation: tuple[int, ...]) -> Value:
    """Dimension i of the result is dimension `permutation[i]` of the operand."""
    extents = tuple(value.extents[axis] for axis in permutation)
    sources = [ZERO] * len(extents)
    for axis, source in enumerate(permutation):
        sources[source] = variable(axis, extents[axis])
    return viewed(k, value, extents, tuple(sources))


def broadcast(k: Substitution, value: Value, extents: tuple[int, ...], dimensions: tuple[int, ...]) -> Value:
    """Dimension i of the operand is dimension `dimensions[i]` of the result; an extent of 1 is repeated."""
    sources = tuple(
        variable(target, extents[target]) if value.extents[axis] != 1 else ZERO
        for axis, target in enumerate(dimensions)
    )
    return viewed(k, value, extents, sources)


def slice_of(k: Substitution, value: Value, ranges: tuple[Slice, ...]) -> Value:
    """Every stride-th element from start up to limit, in each dimension."""
    extents = tuple(max(0, -(-(r.limit - r.start) // r.stride)) for r in ranges)
    sources = tuple(
        add(scale(variable(axis, extent), r.stride), constant(r.start))
        for axis, (extent, r) in enumerate(zip(extents, ranges, strict=True))
    )
    return viewed(k, value, extents, sources)


def reverse(k: Substitution, value: Value, dimensions: tuple[int, ...]) -> Value:
    """The elements in reverse order along some dimensions."""
    sources = tuple(
        subtract(constant(extent - 1), variable(axis, extent)) if axis in dimensions else variable(axis, extent)
        for axis, extent in enumerate(value.extents)
    )
    return viewed(k, value, value.extents, sources)


def pad(k: Substitution, value: Value, filler: Value, rows: tuple[Padding, ...]) -> Value:
    """[inside]·operand + [outside]·filler; negative padding cuts off."""
    extents = tuple(
        row.low + row.high + extent + max(0, extent - 1) * row.interior
        for row, extent in zip(rows, value.extents, strict=True)
    )
    sources: list[Index] = []
    inside: Poly = (((), 1),)
    for axis, (row, extent) in enumerate(zip(rows, value.extents, strict=True)):
        shifted = subtract(variable(axis, extents[axis]), constant(row.low))
        source, between = divide(shifted, row.interior + 1)
        inside = k.multiply(inside, k.multiply(k.is_zero(between), k.in_range(source, extent)))
        sources.append(source)
    if 0 in extents:
        return filler._replace(poly=EMPTY, extents=extents)
    if value.is_empty:
        return filler._replace(extents=extents)
    body = viewed(k, value, extents, tuple(sources))
    outside = k.subtract((((), 1),), inside)
    poly = k.add(k.multiply(inside, body.poly), k.multiply(outside, filler.poly))
    return Value(
        poly,
        extents,
        value.dtype,
        value.support | filler.support,
        value.domain | filler.domain,
        value.sign | filler.sign,
    )


def concatenate(k: Substitution, values: tuple[Value, ...], dimension: int) -> Value:
    """Σ over the pieces of [inside the piece]·piece."""
    total = sum(value.extents[dimension] for value in values)
    extents = tuple(total if axis == dimension else e for axis, e in enumerate(values[0].extents))
    position = variable(dimension, total)
    poly: Poly = ()
    support = sign = 0
    domain: frozenset[Claim] = frozenset()
    start = 0
    for value in values:
        extent = value.extents[dimension]
        support, domain = support | value.support, domain | value.domain
        if value.is_empty:
            continue
        sign |= value.sign
        source = subtract(position, constant(start))
        sources = tuple(
            (source if extent > 1 else ZERO) if axis == dimension else variable(axis, e)
            for axis, e in enumerate(extents)
        )
        piece = viewed(k, value, extents, sources)
        poly = k.add(poly, k.multiply(k.in_range(source, extent), piece.poly))
        start += extent
    return Value(poly, extents, values[0].dtype, support, domain, sign or values[0].sign)


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
