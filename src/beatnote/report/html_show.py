"""A description as a page.

Words are in `sentences_show`; programs line by line in `html_listing`; what every page shares in `html_page`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from beatnote.description import Description, Entry, Program, Recording
from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.module import Module
from beatnote.report.html_bar import bar_width
from beatnote.report.html_cost import ShownCost, shown_cost
from beatnote.report.html_listing import Listing, listing, shape_markup, wraps
from beatnote.report.html_page import render_page
from beatnote.report.sentences import label
from beatnote.report.sentences_show import (
    heading_sentence,
    phases_s,
    program_sentence,
    step_quartiles,
    step_sentence,
    step_spread,
    step_time,
)


class BarRow(msgspec.Struct, frozen=True):
    """A row with a bar.

    Attributes:
        name: what it is.
        value: how much, written.
        width: of the bar, in percent of the widest.
        remark: what else there is to say.
    """

    name: str
    value: str
    width: float
    remark: str = ""


class ShownProgram(msgspec.Struct, frozen=True):
    """One program.

    Attributes:
        sentence: how large it is.
        parameters: name and shape of each, the shape as HTML.
        outputs: shapes as HTML.
        opcodes: with how often each occurs, the most frequent first.
        elided: names of constants whose value the text leaves out.
        cost: what it costs.
        listing: line by line.
    """

    sentence: str
    parameters: tuple[tuple[str, Markup], ...]
    outputs: tuple[Markup, ...]
    opcodes: tuple[BarRow, ...]
    elided: tuple[str, ...]
    cost: ShownCost
    listing: Listing


def render_show(description: Description) -> str:
    """Return the page for a description."""
    recording = description.recording
    return render_page(
        "show",
        facts=description.to_dict(),
        scripts=("listing.js",),
        label=label(description.operand),
        source=description,
        heading=heading_sentence(description),
        step=step_sentence(recording) if recording is not None else "",
        times=time_rows(recording) if recording is not None else (),
        dumped=dump_rows(description),
        example=example_pick(description),
        programs=tuple(
            _shown(program, module, description.chips)
            for program, module in zip(description.programs, description.parsed, strict=True)
        ),
        wrap=wraps(description.parsed),
    )


def time_rows(recording: Recording) -> tuple[BarRow, ...]:
    """List the phases, which happen once, and the steady step."""
    steps = step_spread(recording)
    widest = max(*(seconds for _, seconds in phases_s(recording)), steps.median_ms / 1e3)
    return (
        *(
            BarRow(name, f"{seconds:.3f} s", bar_width(seconds, widest), "once")
            for name, seconds in phases_s(recording)
        ),
        BarRow("a step", step_time(steps), bar_width(steps.median_ms / 1e3, widest), step_quartiles(steps)),
    )


def opcode_rows(program: Program) -> tuple[BarRow, ...]:
    """List how often each opcode occurs, the most frequent first."""
    widest = max(program.opcodes.values(), default=0)
    return tuple(BarRow(opcode, f"{count:,}", bar_width(count, widest)) for opcode, count in program.opcodes.items())


def dump_rows(description: Description) -> tuple[tuple[Entry, BarRow], ...]:
    """List the programs of a dump in its order, each with the size of its text."""
    widest = max((entry.size_bytes for entry in description.modules), default=0)
    return tuple(
        (entry, BarRow(entry.title, f"{entry.size_bytes / 1000:,.1f} kB", bar_width(entry.size_bytes, widest)))
        for entry in description.modules
    )


def example_pick(description: Description) -> str:
    """Return what picks the largest program of a dump before optimisation; '' where there is no dump."""
    named = [entry for entry in description.modules if entry.pick != entry.title]
    return max(named, key=lambda entry: entry.size_bytes).pick if named else ""


def _shown(program: Program, module: Module, chips: Sequence[Chip]) -> ShownProgram:
    return ShownProgram(
        program_sentence(program),
        tuple((array.name, shape_markup(array.shape)) for array in program.parameters),
        tuple(shape_markup(array.shape) for array in program.outputs),
        opcode_rows(program),
        program.elided,
        shown_cost(program, chips),
        listing(module),
    )
