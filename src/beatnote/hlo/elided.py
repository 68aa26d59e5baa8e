"""Filling in the values of constants that a text leaves out, `constant({...})`, from the same program elsewhere."""

from __future__ import annotations

import msgspec

from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import same_array


def has_elided(module: Module) -> bool:
    """Whether the value of any constant is left out."""
    return any(instruction.is_elided for instruction in module.instructions())


def with_values_from(module: Module, other: Module) -> Module:
    """Return a module whose elided constants have the values that they have in another text of the same program.

    Where the other is not the same program, such as one of an earlier run, all stay elided.
    """
    others = {computation.name: computation for computation in other.computations}
    if _outline(module) != _outline(other):
        return module
    computations = tuple(_filled(one, others[one.name]) for one in module.computations)
    return msgspec.structs.replace(module, computations=computations)


def _outline(module: Module) -> dict[str, dict[str, tuple[str, tuple[str, ...]]]]:
    """Return what computes what from what, by names."""
    return {
        computation.name: {one.name: (one.opcode, one.operands) for one in computation.instructions}
        for computation in module.computations
    }


def _filled(computation: Computation, other: Computation) -> Computation:
    if not any(instruction.is_elided for instruction in computation.instructions):
        return computation
    instructions = tuple(_with_value(one, other) if one.is_elided else one for one in computation.instructions)
    return msgspec.structs.replace(computation, instructions=instructions)


def _with_value(constant: Instruction, other: Computation) -> Instruction:
    same = other[constant.name]
    if not same_array(same.shape, constant.shape):
        return constant
    return msgspec.structs.replace(constant, literal=same.literal)
