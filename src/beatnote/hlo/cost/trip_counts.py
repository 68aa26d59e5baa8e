"""How often a while loop turns, where its text says so.

Either the compiler has written it down (`known_trip_count`), or the loop counts: a carried whole number begins at a
constant, changes by a constant each turn, and the condition compares it with a constant. Values are followed through
tuples, conversions, copies, fusions and calls. Where anything else is met, the count is not known.
"""

from __future__ import annotations

import re

import msgspec

from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape

_KNOWN = re.compile(r'"known_trip_count":\s*\{\s*"n":\s*"?([0-9]{1,19})"?')
_INTEGER = re.compile(r"\{?\s*(-?[0-9]{1,19})\s*\}?")
_MAX_STEPS = 64
_MIRRORED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "NE": "NE", "EQ": "EQ"}
_SAME = frozenset({"bitcast", "convert", "copy", "reshape"})


class _Counter(msgspec.Struct, frozen=True):
    """A whole number: a constant, or an element of the loop's carry plus a constant."""

    offset: int
    carry: int | None = None


class _Place(msgspec.Struct, frozen=True):
    """An instruction, and the place it was called from: (caller, operands), innermost first."""

    computation: Computation
    name: str
    callers: tuple[_Place, ...] = ()


def trip_count(module: Module, computation: Computation, loop: Instruction) -> int | None:
    """Return how often the body of a while loop is run, None where that is not known.

    Args:
        module: the program.
        computation: the one in which the loop stands.
        loop: the while instruction.
    """
    known = _KNOWN.search(loop.attributes_text.replace("\\", ""))
    if known:
        return int(known.group(1))
    try:
        return _counted(module, computation, loop)
    except (LookupError, ValueError):  # an attribute or an operand that should be there is not
        return None


def _counted(module: Module, computation: Computation, loop: Instruction) -> int | None:
    condition = module.computation(_named(loop, "condition"))
    body = module.computation(_named(loop, "body"))
    compare, callers = _through_calls(module, _Place(condition, condition.root))
    if compare.opcode != "compare" or len(compare.operands) != 2:
        return None
    sides = [_counter(module, _Place(callers.computation, name, callers.callers)) for name in compare.operands]
    direction = compare.attributes.get("direction", "")
    left, right = sides
    if left is None or right is None or direction not in _MIRRORED:
        return None
    if left.carry is None:
        left, right, direction = right, left, _MIRRORED[direction]
    if left.carry is None:
        return None
    start = _carried(module, _Place(computation, loop.operands[0]), left.carry)
    step = _carried(module, _Place(body, body.root), left.carry)
    limit = right
    if right.carry is not None:  # a limit that is carried along and never changes
        kept = _carried(module, _Place(body, body.root), right.carry)
        if kept != _Counter(0, right.carry):
            return None
        first = _carried(module, _Place(computation, loop.operands[0]), right.carry)
        if first is None or first.carry is not None:
            return None
        limit = _Counter(first.offset + right.offset)
    if start is None or start.carry is not None or step is None or step.carry != left.carry:
        return None
    count = _turns(start.offset + left.offset, step.offset, limit.offset, direction)
    return count if count is not None and _fits(loop, left.carry, start.offset + step.offset * count) else None


def _turns(start: int, step: int, limit: int, direction: str) -> int | None:
    """Count the turns of a counter until its comparison fails."""
    if step < 0:
        start, step, limit, direction = -start, -step, -limit, _MIRRORED[direction]
    if direction == "LE":
        limit, direction = limit + 1, "LT"
    if direction == "LT":
        if start >= limit:
            return 0
        return -(-(limit - start) // step) if step else None
    if direction == "NE" and step and start <= limit and not (limit - start) % step:
        return (limit - start) // step
    return None


def _fits(loop: Instruction, carry: int, last: int) -> bool:
    """Whether the counter's last value is one of its type: one that wraps does not count so."""
    shapes = getattr(loop.shape, "elements", (loop.shape,))
    shape = shapes[carry] if carry < len(shapes) else None
    if not isinstance(shape, ArrayShape):
        return False
    element = ELEMENT_TYPES[shape.element_type]
    if element.kind not in ("signed", "unsigned"):
        return False
    low = 0 if element.kind == "unsigned" else -(1 << (element.bits - 1))
    return low <= last < low + (1 << element.bits)


def _carried(module: Module, place: _Place, number: int) -> _Counter | None:
    """Follow one element of a tuple, or what is carried alone."""
    found, place = _through_calls(module, place)
    if isinstance(found.shape, ArrayShape):
        return _counter(module, _Place(place.computation, found.name, place.callers))
    if found.opcode != "tuple":
        return None
    return _counter(module, _Place(place.computation, found.operands[number], place.callers))


def _counter(module: Module, place: _Place, steps: int = _MAX_STEPS) -> _Counter | None:
    """Follow a value back to a constant or to the loop's carry; None for whatever else it is."""
    if steps < 1:
        return None
    found, place = _through_calls(module, place)
    if found.opcode == "constant":
        value = _INTEGER.fullmatch(found.literal or "")
        return _Counter(int(value.group(1))) if value else None
    if found.opcode in _SAME:
        return _counter(module, _Place(place.computation, found.operands[0], place.callers), steps - 1)
    if found.opcode in ("add", "subtract"):
        left, right = (
            _counter(module, _Place(place.computation, name, place.callers), steps // 2) for name in found.operands
        )
        if left is None or right is None or right.carry is not None:
            swapped = found.opcode == "add" and left is not None and left.carry is None
            if not swapped or right is None or left is None:
                return None
            left, right = right, left
        sign = 1 if found.opcode == "add" else -1
        return _Counter(left.offset + sign * right.offset, left.carry)
    if found.opcode == "parameter" and isinstance(found.shape, ArrayShape):
        return _Counter(0, 0)
    if found.opcode == "get-tuple-element":
        number = _index(found)
        source, inner = _through_calls(module, _Place(place.computation, found.operands[0], place.callers))
        if source.opcode == "parameter" and not inner.callers:
            return _Counter(0, number)
        if source.opcode == "tuple":
            return _counter(module, _Place(inner.computation, source.operands[number], inner.callers), steps - 1)
    return None


def _through_calls(module: Module, place: _Place) -> tuple[Instruction, _Place]:
    """Step into calls and fusions to what they return, and out of them to what they were given."""
    for _ in range(_MAX_STEPS):
        found = place.computation[place.name]
        if found.opcode in ("call", "fusion"):
            callee = module.computation(_named(found, "to_apply" if found.opcode == "call" else "calls"))
            place = _Place(callee, callee.root, (place, *place.callers))
        elif found.opcode == "parameter" and place.callers:
            outer, *rest = place.callers
            call = outer.computation[outer.name]
            place = _Place(outer.computation, call.operands[found.parameter_number or 0], tuple(rest))
        else:
            return found, place
    raise LookupError(place.name)


def _index(instruction: Instruction) -> int:
    written = instruction.attributes["index"]
    if not _INTEGER.fullmatch(written) or int(written) < 0:
        raise LookupError(written)
    return int(written)


def _named(instruction: Instruction, attribute: str) -> str:
    return instruction.attributes[attribute].strip().lstrip("%")
