"""Outputs with the same verdict under the same conditions as one row, and formulas with what differs marked."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

import msgspec
from markupsafe import Markup

from beatnote.comparison import Programs
from beatnote.proof.verdict import Condition
from beatnote.report.foreign import printable
from beatnote.report.quantities import ranges, short

_TOKENS = re.compile(r"\w+|\s+|.")
_MARK = Markup("<mark>{}</mark>")
_ALIKE = 0.3


class OutputRow(msgspec.Struct, frozen=True):
    """Outputs that share a verdict and its conditions.

    Attributes:
        count: how many they are.
        indices: their places among the outputs, as ranges.
        verdict: theirs.
        conditions: what it needs.
        largest_abs: the largest difference when executed, written; '' when they were not.
        largest_rel: the same against the largest element of the output.
    """

    count: int
    indices: str
    verdict: str
    conditions: tuple[Condition, ...]
    largest_abs: str
    largest_rel: str


def output_rows(programs: Programs) -> tuple[OutputRow, ...]:
    """Group the outputs, in order of their first."""
    groups: dict[tuple[str, tuple[Condition, ...]], list[int]] = {}
    for k, output in enumerate(programs.outputs):
        groups.setdefault((output.verdict, output.conditions), []).append(k)
    executed = programs.executed
    return tuple(
        OutputRow(
            len(places),
            ranges([programs.outputs[k].index for k in places]),
            verdict,
            conditions,
            _largest(executed.max_abs_diff, places) if executed else "",
            _largest(executed.max_rel_diff, places) if executed else "",
        )
        for (verdict, conditions), places in groups.items()
    )


def _largest(differences: tuple[float | None, ...], places: list[int]) -> str:
    found = [differences[k] for k in places]
    return short(None if None in found else max(d for d in found if d is not None))


def marked(a: str, b: str) -> tuple[Markup, Markup]:
    """Return both formulas with the tokens marked that the other lacks; unmarked where they have little in common."""
    left, right = (_TOKENS.findall(printable(text)) for text in (a, b))
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return Markup("{}").format("".join(left)), Markup("{}").format("".join(right))
    sides: tuple[list[Markup], list[Markup]] = ([], [])
    for operation, *ends in matcher.get_opcodes():
        for side, tokens, start, end in ((sides[0], left, *ends[:2]), (sides[1], right, *ends[2:])):
            text = "".join(tokens[start:end])
            if text:
                side.append(Markup("{}").format(text) if operation == "equal" else _MARK.format(text))
    return Markup("").join(sides[0]), Markup("").join(sides[1])
