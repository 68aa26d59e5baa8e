"""Two operands tried side by side: on the same inputs, and against the clock.

May import: every room below comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import msgspec
import numpy as np

from beatnote.execute.agreement import Agreement, agreement
from beatnote.execute.child import ChildError, call_in_child
from beatnote.execute.cpu import Executable, compile_program
from beatnote.execute.errors import ExecutionError, InputError, MissingFrameworkError
from beatnote.execute.frameworks import is_installed, not_installed
from beatnote.execute.samples import samples
from beatnote.explain import split
from beatnote.hlo.module import Module
from beatnote.operands import Operand
from beatnote.proof.prove import Proof
from beatnote.record.live import Live
from beatnote.record.steps import interleave

SAMPLES = 3
ROUNDS = 100
BUDGET_S = 10.0

Progress = Callable[[str], object]
"""Told what is being done, whenever that changes."""

Samples = list[tuple[list[np.ndarray], list[np.ndarray]]]
"""Inputs of A and of B that belong together."""


class Milliseconds(msgspec.Struct, frozen=True):
    """Samples in brief: median and quartiles, and how many."""

    median: float
    low: float
    high: float
    n: int


class SideTime(msgspec.Struct, frozen=True):
    """What one side takes.

    Attributes:
        step_ms: a step in its framework; None for a program that is only a file.
        alone_ms: a step of the program under jaxlib.
        compile_s: by its framework's XLA, or by jaxlib's for a file.
    """

    step_ms: Milliseconds | None
    alone_ms: Milliseconds
    compile_s: float


class TimePart(msgspec.Struct, frozen=True):
    """A part of the gap, with the interval that noise leaves it."""

    name: str
    ms: float
    low_ms: float
    high_ms: float
    within_noise: bool


class Time(msgspec.Struct, frozen=True):
    """Why one side takes longer: parts that sum to the gap, B minus A."""

    a: SideTime
    b: SideTime
    gap_ms: float
    gap_low_ms: float
    gap_high_ms: float
    within_noise: bool
    parts: tuple[TimePart, ...]


class Trial(msgspec.Struct, frozen=True):
    """What trying two programs showed.

    Attributes:
        problem: why they could not be run, in one line; '' when they could.
        agreement: what they yield for the same inputs.
        time: how long they take.
    """

    problem: str = ""
    agreement: Agreement | None = None
    time: Time | None = None


def try_out(a: Operand, b: Operand, samples: Samples, rounds: int, tell: Progress) -> Trial:
    """Run both programs on the same inputs and against the clock, under jaxlib and, where both are live, at home.

    Programs from files are run in a process of their own, which XLA may take down.

    Args:
        a: one side.
        b: the other.
        samples: inputs of A and of B that belong together, see `paired_samples`.
        rounds: of timing, at most.
        tell: told what is being done.
    """
    modules = a.module, b.module
    try:
        if a.live is not None and b.live is not None:
            return _tried(modules, samples, rounds, (a.live, b.live), tell)
        if not is_installed("jax"):
            raise MissingFrameworkError(not_installed("jax"))
        return call_in_child(_tried, modules, samples, rounds, None, what="running them", tell=tell)
    except (ExecutionError, InputError, MissingFrameworkError, ChildError) as error:
        return Trial(str(error))


def _tried(
    modules: tuple[Module, Module], samples: Samples, rounds: int, lives: tuple[Live, Live] | None, tell: Progress
) -> Trial:
    tell("compiling both programs under jaxlib")
    executables: list[Executable] = []
    compile_s: list[float] = []
    for module, inputs in zip(modules, samples[0], strict=True):
        started = perf_counter()
        executables.append(compile_program(module, inputs))
        compile_s.append(perf_counter() - started)
    if lives is not None:
        compile_s = [live.run.phases.compiling_s for live in lives]
    tell("running both programs on the same inputs")
    found = agreement(executables[0].run, executables[1].run, samples)
    steps: dict[str, Callable[[], None]] = {}
    for name, executable in zip("ab", executables, strict=True):
        steps[f"{name} alone"] = executable.step
        steps[f"{name} alone empty"] = executable.empty_step
    for name, live in zip("ab", lives or (), strict=False):
        steps[f"{name} step"] = live.step
        steps[f"{name} empty"] = live.empty_step
    taken = interleave(
        steps, rounds=rounds, budget_s=BUDGET_S, progress=lambda done, of: tell(f"timing, round {done} of {of}")
    )
    return Trial("", found, _time(taken, compile_s, at_home=lives is not None))


def _time(taken: dict[str, tuple[float, ...]], compile_s: Sequence[float], *, at_home: bool) -> Time:
    sides = [_side_of(taken, name) for name in "ab"]
    found = split.split(*sides)
    times = [
        SideTime(_milliseconds(side.step_s) if at_home else None, _milliseconds(side.alone_s), compiling_s)
        for side, compiling_s in zip(sides, compile_s, strict=True)
    ]
    parts = tuple(TimePart(p.name, p.ms, p.low_ms, p.high_ms, p.within_noise) for p in found.parts)
    gap = found.gap
    return Time(times[0], times[1], gap.ms, gap.low_ms, gap.high_ms, gap.within_noise, parts)


def _side_of(taken: dict[str, tuple[float, ...]], name: str) -> split.Side:
    """Sort one side's samples; a program that is only a file has no framework, so calling it counts as part of it."""
    alone = taken[f"{name} alone"]
    if f"{name} step" not in taken:
        nothing = (0.0,) * len(alone)
        return split.Side(alone, nothing, alone, nothing)
    return split.Side(taken[f"{name} step"], taken[f"{name} empty"], alone, taken[f"{name} alone empty"])


def _milliseconds(samples_s: Sequence[float]) -> Milliseconds:
    spread = split.spread(samples_s)
    return Milliseconds(spread.median_ms, spread.low_ms, spread.high_ms, spread.n)


def paired_samples(a: Operand, b: Operand, proof: Proof) -> Samples:
    """Draw sample inputs for both programs, the same values for parameters that belong together.

    Raises:
        InputError: a parameter is of a type that no array can hold.
    """
    for_b = samples(b.module, b.live.inputs if b.live else None, SAMPLES)
    example = list(a.live.inputs) if a.live else None
    if example is None and b.live is not None and None not in proof.pairing:
        drawn = samples(a.module, None, 1)[0]
        example = [*drawn]
        for j, i in enumerate(proof.pairing):
            example[i or 0] = for_b[0][j]
    rows: Samples = []
    for own, other in zip(samples(a.module, example, SAMPLES), for_b, strict=True):
        rows.append((own, [own[i] if i is not None else other[j] for j, i in enumerate(proof.pairing)]))
    return rows
