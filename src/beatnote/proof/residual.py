"""What is left where a proof stops: the first values, from the parameters on, that the other side does not compute."""

from __future__ import annotations

import re

import msgspec

from beatnote.hlo.module import Module
from beatnote.proof.matching import Place, matched, values_by_place
from beatnote.proof.notation import Notation
from beatnote.proof.prove import Proof
from beatnote.proof.translate import Translation
from beatnote.proof.value import Value

MAX_FINDINGS = 12
NOTHING = "—"


class Finding(msgspec.Struct, frozen=True):
    """One place where the programs part.

    Attributes:
        where: the model's words for it (the scope in the metadata), or the instruction's name.
        a: what the first program computes there, in index notation.
        b: what the second computes.
        kind: "arithmetic" (another formula), "conditional" (the same under a condition that does not hold), or
            "missing-rule" (the same numbers, but no proof).
    """

    where: str
    a: str
    b: str
    kind: str


def residual(proof: Proof, modules: tuple[Module, Module], *, agrees: bool | None) -> tuple[Finding, ...]:
    """List where the programs part, for the outputs that are not proven.

    Args:
        proof: what could be proven.
        modules: both programs.
        agrees: whether both gave the same numbers; None when they were not executed.
    """
    attempt = proof.attempt
    if attempt is None or all(proof.proven):
        return ()
    kind = "missing-rule" if agrees else "arithmetic"
    notation = Notation(proof.table, proof.names)
    sides = [
        _frontier(translation, module, known, [k for k, ok in enumerate(proof.proven) if not ok])
        for translation, module, known in zip((attempt.a, attempt.b), modules, matched(attempt), strict=True)
    ]
    findings: dict[tuple[str, str], Finding] = {}
    for k in range(max(map(len, sides))):
        left, right = (side[k] if k < len(side) else None for side in sides)
        finding = Finding(
            (left or right or ("", None))[0],
            _written(left, attempt.a, notation),
            _written(right, attempt.b, notation),
            kind,
        )
        findings.setdefault((finding.a, finding.b), finding)
    return tuple(findings.values())[:MAX_FINDINGS]


def _written(found: tuple[str, Place] | None, translation: Translation, notation: Notation) -> str:
    if found is None:
        return NOTHING
    value = translation.values[found[1]]
    return notation.poly(value.poly) if isinstance(value, Value) else NOTHING


def _frontier(
    translation: Translation, module: Module, known: dict[Place, int], outputs: list[int]
) -> list[tuple[str, Place]]:
    """List unmatched instructions whose operands are all matched, with what the model calls them."""
    numbers = values_by_place(translation)
    unproven = {translation.outputs[k].poly for k in outputs}
    found: list[tuple[str, Place]] = []
    for computation in module.computations:
        for instruction in computation.instructions:
            place = (computation.name, instruction.name)
            value = translation.values.get(place)
            if place not in numbers or place in known or not isinstance(value, Value):
                continue
            operands = [(computation.name, name) for name in instruction.operands]
            if all(operand in known or operand not in numbers for operand in operands) or value.poly in unproven:
                where = instruction.metadata.get("op_name") or instruction.name
                found.append((re.sub(r"^jit\([^)]*\)/", "", where), place))
    return found
