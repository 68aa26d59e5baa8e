"""The model's own words for an instruction: the scope that frameworks write into `op_name`."""

from __future__ import annotations

import re

from beatnote.hlo.module import Instruction

DEPTH = 2
"""How many words of a scope tell parts of a model apart."""

_WRAPPED = re.compile(r"(?:transpose|jvp|vmap|jit|pjit|remat|checkpoint|custom_jvp|custom_vjp)\(([^()]*)\)")
_CALLED = re.compile(r"p?jit\([^()]*\)")
_PARAMETERS = re.compile(r"\[\s.*?\s\](?=/|$)", re.DOTALL)
_STRUCTURE = frozenset({"body", "checkpoint", "closed_call", "cond", "gradient_tape", "rematted_computation", "while"})


def scope_of(instruction: Instruction, depth: int = DEPTH) -> str:
    """Return the first words of an instruction's scope, without the operation itself; '' where it has none.

    What transformations wrap around a scope (`transpose(jvp(Model))`, `gradient_tape/`) is taken off, so that a layer
    and its gradient are in one; so are loops and the compiled function (`jit(step)`).
    """
    op_name = instruction.metadata.get("op_name", "")
    if "/" not in op_name:
        return ""
    words: list[str] = []
    for word in _PARAMETERS.sub("", op_name).split("/")[:-1]:
        if _CALLED.fullmatch(word):
            continue
        plain = _unwrapped(word)
        if plain and plain not in _STRUCTURE:
            words.append(plain)
    return "/".join(words[:depth])


def _unwrapped(word: str) -> str:
    for _ in range(16):
        word, found = _WRAPPED.subn(r"\1", word)
        if not found:
            break
    return word
