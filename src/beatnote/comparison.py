"""The one word, `compare`: two operands in, one `Comparison` out.

May import: every room below report and cli.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from beatnote.execute.agreement import Agreement
from beatnote.execute.ahead_of_time import parse_target, require_compiler
from beatnote.execute.errors import InputError, MissingFrameworkError
from beatnote.hlo.module import Module
from beatnote.operands import Operand, open_operand
from beatnote.proof.conditions import conditions_of
from beatnote.proof.differences import count_rules, dead_scopes
from beatnote.proof.matching import matched
from beatnote.proof.notation import Notation
from beatnote.proof.parameters import Pairing
from beatnote.proof.prove import Proof, prove
from beatnote.proof.residual import Finding, residual
from beatnote.proof.terms import reachable
from beatnote.proof.verdict import Condition, Output, judge, weakest
from beatnote.targets import OnTarget, compile_both
from beatnote.trial import ROUNDS, Progress, Samples, Time, Trial, paired_samples, try_out

SCHEMA = "beatnote.comparison/1"


class Pair(msgspec.Struct, frozen=True):
    """A number for each side."""

    a: int
    b: int


class Names(msgspec.Struct, frozen=True):
    """Names on each side."""

    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()


class Side(msgspec.Struct, frozen=True):
    """What a side is.

    Attributes:
        operand: as the user gave it.
        kind: `program`.
        framework: that made it, None when unknown.
        versions: package -> version.
        name: the module's.
    """

    operand: str
    kind: str
    framework: str | None
    versions: dict[str, str]
    name: str


class Executed(msgspec.Struct, frozen=True):
    """What running both programs on the same inputs showed; see `execute.agreement.Agreement`."""

    inputs: int
    max_abs_diff: tuple[float | None, ...]
    max_rel_diff: tuple[float | None, ...]


class Programs(msgspec.Struct, frozen=True):
    """How two programs compare.

    Attributes:
        verdict: the weakest of the outputs'.
        classes: of reasoning that the proof used.
        conditions: of all outputs together.
        outputs: one by one.
        instructions: as written, all computations.
        normalised: distinct terms left in the normal form of the outputs.
        matched: instructions whose value the other side computes too.
        rules: what was different and does not matter: rule -> how often, both sides together.
        rules_a: the same for the first side alone.
        rules_b: for the second.
        dead: what each side computes for no output, in the model's words.
        residual: where the programs part, when they do.
        executed: None when they were not run.
        parameters: pairs of parameter numbers that belong together.
        notes: what else has to be said, in sentences.
    """

    verdict: str
    classes: tuple[str, ...]
    conditions: tuple[Condition, ...]
    outputs: tuple[Output, ...]
    instructions: Pair
    normalised: Pair
    matched: Pair
    rules: dict[str, int]
    rules_a: dict[str, int]
    rules_b: dict[str, int]
    residual: tuple[Finding, ...]
    executed: Executed | None
    parameters: tuple[tuple[int, int], ...]
    notes: tuple[str, ...] = ()
    dead: Names = Names()


class Comparison(msgspec.Struct, frozen=True):
    """Two operands compared.

    Attributes:
        a: the first side.
        b: the second.
        programs: how their programs compare.
        time: how long they take; None when they were not run.
        modules: both programs, for reports.
        targets: both programs compiled for chips that are not here, one for each that was asked for.
        places: for reports: (computation, instruction) -> number of its value, for values that occur on both sides.
    """

    a: Side
    b: Side
    programs: Programs
    time: Time | None
    modules: tuple[Module, Module]
    places: tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]
    targets: tuple[OnTarget, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts under the schema `beatnote.comparison/1`, as plain lists, dicts and numbers."""
        return {
            "schema": SCHEMA,
            "a": msgspec.to_builtins(self.a),
            "b": msgspec.to_builtins(self.b),
            "programs": msgspec.to_builtins(self.programs),
            "time": msgspec.to_builtins(self.time),
            "targets": msgspec.to_builtins(self.targets),
        }


