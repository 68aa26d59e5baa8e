"""What must be done to a program before it is run away from where it was recorded.

Pure functions on modules. `runnable` is the one to call; it refuses what would run as another program.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

import msgspec

from beatnote.execute.errors import ExecutionError
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ArrayShape, Shape, TupleShape, leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

_AFTER_OPTIMISATION = frozenset({"fusion", "bitcast"})
_COLLECTIVES = re.compile(
    r"(all-reduce|all-gather|reduce-scatter|all-to-all|ragged-all-to-all|collective-permute|collective-broadcast)"
    r"(-start)?"
)
_OF_A_HOST = frozenset({"infeed", "outfeed", "send", "send-done", "recv", "recv-done"})
"""These wait for a host program that feeds them."""

_ANNOTATIONS = frozenset({"metadata", "origin", "statistics", "stack_frame_id", "parameter_replication"})


def runnable(module: Module) -> Module:
    """Make the same function fit to run many times on one device with inputs in the default layout.

    Aliasing of inputs and outputs, layouts and annotations are dropped, and `copy`, which not every import into
    MLIR accepts, is replaced by its operand.

    Raises:
        ExecutionError: it is empty, its constants are elided, it is already optimised (layouts and fusions are
            tied to the compiler that made them), it needs several devices, or it waits for a host.
    """
    _refuse(module)
    return Module(
        name=module.name or "program",
        computations=tuple(_plain(computation) for computation in module.computations),
        entry_name=module.entry_name,
    )


def parameter_shapes(module: Module) -> tuple[ArrayShape, ...]:
    """List the arrays a program takes: its entry's parameters in order, tuples flattened."""
    return tuple(leaf for parameter in module.entry.parameters for leaf in leaves(parameter.shape))


def output_shapes(module: Module) -> tuple[ArrayShape, ...]:
    """List the arrays a program returns, tuples flattened."""
    return leaves(module.entry.root_instruction.shape)


def _refuse(module: Module) -> None:
    if not module.computations:
        raise ExecutionError(f"{module.name or 'the text'} holds no computation to run")
    if module.attributes.get("is_scheduled") == "true":
        raise ExecutionError(f"{module.name} is already optimised (is_scheduled): run the one before optimisation")
    for count in ("replica_count", "num_partitions"):
        if module.attributes.get(count, "1") != "1":
            raise ExecutionError(f"{module.name} needs several devices ({count}={module.attributes[count]})")
    for instruction in module.instructions():
        if instruction.is_elided:
            raise ExecutionError(
                f"the value of constant %{instruction.name} is elided from the text: "
                "dump the program with print_large_constants or as a proto"
            )
        if instruction.opcode in _AFTER_OPTIMISATION:
            raise ExecutionError(
                f"{module.name} is already optimised (%{instruction.name} is a {instruction.opcode}): "
                "run the one before optimisation"
            )
        if instruction.opcode in _OF_A_HOST:
            raise ExecutionError(f"%{instruction.name} ({instruction.opcode}) waits for a host that is not there")
        if _COLLECTIVES.fullmatch(instruction.opcode) and _spans_devices(instruction.attributes):
            raise ExecutionError(f"%{instruction.name} ({instruction.opcode}) runs over several devices")
    for shape in (*parameter_shapes(module), *output_shapes(module)):
        if shape.element_type in ("token", "opaque") or shape.is_dynamic:
            raise ExecutionError(f"a value of shape {shape} cannot be passed to a program or taken from it")


def _spans_devices(attributes: Mapping[str, str]) -> bool:
    groups = attributes.get("replica_groups", "") + attributes.get("source_target_pairs", "")
    iota = re.match(r"\[([\d,]+)\]<=", groups)
    if iota:
        return prod(map(int, iota.group(1).split(","))) > 1
    return any(number != "0" for number in re.findall(r"\d+", groups))


def _plain(computation: Computation) -> Computation:
    """Drop layouts, annotations and copies."""
    copies = {i.name: i.operands[0] for i in computation.instructions if i.opcode == "copy"}

    def source(name: str) -> str:
        while name in copies:
            name = copies[name]
        return name

    return Computation(
        name=computation.name,
        instructions=tuple(
            Instruction(
                name=instruction.name,
                opcode=instruction.opcode,
                shape=_without_layout(instruction.shape),
                operands=tuple(source(name) for name in instruction.operands),
                literal=instruction.literal,
                attributes_text=_without_annotations(instruction),
            )
            for instruction in computation.instructions
            if instruction.name not in copies
        ),
        root=source(computation.root),
    )


def _without_layout(shape: Shape) -> Shape:
    if isinstance(shape, TupleShape):
        return TupleShape(tuple(_without_layout(element) for element in shape.elements))
    return msgspec.structs.replace(shape, layout=None) if shape.layout else shape


def _without_annotations(instruction: Instruction) -> str:
    return ", ".join(
        f"{name}={value}" if value else name
        for name, value in instruction.attributes.items()
        if name not in _ANNOTATIONS
    )
