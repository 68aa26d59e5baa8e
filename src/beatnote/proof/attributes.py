"""Which of an instruction's attributes matter to what it computes."""

from __future__ import annotations

from beatnote.hlo.calls import CALL_LISTS, CALLS
from beatnote.hlo.module import Instruction

IGNORED = frozenset(
    (
        *CALLS,
        *CALL_LISTS,
        "control-predecessors",
        "frontend_attributes",
        "indices_are_sorted",
        "metadata",
        "origin",
        "parameter_replication",
        "sharding",
        "stack_frame_id",
        "statistics",
        "unique_indices",
    )
)
"""Attributes that do not change what an unexplained operation computes, or that are looked into instead."""

HOW_EXACTLY = {"algorithm": "dot_unset", "operand_precision": "{default,default}"}
"""Attributes of dot and convolution that say how exactly they multiply, with what they are where nothing is said."""

KEPT_OF_CUSTOM_CALLS = frozenset({"frontend_attributes", "sharding"})
"""What only a custom call may take its meaning from, such as one that takes an array apart into shards."""


def how_exactly(instruction: Instruction) -> tuple[tuple[str, str], ...]:
    """Return what a dot or convolution says of how exactly it multiplies, () where that is as usual."""
    found = instruction.attributes
    return tuple((n, found[n]) for n, usual in HOW_EXACTLY.items() if found.get(n, usual) != usual)


def compared_attributes(instruction: Instruction) -> tuple[tuple[str, str], ...]:
    """Return the attributes in which two instructions must agree to compute the same, but for `how_exactly`."""
    ignored = IGNORED
    if instruction.opcode in ("dot", "convolution"):
        ignored = IGNORED | HOW_EXACTLY.keys()
    elif instruction.opcode == "custom-call":
        ignored = IGNORED - KEPT_OF_CUSTOM_CALLS
    return tuple(
        sorted((n, "" if n == "channel_id" else v) for n, v in instruction.attributes.items() if n not in ignored)
    )  # that there is a channel makes a collective one of partitions, which channel does not matter
