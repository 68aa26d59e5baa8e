"""Which outputs of a program are written over which of its parameters."""

from __future__ import annotations

import re

import msgspec

from beatnote.hlo.module import Module
from beatnote.hlo.shapes import ArrayShape, Shape, leaves

_ALIAS = re.compile(r"\{([0-9,\s]*)\}:\s*\(\s*([0-9]{1,9})\s*,\s*\{([0-9,\s]*)\}\s*(?:,\s*(may|must)-alias\s*)?\)")


class Alias(msgspec.Struct, frozen=True):
    """An output array that takes the place of a parameter's array; both are counted with tuples flattened.

    Attributes:
        output: the number of the output.
        parameter: the number of the parameter.
        must: whether the program relies on it; otherwise it may.
    """

    output: int
    parameter: int
    must: bool = False


def aliases_of(module: Module) -> tuple[Alias, ...]:
    """Read `input_output_alias` of a module's header; what does not fit the program's shapes is left out."""
    written = module.attributes.get("input_output_alias", "")
    if not written or not module.computations:
        return ()
    entry = module.entry
    starts = [0]
    for parameter in entry.parameters:
        starts.append(starts[-1] + len(leaves(parameter.shape)))
    found: list[Alias] = []
    for output, number, inner, how in _ALIAS.findall(written):
        to = leaf_number(entry.root_instruction.shape, _path(output))
        if to is None or int(number) >= len(entry.parameters):
            continue
        within = leaf_number(entry.parameters[int(number)].shape, _path(inner))
        if within is not None:
            found.append(Alias(to, starts[int(number)] + within, how == "must"))
    return tuple(found)


def leaf_number(shape: Shape, path: tuple[int, ...]) -> int | None:
    """Return which of a shape's arrays a path leads to, counted left to right; None if it leads to none."""
    number = 0
    for step in path:
        if isinstance(shape, ArrayShape) or step >= len(shape.elements):
            return None
        number += sum(len(leaves(element)) for element in shape.elements[:step])
        shape = shape.elements[step]
    return number if isinstance(shape, ArrayShape) else None


def _path(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"[0-9]{1,9}", text))
