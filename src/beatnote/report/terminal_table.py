"""The one look that tables have in the terminal: no lines, dim headings, columns two blanks apart."""

from __future__ import annotations

from collections.abc import Collection

from rich.table import Table


def plain_table(*headings: str, right: Collection[int] = (), whole: Collection[int] = ()) -> Table:
    """Make a table without rows.

    Args:
        headings: of its columns; where all are '' none are shown.
        right: places of columns that stand to the right, such as numbers.
        whole: places of columns whose cells are kept on one line.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2), show_header=any(headings), header_style="dim")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place in right else "left", no_wrap=place in whole)
    return table
