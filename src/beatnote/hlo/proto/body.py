"""The instructions of one computation, read from HloInstructionProto after HloInstructionProto.

This is the loop that the speed of reading depends on: it reads what a program is made of, and leaves attributes, which
are most of the bytes, to be written when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError

from beatnote.hlo.body import LITERAL_OPCODES
from beatnote.hlo.deferred import Deferred
from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Computation, Instruction
from beatnote.hlo.proto.attributes import attributes_text
from beatnote.hlo.proto.opcodes import NEVER_CALLING, OPCODES
from beatnote.hlo.proto.order import scheduled
from beatnote.hlo.proto.schema import Proto, decode, message_types
from beatnote.hlo.proto.spelling import comma_list, quoted
from beatnote.hlo.proto.surroundings import Surroundings
from beatnote.hlo.shapes import ArrayShape, Shape

ELIDED = "{...}"
"""What stands for the value of a constant that has none."""

_is_name = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*").fullmatch
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.\-]")
_OPCODE = re.compile(r"[a-z][A-Za-z0-9_\-]*")


class ProtoBody:
    """A computation while it is read.

    Attributes:
        around: what its instructions see.
        instructions: so far, in the order of the messages.
    """

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.instructions: list[Instruction] = []
        self._calls: dict[int, Sequence[int]] = {}

    @property
    def calls(self) -> list[int]:
        """The computations that its instructions call, by id and in the order of the instructions' ids."""
        return [called for number in sorted(self._calls) for called in self._calls[number]]

    def read(self, all_data: Iterable[bytes]) -> None:
        """Read instructions, operands before their users.

        Raises:
            ProtoError: with the instruction that is wrong, or two have the same name or id.
        """
        around, shapes, names, shape_of = self.around, self.around.shapes, self.around.names, self.around.shape_of
        add, write, name_of = self.instructions.append, partial(_attributes_text, around), names.__getitem__
        from_string = message_types()["HloInstructionProto"].FromString
        instruction: Proto
        for data in all_data:
            name = ""
            try:
                instruction = from_string(data)
                name, opcode, number = instruction.name, instruction.opcode, instruction.id
                if not _is_name(name):
                    name = clean_name(name)
                if opcode not in OPCODES and not _OPCODE.fullmatch(opcode):
                    raise ProtoError(f"expected an opcode such as add, found {opcode[:24]!r}")
                shape = shapes[instruction.shape]
                if opcode in LITERAL_OPCODES:
                    operands, literal = (), _literal(instruction, around)
                else:
                    operands, literal = tuple(map(name_of, instruction.operand_ids)), None
                if opcode not in NEVER_CALLING and instruction.called_computation_ids:
                    self._calls[number] = list(map(around.known, instruction.called_computation_ids))
            except KeyError as error:
                problem = ProtoError(f"refers to instruction {error}, which is not above it in its computation")
                raise problem.within(self._place(name)) from None
            except DecodeError:
                decode("HloInstructionProto", data)
                raise
            except ProtoError as error:
                raise error.within(self._place(name)) from None
            names[number], shape_of[number] = name, shape
            attributes: Any = Deferred(write, data)
            add(Instruction(name, opcode, shape, operands, literal, attributes))
        if len(set(names.values())) < len(self.instructions):
            raise ProtoError("two instructions have the same name or id")

    def computation(self, computation: Proto, name: str, schedule: Sequence[int] | None) -> Computation:
        """Make the computation, all its instructions read, in the order of a schedule if there is one.

        Raises:
            ProtoError: it has no root, or its parameters or its schedule are wrong.
        """
        found = dict(zip(self.around.names, self.instructions, strict=True))
        root = found.get(computation.root_id)
        if root is None:
            raise ProtoError(f"the root is instruction {computation.root_id}, which is not in the computation")
        instructions = self.instructions if schedule is None else scheduled(found, schedule)
        parameters = [one for one in instructions if one.opcode == "parameter"]
        numbers = sorted(one.parameter_number or 0 for one in parameters)
        if numbers != list(range(len(numbers))):
            raise ProtoError(f"parameters should be numbered 0 to {len(numbers) - 1}, found {numbers[:16]}")
        parameters.sort(key=lambda one: one.parameter_number or 0)
        shown = ", ".join(f"{one.name}: {_without_layout(one.shape)}" for one in parameters)
        thread = computation.execution_thread
        return Computation(
            name,
            tuple(instructions),
            root.name,
            f"({shown}) -> {_without_layout(root.shape)}",
            f"execution_thread={quoted(thread)}" if thread not in (b"", b"main") else "",
        )

    def _place(self, name: str) -> str:
        return f"instruction {len(self.instructions)} {name!r}"


def _attributes_text(around: Surroundings, data: bytes) -> str:
    instruction = decode("HloInstructionProto", data)
    try:
        return attributes_text(instruction, around)
    except ProtoError as error:
        raise error.within(*around.place, f"instruction {instruction.name!r}") from None


def _literal(instruction: Proto, around: Surroundings) -> str:
    if instruction.opcode == "parameter":
        return str(instruction.parameter_number)
    return around.literals[instruction.literal] if instruction.literal else ELIDED


def clean_name(name: str) -> str:
    """Return a name as XLA prints it: what may not stand in one becomes `_`."""
    if _is_name(name):
        return name
    if not name:
        raise ProtoError("an instruction or computation has no name")
    first = name[0] if _is_name(name[0]) else "_"
    return first + _NOT_IN_NAMES.sub("_", name[1:])


def _without_layout(shape: Shape) -> str:
    """Write a shape as signatures have it: without layouts, and with the numbers that XLA counts elements by."""
    if isinstance(shape, ArrayShape):
        if shape.is_dynamic:
            return str(ArrayShape(shape.element_type, shape.dimensions, shape.dynamic))
        return f"{shape.element_type}[{comma_list(shape.dimensions)}]"
    parts = [
        f"/*index={number}*/{_without_layout(element)}" if number and number % 5 == 0 else _without_layout(element)
        for number, element in enumerate(shape.elements)
    ]
    return f"({', '.join(parts)})"
