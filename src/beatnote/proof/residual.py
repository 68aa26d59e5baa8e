"""What is left where a proof stops: the first values, from the parameters on, that the other side does not compute."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from beatnote.hlo.module import Module
from beatnote.proof.conditions import Samples
from beatnote.proof.evaluate import Evaluator, NotEvaluable
from beatnote.proof.matching import Place, matched, values_by_place
from beatnote.proof.notation import Notation
from beatnote.proof.prove import Attempt, Proof
from beatnote.proof.translate import Translation
from beatnote.proof.value import Value

MAX_FINDINGS = 12
NOTHING = "—"
PASSED_ON = frozenset({"parameter", "call", "fusion", "get-tuple-element", "copy"})
"""Opcodes that yield what another instruction computed."""

TOLERANCE = 1e-9
"""How far two terms' numbers may be apart, against the largest, for them to count as the same formula."""


class Finding(msgspec.Struct, frozen=True):
    """One place where the programs part.

    Attributes:
        where: the model's words for it (the scope in the metadata), or the instruction's name.
        a: what the first program computes there, in index notation.
        b: what the second computes.
        kind: "arithmetic" (another formula), "conditional" (the same under a condition that does not hold), or
            "missing-rule" (no proof, and no numbers that differ).
    """

    where: str
    a: str
    b: str
    kind: str


class _Place(msgspec.Struct, frozen=True):
    where: str
    value: Value


def residual(
    proof: Proof, modules: tuple[Module, Module], samples: Samples, failed: Sequence[int]
) -> tuple[Finding, ...]:
    """List where the programs part.

    Args:
        proof: what could be proven.
        modules: both programs.
        samples: inputs by parameter number, to tell another formula from a missing rule.
        failed: outputs whose proof needs a condition that does not hold.
    """
    attempt = proof.attempt
    if attempt is None:
        return ()
    notation = Notation(proof.table, proof.names)
    findings = [
        Finding(
            f"output {k}",
            notation.poly(attempt.a.outputs[k].poly),
            notation.poly(attempt.b.outputs[k].poly),
            "conditional",
        )
        for k in failed
    ]
    if not all(proof.proven):
        evaluators = [Evaluator(proof.table, inputs) for inputs in samples]
        for left, right in _paired(attempt, modules, proof):
            named = left or right
            findings.append(
                Finding(
                    named.where if named is not None else "",
                    notation.poly(left.value.poly) if left is not None else NOTHING,
                    notation.poly(right.value.poly) if right is not None else NOTHING,
                    _kind(left, right, evaluators),
                )
            )
    return tuple({(finding.a, finding.b): finding for finding in findings}.values())[:MAX_FINDINGS]


def _paired(
    attempt: Attempt, modules: tuple[Module, Module], proof: Proof
) -> list[tuple[_Place | None, _Place | None]]:
    """Put places of both sides together that yield arrays of the same type and size, in order."""
    outputs = [k for k, proven in enumerate(proof.proven) if not proven]
    sides = [
        _frontier(translation, module, known, outputs)
        for translation, module, known in zip((attempt.a, attempt.b), modules, matched(attempt), strict=True)
    ]
    rest = list(sides[1])
    pairs: list[tuple[_Place | None, _Place | None]] = []
    for place in sides[0]:
        partner = next((other for other in rest if _size(other.value) == _size(place.value)), None)
        if partner is not None:
            rest.remove(partner)
        pairs.append((place, partner))
    return pairs + [(None, other) for other in rest]


def _size(value: Value) -> tuple[str, tuple[int, ...]]:
    return value.dtype, tuple(sorted(extent for extent in value.extents if extent != 1))


def _kind(left: _Place | None, right: _Place | None, evaluators: list[Evaluator]) -> str:
    if left is None or right is None or left.value.extents != right.value.extents or not evaluators:
        return "missing-rule"
    try:
        same = all(
            _close(e.poly(left.value.poly, left.value.extents), e.poly(right.value.poly, right.value.extents))
            for e in evaluators
        )
    except NotEvaluable:
        return "missing-rule"
    return "missing-rule" if same else "arithmetic"


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    finite = np.isfinite(a) & np.isfinite(b)
    scale = max(float(np.abs(a[finite]).max(initial=0)), float(np.abs(b[finite]).max(initial=0)), 1e-300)
    same_places = bool(np.array_equal(np.isfinite(a), np.isfinite(b)))
    return same_places and float(np.abs(a[finite] - b[finite]).max(initial=0)) <= TOLERANCE * scale


def _frontier(translation: Translation, module: Module, known: dict[Place, int], outputs: list[int]) -> list[_Place]:
    """List values the other side does not compute, made of values that it does; outputs where there are none."""
    numbers = values_by_place(translation)
    found: list[_Place] = []
    for computation in module.computations:
        for instruction in computation.instructions:
            place = (computation.name, instruction.name)
            value = translation.values.get(place)
            if place not in numbers or place in known or not isinstance(value, Value):
                continue
            if instruction.opcode in PASSED_ON or (value.dtype == "pred" and instruction.opcode == "constant"):
                continue
            operands = [(computation.name, name) for name in instruction.operands]
            if all(operand in known or operand not in numbers for operand in operands):
                found.append(_Place(instruction.metadata.get("op_name") or instruction.name, value))
    return found or [_Place(f"output {k}", translation.outputs[k]) for k in outputs]
