"""MLPerf results in the terminal: a comparison of two sets, or a description of one or several."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from beatnote.report.foreign import printable
from beatnote.report.quantities import counted
from beatnote.report.sentences import label
from beatnote.report.sentences_logs import files_text, notes_of
from beatnote.report.sentences_results import (
    FACTS,
    fact_rows,
    four_digits,
    heading_sentence,
    interval_sentence,
    part_rows,
    score_sentence,
    settings_heading,
    shares_sentence,
    value_text,
)
from beatnote.report.terminal_table import plain_table
from beatnote.results import ResultsComparison, ResultsDescription, ResultSet


def print_results(found: ResultsComparison | ResultsDescription, console: Console | None = None) -> None:
    """Print results to standard output, or to a console given."""
    out = console or Console(markup=False, highlight=False, emoji=False)
    if isinstance(found, ResultsComparison):
        _print_comparison(found, out)
    elif len(found.sets) == 1:
        _print_set(found.sets[0], out)
    else:
        _print_sets(found, out)


def _print_comparison(comparison: ResultsComparison, out: Console) -> None:
    out.print(heading_sentence(comparison), style="bold")
    out.print(shares_sentence(comparison))
    for name, one in (("A", comparison.a), ("B", comparison.b)):
        out.print(f"{name}: {score_sentence(one)}")
    out.print()
    table = _table("of the gap", "s", "95 % interval", "", right=(1, 2))
    for row in part_rows(comparison):
        meaning = f"within noise; {row.meaning}" if row.noise else row.meaning
        table.add_row("  " * row.depth + row.name, row.number, row.interval, meaning)
    out.print(table)
    out.print(interval_sentence(comparison), style="dim")
    out.print()
    facts = _table("what the logs show", "A", "B")
    for name, cells in fact_rows(comparison.a, comparison.b):
        facts.add_row(name, *cells)
    out.print(facts)
    out.print(FACTS, style="dim")
    out.print(f"\n{settings_heading(comparison)}")
    if comparison.settings:
        table = _table("", "A", "B")
        for setting in comparison.settings:
            table.add_row(printable(setting.name), value_text(setting.a), value_text(setting.b))
        out.print(table)
    for side, names in (("A", comparison.settings_a), ("B", comparison.settings_b)):
        if names:
            out.print(f"Only {side} logs {', '.join(map(printable, names))}.")
    _print_notes([*notes_of(comparison.a, "A"), *notes_of(comparison.b, "B")], out)


def _print_set(one: ResultSet, out: Console) -> None:
    task = printable(one.side.benchmark) or "a benchmark it does not name"
    out.print(f"{label(one.operand)} is MLPerf results of {task}: {files_text(one.files)}.", style="bold")
    out.print(score_sentence(one))
    out.print()
    facts = _table("what the logs show", "")
    for name, cells in fact_rows(one):
        facts.add_row(name, *cells)
    out.print(facts)
    out.print(FACTS, style="dim")
    out.print()
    runs = _table("run", "time", "epochs", "result", "ended", right=(1, 2))
    for run in one.side.runs:
        total = four_digits(run.total_s) if run.total_s is not None else "·"
        runs.add_row(printable(run.name), total, f"{run.epochs:g}", value_text(run.quality), run.status)
    out.print(runs)
    settings = ", ".join(f"{printable(name)} {value_text(value)}" for name, value in one.side.settings.items())
    if settings:
        out.print(f"\nHyperparameters: {settings}")
    _print_notes(notes_of(one), out)


def _print_sets(found: ResultsDescription, out: Console) -> None:
    out.print(f"{label(found.operand)} holds MLPerf results: {counted(len(found.sets), 'set')}.", style="bold")
    table = _table("NAME", "benchmark", "made with", "runs", "score", "", right=(3, 4))
    for one in found.sets:
        score = one.side.score
        table.add_row(
            printable(one.name),
            printable(one.side.benchmark),
            printable(one.framework or ""),
            str(len(one.side.runs)),
            four_digits(score.s) if score.s is not None else "none",
            "; ".join(score.faults),
        )
    out.print(table)
    out.print(f"Pick one with {printable(found.operand)}::NAME.")


def _print_notes(notes: list[str], out: Console) -> None:
    if notes:
        out.print()
    for note in notes:
        out.print(f"Note: {note}")


def _table(*headings: str, right: tuple[int, ...] = ()) -> Table:
    return plain_table(*headings, right=right, whole=(0, *right))
