"""What has to be said of MLPerf logs besides their numbers: what they cannot tell, and which of their lines are amiss.

Pure functions from a finished set of results to plain text; those on scores and gaps are in `sentences_results`.
"""

from __future__ import annotations

from beatnote.explain.cycles import APART, EVALUATION, STATUS
from beatnote.report.foreign import printable
from beatnote.report.quantities import counted
from beatnote.results import FileLines, ResultSet
from beatnote.runs.mlperf import Lines

_FILES_SHOWN = 3


def notes_of(one: ResultSet, name: str = "") -> list[str]:
    """Return what has to be said of a set besides: faults of the score, what cannot be told, lines that are amiss."""
    side = one.side
    start = f"{name}: " if name else ""
    notes = [f"{start}not a score by the rules: {fault}." for fault in side.score.faults]
    for run in side.runs:
        if run not in side.reached:
            notes.append(f"{start}{printable(run.name)} {STATUS[run.status]}.")
    if side.reached and side.logged != APART:
        notes.append(f"{start}{EVALUATION[side.logged]}.")
    if side.first_epochs > side.cycle_epochs:
        notes.append(
            f"{start}the first result comes after {side.first_epochs / side.cycle_epochs:g} cycles' worth of training, "
            "so the first-cycle excess lacks the evaluations in between: start-up is at least the excess."
        )
    odd = [(file.file, said) for file in one.files if (said := lines_text(file.lines))]
    notes += [f"{start}{printable(file)}: {said}." for file, said in odd[:_FILES_SHOWN]]
    if len(odd) > _FILES_SHOWN:
        notes.append(f"{start}{len(odd) - _FILES_SHOWN} more files have such lines.")
    return notes


def lines_text(lines: Lines) -> str:
    """Return what is amiss with the lines of a file; '' where nothing is."""
    more = ", …" if lines.unreadable > len(lines.unreadable_at) else ""
    at = ", ".join(map(str, lines.unreadable_at)) + more
    said = {
        f"{counted(lines.unreadable, 'log line')} could not be read (line {at})": lines.unreadable,
        "it ends within a line": lines.truncated,
        counted(lines.duplicated, "duplicated line"): lines.duplicated,
        f"{counted(lines.repeated, 'event')} logged again, by another rank or process": lines.repeated,
        f"{counted(lines.out_of_order, 'line')} out of order": lines.out_of_order,
    }
    return ", ".join(text for text, count in said.items() if count)


def files_text(files: tuple[FileLines, ...]) -> str:
    """Return how many files and log lines there are."""
    events, other = (sum(getattr(file.lines, name) for file in files) for name in ("events", "other"))
    more = f", and {counted(other, 'other line')}" if other else ""
    return f"{counted(len(files), 'file')}, {counted(events, 'log line')}{more}"
