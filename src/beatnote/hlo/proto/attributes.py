"""What stands behind an instruction's parentheses, from HloInstructionProto, in XLA's words and order.

First the opcode's own attributes (`opcodes`), then those that any instruction may have. A field that the schema
does not have becomes `field_N`: nothing is lost that could change what the program means. Source:
PrintWithCanonicalNameMap and PrintExtraAttributes in xla/hlo/ir/hlo_instruction.cc.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from beatnote.hlo.proto.devices import sharding_text
from beatnote.hlo.proto.makers import Attribute, flag, late, with_unknown_fields
from beatnote.hlo.proto.metadata import (
    accuracy_text,
    frontend_attributes_text,
    origin_text,
    payload_of,
    statistics_text,
)
from beatnote.hlo.proto.opcodes import OPCODES
from beatnote.hlo.proto.schema import Proto, decode, unknown_fields_text
from beatnote.hlo.proto.spelling import quoted, quoted_or_json
from beatnote.hlo.proto.surroundings import Surroundings
from beatnote.hlo.shapes import ArrayShape

_APPLIED = frozenset(
    {
        "all-reduce",
        "all-reduce-start",
        "call",
        "map",
        "reduce",
        "reduce-scatter",
        "reduce-window",
        "scan",
        "scatter",
        "sort",
    }
)
_ELSEWHERE = frozenset(
    {
        "name",
        "opcode",
        "shape",
        "id",
        "operand_ids",
        "parameter_number",
        "called_computation_ids",
        "is_composite",
        "sharding",
        "frontend_attributes",
        "control_predecessor_ids",
        "statistics_viz",
        "result_accuracy",
        "original_value",
        "metadata",
        "backend_config",
        "backend_config_payload",
    }
)


def attributes_text(instruction: Proto, around: Surroundings) -> str:
    """Write all attributes of an instruction, without the leading comma.

    Raises:
        ProtoError: one is damaged, or refers to what is not there.
    """
    own = OPCODES.get(instruction.opcode)
    parts = list(_every_field(instruction)) if own is None else [write(instruction, around) for write in own]
    if instruction.called_computation_ids:
        parts.append(_called(instruction, around))
    if instruction.is_composite:
        parts.append("is_composite=true")
    if instruction.HasField("sharding"):  # an empty one means replicated, so it is told from none
        parts.append(around.text(_SHARDING, instruction.sharding))
    parts.extend(
        [write(instruction, around) for value, write in zip(_values(instruction), _COMMON, strict=True) if value]
    )
    parts.extend(unknown_fields_text(instruction))
    return ", ".join(filter(None, parts))


def _every_field(instruction: Proto) -> Iterator[str]:
    """Write what the fields of an opcode hold that no table knows, under their own names."""
    for field, value in instruction.ListFields():
        if field.name in _ELSEWHERE or not value:
            continue
        if isinstance(value, bytes):
            yield f"{field.name}={quoted(value)}"
        elif isinstance(value, str | bool | int | float):
            yield f"{field.name}={flag(value) if isinstance(value, bool) else value}"
        else:
            yield f"{field.name}={{{quoted(_serialized(value))}}}"


def _serialized(value: Proto) -> bytes:
    """Return the bytes of a message, or of the values of a repeated field."""
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString(deterministic=True)
    return b",".join(
        one.SerializeToString(deterministic=True) if hasattr(one, "SerializeToString") else str(one).encode()
        for one in value
    )


def _called(instruction: Proto, around: Surroundings) -> str:
    """Write the computations that an instruction calls, in the words of its opcode."""
    opcode = instruction.opcode
    names = [f"%{around.computations[around.known(number)]}" for number in instruction.called_computation_ids]
    if opcode == "while" and len(names) == 2:
        body, condition = names
        return f"condition={condition}, body={body}"
    if opcode == "select-and-scatter" and len(names) == 2:
        select, scatter = names
        return f"select={select}, scatter={scatter}"
    if opcode == "conditional":
        shape = around.shape_of[instruction.operand_ids[0]] if instruction.operand_ids else None
        if isinstance(shape, ArrayShape) and shape.element_type == "pred" and len(names) == 2:
            return f"true_computation={names[0]}, false_computation={names[1]}"
        return f"branch_computations={{{', '.join(names)}}}"
    if opcode in _APPLIED and len(names) == 1:
        return f"to_apply={names[0]}"
    if opcode == "custom-call":
        return f"called_computations={{{', '.join(names)}}}"
    return f"calls={names[0]}" if len(names) == 1 else f"calls={{{', '.join(names)}}}"


def _control_predecessors(instruction: Proto, around: Surroundings) -> str:
    names = [f"%{around.instruction(number)}" for number in instruction.control_predecessor_ids]
    return f"control-predecessors={{{', '.join(names)}}}"


def _metadata(instruction: Proto, around: Surroundings) -> str:
    text = around.text(around.metadata_text, instruction.metadata)
    return f"metadata={{{text}}}" if text else ""


def _backend_config(instruction: Proto, around: Surroundings) -> str:
    return f"backend_config={quoted_or_json(instruction.backend_config)}"


def _backend_config_payload(instruction: Proto, around: Surroundings) -> str:
    config = payload_of(decode("Payload", instruction.backend_config_payload), around.payloads)
    return f"backend_config={quoted_or_json(config)}" if config else ""


_SHARDING = with_unknown_fields("sharding={}", "sharding", sharding_text)
_FIELDS: dict[str, Attribute] = {
    "frontend_attributes": late("frontend_attributes={{{}}}", "frontend_attributes", frontend_attributes_text),
    "control_predecessor_ids": _control_predecessors,
    "statistics_viz": late("statistics={{{}}}", "statistics_viz", statistics_text),
    "result_accuracy": late("result_accuracy={{{}}}", "result_accuracy", accuracy_text),
    "original_value": late("origin={{{}}}", "original_value", origin_text),
    "metadata": _metadata,
    "backend_config": _backend_config,
    "backend_config_payload": _backend_config_payload,
}
"""What any instruction may have behind its sharding, in XLA's order."""

_values = attrgetter(*_FIELDS)
_COMMON = tuple(_FIELDS.values())
