"""How many elements and bytes a shape has in memory.

Bounds stand for dynamic extents. Padding to the tiles of a layout (`T(8,128)`) is not counted: a byte here is one that
the program has a use for.
"""

from __future__ import annotations

import re

from beatnote.hlo.errors import CostError
from beatnote.hlo.shapes import ELEMENT_TYPES, UNBOUNDED, ArrayShape, Shape, leaves

_ELEMENT_BITS = re.compile(r"E\((\d{1,3})\)")


def elements_of(shape: Shape) -> int:
    """Count the elements of all arrays in a shape; a token has none.

    Raises:
        CostError: an extent has no bound.
    """
    return sum(_elements(leaf) for leaf in leaves(shape) if ELEMENT_TYPES[leaf.element_type].bits)


def bytes_of(shape: Shape) -> int:
    """Count the bytes of all arrays in a shape; the table of pointers that a tuple is has none.

    An element narrower than a byte takes one, unless the layout packs it (`E(4)`), as in XLA's ShapeUtil.

    Raises:
        CostError: an extent has no bound.
    """
    return sum(_bytes(leaf) for leaf in leaves(shape))


def physical_order(shape: ArrayShape) -> tuple[int, ...]:
    """Return the dimensions that have an extent other than 1, the one that varies fastest first."""
    order = shape.layout.minor_to_major if shape.layout else range(len(shape.dimensions) - 1, -1, -1)
    return tuple(d for d in order if d < len(shape.dimensions) and shape.dimensions[d] != 1)


def is_row_major(shape: Shape) -> bool:
    """Whether an array's elements lie in the order of its indices."""
    return isinstance(shape, ArrayShape) and list(physical_order(shape)) == sorted(physical_order(shape), reverse=True)


def _elements(shape: ArrayShape) -> int:
    if UNBOUNDED in shape.dimensions:
        raise CostError(f"the extents of {shape} are known only at run time")
    return shape.element_count


def _bytes(shape: ArrayShape) -> int:
    bits = ELEMENT_TYPES[shape.element_type].bits
    if not bits:
        return 0
    packed = _ELEMENT_BITS.search(shape.layout.properties) if shape.layout else None
    bits = int(packed.group(1)) if packed else -(-bits // 8) * 8
    return -(-_elements(shape) * bits // 8)
