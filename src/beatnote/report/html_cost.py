"""What a program costs, as parts of a page: sentences and rows with bars."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from beatnote.description import Program
from beatnote.hlo.cost.chips import Chip
from beatnote.report.foreign import middle_out, printable
from beatnote.report.html_bar import bar_width
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

NAME_WIDTH = 60
SHOWN_SCOPES = 200


class CostRow(msgspec.Struct, frozen=True):
    """A row of a table of costs.

    Attributes:
        name: of an instruction or a part of the model.
        title: the name in full.
        details: cells of text behind it.
        numbers: cells of numbers behind those.
        share: of the program, written.
        width: of its bar, in percent of the widest.
    """

    name: str
    title: str
    details: tuple[str, ...]
    numbers: tuple[str, ...]
    share: str
    width: float


class ShownCost(msgspec.Struct, frozen=True):
    """What a page says of a program's cost.

    Attributes:
        sentences: of one run; why, where its cost cannot be told.
        rooflines: one sentence a chip.
        caveat: what those are worth.
        aliases: which outputs are written over parameters; '' for none.
        chips: names, the headings of columns of times.
        shares: what shares are of.
        expensive: the dearest instructions.
        scopes: the parts of the model; none where it gives no scopes.
        left_out: how many parts are not shown.
        loops: name and what there is to say of each.
        collectives: the same of collectives.
    """

    sentences: tuple[str, ...]
    rooflines: tuple[str, ...]
    caveat: str
    aliases: str
    chips: tuple[str, ...]
    shares: str
    expensive: tuple[CostRow, ...] = ()
    scopes: tuple[CostRow, ...] = ()
    left_out: int = 0
    loops: tuple[tuple[str, ...], ...] = ()
    collectives: tuple[tuple[str, ...], ...] = ()


def shown_cost(program: Program, chips: Sequence[Chip]) -> ShownCost:
    """Say what a program costs."""
    cost = program.cost
    names = tuple(chip.name for chip in chips)
    plain = ShownCost(cost_sentences(program), (), "", alias_sentence(program), names, share_sentence(chips))
    if cost is None:
        return plain
    dearest = max((row.share for row in cost.expensive), default=0.0)
    largest = max((row.share for row in cost.scopes), default=0.0)
    has_scopes = any(row.name for row in cost.scopes)
    return msgspec.structs.replace(
        plain,
        rooflines=tuple(
            roofline_sentence(roofline, chip, cost) for roofline, chip in zip(cost.rooflines, chips, strict=True)
        ),
        caveat=caveat(chips),
        expensive=tuple(
            CostRow(
                middle_out(printable(row.name), NAME_WIDTH),
                row.name,
                (row.opcode, middle_out(without_layouts(row.shape), NAME_WIDTH), row.scope),
                (
                    f"{row.times:,}",
                    *count_texts(row.cost),
                    *(f"{duration(row.time_s[name])} {row.bound[name]}" for name in names),
                ),
                percent(row.share),
                bar_width(row.share, dearest),
            )
            for row in cost.expensive
        ),
        scopes=tuple(
            CostRow(
                middle_out(printable(row.name), NAME_WIDTH) or "no scope",
                row.name,
                (),
                (f"{row.instructions:,}", *count_texts(row.cost), *(duration(row.time_s[name]) for name in names)),
                percent(row.share),
                bar_width(row.share, largest),
            )
            for row in cost.scopes[:SHOWN_SCOPES]
            if has_scopes
        ),
        left_out=max(0, len(cost.scopes) - SHOWN_SCOPES),
        loops=tuple((row.name, *loop_text(row)) for row in cost.loops),
        collectives=tuple((row.name, row.opcode, *collective_text(row)) for row in cost.collectives),
    )
