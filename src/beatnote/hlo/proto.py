"""Reading programs that XLA wrote as protocol messages, `.hlo.pb` and the like: `read_proto`.

The data is what `text.parse` gives for the text that XLA dumps of the same program, with every constant in full. The
fields are in `proto_fields`; what an instruction's fields are written as is in `proto_attributes`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from beatnote.hlo.body import LITERAL_OPCODES
from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.proto_attributes import attributes_text
from beatnote.hlo.proto_header import header_text, tables
from beatnote.hlo.proto_literals import literal_text
from beatnote.hlo.proto_order import printed_order, scheduled
from beatnote.hlo.proto_schema import Proto, decode
from beatnote.hlo.proto_spelling import quoted
from beatnote.hlo.proto_surroundings import Surroundings
from beatnote.hlo.shapes import ArrayShape, Shape

__all__ = ["ProtoError", "read_proto"]

ELIDED = "{...}"
"""What stands for the value of a constant that has none."""

_WRAPPERS = 2
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.\-]")
_OPCODE = re.compile(r"[a-z][A-Za-z0-9_\-]*")


def read_proto(data: bytes, *, name: str = "<proto>") -> Module:
    """Read the module in an HloModuleProto, an HloProto or an HloSnapshot.

    Args:
        data: the serialized message.
        name: what errors call it, usually the file's path.

    Raises:
        ProtoError: the bytes are none of these, or what they hold is not a program.
    """
    try:
        module = _module_in(data, _WRAPPERS)
        if module is None:
            raise ProtoError("these bytes are no HloProto: expected a module with computations in it")
        return _module(module)
    except ProtoError as error:
        raise error.within(name) from None


def _module_in(data: bytes, wrappers: int) -> Proto | None:
    """Find an HloModuleProto in bytes that are one, or that hold one first, inside so many messages at most.

    What is inside is tried before what is around it: no module's name is a message with computations in it, but a
    message around a module can be read as a module with a strange name.
    """
    if wrappers:
        try:
            inside = _module_in(decode("Wrapper", data).first, wrappers - 1)
        except ProtoError:
            inside = None
        if inside is not None:
            return inside
    module = decode("HloModuleProto", data)
    return module if module.computations else None


def _module(module: Proto) -> Module:
    names: dict[int, str] = {}
    for data in module.computations:
        computation = decode("HloComputationProto", data)
        if computation.id in names:
            raise ProtoError(f"two computations have the id {computation.id}")
        names[computation.id] = _clean(computation.name)
    if len(set(names.values())) < len(names):
        raise ProtoError("two computations have the same name")
    entry = names.get(module.entry_computation_id)
    if entry is None:
        raise ProtoError(f"the entry is computation {module.entry_computation_id}, which is not in the module")
    around = Surroundings(names, tuple(module.payloads))
    schedules = {one.key: one.value.instruction_ids for one in module.schedule.sequences}
    computations: dict[int, Computation] = {}
    for data in module.computations:
        computation = decode("HloComputationProto", data)
        try:
            computations[computation.id] = _computation(computation, around, schedules.get(computation.id))
        except ProtoError as error:
            raise error.within(f"computation {names[computation.id]!r}") from None
    ordered = tuple(computations[number] for number in printed_order(around.calls))
    return Module(module.name, ordered, entry, header_text(module, around.shapes), tables(module))


def _computation(computation: Proto, around: Surroundings, schedule: Sequence[int] | None) -> Computation:
    calls: dict[int, Sequence[int]] = {}
    around.found = _instructions(computation.instructions, around, calls)
    around.calls[computation.id] = [called for number in sorted(calls) for called in calls[number]]
    root = around.found.get(computation.root_id)
    if root is None:
        raise ProtoError(f"the root is instruction {computation.root_id}, which is not in the computation")
    instructions = around.found.values() if schedule is None else scheduled(around.found, schedule)
    parameters = [one for one in instructions if one.opcode == "parameter"]
    numbers = sorted(one.parameter_number or 0 for one in parameters)
    if numbers != list(range(len(numbers))):
        raise ProtoError(f"parameters should be numbered 0 to {len(numbers) - 1}, found {numbers[:16]}")
    parameters.sort(key=lambda one: one.parameter_number or 0)
    shown = ", ".join(f"{one.name}: {_without_layout(one.shape)}" for one in parameters)
    signature = f"({shown}) -> {_without_layout(root.shape)}"
    thread = computation.execution_thread
    attributes = f"execution_thread={quoted(thread)}" if thread not in (b"", b"main") else ""
    return Computation(_clean(computation.name), tuple(instructions), root.name, signature, attributes)


def _instructions(
    all_data: Sequence[bytes], around: Surroundings, calls: dict[int, Sequence[int]]
) -> dict[int, Instruction]:
    """Read instructions, operands before their users, by id; add to `calls` which computations each calls."""
    shapes = around.shapes
    found = around.found = {}
    names: set[str] = set()
    for place, data in enumerate(all_data):
        instruction = decode("HloInstructionProto", data)
        name, opcode, number = _clean(instruction.name), instruction.opcode, instruction.id
        try:
            if name in names or number in found:
                raise ProtoError("another instruction has this name or id")
            names.add(name)
            literal = _literal(instruction) if opcode in LITERAL_OPCODES else None
            found[number] = Instruction(
                name,
                _checked_opcode(opcode),
                shapes[instruction.shape],
                tuple([around.instruction(operand).name for operand in instruction.operand_ids]),
                literal,
                attributes_text(instruction, around),
            )
            if instruction.called_computation_ids:
                calls[number] = instruction.called_computation_ids
        except ProtoError as error:
            raise error.within(f"instruction {place} {name!r}") from None
    return found


def _literal(instruction: Proto) -> str:
    if instruction.opcode == "parameter":
        return str(instruction.parameter_number)
    return literal_text(instruction.literal) if instruction.literal else ELIDED


def _checked_opcode(opcode: str) -> str:
    if not _OPCODE.fullmatch(opcode):
        raise ProtoError(f"expected an opcode such as add, found {opcode[:24]!r}")
    return opcode


def _clean(name: str) -> str:
    """Return a name as XLA prints it: what may not stand in one becomes `_`."""
    if _NAME.fullmatch(name):
        return name
    if not name:
        raise ProtoError("an instruction or computation has no name")
    first = name[0] if _NAME.fullmatch(name[0]) else "_"
    return first + _NOT_IN_NAMES.sub("_", name[1:])


def _without_layout(shape: Shape) -> str:
    """Write a shape as signatures have it: without layouts, and with the numbers that XLA counts elements by."""
    if isinstance(shape, ArrayShape):
        return str(ArrayShape(shape.element_type, shape.dimensions, shape.dynamic))
    parts = [
        f"/*index={number}*/{_without_layout(element)}" if number and number % 5 == 0 else _without_layout(element)
        for number, element in enumerate(shape.elements)
    ]
    return f"({', '.join(parts)})"
