"""The word `show`: one operand, described.

May import: every room below report and cli.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from beatnote.hlo.aliasing import Alias, aliases_of
from beatnote.hlo.cost.chips import THIS_MACHINE, Chip, chip_named
from beatnote.hlo.cost.summary import CostSummary, summarise
from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Module
from beatnote.hlo.shapes import leaves
from beatnote.operands import Operand, framework_of, open_operand
from beatnote.proof.parameters import parameters_of
from beatnote.read.xla_dump import list_modules, shortest_picks
from beatnote.record.this_cpu import measure_this_cpu
from beatnote.runs.run import Phases

SCHEMA = "beatnote.description/1"


class Array(msgspec.Struct, frozen=True):
    """A parameter or output: what it is called and its shape as text."""

    name: str
    shape: str


class Program(msgspec.Struct, frozen=True):
    """What a program consists of.

    Attributes:
        name: the module's.
        instructions: in all computations.
        computations: how many.
        parameters: of the entry, tuples flattened.
        outputs: of the entry, tuples flattened.
        opcodes: opcode -> how often, most frequent first.
        elided: names of constants whose value the text leaves out.
        cost: what one run of it costs; None where that cannot be told.
        no_cost: why not.
        aliases: which outputs are written over which parameters.
    """

    name: str
    instructions: int
    computations: int
    parameters: tuple[Array, ...]
    outputs: tuple[Array, ...]
    opcodes: dict[str, int]
    elided: tuple[str, ...]
    cost: CostSummary | None = None
    no_cost: str = ""
    aliases: tuple[Alias, ...] = ()


class Recording(msgspec.Struct, frozen=True):
    """What was measured of a model recorded now: phases in seconds, steps in milliseconds."""

    phases: Phases
    step_ms: tuple[float, ...]


class Entry(msgspec.Struct, frozen=True):
    """One program of an XLA dump.

    Attributes:
        title: the name of its file.
        number: XLA's, in the order of compilation.
        name: the module's.
        stage: `before_optimizations`, `cpu_after_optimizations` and the like.
        size_bytes: of its file.
        pick: what follows `::` to pick it, as short as can be.
    """

    title: str
    number: int
    name: str
    stage: str
    size_bytes: int
    pick: str


class Description(msgspec.Struct, frozen=True):
    """One operand.

    Attributes:
        operand: as the user gave it.
        kind: `program` or `dump`.
        framework: that made it, None when unknown.
        versions: package -> version.
        programs: one, or several for a text of several modules; none for a dump.
        recording: for a model.
        modules: for a dump.
        chips: on which the roofline times of programs are given.
        parsed: what `programs` says it of, for reports.
    """

    operand: str
    kind: str
    framework: str | None
    versions: dict[str, str]
    programs: tuple[Program, ...]
    recording: Recording | None = None
    modules: tuple[Entry, ...] = ()
    chips: tuple[Chip, ...] = ()
    parsed: tuple[Module, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts under the schema `beatnote.description/1`."""
        facts = msgspec.structs.asdict(self)
        del facts["parsed"]
        return {"schema": SCHEMA, **msgspec.to_builtins(facts)}


def describe(operand: str | Path | Module, *, steps: int = 30, chips: Sequence[str] = ()) -> Description:
    """Describe an operand; a dump folder by the modules in it.

    Args:
        operand: see `operands.open_operand`.
        steps: how many steady steps to record of a model.
        chips: names in the table of `hlo.cost.chips`, on which to give the roofline time of a program; `cpu` measures
            this machine.

    Raises:
        OperandError, DumpError, HloSyntaxError, ProtoError, LookupError, MissingFrameworkError: it cannot be
            opened.
        UnknownChipError: a chip is not in the table.
    """
    found = tuple(measure_this_cpu() if name == THIS_MACHINE else chip_named(name) for name in dict.fromkeys(chips))
    if not isinstance(operand, Module) and "::" not in str(operand) and Path(operand).is_dir():
        modules = _entries(Path(operand))
        makers = {framework_of(module.name) for module in modules} - {None}
        maker = makers.pop() if len(makers) == 1 else None
        return Description(str(operand), "dump", maker, {}, (), modules=modules)
    opened = open_operand(operand, steps=steps)
    return Description(
        opened.text,
        opened.kind,
        opened.framework,
        opened.versions,
        tuple(_program(module, found) for module in opened.module),
        _recording(opened),
        chips=found,
        parsed=tuple(opened.module),
    )


def _entries(folder: Path) -> tuple[Entry, ...]:
    modules = list_modules(folder)
    return tuple(
        Entry(module.title, module.number, module.name, module.stage, module.path.stat().st_size, pick)
        for module, pick in zip(modules, shortest_picks(modules), strict=True)
    )


def _recording(operand: Operand) -> Recording | None:
    if operand.live is None:
        return None
    run = operand.live.run
    return Recording(run.phases, tuple(1e3 * step_s for step_s in run.steps_s))


def _program(module: Module, chips: Sequence[Chip]) -> Program:
    outputs: tuple[Array, ...] = ()
    parameters: tuple[Array, ...] = ()
    if module.computations:
        arrays = leaves(module.entry.root_instruction.shape)
        outputs = tuple(Array(f"output {k}", str(shape)) for k, shape in enumerate(arrays))
        parameters = tuple(Array(p.name, str(p.shape)) for p in parameters_of(module))
    cost, no_cost = _cost(module, chips)
    return Program(
        module.name,
        module.instruction_count,
        len(module.computations),
        parameters,
        outputs,
        dict(Counter(i.opcode for i in module.instructions()).most_common()),
        tuple(i.name for i in module.instructions() if i.is_elided),
        cost,
        no_cost,
        aliases_of(module),
    )


def _cost(module: Module, chips: Sequence[Chip]) -> tuple[CostSummary | None, str]:
    try:
        return summarise(module, chips), ""
    except CostError as error:
        return None, str(error)
