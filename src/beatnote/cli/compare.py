"""`beatnote compare A B`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from beatnote.cli.progress import progress


class UsageError(ValueError):
    """An option that cannot be understood."""


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="framework:model[/forward], a file with a program, or a dump.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other; from a dump folder pick with DUMP/::NAME.")],
    html: Annotated[Path, typer.Option(help="Where to write the page.")] = Path("report.html"),
    no_html: Annotated[bool, typer.Option("--no-html", help="Write no page.")] = False,
    json: Annotated[Path | None, typer.Option(help="Where to write the facts; - for standard output.")] = None,
    expect: Annotated[
        str | None, typer.Option(metavar="VERDICT", help="Exit with 1 unless the verdict is this or stronger.")
    ] = None,
    map: Annotated[
        list[str] | None,
        typer.Option(metavar="A=B", help="Parameters that belong together, by name or number; `auto` finds them."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="How many rounds of steps to time, at most.")] = 100,
    no_run: Annotated[bool, typer.Option("--no-run", help="Prove only; nothing is executed.")] = False,
) -> None:
    """Say whether two programs are the same function, and where their time differs."""
    from beatnote import comparison  # noqa: PLC0415 - the help must not wait for it
    from beatnote.proof.verdict import VERDICTS  # noqa: PLC0415
    from beatnote.report.facts import facts_text  # noqa: PLC0415
    from beatnote.report.files import write_whole  # noqa: PLC0415

    if expect is not None and expect not in VERDICTS:
        raise UsageError(f"no verdict {expect!r} to expect; there are {', '.join(VERDICTS)}")
    with progress() as tell:
        found = comparison.compare(a, b, run=not no_run, map=_pairs(map or []), steps=steps, progress=tell)
    if json is not None and str(json) == "-":
        print(facts_text(found.to_dict()))
    else:
        from beatnote.report.terminal import print_comparison  # noqa: PLC0415

        print_comparison(found)
    if json is not None and str(json) != "-":
        write_whole(json, facts_text(found.to_dict()) + "\n")
    if not no_html:
        from beatnote.report.html import render_html  # noqa: PLC0415

        write_whole(html, render_html(found))
        print(f"wrote {html}", file=sys.stderr)
    verdict = found.programs.verdict
    if expect is not None and VERDICTS.index(verdict) > VERDICTS.index(expect):
        print(f"beatnote: expected {expect}, found {verdict}", file=sys.stderr)
        raise typer.Exit(1)


def _pairs(given: list[str]) -> dict[str, str] | Literal["auto"] | None:
    if not given:
        return None
    if given == ["auto"]:
        return "auto"
    pairs: dict[str, str] = {}
    for pair in given:
        left, equals, right = pair.partition("=")
        if not equals or not left or not right:
            raise UsageError(f"--map takes a=b (a parameter of A, one of B) or auto, found {pair!r}")
        pairs[left] = right
    return pairs
