"""Whether two programs are the same up to names, order of instructions and metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from beatnote.hlo.calls import CALL_LISTS, CALLS, called_computations
from beatnote.hlo.module import Computation, Module

LEFT_OUT = frozenset({"metadata", "origin", "stack_frame_id", "statistics"})
"""Attributes that say where an instruction comes from."""

SETTINGS = frozenset({"allow_spmd_sharding_propagation_to_parameters", "allow_spmd_sharding_propagation_to_output"})
"""What a module's header says of how it is to be compiled, and not of what it computes; its proto does not say it."""


def identical(a: Module, b: Module) -> bool:
    """Whether they are; an elided constant is not identical to anything."""
    if any(i.is_elided for module in (a, b) for i in module.instructions()):
        return False
    if _header(a) != _header(b):
        return False
    numbers: dict[Hashable, int] = {}
    try:
        return _Fingerprint(a, numbers).entry() == _Fingerprint(b, numbers).entry()
    except (KeyError, RecursionError):
        return False


def _header(module: Module) -> dict[str, str]:
    return {name: value for name, value in module.attributes.items() if name not in SETTINGS}


class _Fingerprint:
    """Instructions and computations of a module numbered by what they are, in one dictionary for both modules."""

    def __init__(self, module: Module, numbers: dict[Hashable, int]) -> None:
        self.module = module
        self.numbers = numbers
        self.computations: dict[str, Hashable] = {}

    def entry(self) -> Hashable:
        return self.computation(self.module.entry)

    def computation(self, computation: Computation) -> Hashable:
        known = self.computations.get(computation.name)
        if known is not None:
            return known
        found: dict[str, int] = {}
        for instruction in computation.instructions:
            attributes = instruction.attributes
            plain = tuple(
                sorted(
                    (n, v)
                    for n, v in attributes.items()
                    if n not in LEFT_OUT and n not in CALLS and n not in CALL_LISTS
                )
            )
            depends = tuple(found[name] for name in _names(attributes.get("control-predecessors", "")))
            called = tuple(self.computation(self.module.computation(name)) for name in called_computations(instruction))
            key = (
                instruction.opcode,
                str(instruction.shape),
                "".join((instruction.literal or "").split()),
                tuple(found[name] for name in instruction.operands),
                tuple((n, v) for n, v in plain if n != "control-predecessors"),
                depends,
                called,
            )
            found[instruction.name] = self.numbers.setdefault(key, len(self.numbers))
        key = (found[computation.root], tuple(sorted(Counter(found.values()).items())))
        self.computations[computation.name] = key
        return key


def _names(text: str) -> list[str]:
    return [name.strip().lstrip("%") for name in text.strip("{}").split(",") if name.strip()]
