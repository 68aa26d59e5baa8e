"""From what was proven and what was executed to a verdict, for each output and for the whole."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

VERDICTS = ("identical", "equal", "equal-if", "agrees", "unknown", "different")
"""From the strongest to the weakest; the whole is as weak as its weakest output."""


class Condition(msgspec.Struct, frozen=True):
    """What a proof takes for granted.

    Attributes:
        text: for people, in the words of the first program.
        held: whether it held on every sample input; None where that could not be told.
    """

    text: str
    held: bool | None


class Output(msgspec.Struct, frozen=True):
    """The verdict on one output.

    Attributes:
        index: its place among the outputs, tuples flattened.
        verdict: one of `VERDICTS`.
        conditions: what the proof needs, or would need.
    """

    index: int
    verdict: str
    conditions: tuple[Condition, ...] = ()


def judge(
    *, identical: bool, proven: bool, conditions: Sequence[Condition], agrees: bool | None, contradicts: bool = False
) -> str:
    """Decide on one output.

    Args:
        identical: the programs are the same up to names, order and metadata.
        proven: the output is the same function on both sides, under the conditions.
        conditions: of the proof.
        agrees: whether both programs, executed, gave the same within tolerance; None when they were not.
        contradicts: whether the numbers differ by more than rounding can do to what is proven.
    """
    sure = identical or (proven and all(condition.held is not False for condition in conditions))
    if contradicts or (agrees is False and not sure):
        return "different"
    if identical:
        return "identical"
    if proven and not conditions:
        return "equal"
    if sure:
        return "equal-if"
    return "unknown" if agrees is None else "agrees"


def weakest(verdicts: Sequence[str]) -> str:
    """Return the verdict of the whole."""
    return max(verdicts, key=VERDICTS.index, default="unknown")
