"""What there is to say of a program's cost in few numbers: totals, what costs most, where, loops, collectives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.cost.collectives import Collective
from beatnote.hlo.cost.cost import NOTHING
from beatnote.hlo.cost.liveness import liveness_of
from beatnote.hlo.cost.program import Charge, Cost, ProgramCost, cost_of
from beatnote.hlo.cost.roofline import Roofline, roofline_of, times_of
from beatnote.hlo.cost.scopes import scopes_of
from beatnote.hlo.module import Module

MOST_EXPENSIVE = 10

_Scopes = dict[tuple[str, str], str]


class Costly(msgspec.Struct, frozen=True):
    """One instruction, with what all its runs cost together.

    Attributes:
        computation: the name of the one it stands in.
        name: its own.
        opcode: as written.
        shape: of its result.
        scope: the model's words for it, '' where it has none.
        times: how often it is run.
        cost: of all runs.
        share: of the program: of its time on the first chip, or without a chip the mean of its shares of all
            operations and of all bytes.
        time_s: by the roofline, of all runs, by chip, in seconds.
        bound: `compute`, `memory` or `network`, by chip.
    """

    computation: str
    name: str
    opcode: str
    shape: str
    scope: str
    times: int
    cost: Cost
    share: float
    time_s: dict[str, float]
    bound: dict[str, str]


class ScopeCost(msgspec.Struct, frozen=True):
    """What a part of the model costs; `share` is as that of an instruction, summed."""

    name: str
    instructions: int
    cost: Cost
    share: float
    time_s: dict[str, float]


class LoopCost(msgspec.Struct, frozen=True):
    """A loop: how often it turns (None: not known, one turn is counted), how often it is run, and all that costs."""

    computation: str
    name: str
    turns: int | None
    times: int
    cost: Cost


class CollectiveCost(msgspec.Struct, frozen=True):
    """A collective: bytes of its arrays and bytes that a device sends, once; how many devices; how often it is run."""

    computation: str
    name: str
    opcode: str
    payload_bytes: int
    sent_bytes: int | None
    group_size: int | None
    times: int


class CostSummary(msgspec.Struct, frozen=True):
    """The cost of a program.

    Attributes:
        total: of one run.
        peak_bytes: the most that is held at once, arguments included.
        argument_bytes: of the arguments alone.
        expensive: the instructions that cost most, the dearest first.
        scopes: the parts of the model, the dearest first.
        loops: all that are run.
        collectives: all that are run.
        unknown: names of the instructions whose operations are not known and not counted.
        rooflines: its roofline time, chip by chip.
        is_scheduled: whether the text is in the order of execution, as it is after optimisation.
    """

    total: Cost
    peak_bytes: int
    argument_bytes: int
    expensive: tuple[Costly, ...]
    scopes: tuple[ScopeCost, ...]
    loops: tuple[LoopCost, ...]
    collectives: tuple[CollectiveCost, ...]
    unknown: tuple[str, ...]
    rooflines: tuple[Roofline, ...]
    is_scheduled: bool = False


def summarise(module: Module, chips: Sequence[Chip] = ()) -> CostSummary:
    """Count what a program costs and say it in few numbers.

    Args:
        module: the program.
        chips: to give its roofline time on; shares are of the time on the first.

    Raises:
        CostError: its cost cannot be told.
    """
    program = cost_of(module)
    held = liveness_of(module)
    rooflines = tuple(roofline_of(program, chip) for chip in chips)
    share = _share_of(program, chips, rooflines)
    scopes = scopes_of(module)
    dearest = sorted(program.charges, key=share, reverse=True)[:MOST_EXPENSIVE]
    return CostSummary(
        program.total,
        held.peak_bytes,
        held.argument_bytes,
        tuple(_costly(charge, share(charge), chips, scopes) for charge in dearest if share(charge) > 0),
        _scopes(module, program, share, chips, scopes),
        tuple(LoopCost(loop.computation, loop.name, loop.turns, loop.times, loop.total) for loop in program.loops),
        tuple(_collective(charge, charge.collective) for charge in program.charges if charge.collective),
        tuple(charge.instruction.name for charge in program.unknown),
        rooflines,
        module.attributes.get("is_scheduled") == "true",
    )


def _share_of(program: ProgramCost, chips: Sequence[Chip], rooflines: Sequence[Roofline]) -> Callable[[Charge], float]:
    """Return what tells the share of the program that an instruction is."""
    if chips:
        chip, whole = chips[0], rooflines[0].time_s or 1.0
        return lambda charge: charge.times * times_of(charge, chip).time_s / whole
    operations = max(1, program.total.operations)
    moved = max(1, program.total.bytes_accessed)

    def share(charge: Charge) -> float:
        total = charge.total
        return (total.operations / operations + total.bytes_accessed / moved) / 2

    return share


def _costly(charge: Charge, share: float, chips: Sequence[Chip], scopes: _Scopes) -> Costly:
    instruction = charge.instruction
    times = {chip.name: times_of(charge, chip) for chip in chips}
    return Costly(
        charge.computation,
        instruction.name,
        instruction.opcode,
        str(instruction.shape),
        scopes[charge.computation, instruction.name],
        charge.times,
        charge.total,
        share,
        {name: charge.times * one.time_s for name, one in times.items()},
        {name: one.bound for name, one in times.items()},
    )


def _scopes(
    module: Module, program: ProgramCost, share: Callable[[Charge], float], chips: Sequence[Chip], scopes: _Scopes
) -> tuple[ScopeCost, ...]:
    counts = Counter(
        scopes[computation.name, instruction.name]
        for computation in module.computations
        for instruction in computation.instructions
        if instruction.opcode not in ("parameter", "constant")
    )
    costs: dict[str, Cost] = {}
    shares: dict[str, float] = {}
    time_s: dict[str, dict[str, float]] = {scope: dict.fromkeys((chip.name for chip in chips), 0.0) for scope in counts}
    for charge in program.charges:
        scope = scopes[charge.computation, charge.instruction.name]
        costs[scope] = costs.get(scope, NOTHING) + charge.total
        shares[scope] = shares.get(scope, 0.0) + share(charge)
        for chip in chips:
            time_s[scope][chip.name] += charge.times * times_of(charge, chip).time_s
    rows = [
        ScopeCost(scope, count, costs.get(scope, NOTHING), shares.get(scope, 0.0), time_s[scope])
        for scope, count in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.share, -row.instructions, row.name)))


def _collective(charge: Charge, moved: Collective) -> CollectiveCost:
    return CollectiveCost(
        charge.computation,
        charge.instruction.name,
        moved.opcode,
        moved.payload_bytes,
        moved.sent_bytes,
        moved.group_size,
        charge.times,
    )
