"""Single mutations of a program, as data: each changes one instruction so that it probably computes something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from beatnote.hlo.attributes import integers
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ArrayShape

DIRECTIONS = ("EQ", "NE", "GT", "GE", "LT", "LE")
SWAPPED = {
    "add": "subtract", "subtract": "add", "multiply": "add", "divide": "multiply", "maximum": "minimum",
    "minimum": "maximum", "sqrt": "rsqrt", "rsqrt": "sqrt", "exponential": "negate", "log": "negate", "and": "or",
}  # fmt: skip
NOT_COMMUTATIVE = frozenset({"subtract", "divide", "power", "compare", "dot"})
REDUCTIONS = ("add", "maximum", "minimum", "multiply")
DIMENSIONS = (
    "dimensions", "lhs_contracting_dims", "rhs_contracting_dims", "lhs_batch_dims", "rhs_batch_dims", "offset_dims",
    "start_index_map", "iota_dimension",
)  # fmt: skip


def mutants(module: Module) -> Iterator[tuple[str, Module]]:
    """Every single mutation, with what it is."""
    for computation in module.computations:
        for instruction in computation.instructions:
            for what, changed in _changed(instruction, computation):
                yield f"{what} {instruction.name}", _with(module, computation, changed)


def _with(module: Module, computation: Computation, changed: Instruction) -> Module:
    instructions = tuple(changed if i.name == changed.name else i for i in computation.instructions)
    fresh = msgspec.structs.replace(computation, instructions=instructions)
    computations = tuple(fresh if c.name == computation.name else c for c in module.computations)
    return msgspec.structs.replace(module, computations=computations)


def _changed(i: Instruction, computation: Computation) -> Iterator[tuple[str, Instruction]]:
    replace = msgspec.structs.replace
    if i.opcode == "constant" and i.literal is not None:
        for what, literal in _literals(i.literal):
            yield f"constant {what}", replace(i, literal=literal)
    if i.opcode in NOT_COMMUTATIVE and len(i.operands) == 2 and _same_shape(i, computation):
        yield "operand order", replace(i, operands=i.operands[::-1])
    if i.opcode == "select":
        test, then, otherwise = list(i.operands)
        yield "operand order", replace(i, operands=(test, otherwise, then))
    if i.opcode == "compare":
        own = i.attributes["direction"]
        for direction in DIRECTIONS:
            if direction != own:
                text = i.attributes_text.replace(f"direction={own}", f"direction={direction}")
                yield f"direction {direction}", replace(i, attributes_text=text)
    if i.opcode in REDUCTIONS and len(computation.instructions) == 3 and computation.root == i.name:
        for opcode in REDUCTIONS:
            if opcode != i.opcode:
                yield f"reduce operation {opcode}", replace(i, opcode=opcode)
    elif i.opcode in SWAPPED and isinstance(i.shape, ArrayShape):
        yield "opcode", replace(i, opcode=SWAPPED[i.opcode])
    if i.opcode in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
        for kept, operand in enumerate(i.operands):
            if computation[operand].shape == i.shape:
                yield f"dropped term {1 - kept}", replace(i, opcode="copy", operands=(operand,))
    yield from _dimensions(i, computation)
    padding = i.attributes.get("padding")
    if i.opcode == "pad" and padding:
        moved = re.sub(r"(-?\d+)_(-?\d+)", lambda m: f"{int(m[1]) + 1}_{int(m[2]) - 1}", padding, count=1)
        yield "padding", replace(i, attributes_text=i.attributes_text.replace(padding, moved))
    if i.opcode == "slice":
        moved = re.sub(r"\[0:(\d+)", lambda m: f"[1:{int(m[1]) + 1}", i.attributes["slice"], count=1)
        yield "slice", replace(i, attributes_text=i.attributes_text.replace(i.attributes["slice"], moved))


def _literals(literal: str) -> Iterator[tuple[str, str]]:
    if literal in ("true", "false"):
        yield "negated", {"true": "false", "false": "true"}[literal]
    elif re.fullmatch(r"-?\d+", literal):
        yield "plus one", str(int(literal) + 1)
        yield "minus one", str(int(literal) - 1)
    elif re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", literal):
        yield "a thousandth more", f"{float(literal) * 1.001:.9g}"
        yield "negated", f"{-float(literal):.9g}"
    elif literal in ("inf", "-inf"):
        yield "negated", {"inf": "-inf", "-inf": "inf"}[literal]
    elif literal == "nan":
        yield "zero", "0"


def _same_shape(i: Instruction, computation: Computation) -> bool:
    first, second = (computation[name].shape for name in i.operands)
    return str(first) == str(second)


def _dimensions(i: Instruction, computation: Computation) -> Iterator[tuple[str, Instruction]]:
    """Dimension numbers changed to others of the same extent, so that shapes still fit."""
    for name in DIMENSIONS:
        value = i.attributes.get(name)
        if value is None or not isinstance(i.shape, ArrayShape):
            continue
        numbers = list(integers(value)) if value.startswith("{") else [int(value)]
        operand = computation[i.operands[1 if name.startswith("rhs") else 0]].shape if i.operands else i.shape
        over = i.shape if i.opcode in ("broadcast", "iota") else operand
        if not isinstance(over, ArrayShape):
            continue
        for place, number in enumerate(numbers):
            for other in range(len(over.dimensions)):
                if (
                    other != number
                    and number < len(over.dimensions)
                    and over.dimensions[other] == over.dimensions[number]
                ):
                    fresh = list(numbers)
                    if other in fresh:
                        fresh[fresh.index(other)] = number
                    fresh[place] = other
                    if i.opcode in ("broadcast", "reduce") and i.opcode == "broadcast" and fresh != sorted(fresh):
                        continue
                    text = "{" + ",".join(map(str, fresh)) + "}" if value.startswith("{") else str(fresh[0])
                    changed = i.attributes_text.replace(f"{name}={value}", f"{name}={text}")
                    yield f"{name} {text}", msgspec.structs.replace(i, attributes_text=changed)
