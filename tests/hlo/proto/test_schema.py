"""The table of fields: whole, and the same as the schema of the installed TensorFlow where both have a field."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from google.protobuf import descriptor_pool

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.fields import FIELDS
from beatnote.hlo.proto.schema import decode, message_types, unknown_fields_text

LATER = {"Wrapper"}


def test_every_type_that_is_named_is_there():
    lines = [line.partition("#")[0] for line in FIELDS.splitlines() if line.startswith("  ")]
    kinds = {line.split(" = ")[0].split()[-2] for line in lines}
    scalars = {"bool", "bytes", "double", "float", "int32", "int64", "string", "uint32", "uint64"}
    assert kinds - scalars <= set(message_types())


def test_field_numbers_are_those_of_xla():
    pytest.importorskip("tensorflow")
    importlib.import_module("tensorflow.compiler.xla.service.hlo_pb2")
    pool = descriptor_pool.Default()
    checked = 0
    for name, kind in message_types().items():
        try:
            theirs: Any = pool.FindMessageTypeByName(f"xla.{name}")
        except KeyError:
            continue
        for field in kind.DESCRIPTOR.fields:
            other = theirs.fields_by_number.get(field.number)
            if other is not None and other.name == field.name:
                assert field.is_repeated == other.is_repeated, (name, field.name)
                checked += 1
            else:
                assert field.name not in theirs.fields_by_name, (name, field.name)
    assert checked > 200


def test_bytes_that_are_no_message():
    with pytest.raises(ProtoError, match="these 2 bytes are not a ShapeProto: they are cut off or damaged"):
        decode("ShapeProto", b"\x1a\x09")


def test_strings_are_text():
    with pytest.raises(ProtoError, match="not a HloInstructionProto"):
        decode("HloInstructionProto", b"\x0a\x01\xff")


def test_fields_that_the_table_does_not_have():
    message = decode("HloInstructionProto", b"\xba\x3e\x02hi\xc0\x3e\x07")
    assert unknown_fields_text(message) == ["field_999=6869", "field_1000=7"]
