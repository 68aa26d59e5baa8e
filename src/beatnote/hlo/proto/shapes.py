"""Shapes from ShapeProto: the same data that their text gives."""

from __future__ import annotations

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.shape_text import MAX_DEPTH
from beatnote.hlo.shapes import UNBOUNDED, ArrayShape, Layout, Shape, TupleShape

_TUPLE = 13
ELEMENT_TYPE_NUMBERS = {
    1: "pred",
    2: "s8",
    3: "s16",
    4: "s32",
    5: "s64",
    6: "u8",
    7: "u16",
    8: "u32",
    9: "u64",
    10: "f16",
    11: "f32",
    12: "f64",
    14: "opaque",
    15: "c64",
    16: "bf16",
    17: "token",
    18: "c128",
    19: "f8e5m2",
    20: "f8e4m3fn",
    21: "s4",
    22: "u4",
    23: "f8e4m3b11fnuz",
    24: "f8e5m2fnuz",
    25: "f8e4m3fnuz",
    26: "s2",
    27: "u2",
    28: "f8e4m3",
    29: "f8e3m4",
    30: "s1",
    31: "u1",
    32: "f4e2m1fn",
    33: "f8e8m0fnu",
}
"""xla.PrimitiveType, from xla/xla_data.proto, of the types that `shapes` knows; 13 is a tuple."""

_DIM_LEVEL_TYPES = "DCSH"
_UNBOUNDED = -(2**63)
_COMBINED = _UNBOUNDED + 1  # the extent of a tile's dimension that XLA writes `*` (Tile::kCombineDimension)


class Shapes(dict[bytes, Shape]):
    """The shapes met so far by their bytes; one that is not there yet is read.

    Raises:
        ProtoError: when a shape is damaged, has an element type that is not known, or nests too deep.
    """

    def __init__(self) -> None:
        super().__init__()
        self._layouts: dict[tuple[bytes, int], Layout | None] = {}

    def __missing__(self, data: bytes) -> Shape:
        shape = self[data] = self._shape(data, 0)
        return shape

    def _inner(self, data: bytes, depth: int) -> Shape:
        shape = self.get(data)
        if shape is None:
            shape = self[data] = self._shape(data, depth)
        return shape

    def _shape(self, data: bytes, depth: int) -> Shape:
        if depth > MAX_DEPTH:
            raise ProtoError(f"shapes nested more than {MAX_DEPTH} deep")
        shape = decode("ShapeProto", data)
        if shape.element_type == _TUPLE:
            return TupleShape(tuple([self._inner(element, depth + 1) for element in shape.tuple_shapes]))
        element_type = ELEMENT_TYPE_NUMBERS.get(shape.element_type)
        if element_type is None:
            raise ProtoError(f"unknown element type {shape.element_type} in a shape")
        sizes = tuple(shape.dimensions)
        dynamic = tuple(shape.is_dynamic_dimension) or (False,) * len(sizes)
        if len(dynamic) != len(sizes):
            raise ProtoError(f"a shape of {len(sizes)} dimensions says of {len(dynamic)} whether they are dynamic")
        if sizes and min(sizes) < 0:
            sizes = tuple(map(_extent, sizes, dynamic))
        layout = self._layout(shape.layout, len(sizes), depth) if shape.HasField("layout") else None
        return ArrayShape(element_type, sizes, dynamic, layout)

    def _layout(self, data: bytes, rank: int, depth: int) -> Layout | None:
        """Read a layout; None where XLA prints none, for a scalar without properties."""
        if (data, rank) in self._layouts:
            return self._layouts[data, rank]
        layout = decode("LayoutProto", data)
        order = tuple(layout.minor_to_major)
        if sorted(order) != list(range(rank)):
            raise ProtoError(f"a layout should order {rank} dimensions, found {list(order[:16])}")
        physical = self._inner(layout.physical_shape, depth + 1) if layout.HasField("physical_shape") else None
        properties = _properties(layout, physical)
        found = self._layouts[data, rank] = Layout(order, properties) if order or properties else None
        return found


def _extent(size: int, is_dynamic: bool) -> int:
    if size < 0 and not (size == _UNBOUNDED and is_dynamic):
        raise ProtoError(f"a shape has a dimension of extent {size}")
    return UNBOUNDED if size < 0 else size


def _properties(layout: Proto, physical: Shape | None) -> str:
    """Write what follows the colon, as xla::Layout prints it."""
    pieces: list[str] = []
    if any(layout.dim_level_types):
        pieces.append(f"D({','.join(map(_level_type, layout.dim_level_types))})")
    if layout.tiles:
        pieces.append("T" + "".join(f"({','.join(map(_tile_extent, tile.dimensions))})" for tile in layout.tiles))
    if layout.tail_padding_alignment_in_elements not in (0, 1):
        pieces.append(f"L({layout.tail_padding_alignment_in_elements})")
    if layout.index_primitive_type:
        pieces.append(f"#({_element_type(layout.index_primitive_type)})")
    if layout.pointer_primitive_type:
        pieces.append(f"*({_element_type(layout.pointer_primitive_type)})")
    if layout.element_size_in_bits:
        pieces.append(f"E({layout.element_size_in_bits})")
    if layout.memory_space:
        pieces.append(f"S({layout.memory_space})")
    if layout.split_configs:
        splits = (f"({one.dimension}:{','.join(map(str, one.split_indices))})" for one in layout.split_configs)
        pieces.append("SC" + "".join(splits))
    if physical is not None:
        pieces.append(f"P({physical})")
    if layout.dynamic_shape_metadata_prefix_bytes:
        pieces.append(f"M({layout.dynamic_shape_metadata_prefix_bytes})")
    return "".join(pieces)


def _level_type(number: int) -> str:
    if not 0 <= number < len(_DIM_LEVEL_TYPES):
        raise ProtoError(f"unknown dimension level type {number} in a layout")
    return _DIM_LEVEL_TYPES[number]


def _tile_extent(extent: int) -> str:
    return "*" if extent == _COMBINED else str(extent)


def _element_type(number: int) -> str:
    if number not in ELEMENT_TYPE_NUMBERS:
        raise ProtoError(f"unknown element type {number} in a layout")
    return ELEMENT_TYPE_NUMBERS[number]
