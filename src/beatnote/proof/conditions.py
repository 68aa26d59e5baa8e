"""Claims as conditions that people can read, checked on sample inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from beatnote.proof.evaluate import Evaluator
from beatnote.proof.licences import Claim
from beatnote.proof.notation import Notation
from beatnote.proof.terms import Table, as_constant
from beatnote.proof.verdict import Condition

Samples = Sequence[Sequence[NDArray[np.generic]]]


def conditions_of(claims: Iterable[Claim], table: Table, notation: Notation, samples: Samples) -> tuple[Condition, ...]:
    """State claims, two limits of one value as one condition, and say whether they held.

    Args:
        claims: of one output or of all.
        table: of their terms.
        notation: how to write terms.
        samples: inputs by parameter number, several times; none when nothing is to be checked.
    """
    evaluators = [Evaluator(table, inputs) for inputs in samples]
    found: list[Condition] = []
    for text, group in _stated(sorted(claims), table, notation):
        held = [evaluator.holds(claim) for evaluator in evaluators for claim in group]
        known = None if not held or None in held else True
        found.append(Condition(text, False if False in held else known))
    return tuple(found)


def _stated(claims: list[Claim], table: Table, notation: Notation) -> list[tuple[str, list[Claim]]]:
    limits = {claim: limit for claim in claims if (limit := _limit(claim, table)) is not None}
    stated: list[tuple[str, list[Claim]]] = []
    paired: set[Claim] = set()
    for low, (value, least, is_low) in limits.items():
        for high, (other, most, is_high) in limits.items():
            if value == other and is_low and not is_high:
                node = table.nodes[low.number]
                text = notation.poly(node.polys[0], None)
                stated.append((f"{least} ≤ {text} ≤ {most}", [low, high]))
                paired |= {low, high}
    return stated + [(notation.claim(claim), [claim]) for claim in claims if claim not in paired]


def _limit(claim: Claim, table: Table) -> tuple[object, int, bool] | None:
    """Read a claim that a whole number is at least, or at most, a constant: (what, limit, at least)."""
    if claim.what not in ("true", "false"):
        return None
    node = table.nodes[claim.number]
    if node.kind != "greater" or len(node.polys) != 2:
        return None
    limit = as_constant(node.polys[1])
    if limit is None or node.bound:
        return None
    return (node.polys[0], node.extents), int(limit) + (claim.what == "true"), claim.what == "true"
