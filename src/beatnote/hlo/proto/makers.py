"""Makers of the attributes that most opcodes have: a name, and a field of HloInstructionProto."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beatnote.hlo.proto.schema import Proto, decode, late_kind, unknown_fields_text
from beatnote.hlo.proto.spelling import enumerated
from beatnote.hlo.proto.surroundings import Surroundings

Attribute = Callable[[Proto, Surroundings], str]
"""Writes one attribute or several of an instruction; '' where it has none."""


def late(form: str, field: str, write: Callable[[bytes], str], otherwise: str = "") -> Attribute:
    """Make an attribute of a submessage, or another where that is empty; '' where it says nothing."""
    whole = with_unknown_fields(form, field, write)

    def attribute(instruction: Proto, around: Surroundings) -> str:
        data = getattr(instruction, field)
        return around.text(whole, data) if data else otherwise

    return attribute


def with_unknown_fields(form: str, field: str, write: Callable[[bytes], str]) -> Callable[[bytes], str]:
    """Make the writer of a submessage that also keeps what the schema does not have of it, as `window.field_9`."""
    kind = late_kind(field)

    def whole(data: bytes) -> str:
        text = write(data)
        unknown = [f"{field}.{one}" for one in unknown_fields_text(decode(kind, data))]
        return ", ".join([form.format(text), *unknown] if text else unknown)

    return whole


def always(name: str, field: str, write: Callable[[Any], object] = str) -> Attribute:
    """Make an attribute that is written whatever its field holds."""
    return lambda instruction, around: f"{name}={write(getattr(instruction, field))}"


def where_set(name: str, field: str, write: Callable[[Any], object] = str) -> Attribute:
    """Make an attribute that is left out for the default of its field: 0, false, '' or an empty list."""

    def attribute(instruction: Proto, around: Surroundings) -> str:
        value = getattr(instruction, field)
        return f"{name}={write(value)}" if value else ""

    return attribute


def where_given(name: str, field: str) -> Attribute:
    """Make an attribute that is left out only where its field is."""
    return lambda instruction, around: f"{name}={getattr(instruction, field)}" if instruction.HasField(field) else ""


def first_dimension(form: str) -> Attribute:
    """Make an attribute of the first of `dimensions`."""
    return lambda instruction, around: form.format(instruction.dimensions[0]) if instruction.dimensions else ""


def flag(value: bool) -> str:
    """Write a truth value."""
    return "true" if value else "false"


def enumeration(names: tuple[str, ...]) -> Callable[[int], str]:
    """Make the writer of an enumeration's values."""
    return lambda number: enumerated(names, number)
