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
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="framework:model[/forward], a file with a program, a dump, or MLPerf logs."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other; from a folder of several pick with DIR::NAME.")],
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
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHIP", help="Compile both for a chip that is not here, such as tpu:v4:2x2x1; repeatable."
        ),
    ] = None,
    no_run: Annotated[bool, typer.Option("--no-run", help="Prove only; nothing is executed.")] = False,
) -> None:
    """Say whether two programs are the same function and where their time differs, or why two MLPerf scores do."""
    from beatnote import words  # noqa: PLC0415 - the help must not wait for it
    from beatnote.proof.verdict import VERDICTS  # noqa: PLC0415
    from beatnote.report.facts import facts_text  # noqa: PLC0415
    from beatnote.report.files import write_whole  # noqa: PLC0415
    from beatnote.report.kinds import print_report, render_report, verdict_of  # noqa: PLC0415

    if expect is not None and expect not in VERDICTS:
        raise UsageError(f"no verdict {expect!r} to expect; there are {', '.join(VERDICTS)}")
    with progress() as tell:
        found = words.compare(
            a, b, run=not no_run, map=_pairs(map or []), steps=steps, targets=target or (), progress=tell
        )
    verdict = verdict_of(found)
    if expect is not None and verdict is None:
        raise UsageError("--expect takes a verdict on programs, and MLPerf logs hold none")
    if json is not None and str(json) == "-":
        print(facts_text(found.to_dict()))
    else:
        print_report(found)
    if json is not None and str(json) != "-":
        write_whole(json, facts_text(found.to_dict()) + "\n")
    if not no_html:
        write_whole(html, render_report(found))
        print(f"wrote {html}", file=sys.stderr)
    if expect is not None and verdict is not None and VERDICTS.index(verdict) > VERDICTS.index(expect):
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
