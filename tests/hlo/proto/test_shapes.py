"""Shapes from protocol messages, where their text is not enough; the usual ones are compared with XLA's elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.schema import message_types
from beatnote.hlo.proto.shapes import ELEMENT_TYPE_NUMBERS, Shapes
from beatnote.hlo.shapes import ELEMENT_TYPES


def message(kind: str, **fields: Any) -> bytes:
    return message_types()[kind](**fields).SerializeToString()


def test_every_element_type_has_a_number():
    assert set(ELEMENT_TYPE_NUMBERS.values()) == set(ELEMENT_TYPES)


def test_a_shape_is_read_once():
    shapes = Shapes()
    data = message("ShapeProto", element_type=11, dimensions=[2])
    assert shapes[data] is shapes[bytes(data)]


def test_a_layout_with_everything():
    types = message_types()
    layout: Any = types["LayoutProto"](
        minor_to_major=[1, 0],
        element_size_in_bits=4,
        memory_space=1,
        dim_level_types=[0, 1],
        physical_shape=message("ShapeProto", element_type=11, dimensions=[7]),
        index_primitive_type=8,
        pointer_primitive_type=6,
        dynamic_shape_metadata_prefix_bytes=64,
        tail_padding_alignment_in_elements=8,
    )
    layout.tiles.add(dimensions=[-(2**63) + 1, 128])
    shape = Shapes()[message("ShapeProto", element_type=11, dimensions=[2, 3], layout=layout.SerializeToString())]
    assert str(shape) == "f32[2,3]{1,0:D(D,C)T(*,128)L(8)#(u32)*(u8)E(4)S(1)P(f32[7])M(64)}"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"element_type": 99}, "unknown element type 99"),
        ({"element_type": 11, "dimensions": [-3]}, "a dimension of extent -3"),
        (
            {"element_type": 11, "dimensions": [3], "is_dynamic_dimension": [True, True]},
            "says of 2 whether they are dynamic",
        ),
        ({"element_type": 11, "dimensions": [3], "layout": b""}, r"should order 1 dimensions, found \[\]"),
        ({"element_type": 11, "layout": b"\x08\x01"}, "should order 0 dimensions"),
        ({"element_type": 11, "layout": b"\x48\x09"}, "unknown dimension level type 9"),
        ({"element_type": 11, "layout": b"\x58\x63"}, "unknown element type 99 in a layout"),
    ],
)
def test_what_is_no_shape(fields: dict[str, Any], found: str):
    with pytest.raises(ProtoError, match=found):
        _ = Shapes()[message("ShapeProto", **fields)]
