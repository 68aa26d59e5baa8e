"""Instructions that read or write at positions that are data: gather, scatter, dynamic-slice and its update.

A position that is data is a sum over all positions of `[position = data]`, with XLA's clamping written out.
"""

from __future__ import annotations

from beatnote.hlo.attributes import AttributeFormError, integers
from beatnote.hlo.module import Instruction
from beatnote.proof.domains import NOTHING, Domain, everywhere, guarded, moved
from beatnote.proof.elementwise import settle
from beatnote.proof.functions import Functions
from beatnote.proof.index import ZERO, Index, add, constant, subtract, variable
from beatnote.proof.logic import whole_range, wrap, wrap_if_whole
from beatnote.proof.terms import ONE, Poly, as_constant
from beatnote.proof.value import EMPTY, Value, combined


class _Choice:
    """A product of [position = data] factors and the variables they bind."""

    def __init__(self, k: Functions) -> None:
        self.k = k
        self.factor: Poly = ONE
        self.bound: list[tuple[int, int]] = []

    def position(self, start: Poly, last: int, dtype: str) -> Index:
        """Clamp a start position to 0…last, as an index."""
        last = min(last, whole_range(dtype)[1])
        start = self.k.clamp_whole(start, 0, last, dtype=dtype)
        value = as_constant(start)
        if value is not None:
            return constant(int(value))
        number = self.k.fresh()
        position = variable(number, last + 1)
        self.bound.append((number, last + 1))
        self.factor = self.k.multiply(self.factor, self.k.equal(self.k.index_value(position), start, dtype=dtype))
        return position

    def read(
        self, value: Value, sources: dict[int, Index], extents: tuple[int, ...], support: int, domain: Domain
    ) -> Value:
        """Take the elements of a value at sources that use the positions chosen."""
        k = self.k
        poly = k.sum(k.multiply(self.factor, k.substitute(value.poly, sources)), self.bound)
        domain |= guarded(k, moved(k, value.domain, sources), self.factor, tuple(self.bound))
        return Value(wrap_if_whole(poly, value.dtype), extents, value.dtype, support, domain, value.sign)


def dynamic_slice(k: Functions, value: Value, starts: tuple[Value, ...], sizes: tuple[int, ...]) -> Value:
    """Slice the elements from (clamped) start positions on."""
    support, domain = combined(*starts)
    support |= value.support
    if value.is_empty or 0 in sizes:
        return Value(EMPTY, sizes, value.dtype, support)
    choice = _Choice(k)
    sources = {
        axis: add(choice.position(start.poly, extent - size, start.dtype), variable(axis, size))
        for axis, (start, extent, size) in enumerate(zip(starts, value.extents, sizes, strict=True))
    }
    return choice.read(value, sources, sizes, support, domain)


def dynamic_update_slice(k: Functions, value: Value, update: Value, starts: tuple[Value, ...]) -> Value:
    """Replace the operand's elements from (clamped) start positions on."""
    support, domain = combined(*starts)
    support |= value.support | update.support
    if value.is_empty or update.is_empty:
        return value._replace(support=support)
    choice = _Choice(k)
    inside: Poly = ONE
    sources: dict[int, Index] = {}
    for axis, (start, extent) in enumerate(zip(starts, value.extents, strict=True)):
        size = update.extents[axis]
        source = subtract(variable(axis, extent), choice.position(start.poly, extent - size, start.dtype))
        inside = k.multiply(inside, k.in_range(source, size))
        sources[axis] = source if size > 1 else ZERO
    inside = k.multiply(choice.factor, inside)
    outside = k.negation(k.sum(inside, choice.bound))
    written = k.sum(k.multiply(inside, k.substitute(update.poly, sources)), choice.bound)
    poly = wrap_if_whole(k.add(written, k.multiply(outside, value.poly)), value.dtype)
    domain |= guarded(k, moved(k, update.domain, sources), inside, tuple(choice.bound)) | guarded(
        k, value.domain, outside
    )
    return Value(poly, value.extents, value.dtype, support, domain, value.sign | update.sign)


