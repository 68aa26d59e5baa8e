"""Bytes that an instruction reads and writes in the device's memory: its operands and its result, once each.

What takes only a part reads only that part (slice, dynamic-slice, gather); what changes only a part writes only that
part and leaves the rest in place (dynamic-update-slice, scatter). A fusion reads and writes at its edges: what its
instructions hand on to each other stays in registers or caches. No cache is assumed between instructions.
"""

from __future__ import annotations

from collections.abc import Sequence

from beatnote.hlo.attributes import integers
from beatnote.hlo.cost.custom_calls import is_free
from beatnote.hlo.cost.opcodes import CONTROL, FREE
from beatnote.hlo.cost.sizes import bytes_of, elements_of, is_row_major, physical_order
from beatnote.hlo.module import Computation, Instruction
from beatnote.hlo.shapes import ArrayShape, Shape

IMMEDIATE_ELEMENTS = 8
"""A fusion's constants of no more elements are part of its code: HloCostAnalysis::immediate_constant_max_elements."""

_RENAMING = frozenset({"bitcast", "get-tuple-element"})


def moves_nothing(instruction: Instruction, opcode: str, operands: Sequence[Shape]) -> bool:
    """Whether an instruction leaves all bytes where they are."""
    if opcode in FREE or opcode in CONTROL:
        return True
    if opcode == "custom-call":
        return is_free(instruction)
    if opcode == "reshape":
        return len(operands) == 1 and is_row_major(operands[0]) and is_row_major(instruction.shape)
    return opcode == "transpose" and _is_relabelling(instruction, operands)


def edge_traffic(instruction: Instruction, opcode: str, operands: Sequence[Shape], result: Shape) -> tuple[int, int]:
    """Return the bytes read and the bytes written by one instruction that is no fusion.

    Args:
        instruction: the instruction.
        opcode: its own, without `-start`.
        operands: their shapes, in order.
        result: the shape of what it computes.
    """
    if moves_nothing(instruction, opcode, operands):
        return 0, 0
    read: dict[str, int] = {}
    for place, (name, shape) in enumerate(zip(instruction.operands, operands, strict=True)):
        part = _part_read(opcode, place, operands, result)
        size = bytes_of(shape) if part is None else part
        read[name] = max(read.get(name, 0), size)  # an operand given twice is read once
    return sum(read.values()), _written(opcode, operands, result)


def fusion_traffic(fusion: Instruction, fused: Computation) -> tuple[int, int]:
    """Return the bytes that a fusion reads and writes at its edges."""
    users: dict[str, list[tuple[Instruction, int]]] = {}
    for instruction in fused.instructions:
        for place, name in enumerate(instruction.operands):
            users.setdefault(name, []).append((instruction, place))
    read: dict[str, int] = {}
    for name, parameter in zip(fusion.operands, fused.parameters, strict=False):
        size = _parameter_read(parameter, fused, users)
        read[name] = max(read.get(name, 0), size)
    constants = sum(
        bytes_of(i.shape)
        for i in fused.instructions
        if i.opcode == "constant" and elements_of(i.shape) > IMMEDIATE_ELEMENTS
    )
    return sum(read.values()) + constants, sum(_root_written(root, fused) for root in fused_roots(fused))


def _is_relabelling(instruction: Instruction, operands: Sequence[Shape]) -> bool:
    """Whether a transpose and its layouts undo each other."""
    result = instruction.shape
    permutation = integers(instruction.attributes.get("dimensions", "{}"))
    if len(operands) != 1 or not isinstance(operands[0], ArrayShape) or not isinstance(result, ArrayShape):
        return False
    if sorted(permutation) != list(range(len(result.dimensions))):
        return False
    return [permutation[d] for d in physical_order(result)] == list(physical_order(operands[0]))


def _part_read(opcode: str, place: int, operands: Sequence[Shape], result: Shape) -> int | None:
    """Return the bytes read of one operand, None for all of it."""
    if place == 0 and opcode in ("slice", "dynamic-slice", "gather"):
        return bytes_of(result)
    if place == 0 and opcode == "dynamic-update-slice":
        return 0
    if opcode == "scatter" and place < len(operands) // 2:
        return bytes_of(operands[len(operands) // 2 + 1 + place])
    return None


def _written(opcode: str, operands: Sequence[Shape], result: Shape) -> int:
    if opcode == "dynamic-update-slice" and len(operands) > 1:
        return bytes_of(operands[1])
    if opcode == "scatter":
        return sum(bytes_of(shape) for shape in operands[len(operands) // 2 + 1 :])
    return 0 if opcode in ("outfeed", "send") else bytes_of(result)


def _parameter_read(parameter: Instruction, fused: Computation, users: dict[str, list[tuple[Instruction, int]]]) -> int:
    """Return what a fusion reads of one parameter: the parts taken of it, and no more than all of it."""
    read = 0
    pending = [parameter]
    met = {parameter.name}
    while pending:
        value = pending.pop()
        for user, place in users.get(value.name, ()):
            if user.opcode in _RENAMING:
                if user.name not in met:
                    met.add(user.name)
                    pending.append(user)
                continue
            if user.opcode == "tuple":
                continue
            part = _part_read(user.opcode, place, [fused[name].shape for name in user.operands], user.shape)
            read += bytes_of(value.shape) if part is None else part
    return min(read, bytes_of(parameter.shape))


def fused_roots(fused: Computation) -> list[Instruction]:
    """List what a fusion yields, one instruction a result."""
    root = fused.root_instruction
    return [fused[name] for name in root.operands] if root.opcode == "tuple" else [root]


def changed_in_place(root: Instruction, fused: Computation) -> Instruction | None:
    """Return the parameter of which a fusion's result changes only a part; None where it is made anew."""
    root = _behind_bitcasts(root, fused)
    if root.opcode not in ("dynamic-update-slice", "scatter") or not root.operands:
        return None
    buffer = fused[root.operands[0]]
    while buffer.opcode in _RENAMING:
        buffer = fused[buffer.operands[0]]
    return buffer if buffer.opcode == "parameter" else None


def _root_written(root: Instruction, fused: Computation) -> int:
    """Return what a fusion writes of one result: what changes where a parameter is changed in place, else all."""
    if changed_in_place(root, fused) is None:
        return bytes_of(root.shape)
    root = _behind_bitcasts(root, fused)
    return _written(root.opcode, [fused[name].shape for name in root.operands], root.shape)


def _behind_bitcasts(value: Instruction, fused: Computation) -> Instruction:
    while value.opcode == "bitcast":
        value = fused[value.operands[0]]
    return value
