"""What a program costs, in sentences and in the cells of tables: the same in the terminal and in HTML.

Pure functions from a finished summary to plain text. What the numbers mean is in docs/cost.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from beatnote.description import Program
from beatnote.hlo.cost.chips import THIS_MACHINE, Chip
from beatnote.hlo.cost.cost import Cost
from beatnote.hlo.cost.roofline import Roofline
from beatnote.hlo.cost.summary import CollectiveCost, CostSummary, LoopCost
from beatnote.report.foreign import beginning, printable
from beatnote.report.quantities import counted, duration, listed, percent, ranges, scaled

_LAYOUT = re.compile(r"\{[^{}]*\}")
SHOWN_NAMES = 6
NAME_WIDTH = 60


def cost_sentences(program: Program) -> tuple[str, ...]:
    """Say what one run costs, how much memory it holds, and what is not known; why, where nothing can be said."""
    cost = program.cost
    if cost is None:
        return (f"What it costs cannot be told: {printable(program.no_cost)}.",)
    sentences = [
        f"One run: {operations(cost.total)}; {scaled(cost.total.bytes_read, 'B')} read and "
        f"{scaled(cost.total.bytes_written, 'B')} written."
    ]
    order = "" if cost.is_scheduled else ", in the order of the text"
    held, arguments = scaled(cost.peak_bytes, "B"), scaled(cost.argument_bytes, "B")
    sentences.append(f"At most {held} held at once{order}, {arguments} of it arguments.")
    if not cost.is_scheduled and "fusion" not in program.opcodes:
        sentences.append("Nothing in it is fused yet: what runs reads and writes less.")
    return (*sentences, *_unknown(cost))


def operations(cost: Cost) -> str:
    """Write the operations of a cost: `141 Tflop (99 % in matrix products of bf16), 3 G transcendental operations`."""
    text = scaled(cost.flops, "flop")
    matrix = sum(cost.matrix_flops.values())
    if matrix:
        types = sorted(cost.matrix_flops, key=lambda name: -cost.matrix_flops[name])
        text += f" ({percent(matrix / cost.flops)} in matrix products of {listed(types)})"
    if cost.transcendentals:
        text += f", {scaled(cost.transcendentals, '').rstrip()} transcendental operations"
    return text


def _unknown(cost: CostSummary) -> list[str]:
    sentences: list[str] = []
    unknown = [loop.name for loop in cost.loops if loop.turns is None]
    if unknown:
        turns = "turns" if len(unknown) == 1 else "turn"
        sentences.append(f"It is not known how often {_named(unknown)} {turns}: one turn is counted.")
    if cost.unknown:
        sentences.append(
            f"The operations of {counted(len(cost.unknown), 'instruction')} are not known and not counted: "
            f"{_named(cost.unknown)}."
        )
    return sentences


def _named(names: Sequence[str]) -> str:
    shown = [beginning(printable(name), NAME_WIDTH) for name in names[:SHOWN_NAMES]]
    return listed(shown if len(names) <= SHOWN_NAMES else [*shown, f"{len(names) - SHOWN_NAMES} more"])


def roofline_sentence(roofline: Roofline, chip: Chip, cost: CostSummary) -> str:
    """Give the roofline time of a program on a chip, what it waits for, and whether it fits there."""
    parts = [
        f"{duration(seconds)} bound by {bound}"
        for bound, seconds in sorted(roofline.bound_s.items(), key=lambda row: -row[1])
        if seconds > 0
    ]
    text = f"On {printable(chip.title)} {duration(roofline.time_s)} by the roofline"
    if parts:
        text += f": {listed(parts)}"
    if chip.memory_bytes and cost.peak_bytes > chip.memory_bytes:
        held, there = scaled(cost.peak_bytes, "B"), scaled(chip.memory_bytes, "B")
        text += f". It does not fit: {held} held, {there} there"
    return f"{text}."


CAVEAT = (
    "Each instruction at the peaks of the chip, one after the other and through memory: a scale to compare by, neither "
    "a bound nor a prediction."
)
MEASURED = "Those of this machine were measured just now, the best of a few runs, and are not the same every time."


def caveat(chips: Sequence[Chip]) -> str:
    """Say what roofline times are worth; '' where there are none."""
    if not chips:
        return ""
    return f"{CAVEAT} {MEASURED}" if any(chip.name == THIS_MACHINE for chip in chips) else CAVEAT


def share_sentence(chips: Sequence[Chip]) -> str:
    """Say what shares are of."""
    if chips:
        return f"Shares are of the time on {printable(chips[0].title)}."
    return "Shares are the mean of those of all operations and of all bytes."


def count_texts(cost: Cost) -> tuple[str, str]:
    """Write how many operations and how many bytes."""
    return scaled(cost.operations, "").rstrip(), scaled(cost.bytes_accessed, "B")


def without_layouts(shape: str) -> str:
    """Leave the layouts out of a shape's text."""
    return _LAYOUT.sub("", shape)


def loop_text(loop: LoopCost) -> tuple[str, str]:
    """Write how often a loop turns, and what that costs."""
    turns = "not known, 1 counted" if loop.turns is None else counted(loop.turns, "turn")
    if loop.times != 1:
        turns += f", run {counted(loop.times, 'time')}"
    return turns, f"{scaled(loop.cost.flops, 'flop')}, {scaled(loop.cost.bytes_accessed, 'B')}"


def collective_text(collective: CollectiveCost) -> tuple[str, str, str]:
    """Write a collective's arrays, its group, and what a device sends."""
    group = "group not known" if collective.group_size is None else f"among {collective.group_size:,}"
    sent = "?" if collective.sent_bytes is None else scaled(collective.sent_bytes * collective.times, "B")
    return scaled(collective.payload_bytes, "B"), group, f"{sent} sent"


def alias_sentence(program: Program) -> str:
    """Say which outputs are written over parameters; '' for none."""
    if not program.aliases:
        return ""
    outputs = sorted({alias.output for alias in program.aliases})
    parameters = sorted({alias.parameter for alias in program.aliases})
    if len(outputs) > 1 and outputs == [
        alias.parameter for alias in sorted(program.aliases, key=lambda alias: alias.output)
    ]:
        whose = "the parameters of the same numbers"
    else:
        whose = f"{'parameter' if len(parameters) == 1 else 'parameters'} {ranges(parameters)}"
    return f"{'Output' if len(outputs) == 1 else 'Outputs'} {ranges(outputs)} may be written over {whose}."
