"""Two operands tried side by side: on the same inputs, and against the clock.

May import: every room below comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import msgspec
import numpy as np

from beatnote.execute.agreement import Agreement, agreement
from beatnote.execute.cpu import Executable, compile_program
from beatnote.execute.errors import ExecutionError, InputError, MissingFrameworkError
from beatnote.execute.samples import samples
from beatnote.explain import split
from beatnote.operands import Operand
from beatnote.proof.prove import Proof
from beatnote.record.steps import interleave

SAMPLES = 3
ROUNDS = 100
BUDGET_S = 10.0

Progress = Callable[[str], object]
"""Told what is being done, whenever that changes."""


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


class Trial:
    """Both programs compiled under jaxlib, if that is possible, and what running them shows.

    Attributes:
        problem: why they cannot be run, in one line; '' when they can.
        samples: inputs of A and of B that belong together.
    """

    def __init__(self, a: Operand, b: Operand, proof: Proof, tell: Progress) -> None:
        self.operands = (a, b)
        self.tell = tell
        self.problem = ""
        self.executables: tuple[Executable, Executable] | None = None
        self.samples: list[tuple[list[np.ndarray], list[np.ndarray]]] = []
        self.compile_s = [0.0, 0.0]
        try:
            self.samples = paired_samples(a, b, proof)
            tell("compiling both programs under jaxlib")
            self.executables = (self._compile(0), self._compile(1))
        except (ExecutionError, InputError, MissingFrameworkError) as error:
            self.problem = str(error)

    def _compile(self, side: int) -> Executable:
        started = perf_counter()
        executable = compile_program(self.operands[side].module, self.samples[0][side])
        self.compile_s[side] = perf_counter() - started
        return executable

    @property
    def ready(self) -> bool:
        """Whether both programs can be run."""
        return self.executables is not None

    def agreement(self) -> Agreement | None:
        """Run both programs on every sample."""
        if self.executables is None:
            return None
        self.tell("running both programs on the same inputs")
        first, second = self.executables
        try:
            return agreement(first.run, second.run, self.samples)
        except ExecutionError as error:
            self.problem, self.executables = str(error), None
            return None

    def time(self, rounds: int) -> Time | None:
        """Time the programs, interleaved: in their frameworks where both are live, and alone."""
        if self.executables is None:
            return None
        lives = [operand.live for operand in self.operands]
        steps: dict[str, Callable[[], None]] = {}
        for name, executable, live in zip("ab", self.executables, lives, strict=True):
            steps[f"{name} alone"] = executable.step
            steps[f"{name} alone empty"] = executable.empty_step
            if live is not None and None not in lives:
                steps[f"{name} step"] = live.step
                steps[f"{name} empty"] = live.empty_step
        taken = interleave(
            steps,
            rounds=rounds,
            budget_s=BUDGET_S,
            progress=lambda done, of: self.tell(f"timing, round {done} of {of}"),
        )
        sides = [_side_of(taken, name) for name in "ab"]
        found = split.split(*sides)
        times = [
            SideTime(
                _milliseconds(side.step_s) if live is not None and None not in lives else None,
                _milliseconds(side.alone_s),
                live.run.phases.compiling_s if live is not None else self.compile_s[place],
            )
            for place, (side, live) in enumerate(zip(sides, lives, strict=True))
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


def paired_samples(a: Operand, b: Operand, proof: Proof) -> list[tuple[list[np.ndarray], list[np.ndarray]]]:
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
    rows: list[tuple[list[np.ndarray], list[np.ndarray]]] = []
    for own, other in zip(samples(a.module, example, SAMPLES), for_b, strict=True):
        rows.append((own, [own[i] if i is not None else other[j] for j, i in enumerate(proof.pairing)]))
    return rows
