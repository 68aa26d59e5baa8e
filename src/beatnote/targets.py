"""Two programs compiled for chips that are not here: what the real compiler makes of each, and whether it is the same.

May import: hlo, proof, execute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from beatnote.execute.ahead_of_time import Compiled, Target, compile_for
from beatnote.execute.errors import ExecutionError
from beatnote.hlo.module import Module
from beatnote.proof.conditions import conditions_of
from beatnote.proof.notation import Notation
from beatnote.proof.parameters import Pairing, ParameterMismatch
from beatnote.proof.prove import prove
from beatnote.proof.verdict import Condition, judge, weakest

LIMIT_S = 20.0
"""For proving two compiled programs equal."""


class OnChip(msgspec.Struct, frozen=True):
    """One program as a chip would run it.

    Attributes:
        instructions: of all computations.
        opcodes: opcode -> how often in the entry computation, which is what is scheduled one after another.
        compile_s: how long the compiler took here.
        flops: this and the rest by XLA's own count, see `execute.ahead_of_time.Compiled`.
        optimal_us: the time that XLA's cost model expects, in microseconds.
    """

    instructions: int
    opcodes: dict[str, int]
    compile_s: float
    flops: float
    transcendentals: float
    bytes_accessed: float
    optimal_us: float | None
    arguments_bytes: int
    outputs_bytes: int
    temporaries_bytes: int
    code_bytes: int


class OnTarget(msgspec.Struct, frozen=True):
    """Both programs compiled for one target.

    Attributes:
        target: as the user gave it.
        a: None where the first did not compile.
        b: None where the second did not.
        verdict: on the compiled programs, which are not executed.
        classes: of reasoning that the proof of the compiled programs used.
        conditions: that it needs.
        problem: why there is nothing to compare, in one line; '' otherwise.
    """

    target: str
    a: OnChip | None
    b: OnChip | None
    verdict: str
    classes: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    problem: str = ""


def compile_both(
    target: Target,
    modules: tuple[Module, Module],
    pairing: Pairing,
    inputs: Sequence[Sequence[np.ndarray]],
    tell: Callable[[str], object],
) -> OnTarget:
    """Compile both programs for a target and compare what comes out.

    Args:
        target: the chip.
        modules: from before optimisation.
        pairing: for each parameter of B its partner in A.
        inputs: sample inputs by parameter number, for checking conditions.
        tell: told what is being done.
    """
    found = compile_for(target, modules, tell)
    sides = [_on_chip(one) if isinstance(one, Compiled) else None for one in found]
    a, b = found
    if not (isinstance(a, Compiled) and isinstance(b, Compiled)):
        return OnTarget(target.text, sides[0], sides[1], "unknown", problem=_problem(found))
    tell(f"comparing the programs for {target.text}")
    verdict, classes, conditions = _compared(a.module, b.module, pairing, inputs)
    return OnTarget(target.text, sides[0], sides[1], verdict, classes, conditions)


def _problem(found: Sequence[Compiled | ExecutionError]) -> str:
    texts = {side: str(one) for side, one in zip("AB", found, strict=True) if isinstance(one, ExecutionError)}
    if len(texts) == len(found) and len(set(texts.values())) == 1:
        return texts["A"]
    return "; ".join(f"{side}: {text}" for side, text in texts.items())


def _compared(
    a: Module, b: Module, pairing: Pairing, inputs: Sequence[Sequence[np.ndarray]]
) -> tuple[str, tuple[str, ...], tuple[Condition, ...]]:
    pairs = {str(i): str(j) for j, i in enumerate(pairing) if i is not None}
    try:
        proof = prove(a, b, names=pairs, limit_s=LIMIT_S)
    except ParameterMismatch:
        return "unknown", (), ()
    notation = Notation(proof.table, proof.names)
    claims = frozenset(claim for each in proof.claims for claim in each)
    conditions = conditions_of(claims, proof.table, notation, inputs)
    verdicts = [
        judge(identical=proof.identical, proven=proven, conditions=conditions, agrees=None)
        for proven in proof.proven or (False,)
    ]
    return weakest(verdicts), proof.classes, conditions


def _on_chip(compiled: Compiled) -> OnChip:
    entry = compiled.module.entry
    return OnChip(
        compiled.module.instruction_count,
        dict(Counter(i.opcode for i in entry.instructions).most_common()),
        compiled.compile_s,
        compiled.flops,
        compiled.transcendentals,
        compiled.bytes_accessed,
        1e6 * compiled.optimal_s if compiled.optimal_s is not None else None,
        compiled.arguments_bytes,
        compiled.outputs_bytes,
        compiled.temporaries_bytes,
        compiled.code_bytes,
    )