def compare(
    a: str | Path | Module,
    b: str | Path | Module,
    *,
    run: bool = True,
    map: Mapping[str, str] | Literal["auto"] | None = None,
    steps: int = ROUNDS,
    targets: Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """Compare two operands.

    Args:
        a: `framework:model[/forward]`, a file with a program in it, an XLA dump (`dump/::name`), or a module.
        b: another.
        run: execute the programs and time them; without, only what can be proven is said.
        map: parameters of A -> parameters of B that belong together, by name or number; "auto" to find them.
        steps: how many rounds of steps to time, at most.
        targets: chips to compile both programs for, such as `tpu:v4:2x2x1`; needs `beatnote[tpu]`.
        progress: told what is being done.

    Raises:
        TargetError: no such target.
        OperandError, DumpError, HloSyntaxError, ProtoError, LookupError, MissingFrameworkError: an operand cannot be
            opened.
        ParameterMismatch: the programs' parameters cannot be paired.
    """
    tell = progress or (lambda _: None)
    chips = [parse_target(text) for text in targets]
    if chips:
        require_compiler()
    left, right = (_opened(operand, tell) for operand in (a, b))
    tell("proving")
    names = map if isinstance(map, Mapping) else None
    proof = prove(left.module, right.module, names=names, search=map == "auto")
    samples, problem = _samples(left, right, proof)
    trial = Trial()
    if run:
        trial = try_out(left, right, samples, steps, tell) if samples else Trial(problem)
    inputs = _by_number(proof, samples)
    programs, places = _programs(left, right, proof, inputs, trial)
    modules = left.module, right.module
    on_targets = tuple(compile_both(chip, modules, proof.pairing, inputs, tell) for chip in chips)
    return Comparison(_side(left), _side(right), programs, trial.time, modules, places, on_targets)


def _opened(operand: str | Path | Module, tell: Progress) -> Operand:
    tell(f"opening {operand.name if isinstance(operand, Module) else operand}")
    return open_operand(operand)


def _side(operand: Operand) -> Side:
    return Side(operand.text, operand.kind, operand.framework, operand.versions, operand.module.name)


def _programs(
    a: Operand, b: Operand, proof: Proof, inputs: list[list[np.ndarray]], trial: Trial
) -> tuple[Programs, tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]]:
    executed = trial.agreement
    notation = Notation(proof.table, proof.names)
    outputs = _outputs(proof, executed, notation, inputs)
    claims = frozenset(claim for each in proof.claims for claim in each)
    attempt = proof.attempt
    places: tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]] = ({}, {})
    rules = [dict[str, int](), dict[str, int]()]
    normalised = [a.module.instruction_count, b.module.instruction_count]
    if attempt is not None:
        places = matched(attempt)
        rules = [dict(count_rules(o.module, t)) for o, t in zip((a, b), (attempt.a, attempt.b), strict=True)]
        normalised = [
            sum(map(len, reachable(proof.table, tuple(o.poly for o in t.outputs)))) for t in (attempt.a, attempt.b)
        ]
    together = {name: rules[0].get(name, 0) + rules[1].get(name, 0) for name in (*rules[0], *rules[1])}
    together |= dict(attempt.rules) if attempt is not None else {}
    failed = [o.index for o in outputs if any(condition.held is False for condition in o.conditions)]
    return (
        Programs(
            weakest([output.verdict for output in outputs]),
            proof.classes,
            conditions_of(claims, proof.table, notation, inputs),
            outputs,
            Pair(a.module.instruction_count, b.module.instruction_count),
            Pair(*normalised),
            Pair(len(places[0]), len(places[1])),
            together,
            rules[0],
            rules[1],
            residual(proof, (a.module, b.module), inputs, failed),
            Executed(executed.inputs, executed.max_abs_diff, executed.max_rel_diff) if executed else None,
            tuple((i, j) for j, i in enumerate(proof.pairing) if i is not None),
            tuple(_notes(proof, trial)),
            Names(dead_scopes(a.module), dead_scopes(b.module)),
        ),
        places,
    )


def _outputs(
    proof: Proof, executed: Agreement | None, notation: Notation, inputs: list[list[np.ndarray]]
) -> tuple[Output, ...]:
    """Judge output by output."""
    outputs: list[Output] = []
    for k in range(len(proof.proven) or (len(executed.agrees) if executed else 1)):
        proven = bool(proof.proven) and proof.proven[k]
        conditions = conditions_of(proof.claims[k], proof.table, notation, inputs) if proven else ()
        agrees, contradicts = (executed.agrees[k], executed.contradicts[k]) if executed else (None, False)
        verdict = judge(
            identical=proof.identical, proven=proven, conditions=conditions, agrees=agrees, contradicts=contradicts
        )
        outputs.append(Output(k, verdict, conditions))
    return tuple(outputs)


def _notes(proof: Proof, trial: Trial) -> list[str]:
    """Say what else has to be said of what was proven and tried."""
    notes: list[str] = []
    if trial.problem:
        notes.append(f"not executed: {trial.problem}")
    contradicts = trial.agreement.contradicts if trial.agreement else ()
    notes += [
        f"output {k} is proven the same function over the reals, but the executed numbers differ"
        for k, (proven, differs) in enumerate(zip(proof.proven, contradicts, strict=False))
        if proven and differs
    ]
    if proof.reason:
        notes.append(f"no proof: {proof.reason}")
    notes += _obstacles(proof)
    if proof.pairing != tuple(range(len(proof.pairing))):
        notes.append(f"parameters are not paired by position: {_pairs(proof, proof.pairing, other=())}")
    if proof.suggestion is not None:
        pairs = _pairs(proof, proof.suggestion, other=proof.pairing)
        notes.append(f"with other parameters paired ({pairs}) every output would be proven: --map auto does so")
    return notes


def _pairs(proof: Proof, pairing: Pairing, other: Pairing) -> str:
    """Write out the pairs that are not also in another pairing; in none by position where that is empty."""
    first, second = proof.parameters
    known = other or range(len(pairing))
    found = [f"{first[i].name}={second[j].name}" for j, i in enumerate(pairing) if i is not None and i != known[j]]
    return ", ".join(found[:8]) + (", …" if len(found) > 8 else "")


def _samples(a: Operand, b: Operand, proof: Proof) -> tuple[Samples, str]:
    """Draw sample inputs; none, and why, where no array can hold them."""
    try:
        return paired_samples(a, b, proof), ""
    except (InputError, MissingFrameworkError) as error:
        return [], str(error)


def _by_number(proof: Proof, samples: Samples) -> list[list[np.ndarray]]:
    """Give sample inputs by parameter number, for checking conditions."""
    alone = [j for j, partner in enumerate(proof.pairing) if partner is None]
    count = len(proof.parameters[0])
    return [own + [other[j] for j in range(len(proof.pairing))] if alone else own[:count] for own, other in samples]


def _obstacles(proof: Proof) -> list[str]:
    """Say what stood in the way of a proof."""
    if proof.attempt is None or all(proof.proven):
        return []
    notes: list[str] = []
    for side, translation in (("A", proof.attempt.a), ("B", proof.attempt.b)):
        if translation.elided:
            notes.append(f"{side} leaves out the value of constant {', '.join(translation.elided[:3])} ({{...}})")
        if translation.effects:
            notes.append(f"{side} does more than yield its outputs: {', '.join(translation.effects[:3])}")
        elif translation.random:
            notes.append(
                f"{side} uses values that are not functions of its inputs: {', '.join(translation.random[:3])}"
            )
    return notes
