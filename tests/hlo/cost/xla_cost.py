"""What XLA's own HloCostAnalysis counts, and programs of one instruction to have it count them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from beatnote.hlo.calls import called_computations
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.render import render

Counts = tuple[float, float, float]
"""Flops, transcendental operations, bytes read and written."""

LEFT_OUT = frozenset({"parameter", "constant", "call", "while", "conditional"})
"""Opcodes that cost nothing, or what the computations cost that they run."""


def xla_counts(text: str) -> Counts:
    """Count with XLA's HloCostAnalysis, as XLA's CPU client sets it up. Single-precision numbers."""
    import jax
    from jaxlib import _hlo, _jax  # type: ignore[import-untyped]

    client: Any = jax.devices("cpu")[0].client
    found = _jax.hlo_module_cost_analysis(client, _hlo.hlo_module_from_text(text))
    return found.get("flops", 0.0), found.get("transcendentals", 0.0), found.get("bytes accessed", 0.0)


def alone(module: Module, computation: Computation, instruction: Instruction) -> Module:
    """A module whose entry is one instruction `r`, its operands made parameters."""
    names = {name: f"p{place}" for place, name in enumerate(dict.fromkeys(instruction.operands))}
    parameters = tuple(Instruction(new, "parameter", computation[old].shape, (), new[1:]) for old, new in names.items())
    one = Instruction(
        "r",
        instruction.opcode,
        instruction.shape,
        tuple(names[name] for name in instruction.operands),
        instruction.literal,
        ", ".join(
            f"{name}={value}" if value else name
            for name, value in instruction.attributes.items()
            if name not in ("metadata", "sharding", "control-predecessors", "frontend_attributes")
        ),
    )
    entry = Computation("alone", (*parameters, one), "r")
    return Module("alone", (*_needed(module, instruction), entry), "alone")


def alone_of_each(module: Module) -> Iterator[Module]:
    """One module for each different instruction of a program, but for those that run computations as they stand."""
    seen: set[str] = set()
    for computation in module.computations:
        for instruction in computation.instructions:
            if instruction.opcode in LEFT_OUT or instruction.opcode.endswith("-done"):
                continue
            one = alone(module, computation, instruction)
            text = render(one)
            if text not in seen:
                seen.add(text)
                yield one


def _needed(module: Module, instruction: Instruction) -> list[Computation]:
    """The computations an instruction refers to, callees first."""
    found: dict[str, Computation] = {}

    def visit(name: str) -> None:
        if name in found:
            return
        computation = module.computation(name)
        for inner in computation.instructions:
            for called in called_computations(inner):
                visit(called)
        found[name] = computation

    for name in called_computations(instruction):
        visit(name)
    return list(found.values())
