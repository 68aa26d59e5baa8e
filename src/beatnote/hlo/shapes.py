"""Shapes of values: element types, layouts, arrays, tuples.

Their `str` is XLA's text form (`f32[8,<=16]{1,0:T(8,128)}`); reading it back is in `shape_text`. Nothing here knows
instructions.
"""

from __future__ import annotations

import re
from math import prod

import msgspec

UNBOUNDED = -1
"""The extent of a dimension written `?`."""


class ElementType(msgspec.Struct, frozen=True):
    """What is needed to know about one element type.

    `precision` counts significand bits with the hidden one, `min_exponent` is that of the smallest subnormal
    (value = integer × 2**min_exponent) and `greatest` the largest finite value; all are 0 for types that are not
    floating point. Source: xla/xla_data.proto and the ml_dtypes documentation.
    """

    name: str
    kind: str  # "float", "signed", "unsigned", "pred", "complex", "token" or "opaque"
    bits: int
    precision: int = 0
    min_exponent: int = 0
    greatest: float = 0.0


ELEMENT_TYPES: dict[str, ElementType] = {
    row.name: row
    for row in (
        ElementType("pred", "pred", 8),
        ElementType("s1", "signed", 1),
        ElementType("s2", "signed", 2),
        ElementType("s4", "signed", 4),
        ElementType("s8", "signed", 8),
        ElementType("s16", "signed", 16),
        ElementType("s32", "signed", 32),
        ElementType("s64", "signed", 64),
        ElementType("u1", "unsigned", 1),
        ElementType("u2", "unsigned", 2),
        ElementType("u4", "unsigned", 4),
        ElementType("u8", "unsigned", 8),
        ElementType("u16", "unsigned", 16),
        ElementType("u32", "unsigned", 32),
        ElementType("u64", "unsigned", 64),
        ElementType("f64", "float", 64, 53, -1074, 1.7976931348623157e308),
        ElementType("f32", "float", 32, 24, -149, 3.4028234663852886e38),
        ElementType("f16", "float", 16, 11, -24, 65504.0),
        ElementType("bf16", "float", 16, 8, -133, 3.3895313892515355e38),
        ElementType("f8e5m2", "float", 8, 3, -16, 57344.0),
        ElementType("f8e5m2fnuz", "float", 8, 3, -17, 57344.0),
        ElementType("f8e4m3", "float", 8, 4, -9, 240.0),
        ElementType("f8e4m3fn", "float", 8, 4, -9, 448.0),
        ElementType("f8e4m3fnuz", "float", 8, 4, -10, 240.0),
        ElementType("f8e4m3b11fnuz", "float", 8, 4, -13, 30.0),
        ElementType("f8e3m4", "float", 8, 5, -6, 15.5),
        ElementType("f8e8m0fnu", "float", 8, 1, -127, 1.7014118346046923e38),
        ElementType("f4e2m1fn", "float", 4, 2, -1, 6.0),
        ElementType("c64", "complex", 64),
        ElementType("c128", "complex", 128),
        ElementType("token", "token", 0),
        ElementType("opaque", "opaque", 0),
    )
}


class Layout(msgspec.Struct, frozen=True, gc=False):
    """The order of dimensions in memory, and what else the layout says.

    Attributes:
        minor_to_major: dimension numbers, fastest-varying first.
        properties: the text after the colon as written, such as `T(8,128)(2,1)S(1)`.
    """

    minor_to_major: tuple[int, ...]
    properties: str = ""

    @property
    def tiles(self) -> tuple[tuple[int, ...], ...]:
        """Tile sizes, outermost first; `*` (a combined dimension) is -1."""
        found = re.search(r"T((?:\([\d,*]*\))+)", self.properties)
        if not found:
            return ()
        return tuple(
            tuple(-1 if n == "*" else int(n) for n in tile.split(",") if n)
            for tile in re.findall(r"\(([^()]*)\)", found.group(1))
        )

    @property
    def memory_space(self) -> int:
        """0 is the device's main memory."""
        found = re.search(r"S\((\d+)\)", self.properties.partition("P(")[0])
        return int(found.group(1)) if found else 0

    def __str__(self) -> str:
        order = ",".join(map(str, self.minor_to_major))
        return f"{{{order}:{self.properties}}}" if self.properties else f"{{{order}}}"


class ArrayShape(msgspec.Struct, frozen=True, gc=False):
    """An array, a scalar, a token or an opaque value.

    Attributes:
        element_type: a key of `ELEMENT_TYPES`.
        dimensions: extents; for a bounded dynamic dimension the bound, for `?` UNBOUNDED.
        dynamic: one flag a dimension.
        layout: None when the text gives none.
    """

    element_type: str
    dimensions: tuple[int, ...] = ()
    dynamic: tuple[bool, ...] = ()
    layout: Layout | None = None

    @property
    def element_count(self) -> int:
        """How many elements; bounds stand for dynamic extents."""
        return prod(self.dimensions)

    @property
    def is_dynamic(self) -> bool:
        """Whether any extent is known only at run time."""
        return any(self.dynamic)

    def __str__(self) -> str:
        dims = ",".join(
            ("?" if size == UNBOUNDED else f"<={size}") if dynamic else str(size)
            for size, dynamic in zip(self.dimensions, self.dynamic, strict=True)
        )
        return f"{self.element_type}[{dims}]{self.layout or ''}"


class TupleShape(msgspec.Struct, frozen=True, gc=False):
    """A tuple of shapes, possibly empty or nested."""

    elements: tuple[Shape, ...] = ()

    @property
    def is_dynamic(self) -> bool:
        """Whether any leaf is."""
        return any(element.is_dynamic for element in self.elements)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.elements))})"


Shape = ArrayShape | TupleShape


def array(element_type: str, *dimensions: int) -> ArrayShape:
    """Make a static array shape without a layout."""
    return ArrayShape(element_type, dimensions, (False,) * len(dimensions))


def leaves(shape: Shape) -> tuple[ArrayShape, ...]:
    """List the arrays of a shape, left to right."""
    if isinstance(shape, ArrayShape):
        return (shape,)
    return tuple(leaf for element in shape.elements for leaf in leaves(element))


def same_array(a: Shape, b: Shape) -> bool:
    """Whether two shapes are equal but for layouts."""
    if isinstance(a, ArrayShape) and isinstance(b, ArrayShape):
        return (a.element_type, a.dimensions, a.dynamic) == (b.element_type, b.dimensions, b.dynamic)
    if isinstance(a, TupleShape) and isinstance(b, TupleShape):
        return len(a.elements) == len(b.elements) and all(map(same_array, a.elements, b.elements))
    return False
