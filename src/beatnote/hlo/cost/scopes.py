"""The model's own words for an instruction: the scope that frameworks write into `op_name`."""

from __future__ import annotations

import re

from beatnote.hlo.module import Instruction, Module

DEPTHS = (4, 3, 2)
"""How many words of a scope may tell parts of a model apart."""

MOST = 40
"""The fewest words are taken if more words give more parts than this."""

_WRAPPED = re.compile(r"(?:transpose|jvp|vmap|jit|pjit|remat|checkpoint|custom_jvp|custom_vjp)\(([^()]*)\)")
_CALLED = re.compile(r"p?jit\([^()]*\)")
_PARAMETERS = re.compile(r"\[\s.*?\s\](?=/|$)", re.DOTALL)
_STRUCTURE = frozenset({"body", "checkpoint", "closed_call", "cond", "gradient_tape", "rematted_computation", "while"})


def scopes_of(module: Module) -> dict[tuple[str, str], str]:
    """Return the part of the model that each instruction is of, by the names of its computation and its own.

    As many words of their scopes are taken as give no more than `MOST` parts. '' is the part of those without a scope.
    """
    words = {
        (computation.name, instruction.name): scope_words(instruction)
        for computation in module.computations
        for instruction in computation.instructions
    }
    few = (depth for depth in DEPTHS if len({found[:depth] for found in words.values()}) <= MOST)
    depth = next(few, DEPTHS[-1])
    return {place: "/".join(found[:depth]) for place, found in words.items()}


def scope_words(instruction: Instruction) -> tuple[str, ...]:
    """Return the words of an instruction's scope, without the operation itself.

    What transformations wrap around a scope (`transpose(jvp(Model))`, `gradient_tape/`) is taken off, so that a layer
    and its gradient are in one; so are loops and the compiled function (`jit(step)`).
    """
    op_name = instruction.metadata.get("op_name", "")
    if "/" not in op_name:
        return ()
    words = _PARAMETERS.sub("", op_name).split("/")[:-1]
    plain = [_unwrapped(word) for word in words if not _CALLED.fullmatch(word)]
    return tuple(word for word in plain if word and word not in _STRUCTURE)


def _unwrapped(word: str) -> str:
    for _ in range(16):
        word, found = _WRAPPED.subn(r"\1", word)
        if not found:
            break
    return word
