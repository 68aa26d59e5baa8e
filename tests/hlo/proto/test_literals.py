"""Values of constants from protocol messages: what XLA prints of each, and never more than there is."""

from __future__ import annotations

import struct
from random import Random
from typing import Any

import pytest

from beatnote.hlo.proto import ProtoError, read_proto
from beatnote.hlo.proto.literals import literal_text
from beatnote.hlo.proto.schema import decode, message_types
from beatnote.hlo.proto.shapes import ELEMENT_TYPE_NUMBERS, Shapes
from beatnote.hlo.text import parse

from .printing import printed_by_xla

RANDOM = Random(3)
EVERY_BYTE = bytes(range(256))
EVERY_PAIR = struct.pack("<65536H", *range(65536))
SOME_WORDS = struct.pack("<3000I", *(RANDOM.getrandbits(32) for _ in range(3000)))
SOME_LONGS = struct.pack("<3000Q", *(RANDOM.getrandbits(64) for _ in range(3000)))

CODES: dict[str, bytes] = {
    **dict.fromkeys(("f8e5m2", "f8e4m3fn", "f8e4m3", "f8e3m4", "f8e4m3fnuz", "f8e5m2fnuz"), EVERY_BYTE),
    **dict.fromkeys(("f8e4m3b11fnuz", "f8e8m0fnu", "s8", "u8"), EVERY_BYTE),
    **dict.fromkeys(("f16", "bf16", "s16", "u16"), EVERY_PAIR),
    **dict.fromkeys(("f4e2m1fn", "u4", "s4"), bytes(range(16))),
    "f32": SOME_WORDS + struct.pack("<10f", 0.1, -0.0, 1e10, 3e38, 1e-45, 16777217, 1 / 3, float("inf"), 1e-7, 5)
    + struct.pack("<4I", 0x7F800001, 0xFFC00001, 0x7FC00000, 0xFF8FFFFF),
    "f64": SOME_LONGS + struct.pack("<6d", 0.1, -0.0, 1e300, 5e-324, 1 / 3, 1e22),
    "c64": SOME_WORDS[:800],
    "c128": SOME_LONGS[:800],
}  # fmt: skip
"""Element type -> the bytes of its elements, in little-endian order."""

NUMBERS = {"f32": 8, "f64": 9, "c64": 12, "c128": 18}

TEXTS = """
f32[2,3]{0,1} constant({{1,2,3},{4,5,6}})
f32[2,3,4]{0,2,1} constant({{{1,2,3,4},{5,6,7,8},{9,10,11,12}},{{13,14,15,16},{17,18,19,20},{21,22,23,24}}})
f32[2,1]{0,1} constant({{1},{4}})
f32[1,2,1] constant({{{1},{2}}})
f32[1,1,1,2] constant({{{{1,2}}}})
f32[] constant(-1.5)
f32[0] constant({})
f32[2,0,3] constant({{},{}})
f32[0,3] constant({})
f32[2,2,0] constant({{{},{}},{{},{}}})
pred[] constant(true)
pred[2] constant({true,false})
pred[2,2] constant({{true,false},{false,true}})
s64[2] constant({-9223372036854775808,7})
u64[1] constant({18446744073709551615})
u32[2] constant({4294967295,0})
s32[1,12] constant({{1,2,3,4,5,6,7,8,9,10,11,12}})
s4[5] constant({1,2,3,-4,-8})
u2[5] constant({1,2,3,0,1})
c64[2] constant({(1,2),(3,nan)})
c64[] constant((1,-2))
() constant(())
((f32[], s32[2]), pred[1]) constant(((1, {1,2}), {true}))
(f32[2]) constant(({1,2}))
""".strip().splitlines()


@pytest.fixture(scope="module", autouse=True)
def _with_jaxlib() -> None:
    pytest.importorskip("jaxlib")


def module_with_literal(shape: str, literal: bytes) -> bytes:
    (printed,) = printed_by_xla([f"HloModule m\nENTRY e {{\n  ROOT c = {shape} constant({{...}})\n}}\n"])
    assert isinstance(printed, tuple), printed
    module: Any = decode("HloModuleProto", printed[0])
    computation = decode("HloComputationProto", module.computations[0])
    constant = decode("HloInstructionProto", computation.instructions[0])
    constant.literal = literal
    computation.instructions[0] = constant.SerializeToString()
    module.computations[0] = computation.SerializeToString()
    return module.SerializeToString()


