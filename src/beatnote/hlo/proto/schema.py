"""Message types for the table in `fields`, made when first needed, and reading bytes with them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from google.protobuf.message import DecodeError, Message

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.fields import FIELDS

_LINE = re.compile(r"(repeated )?(late )?([\w.]+) (\w+) = (\d+)")
Proto = Any
"""A message of one of these types: they are made at run time, so no checker knows their fields."""

_PACKAGE = "beatnote"
_KINDS = {
    name: getattr(descriptor_pb2.FieldDescriptorProto, f"TYPE_{name.upper()}")
    for name in ("bool", "bytes", "double", "float", "int32", "int64", "string", "uint32", "uint64")
}


@cache
def message_types() -> dict[str, type[Message]]:
    """Return the message types of the table by name."""
    # Edition 2023: what is absent can be told from what is 0, and strings are known to be UTF-8.
    file = descriptor_pb2.FileDescriptorProto(
        name="hlo.proto", package=_PACKAGE, syntax="editions", edition=descriptor_pb2.EDITION_2023
    )
    message = None
    for line in (line.partition("#")[0].rstrip() for line in FIELDS.splitlines()):
        if not line:
            continue
        if not line.startswith(" "):
            message = file.message_type.add(name=line.replace(".", "_"))
            continue
        found = _LINE.fullmatch(line.strip())
        assert found, line
        assert message, line
        repeated, late, kind, name, number = found.groups()
        field = message.field.add(name=name, number=int(number), label=3 if repeated else 1)
        if late or kind in _KINDS:
            field.type = _KINDS["bytes" if late else kind]
        else:
            field.type = descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE
            field.type_name = f".{_PACKAGE}.{kind.replace('.', '_')}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = [line.partition("#")[0].strip() for line in FIELDS.splitlines() if line and not line.startswith(" ")]
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name.replace('.', '_')}"))
        for name in names
    }


def decode(kind: str, data: bytes) -> Proto:
    """Read bytes as a message of the table.

    Raises:
        ProtoError: they are not one.
    """
    message = message_types()[kind]()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise ProtoError(f"these {len(data)} bytes are not a {kind}: they are cut off or damaged") from None
    return message


def late_kind(field: str) -> str:
    """Return the type of a submessage that is read late, by the name of the field that holds it."""
    found = re.search(rf"late ([\w.]+) {field} = ", FIELDS)
    assert found, field
    return found.group(1)


def unknown_fields_text(message: Message) -> list[str]:
    """Write each field that the table does not have as `field_9=…`: a number, or bytes in hexadecimal."""
    written: list[str] = []
    for field in unknown_fields.UnknownFieldSet(message):
        data: object = field.data
        shown = data.hex() if isinstance(data, bytes) else str(data)
        written.append(f"field_{field.field_number}={shown or 'empty'}")
    return written
