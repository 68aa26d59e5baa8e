"""A comparison in the terminal: the verdict, what it rests on, what differs, and the time."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from beatnote.comparison import Comparison, Programs
from beatnote.proof.differences import RULES
from beatnote.report.foreign import beginning, printable, scope
from beatnote.report.quantities import ranges
from beatnote.report.sentences import (
    FINDING_KINDS,
    class_sentences,
    condition_sentence,
    gap_sentence,
    labels,
    rule_reason,
    shown_parts,
    step_sentence,
    time_unit,
    untimed_sentence,
    verdict_sentence,
)
from beatnote.report.target_rows import target_rows, target_sentence
from beatnote.report.terminal_table import plain_table
from beatnote.targets import OnTarget
from beatnote.trial import Time

FORMULA_WIDTH = 300


def print_comparison(comparison: Comparison, console: Console | None = None) -> None:
    """Print a comparison to standard output, or to a console given."""
    out = console or Console(markup=False, highlight=False, emoji=False)
    programs = comparison.programs
    first, second = labels(comparison)
    out.print(verdict_sentence(comparison), style="bold")
    for sentence in class_sentences(programs):
        out.print(sentence)
    _print_conditions(programs, out)
    for note in programs.notes:
        out.print(f"Note: {printable(note)}")
    out.print(f"\nA is {first}, B is {second}.", style="dim")
    _print_rules(programs, out)
    _print_residual(programs, out)
    out.print()
    if comparison.time is None:
        out.print(untimed_sentence(programs))
    else:
        _print_time(comparison.time, out)
    _print_targets(comparison.targets, out)


def _print_conditions(programs: Programs, out: Console) -> None:
    for condition in programs.conditions:
        out.print(f"Condition: {printable(condition.text)} ({condition_sentence(condition)})")
    verdicts = dict[str, list[int]]()
    for output in programs.outputs:
        verdicts.setdefault(output.verdict, []).append(output.index)
    if len(verdicts) > 1:
        for verdict, indices in verdicts.items():
            out.print(f"Output {ranges(indices)}: {verdict}")


def _print_rules(programs: Programs, out: Console) -> None:
    both = [name for name in RULES if name in programs.rules_a or name in programs.rules_b]
    steps = [name for name in RULES if name in programs.rules and name not in both]
    if both:
        out.print(
            "\nDifferent, and why it does not matter" if not programs.residual else "\nWhat a proof looks through"
        )
        table = _table("", "A", "B", "")
        for name in both:
            counts = [str(side.get(name, 0) or "·") for side in (programs.rules_a, programs.rules_b)]
            table.add_row(name, *counts, rule_reason(name, programs))
        out.print(table)
    if steps:
        out.print("\nSteps of algebra, both sides together")
        table = _table("", "", "")
        for name in steps:
            table.add_row(name, str(programs.rules[name]), RULES[name])
        out.print(table)


def _print_residual(programs: Programs, out: Console) -> None:
    if not programs.residual:
        return
    out.print("\nWhere the programs part")
    for finding in programs.residual:
        out.print(f"  {scope(finding.where)} ({FINDING_KINDS[finding.kind]})")
        for side, formula in (("A", finding.a), ("B", finding.b)):
            out.print(f"    {side}: {beginning(printable(formula), FORMULA_WIDTH)}")


def _print_time(time: Time, out: Console) -> None:
    out.print(step_sentence(time))
    out.print(gap_sentence(time))
    unit = time_unit(time)
    table = _table("of the gap", unit.name, "95 % interval", "")
    for part in shown_parts(time):
        width = part.high_ms - part.low_ms
        table.add_row(
            part.name,
            unit.number(part.ms, width, signed=True),
            unit.interval(part.low_ms, part.high_ms, signed=True),
            "within noise" if part.within_noise else "",
        )
    out.print(table)


def _print_targets(targets: Sequence[OnTarget], out: Console) -> None:
    for target in targets:
        out.print(f"\n{target_sentence(target)}")
        for condition in target.conditions:
            out.print(f"Condition: {printable(condition.text)} ({condition_sentence(condition)})")
        if target.a is None and target.b is None:
            continue
        table = _table("", "A", "B", "")
        for row in target_rows(target):
            table.add_row(*row, "")
        out.print(table)


def _table(*headings: str) -> Table:
    """Make a table of names, numbers, and a last column of text."""
    last = len(headings) - 1
    return plain_table(*headings, right=range(1, last), whole=range(last))
