"""Collectives: how many devices take part, and how many bytes each of them sends.

Bytes sent are those of the ring and pairwise algorithms, which are the fewest that any algorithm without help from the
network can send: source, NCCL tests, doc/PERFORMANCE.md, "bus bandwidth".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from beatnote.hlo.cost.opcodes import COLLECTIVES
from beatnote.hlo.cost.sizes import bytes_of
from beatnote.hlo.module import Instruction, Module
from beatnote.hlo.shapes import Shape

SENT: dict[str, Callable[[int], Fraction]] = {
    "all-reduce": lambda n: Fraction(2 * (n - 1), n),  # reduce-scatter, then all-gather
    "all-gather": lambda n: Fraction(n - 1, n),  # of the result
    "reduce-scatter": lambda n: Fraction(n - 1, n),  # of the operands
    "all-to-all": lambda n: Fraction(n - 1, n),  # every part but one's own
    "ragged-all-to-all": lambda n: Fraction(n - 1, n),
    "collective-broadcast": lambda n: Fraction(1 if n > 1 else 0),
    "collective-permute": lambda n: Fraction(1),
}
"""Bytes a device sends, as a part of the larger of operands and result, among n devices."""

_FIRST_GROUP = re.compile(r"\{\{([0-9,\s]*)\}")
_IOTA = re.compile(r"\[([0-9]{1,18}),([0-9]{1,18})\]<=")


class Collective(msgspec.Struct, frozen=True):
    """What a collective moves, once.

    Attributes:
        opcode: without `-start`.
        payload_bytes: the larger of operands and result, on one device.
        group_size: devices that take part in one group; None where neither it nor the module says.
        sent_bytes: by one device; None where the group size is not known.
    """

    opcode: str
    payload_bytes: int
    group_size: int | None
    sent_bytes: int | None


def collective_of(
    instruction: Instruction, opcode: str, operands: Sequence[Shape], result: Shape, devices: int | None
) -> Collective | None:
    """Describe a collective; None for other opcodes.

    Args:
        instruction: whatever it is.
        opcode: its own, without `-start`.
        operands: the shapes of its operands.
        result: the shape of what it computes.
        devices: of the whole program, where that is known.
    """
    if opcode not in COLLECTIVES:
        return None
    size = _group_size(instruction, opcode, devices)
    payload = max(sum(map(bytes_of, operands)), bytes_of(result))
    sent = None if size is None else int(payload * SENT[opcode](max(1, size)))
    return Collective(opcode, payload, size, sent)


def device_count(module: Module) -> int | None:
    """Return how many devices a program is for: replicas × partitions, None where it does not say."""
    attributes = module.attributes
    found = [attributes.get(name, "") for name in ("replica_count", "num_partitions")]
    if not any(found):
        return None
    replicas, partitions = (int(text[:9]) if text.isdecimal() else 1 for text in found)
    return replicas * partitions


def _group_size(instruction: Instruction, opcode: str, devices: int | None) -> int | None:
    attributes = instruction.attributes
    if opcode == "collective-permute":
        return 2
    groups = attributes.get("replica_groups", "")
    iota = _IOTA.match(groups)
    if iota:
        return int(iota.group(2))
    listed = _FIRST_GROUP.match(groups)
    if listed and listed.group(1).strip():
        return listed.group(1).count(",") + 1
    return devices
