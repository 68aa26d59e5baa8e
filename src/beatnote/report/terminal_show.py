"""A description of one operand in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from beatnote.description import Array, Description, Program, Recording
from beatnote.report.foreign import beginning, printable
from beatnote.report.sentences_show import heading_sentence, phases_s, program_sentence, step_sentence
from beatnote.report.terminal_cost import print_cost
from beatnote.report.terminal_table import plain_table

SHOWN_ARRAYS = 12
SHOWN_OPCODES = 16


def print_description(description: Description, console: Console | None = None) -> None:
    """Print a description to standard output, or to a console given."""
    out = console or Console(markup=False, highlight=False, emoji=False)
    out.print(heading_sentence(description), style="bold")
    if description.kind == "dump":
        for entry in description.modules:
            out.print(f"  {printable(entry.title)}  ({entry.size_bytes / 1000:,.1f} kB)")
        name = printable(description.operand)
        out.print(f"Pick one with {name}::NAME, by the module's name or the whole title.")
        return
    if description.versions:
        out.print(", ".join(f"{package} {version}" for package, version in description.versions.items()), style="dim")
    for program in description.programs:
        _print_program(program, out)
        print_cost(program, description.chips, out)
    if description.recording is not None:
        _print_recording(description.recording, out)


def _print_program(program: Program, out: Console) -> None:
    out.print(f"\n{program_sentence(program)}")
    for title, arrays in (("takes", program.parameters), ("yields", program.outputs)):
        _print_arrays(title, arrays, out)
    opcodes = [f"{opcode} {count:,}" for opcode, count in program.opcodes.items()]
    more = f", and {len(opcodes) - SHOWN_OPCODES} more" if len(opcodes) > SHOWN_OPCODES else ""
    out.print(f"  opcodes: {', '.join(opcodes[:SHOWN_OPCODES])}{more}")
    if program.elided:
        out.print(f"  values left out of the text ({{...}}): {beginning(', '.join(program.elided), 200)}")


def _print_arrays(title: str, arrays: Sequence[Array], out: Console) -> None:
    table = plain_table("", "", "", whole=range(3))
    for place, array in enumerate(arrays[:SHOWN_ARRAYS]):
        table.add_row(f"  {title if place == 0 else ''}", printable(array.name), printable(array.shape))
    if len(arrays) > SHOWN_ARRAYS:
        table.add_row("", f"and {len(arrays) - SHOWN_ARRAYS} more", "")
    if arrays:
        out.print(table)


def _print_recording(recording: Recording, out: Console) -> None:
    phases = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in phases_s(recording))
    out.print(f"\n{phases} (once each)")
    out.print(step_sentence(recording))
