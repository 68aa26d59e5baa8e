"""What two programs are on a chip that is not here, in words and in rows: what the compiler made, what XLA expects."""

from __future__ import annotations

from beatnote.report.foreign import printable
from beatnote.report.quantities import duration, listed
from beatnote.targets import OnChip, OnTarget

_VERDICTS = {
    "identical": "the compiler makes one and the same program of both, up to names and metadata",
    "equal": "the compiler makes two programs, proven the same function over the reals",
    "equal-if": "the compiler makes two programs, proven the same function over the reals under conditions",
    "unknown": "the compiler makes two programs, which were not proven equal",
}
_MEASURES = (
    "flops, by XLA's count",
    "transcendentals, by XLA's count",
    "bytes accessed, by XLA's count",
    "time that XLA's model expects",
    "arguments",
    "outputs",
    "temporaries",
    "code",
)
_FREE = frozenset({"parameter", "tuple", "get-tuple-element", "constant", "bitcast"})
"""Opcodes that take no time."""


def target_sentence(target: OnTarget) -> str:
    """Say what became of both programs for a target."""
    if target.problem:
        return f"On {printable(target.target)}: {printable(target.problem)}"
    classes = f" ({listed(target.classes)})" if target.classes else ""
    return f"On {printable(target.target)}, compiled and not run: {_VERDICTS[target.verdict]}{classes}."


def target_rows(target: OnTarget) -> list[tuple[str, str, str]]:
    """List what is known of each program on the chip, a row of a name and both sides."""
    sides = [target.a, target.b]
    opcodes = dict.fromkeys(opcode for side in sides if side for opcode in side.opcodes if opcode not in _FREE)
    names = ["instructions", *(f"{printable(opcode)} in the entry" for opcode in opcodes), *_MEASURES]
    a, b = (
        [f"{side.instructions:,}", *(str(side.opcodes.get(opcode, "·")) for opcode in opcodes), *_measures(side)]
        if side
        else ["·"] * len(names)
        for side in sides
    )
    return list(zip(names, a, b, strict=True))


def _measures(side: OnChip) -> list[str]:
    counts = [f"{value:,.0f}" for value in (side.flops, side.transcendentals)]
    sizes = (side.arguments_bytes, side.outputs_bytes, side.temporaries_bytes, side.code_bytes)
    expected = "none given" if side.optimal_us is None else duration(side.optimal_us / 1e6, 4)
    return [*counts, f"{side.bytes_accessed:,.0f} B", expected, *(f"{size:,} B" for size in sizes)]
