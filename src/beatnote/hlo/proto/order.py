"""The order in which XLA prints computations and scheduled instructions, which is not that of the messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Instruction


def printed_order(calls: Mapping[int, Sequence[int]]) -> list[int]:
    """Order computations so that those that are called stand before those that call them, depth first.

    Args:
        calls: for each computation those that its instructions call, in the order of the instructions' ids.

    Raises:
        ProtoError: some call each other in a circle.
    """
    called = {number for numbers in calls.values() for number in numbers}
    order: dict[int, None] = {}
    for number in sorted(calls):
        if number not in called:
            _add_below(number, calls, order)
    if len(order) < len(calls):
        raise ProtoError("computations call each other in a circle")
    return list(order)


def _add_below(top: int, calls: Mapping[int, Sequence[int]], order: dict[int, None]) -> None:
    """Add what one computation calls, directly or not, and then itself, to the order."""
    visited = {top}
    path: list[tuple[int, Iterator[int]]] = [(top, iter(calls[top]))]
    while path:
        number, rest = path[-1]
        below = next((one for one in rest if one not in visited and one not in order), None)
        if below is None:
            order[number] = None
            path.pop()
        else:
            visited.add(below)
            path.append((below, iter(calls[below])))


def scheduled(found: Mapping[int, Instruction], schedule: Sequence[int]) -> list[Instruction]:
    """Bring instructions into the order in which they are to run.

    Raises:
        ProtoError: that is no order of them, or one runs before an operand.
    """
    if len(schedule) != len(found) or set(schedule) != set(found):
        raise ProtoError("its schedule should hold each of its instructions once")
    instructions = [found[number] for number in schedule]
    above: set[str] = set()
    for instruction in instructions:
        if not above.issuperset(instruction.operands):
            raise ProtoError(f"its schedule runs {instruction.name!r} before an operand")
        above.add(instruction.name)
    return instructions
