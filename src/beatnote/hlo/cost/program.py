"""What a program costs: operations and bytes of every instruction, and how often each is run.

`cost_of` says it of a whole program; what one instruction computes is in `arithmetic`, what it moves in `traffic`, how
often loops turn in `trip_counts`. Counts are exact whole numbers, of one run on one device.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add

import msgspec

from beatnote.hlo.calls import called_computations, callees_first
from beatnote.hlo.cost.arithmetic import arithmetic_of, base_opcode, result_of
from beatnote.hlo.cost.collectives import Collective, collective_of, device_count
from beatnote.hlo.cost.cost import LARGEST, NOTHING, Cost
from beatnote.hlo.cost.traffic import edge_traffic, fusion_traffic
from beatnote.hlo.cost.trip_counts import trip_count
from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Computation, Instruction, Module

__all__ = ["Charge", "Cost", "CostError", "Loop", "ProgramCost", "cost_of"]


class Charge(msgspec.Struct, frozen=True):
    """What one instruction costs.

    Attributes:
        computation: the name of the one it stands in.
        instruction: itself; a fusion stands for all that is in it.
        times: how often it is run.
        cost: of one run.
        collective: what it moves between devices in one run, if it is a collective.
        is_known: False for a custom call or opcode whose operations are not known and counted as none.
    """

    computation: str
    instruction: Instruction
    times: int
    cost: Cost
    collective: Collective | None = None
    is_known: bool = True

    @property
    def total(self) -> Cost:
        """The cost of all its runs."""
        return self.cost.times(self.times)


class Loop(msgspec.Struct, frozen=True):
    """A while loop.

    Attributes:
        computation: the name of the one it stands in.
        name: of the instruction.
        turns: how often its body is run each time; None where that is not known and one turn is counted.
        times: how often the loop itself is run.
        turn: the cost of one turn, condition included.
        total: the cost of all turns of all its runs.
    """

    computation: str
    name: str
    turns: int | None
    times: int
    turn: Cost
    total: Cost


class ProgramCost(msgspec.Struct, frozen=True):
    """What a program costs.

    Attributes:
        total: of one run.
        charges: of every instruction that costs anything, in the order of the text.
        loops: every while loop that is run.
        runs: how often each computation is run, by its name; those that fusions and reductions apply are not in it.
    """

    total: Cost
    charges: tuple[Charge, ...]
    loops: tuple[Loop, ...]
    runs: dict[str, int]

    @property
    def unknown(self) -> tuple[Charge, ...]:
        """Those whose operations are not known."""
        return tuple(charge for charge in self.charges if not charge.is_known)


def cost_of(module: Module) -> ProgramCost:
    """Count what a program costs.

    A while loop costs its turns, where their number is known, and one turn where it is not; of the branches of a
    conditional the one that costs most is taken (`Cost.weight`).

    Raises:
        CostError: the program breaks the rules of HLO, or a count is beyond 2⁶³.
    """
    account = _Account(module)
    times: dict[str, int] = {module.entry_name: 1}
    loops: list[Loop] = []
    for computation in reversed(account.order):
        runs = times.get(computation.name, 0)
        for instruction in computation.instructions if runs else ():
            for name, often in account.run_by(computation, instruction).items():
                times[name] = times.get(name, 0) + runs * often
                if times[name] > LARGEST:
                    raise CostError(f"computation {name!r} is run more than 2⁶³ times")
            if instruction.opcode == "while":
                often = account.run_by(computation, instruction)
                turn = reduce(add, (account.totals[name] for name in often), NOTHING)
                once = reduce(add, (account.totals[name].times(count) for name, count in often.items()), NOTHING)
                turns = account.turns.get((computation.name, instruction.name))
                loops.append(Loop(computation.name, instruction.name, turns, runs, turn, once.times(runs)))
    charges = tuple(
        Charge(name, instruction, times[name], cost, collective, is_known)
        for name in (computation.name for computation in module.computations)
        if times.get(name)
        for instruction, cost, collective, is_known in account.own[name]
    )
    return ProgramCost(account.totals[module.entry_name], charges, tuple(loops), times)


class _Account:
    """The costs of one run of each computation, and of the instructions in it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.order = callees_first(module)
        self.devices = device_count(module)
        self.totals: dict[str, Cost] = {}
        self.own: dict[str, list[tuple[Instruction, Cost, Collective | None, bool]]] = {}
        self.turns: dict[tuple[str, str], int | None] = {}
        for computation in self.order:
            self._add(computation)

    def run_by(self, computation: Computation, instruction: Instruction) -> Mapping[str, int]:
        """Return the computations an instruction runs as programs, with how often; those of fusions are not."""
        opcode = instruction.opcode
        called = called_computations(instruction) if opcode in _RUNNING else ()
        if opcode == "while" and len(called) == 2:
            place = (computation.name, instruction.name)
            if place not in self.turns:
                self.turns[place] = trip_count(self.module, computation, instruction)
            turns = self.turns[place]
            condition, body = called
            once = 1 if turns is None else turns
            often = {body: once}
            often[condition] = often.get(condition, 0) + once + (turns is not None)
            return often
        if opcode == "conditional" and called:
            return {max(called, key=lambda name: self.totals[name].weight): 1}
        return dict.fromkeys(called, 1)

    def _add(self, computation: Computation) -> None:
        own: list[tuple[Instruction, Cost, Collective | None, bool]] = []
        total = NOTHING
        for instruction in computation.instructions:
            try:
                cost, collective, is_known = self._of(computation, instruction)
            except CostError:
                raise
            except (ValueError, LookupError, ArithmeticError) as error:
                raise CostError(
                    f"{instruction.opcode} {instruction.name!r} in computation {computation.name!r} has not the "
                    f"operands or attributes that it should have ({error})"
                ) from None
            for name, often in self.run_by(computation, instruction).items():
                total += self.totals[name].times(often)
            if cost != NOTHING or collective or not is_known:
                own.append((instruction, cost, collective, is_known))
                total += cost
            if total.largest > LARGEST:
                raise CostError(f"the cost of {instruction.name!r} in computation {computation.name!r} is beyond 2⁶³")
        self.own[computation.name] = own
        self.totals[computation.name] = total

    def _of(self, computation: Computation, instruction: Instruction) -> tuple[Cost, Collective | None, bool]:
        opcode = base_opcode(instruction)
        if opcode is None:
            return NOTHING, None, True
        operands = [computation[name].shape for name in instruction.operands]
        result = result_of(instruction, opcode)
        called = [self.totals[name] for name in called_computations(instruction)]
        work = arithmetic_of(instruction, opcode, operands, result, called)
        if opcode == "fusion":
            read, written = fusion_traffic(instruction, self.module.computation(called_computations(instruction)[0]))
        else:
            read, written = edge_traffic(instruction, opcode, operands, result)
        moved = collective_of(instruction, opcode, operands, result, self.devices)
        return (work or NOTHING).with_traffic(read, written), moved, work is not None


_RUNNING = frozenset({"call", "while", "conditional", "async-start", "call-start"})
"""Opcodes that run other computations as they stand."""