def shape_bytes(element_type: str, *dimensions: int) -> bytes:
    number = {name: number for number, name in ELEMENT_TYPE_NUMBERS.items()}[element_type]
    order = reversed(range(len(dimensions)))
    layout = message_types()["LayoutProto"](minor_to_major=order).SerializeToString()
    return message_types()["ShapeProto"](
        element_type=number, dimensions=dimensions, is_dynamic_dimension=[False] * len(dimensions), layout=layout
    ).SerializeToString()


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def tagged(number: int, data: bytes) -> bytes:
    """A length-delimited field."""
    return varint(number << 3 | 2) + varint(len(data)) + data


@pytest.mark.parametrize("element_type", CODES)
def test_every_code_is_written_as_xla_prints_it(element_type: str):
    # GIVEN
    data = CODES[element_type]
    size = {"f32": 4, "f64": 8, "c64": 8, "c128": 16, "f16": 2, "bf16": 2, "s16": 2, "u16": 2}.get(element_type, 1)
    literal: Any = message_types()["LiteralProto"](shape=shape_bytes(element_type, len(data) // size))
    if element_type in NUMBERS:
        serialized = literal.SerializeToString() + tagged(NUMBERS[element_type], data)
    else:
        setattr(literal, f"{element_type}s", data)
        serialized = literal.SerializeToString()
    proto = module_with_literal(f"{element_type}[{len(data) // size}]", serialized)

    # WHEN
    (printed,) = printed_by_xla([proto])

    # THEN
    assert isinstance(printed, tuple), printed
    ours, theirs = read_proto(proto).entry["c"].literal or "", parse(printed[1]).entry["c"].literal or ""
    for mine, other in zip(ours.split(", "), theirs.split(", "), strict=True):
        assert mine == other


@pytest.fixture(scope="module")
def printed_texts() -> dict[str, tuple[bytes, str] | str]:
    texts = [f"HloModule m\nENTRY e {{\n  ROOT c = {line}\n}}\n" for line in TEXTS]
    return dict(zip(TEXTS, printed_by_xla(texts), strict=True))


@pytest.mark.parametrize("line", TEXTS)
def test_braces_and_blanks_are_xlas(line: str, printed_texts: dict[str, tuple[bytes, str] | str]):
    found = printed_texts[line]
    assert isinstance(found, tuple), found
    assert read_proto(found[0]).entry["c"].literal == parse(found[1]).entry["c"].literal


@pytest.mark.parametrize(
    ("shape", "fields", "message"),
    [
        (("f32", 3), {"f32s": [1.0, 2.0]}, r"a literal f32\[3\]\{0\} should have 3 numbers, found 2"),
        (("f32", 2**40), {"f32s": [1.0]}, "should have 1099511627776 numbers, found 1"),
        (("bf16", 2), {"bf16s": b"abc"}, "should have 4 bytes, found 3"),
        (("s4", 3), {"s4s": b"abcd"}, "should have 3 bytes, found 4"),
        (("c64", 2), {"c64s": [1.0]}, "should have 4 numbers, found 1"),
        (("token",), {}, "a literal of type token has no elements"),
        (("f32", 2**40, 0), {}, "a literal without elements claims 1099511627776 rows"),
        (("f32", *[1] * 65), {"f32s": [1.0]}, "a shape that no array has: rank 65"),
    ],
)
def test_what_a_literal_claims_and_does_not_have(shape: tuple[str, int], fields: dict[str, Any], message: str):
    literal = message_types()["LiteralProto"](shape=shape_bytes(*shape), **fields)
    with pytest.raises(ProtoError, match=message):
        literal_text(literal.SerializeToString(), Shapes())


def test_packed_elements_of_less_than_a_byte():
    literal = message_types()["LiteralProto"](shape=shape_bytes("s4", 3), s4s=b"\x81\x07")
    assert literal_text(literal.SerializeToString(), Shapes()) == "{1, -8, 7}"
