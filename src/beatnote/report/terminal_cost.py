"""What a program costs, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from beatnote.description import Program
from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.cost.summary import CostSummary
from beatnote.report.foreign import beginning, middle_out, printable
from beatnote.report.quantities import duration, percent
from beatnote.report.sentences_cost import (
    alias_sentence,
    caveat,
    collective_text,
    cost_sentences,
    count_texts,
    loop_text,
    roofline_sentence,
    share_sentence,
    without_layouts,
)
from beatnote.report.terminal_table import plain_table

SHOWN = 10
NAME_WIDTH, SHAPE_WIDTH, SCOPE_WIDTH = 34, 30, 60


def print_cost(program: Program, chips: Sequence[Chip], out: Console) -> None:
    """Print what one run of a program costs."""
    aliases = alias_sentence(program)
    if aliases:
        out.print(f"  {aliases}")
    out.print()
    for sentence in cost_sentences(program):
        out.print(sentence)
    if program.cost is None:
        return
    for roofline, chip in zip(program.cost.rooflines, chips, strict=True):
        out.print(roofline_sentence(roofline, chip, program.cost))
    if chips:
        out.print(caveat(chips), style="dim")
    _print_expensive(program.cost, chips, out)
    _print_scopes(program.cost, chips, out)
    _print_loops(program.cost, out)
    _print_collectives(program.cost, out)


def _print_expensive(cost: CostSummary, chips: Sequence[Chip], out: Console) -> None:
    if not cost.expensive:
        return
    table = _table("instruction", "", "", "runs", "operations", "bytes", *(chip.name for chip in chips), "share")
    for row in cost.expensive:
        table.add_row(
            middle_out(printable(row.name), NAME_WIDTH),
            printable(row.opcode),
            beginning(printable(without_layouts(row.shape)).replace(", ", ","), SHAPE_WIDTH),
            f"{row.times:,}",
            *count_texts(row.cost),
            *(f"{duration(row.time_s[chip.name])} {row.bound[chip.name]}" for chip in chips),
            percent(row.share),
        )
    out.print()
    out.print(table)
    out.print(share_sentence(chips), style="dim")


def _print_scopes(cost: CostSummary, chips: Sequence[Chip], out: Console) -> None:
    if not [row for row in cost.scopes if row.name]:
        return
    table = _table("part of the model", "instructions", "operations", "bytes", *(chip.name for chip in chips), "share")
    for row in cost.scopes[:SHOWN]:
        table.add_row(
            middle_out(printable(row.name), SCOPE_WIDTH) or "(no scope)",
            f"{row.instructions:,}",
            *count_texts(row.cost),
            *(duration(row.time_s[chip.name]) for chip in chips),
            percent(row.share),
        )
    out.print()
    out.print(table)
    _print_more(len(cost.scopes), out)


def _print_loops(cost: CostSummary, out: Console) -> None:
    if cost.loops:
        table = _table("loops", "", "", left=True)
        for row in cost.loops[:SHOWN]:
            table.add_row(middle_out(printable(row.name), NAME_WIDTH), *loop_text(row))
        out.print()
        out.print(table)
        _print_more(len(cost.loops), out)


def _print_collectives(cost: CostSummary, out: Console) -> None:
    if cost.collectives:
        table = _table("collectives", "", "", "", "", left=True)
        for row in cost.collectives[:SHOWN]:
            table.add_row(middle_out(printable(row.name), NAME_WIDTH), row.opcode, *collective_text(row))
        out.print()
        out.print(table)
        _print_more(len(cost.collectives), out)


def _print_more(count: int, out: Console) -> None:
    if count > SHOWN:
        out.print(f"and {count - SHOWN:,} more", style="dim")


def _table(*headings: str, left: bool = False) -> Table:
    """Make a table whose named columns, but for the first, are numbers; where it is narrow, they are whole."""
    numbers = () if left else [place for place, heading in enumerate(headings) if place and heading]
    return plain_table(*headings, right=numbers, whole=range(len(headings)) if left else numbers)
