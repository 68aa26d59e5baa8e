"""`beatnote show A`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from beatnote.cli.progress import progress


def show(
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="framework:model[/forward], a file with a program, a dump, or MLPerf logs."),
    ],
    html: Annotated[Path | None, typer.Option(help="Where to write a page; by default none is written.")] = None,
    json: Annotated[Path | None, typer.Option(help="Where to write the facts; - for standard output.")] = None,
    chip: Annotated[
        list[str] | None,
        typer.Option(help="Give its roofline time on a chip: a100, tpu-v4 …, or cpu, measured; repeatable."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="How many steps of a model to record.")] = 30,
) -> None:
    """Say what one operand is: a program and its cost, a dump's modules, or MLPerf runs and their score."""
    from beatnote.report.facts import facts_text  # noqa: PLC0415 - the help must not wait for it
    from beatnote.report.files import write_whole  # noqa: PLC0415
    from beatnote.report.kinds import print_report, render_report  # noqa: PLC0415
    from beatnote.words import describe  # noqa: PLC0415

    with progress() as tell:
        tell(f"opening {a}")
        found = describe(a, steps=steps, chips=chip or ())
    if json is not None and str(json) == "-":
        print(facts_text(found.to_dict()))
    else:
        print_report(found)
    if json is not None and str(json) != "-":
        write_whole(json, facts_text(found.to_dict()) + "\n")
        print(f"wrote {json}", file=sys.stderr)
    if html is not None:
        write_whole(html, render_report(found))
        print(f"wrote {html}", file=sys.stderr)
