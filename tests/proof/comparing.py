"""Two bodies compared as programs, for tests of verdicts."""

from __future__ import annotations

from beatnote.comparison import Comparison, compare

from .texts import module

PROVEN = ("identical", "equal", "equal-if")


def compared(parameters: str, a: str, b: str, *, run: bool = False) -> Comparison:
    return compare(module(parameters, a), module(parameters, b), run=run)


def texts(comparison: Comparison) -> list[str]:
    return [condition.text for condition in comparison.programs.conditions]
