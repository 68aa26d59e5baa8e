"""Printing a module as HLO text: the form of today's XLA, without operand shapes, names with `%`."""

from __future__ import annotations

from beatnote.hlo.module import Computation, Instruction, Module

SEPARATOR = "// -----"
"""What stands between modules of one text."""


def render(module: Module) -> str:
    """Print a module and those that follow it; `parse` gives the same data back."""
    return f"\n{SEPARATOR}\n\n".join(_module(one) for one in module)


def render_instruction(instruction: Instruction) -> str:
    """Print one instruction on one line (strings that hold newlines keep them)."""
    inside = instruction.literal
    if inside is None:
        inside = ", ".join(f"%{name}" for name in instruction.operands)
    attributes = f", {instruction.attributes_text}" if instruction.attributes_text else ""
    return f"%{instruction.name} = {instruction.shape} {instruction.opcode}({inside}){attributes}"


def _module(module: Module) -> str:
    blocks: list[str] = []
    if module.name or module.attributes_text:
        attributes = f", {module.attributes_text}" if module.attributes_text else ""
        blocks.append(f"HloModule {module.name}{attributes}\n")
    for title, lines in module.tables:
        blocks.append("\n".join((title, *lines, "")))
    for computation in module.computations:
        blocks.append(_computation(computation, is_entry=computation.name == module.entry_name))
    return "\n".join(blocks)


def _computation(computation: Computation, *, is_entry: bool) -> str:
    signature = f" {computation.signature}" if computation.signature else ""
    lines = [f"{'ENTRY ' if is_entry else ''}%{computation.name}{signature} {{"]
    for instruction in computation.instructions:
        root = "ROOT " if instruction.name == computation.root else ""
        lines.append(f"  {root}{render_instruction(instruction)}")
    attributes = f", {computation.attributes_text}" if computation.attributes_text else ""
    lines.append(f"}}{attributes}\n")
    return "\n".join(lines)
