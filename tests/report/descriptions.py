"""Descriptions to report on: of small texts, or put together by hand."""

from __future__ import annotations

from functools import cache

import msgspec

from beatnote.description import Description, Entry, Recording, describe
from beatnote.hlo.text import parse
from beatnote.runs.run import Phases
from tests.report.comparisons import HOSTILE, WORDY, hostile_program, module

ELIDED = """
HloModule jit_elided

ENTRY %main (x: f32[2,3], pair: (f32[4], s32[])) -> (f32[2,3], s32[]) {
  %x = f32[2,3]{1,0} parameter(0)
  %pair = (f32[4]{0}, s32[]) parameter(1)
  %table = f32[2,3]{1,0} constant({...})
  %sum = f32[2,3]{1,0} add(%x, %table)
  %second = s32[] get-tuple-element(%pair), index=1
  ROOT %both = (f32[2,3]{1,0}, s32[]) tuple(%sum, %second)
}
"""


@cache
def plain() -> Description:
    """A program with dead code and a computation that is never used."""
    return describe(module(WORDY))


@cache
def several() -> Description:
    """Two programs in one text, the first with a constant left out."""
    return describe(parse(f"{ELIDED}\n// -----\n{WORDY}"))


@cache
def recorded() -> Description:
    """A model, as if recorded."""
    found = describe(module(ELIDED))
    return msgspec.structs.replace(
        found,
        operand="jax:elided",
        versions={"jax": "0.10.2", "python": "3.11.7"},
        recording=Recording(Phases(0.02, 0.01, 0.2, 0.05), (0.1, 0.098, 0.103, 0.101, 0.12)),
    )


def dump(operand: str = "dumps/today") -> Description:
    """A dump folder with two modules of one name."""
    entries = [
        Entry(f"module_{number:04d}.jit_{name}.{stage}", number, f"jit_{name}", stage, size_bytes, pick)
        for number, name, stage, size_bytes, pick in (
            (1, "fill", "before_optimizations", 500, "module_0001.jit_fill"),
            (2, "fill", "before_optimizations", 700, "module_0002.jit_fill"),
            (3, "step", "before_optimizations", 1_250_000, "jit_step"),
            (3, "step", "cpu_after_optimizations", 2_500_000, "module_0003.jit_step.cpu_after_optimizations"),
        )
    ]
    return Description(operand, "dump", None, {}, (), modules=tuple(entries))


def hostile_description() -> Description:
    """A program with hostile text, and as much of it in what is said of it."""
    found = describe(hostile_program())
    first = msgspec.structs.replace(found.programs[0], elided=(HOSTILE,))
    return msgspec.structs.replace(found, framework=HOSTILE, versions={HOSTILE: HOSTILE}, programs=(first,))


def hostile_dump() -> Description:
    """A dump folder with hostile names."""
    return Description(HOSTILE, "dump", None, {}, (), modules=(Entry(HOSTILE, 1, HOSTILE, HOSTILE, 0, f"x{HOSTILE}"),))
