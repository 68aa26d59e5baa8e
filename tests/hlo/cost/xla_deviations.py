"""Where our counts and those of XLA's HloCostAnalysis part: one rule each, with exactly how much XLA counts more.

`docs/cost.md` has the same table for people; the test holds it to this one and to what the published programs show.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

from beatnote.hlo.calls import called_computations
from beatnote.hlo.cost import cost_of
from beatnote.hlo.cost.cost import NOTHING, Cost
from beatnote.hlo.cost.opcodes import BATCH_NORM_FLOPS
from beatnote.hlo.cost.sizes import bytes_of, elements_of
from beatnote.hlo.cost.traffic import moves_nothing
from beatnote.hlo.cost.windows import window_of
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import Shape, leaves

from .xla_cost import alone

POINTER_BYTES = 8
SLICED = {"dynamic-slice": 1, "dynamic-update-slice": 2}
"""Opcode to the place of its first start index."""


class One(NamedTuple):
    """An instruction alone in a module, the shapes of its operands, and what we count for it."""

    module: Module
    instruction: Instruction
    operands: list[Shape]
    ours: Cost


class More(NamedTuple):
    """How much XLA counts more than we do."""

    flops: int = 0
    transcendentals: int = 0
    bytes: int = 0


class Deviation(NamedTuple):
    """A rule: its name, and how much XLA counts more by it for an instruction."""

    name: str
    more: Callable[[One], More]


def pointers(one: One) -> More:
    """A tuple is written down as a table of pointers."""
    return More(bytes=POINTER_BYTES * len(one.operands)) if one.instruction.opcode == "tuple" else More()


def reshapes(one: One) -> More:
    """A reshape that moves nothing is counted as a copy."""
    if one.instruction.opcode != "reshape" or not moves_nothing(one.instruction, "reshape", one.operands):
        return More()
    return More(bytes=bytes_of(one.operands[0]) + bytes_of(one.instruction.shape))


def repeats(one: One) -> More:
    """An operand given twice is read twice."""
    names = one.instruction.operands
    if one.instruction.opcode in ("tuple", "fusion", *SLICED) or len(set(names)) == len(names):
        return More()
    sizes = dict(zip(names, map(bytes_of, one.operands), strict=True))
    return More(bytes=sum(sizes[name] * (names.count(name) - 1) for name in sizes))


def starts(one: One) -> More:
    """Of the start indices only the first is read."""
    first = SLICED.get(one.instruction.opcode)
    if first is None:
        return More()
    indices = dict(zip(one.instruction.operands[first:], map(bytes_of, one.operands[first:]), strict=True))
    return More(bytes=bytes_of(one.operands[first]) - sum(indices.values()))


def normalisations(one: One) -> More:
    """Batch normalisation computes nothing."""
    return More(flops=-one.ours.flops) if one.instruction.opcode in BATCH_NORM_FLOPS else More()


def padding(one: One) -> More:
    """A window reaches as many elements at the edge as elsewhere."""
    instruction = one.instruction
    if instruction.opcode == "fusion":
        fused = one.module.computation(called_computations(instruction)[0])
        inside = [alone(one.module, fused, i) for i in fused.instructions if i.opcode.endswith(("window", "scatter"))]
        return More(flops=sum(padding(one_of(module)).flops for module in inside))
    called = [cost_of(_entering(one.module, name)).total for name in called_computations(instruction)]
    size = prod(dimension.size for dimension in window_of(instruction)) if "window" in instruction.attributes else 1
    if instruction.opcode == "reduce-window":
        return More(flops=called[0].flops * (size - 1) * elements_of(leaves(instruction.shape)[0]) - one.ours.flops)
    if instruction.opcode == "select-and-scatter":
        places = elements_of(one.operands[1])
        return More(flops=called[0].flops * (size - 1) * places + called[1].flops * places - one.ours.flops)
    return More()


def custom_calls(one: One) -> More:
    """A custom call counts −1 of everything but transcendental operations, of which it has none."""
    if one.instruction.opcode != "custom-call":
        return More()
    return More(-1 - one.ours.flops, -one.ours.transcendentals, -1 - one.ours.bytes_accessed)


def fusion_parameters(one: One) -> More:
    """A parameter of a fusion is read once more for every broadcast and reshape of it."""
    if one.instruction.opcode != "fusion":
        return More()
    fused = one.module.computation(called_computations(one.instruction)[0])
    theirs = sum(_xla_read(parameter, fused) for parameter in fused.parameters)
    parts = [i for i in fused.instructions if i.opcode in ("gather", "scatter")]
    if parts:
        return More()  # another rule
    mine = one.ours.bytes_read - sum(
        bytes_of(i.shape) for i in fused.instructions if i.opcode == "constant" and elements_of(i.shape) > 8
    )
    return More(bytes=theirs - mine)


def fused_parts(one: One) -> More:
    """A gather or scatter in a fusion reads and writes all of its operands."""
    if one.instruction.opcode != "fusion":
        return More()
    fused = one.module.computation(called_computations(one.instruction)[0])
    if not any(i.opcode in ("gather", "scatter") for i in fused.instructions):
        return More()
    whole = sum(_xla_read(parameter, fused) for parameter in fused.parameters) + bytes_of(one.instruction.shape)
    constants = sum(
        bytes_of(i.shape) for i in fused.instructions if i.opcode == "constant" and elements_of(i.shape) > 8
    )
    return More(bytes=whole + constants - one.ours.bytes_accessed)


DEVIATIONS = (
    Deviation("tuple-table", pointers),
    Deviation("free-reshape", reshapes),
    Deviation("repeated-operand", repeats),
    Deviation("start-indices", starts),
    Deviation("batch-norm", normalisations),
    Deviation("window-padding", padding),
    Deviation("custom-call", custom_calls),
    Deviation("fusion-parameter", fusion_parameters),
    Deviation("fusion-part", fused_parts),
)
LOOPS = "loop-turns"
"""The rule for whole programs: XLA counts one turn of every loop, and its condition once."""


def deviations_of(module: Module) -> dict[str, More]:
    """The rules by which XLA counts the one instruction of a module otherwise, and how much more."""
    one = one_of(module)
    found = {rule.name: rule.more(one) for rule in DEVIATIONS}
    return {name: more for name, more in found.items() if more != More()}


def one_of(module: Module) -> One:
    """The one instruction of a module, and what we count for it."""
    instruction = module.entry.root_instruction
    charges = [charge for charge in cost_of(module).charges if charge.instruction is instruction]
    operands = [module.entry[name].shape for name in instruction.operands]
    return One(module, instruction, operands, charges[0].cost if charges else NOTHING)


def _entering(module: Module, name: str) -> Module:
    return Module(module.name, module.computations, name, module.attributes_text)


def _xla_read(parameter: Instruction, fused: Computation) -> int:
    """What HloCostAnalysis::FusionParameterReadBytes counts."""
    size = bytes_of(parameter.shape)
    read = 0
    is_read = False
    for user in fused.instructions:
        if parameter.name not in user.operands:
            continue
        is_sliced = user.operands[0] == parameter.name
        if user.opcode == "slice" or (user.opcode == "dynamic-slice" and is_sliced):
            read += bytes_of(user.shape)
        elif user.opcode == "dynamic-update-slice" and is_sliced:
            continue
        elif user.opcode in ("broadcast", "reshape"):
            read += size
        elif not is_read:
            is_read = True
            read += size
    return read