class _Dimensions:
    """The dimension numbers of a gather or scatter, under the names of gather."""

    def __init__(self, instruction: Instruction, names: dict[str, str]) -> None:
        found = {
            ours: integers(instruction.attributes.get(theirs, "{}"))
            for ours, theirs in names.items()
            if ours != "index_vector_dim"
        }
        self.offset = found["offset"]
        self.collapsed = found["collapsed"]
        self.index_map = found["index_map"]
        self.batching = found["batching"]
        self.index_batching = found["index_batching"]
        vector = instruction.attributes.get("index_vector_dim")
        if vector is None or not vector.isdigit():
            raise AttributeFormError("expected index_vector_dim")
        self.vector = int(vector)

    def start(self, k: Functions, indices: Value, component: int, batch: list[Index]) -> tuple[Poly, Domain]:
        """Read a component of the start index vector at a batch position, with what it needs."""
        sources: list[Index] = []
        rest = iter(batch)
        for axis in range(len(indices.extents)):
            sources.append(constant(component) if axis == self.vector else next(rest))
        mapping = dict(enumerate(sources))
        return k.substitute(indices.poly, mapping), moved(k, indices.domain, mapping)

    def batch_axis(self, axis: int) -> int:
        """Which of the batch positions an operand's batching dimension follows."""
        target = self.index_batching[self.batching.index(axis)]
        return target - (1 if target > self.vector else 0)


GATHER = {
    "offset": "offset_dims",
    "collapsed": "collapsed_slice_dims",
    "index_map": "start_index_map",
    "batching": "operand_batching_dims",
    "index_batching": "start_indices_batching_dims",
}
SCATTER = {
    "offset": "update_window_dims",
    "collapsed": "inserted_window_dims",
    "index_map": "scatter_dims_to_operand_dims",
    "batching": "input_batching_dims",
    "index_batching": "scatter_indices_batching_dims",
}


def gather(k: Functions, value: Value, indices: Value, instruction: Instruction, extents: tuple[int, ...]) -> Value:
    """Slices of the operand at start positions taken from `indices`, clamped so that the slices are inside."""
    dims = _Dimensions(instruction, GATHER)
    sizes = integers(instruction.attributes.get("slice_sizes", "{}"))
    support, _ = combined(value, indices)
    domain = NOTHING
    if 0 in extents or value.is_empty:
        return Value(EMPTY, extents, value.dtype, support)
    batch = [variable(axis, e) for axis, e in enumerate(extents) if axis not in dims.offset]
    offsets = iter(variable(axis, extents[axis]) for axis in dims.offset)
    choice = _Choice(k)
    sources: dict[int, Index] = {}
    for axis, extent in enumerate(value.extents):
        source = ZERO
        if axis in dims.index_map:
            start, needs = dims.start(k, indices, dims.index_map.index(axis), batch)
            domain |= needs
            source = choice.position(start, extent - sizes[axis], indices.dtype)
        elif axis in dims.batching:
            source = batch[dims.batch_axis(axis)]
        if axis not in dims.collapsed and axis not in dims.batching:
            source = add(source, next(offsets))
        sources[axis] = source
    return choice.read(value, sources, extents, support, domain)


def scatter_add(k: Functions, value: Value, indices: Value, updates: Value, instruction: Instruction) -> Value | None:
    """Operand + Σ of the updates that fall on each element; updates that do not fit inside are left out.

    Returns:
        None for windows larger than one element along a scattered dimension.
    """
    dims = _Dimensions(instruction, SCATTER)
    support, _ = combined(value, indices, updates)
    if updates.is_empty or value.is_empty:
        return value._replace(support=support)
    numbers = [(k.fresh(), extent) for extent in updates.extents]
    batch = [variable(*v) for axis, v in enumerate(numbers) if axis not in dims.offset]
    windows = iter(numbers[axis] for axis in dims.offset)
    factor: Poly = ONE
    domain = value.domain
    for axis, extent in enumerate(value.extents):
        target = variable(axis, extent)
        window = ZERO
        if axis not in dims.collapsed and axis not in dims.batching:
            v = next(windows)
            window = variable(*v)
            if axis in dims.index_map and v[1] != 1:
                return None
        if axis in dims.index_map:
            start, needs = dims.start(k, indices, dims.index_map.index(axis), batch)
            domain |= everywhere(k, needs)
            hit = k.equal(k.index_value(subtract(target, window)), start, dtype=indices.dtype)
            if whole_range(indices.dtype)[1] < extent:
                return None  # a position that the index type cannot say
        elif axis in dims.batching:
            hit = k.is_zero(subtract(target, batch[dims.batch_axis(axis)]))
        else:
            hit = k.is_zero(subtract(target, window))
        factor = k.multiply(factor, hit)
    places = {axis: variable(*v) for axis, v in enumerate(numbers)}
    added = k.sum(k.multiply(factor, k.substitute(updates.poly, places)), numbers)
    domain |= guarded(k, moved(k, updates.domain, places), factor, tuple(numbers))
    if value.kind == "float" and value.poly and not k.licences.reordering and len(batch) > 0:
        # one by one they are added, which rounds unlike their sum added at once
        total = k.apart("rounded", ("scatter-add",), (value.poly, added))
    else:
        total = k.add(value.poly, added)
        total = settle(k, total) if value.kind == "float" else wrap(total, value.dtype)
    return Value(total, value.extents, value.dtype, support, domain)
