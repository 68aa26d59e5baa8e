"""The word `show`: one operand, described.

May import: every room below report and cli.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from beatnote.hlo.module import Module
from beatnote.hlo.shapes import leaves
from beatnote.operands import Operand, framework_of, open_operand
from beatnote.proof.parameters import parameters_of
from beatnote.read.xla_dump import list_modules, shortest_picks
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
    """

    name: str
    instructions: int
    computations: int
    parameters: tuple[Array, ...]
    outputs: tuple[Array, ...]
    opcodes: dict[str, int]
    elided: tuple[str, ...]


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
        parsed: what `programs` says it of, for reports.
    """

    operand: str
    kind: str
    framework: str | None
    versions: dict[str, str]
    programs: tuple[Program, ...]
    recording: Recording | None = None
    modules: tuple[Entry, ...] = ()
    parsed: tuple[Module, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the facts under the schema `beatnote.description/1`."""
        facts = msgspec.structs.asdict(self)
        del facts["parsed"]
        return {"schema": SCHEMA, **msgspec.to_builtins(facts)}


def describe(operand: str | Path | Module, *, steps: int = 30) -> Description:
    """Describe an operand; a dump folder by the modules in it.

    Args:
        operand: see `operands.open_operand`.
        steps: how many steady steps to record of a model.

    Raises:
        OperandError, DumpError, HloSyntaxError, ProtoError, LookupError, MissingFrameworkError: it cannot be
            opened.
    """
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
        tuple(map(_program, opened.module)),
        _recording(opened),
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


def _program(module: Module) -> Program:
    outputs: tuple[Array, ...] = ()
    parameters: tuple[Array, ...] = ()
    if module.computations:
        arrays = leaves(module.entry.root_instruction.shape)
        outputs = tuple(Array(f"output {k}", str(shape)) for k, shape in enumerate(arrays))
        parameters = tuple(Array(p.name, str(p.shape)) for p in parameters_of(module))
    return Program(
        module.name,
        module.instruction_count,
        len(module.computations),
        parameters,
        outputs,
        dict(Counter(i.opcode for i in module.instructions()).most_common()),
        tuple(i.name for i in module.instructions() if i.is_elided),
    )
