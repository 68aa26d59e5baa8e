"""What makes two programs look different without mattering: counted by rule, for each side.

Each rule is a row: what it is called and why it does not matter.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from beatnote.hlo.attributes import integers
from beatnote.hlo.calls import called_computations
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ArrayShape
from beatnote.proof.terms import as_constant
from beatnote.proof.translate import Translation, live_names
from beatnote.proof.value import Value, Values

RULES: dict[str, str] = {
    "dead-code": "computed, but no output depends on it",
    "identity-reshape": "reshape to the same shape",
    "unit-dimension": "reshape or broadcast that only adds or drops dimensions of extent 1",
    "identity-transpose": "transpose that moves nothing, or only dimensions of extent 1",
    "identity-convert": "convert to the same type",
    "identity-broadcast": "broadcast to the same shape",
    "copy": "copy of a value",
    "call-inlined": "call of a computation; its body counts, not the call",
    "tuple-wrapping": "tuple or get-tuple-element; values are passed on",
    "one-element-reduce": "reduction over dimensions of extent 1",
    "power-of-one": "pow(x, 1) is x",
    "multiply-by-one": "x·1 is x",
    "add-zero": "x + 0 is x",
    "infinite-bound": "max(x, −inf) or min(x, inf) is x",
    "constant-select": "select whose condition is known",
    "repeated-value": "computed a second time",
    "join-sums": "sums over sums taken as one sum",
    "factor-out-of-sum": "a factor that does not depend on the index taken out of its sum",
    "one-hot-sum": "a sum over [index = position] read as the element at that position",
    "split-into-cases": "a comparison of a selection, taken case by case",
    "exp-of-sum": "exp(a + b) is exp(a)·exp(b)",
    "log-of-product": "log(a·b) is log(a) + log(b)",
}
"""Rule -> why it does not matter; the last six are steps of algebra, the others are instructions."""


NOT_WORTH_A_NAME = frozenset({"parameter", "constant", "broadcast", "tuple", "get-tuple-element"})


def count_rules(module: Module, translation: Translation) -> Counter[str]:
    """Count the instructions of a program that each rule accounts for."""
    rules: Counter[str] = Counter()
    seen: set[object] = set()
    for computation in _reached(module):
        live = live_names(computation)
        for instruction in computation.instructions:
            if instruction.name not in live:
                rules["dead-code"] += instruction.opcode != "parameter"
                continue
            rule = _rule(instruction, computation, translation)
            if rule is not None:
                rules[rule] += 1
            elif _is_repeated(instruction, translation.values.get((computation.name, instruction.name)), seen):
                rules["repeated-value"] += 1
    return +rules


def dead_scopes(module: Module) -> tuple[str, ...]:
    """Name what a program computes for no output, in the model's words: `Sum`, `integer_pow`."""
    names: dict[str, None] = {}
    for computation in _reached(module):
        live = live_names(computation)
        for instruction in computation.instructions:
            if instruction.name not in live and instruction.opcode not in NOT_WORTH_A_NAME:
                scope = instruction.metadata.get("op_name", "").split("[")[0].rstrip("/")
                names[scope.rpartition("/")[2] or instruction.opcode] = None
    return tuple(names)


def _reached(module: Module) -> list[Computation]:
    """List the entry and what is inlined from it, each once; reducers and loop bodies are not inlined."""
    found = {module.entry.name: module.entry}
    stack = [module.entry]
    while stack:
        for instruction in stack.pop().instructions:
            for name in called_computations(instruction) if instruction.opcode in ("call", "fusion") else ():
                if name not in found:
                    found[name] = module.computation(name)
                    stack.append(found[name])
    return list(found.values())


def _is_repeated(instruction: Instruction, value: Values | None, seen: set[object]) -> bool:
    if instruction.opcode in ("parameter", "constant", "iota", "broadcast") or not isinstance(value, Value):
        return False
    key = (value.poly, value.extents, value.dtype)
    if key in seen or as_constant(value.poly) is not None:
        return key in seen
    seen.add(key)
    return False


def _rule(instruction: Instruction, computation: Computation, translation: Translation) -> str | None:
    opcode = instruction.opcode
    if opcode in ("tuple", "get-tuple-element"):
        return "tuple-wrapping"
    if opcode in ("call", "fusion"):
        return "call-inlined"
    if opcode == "copy":
        return "copy"
    if not isinstance(instruction.shape, ArrayShape):
        return None
    values = [translation.values.get((computation.name, name)) for name in instruction.operands]
    if not values or not all(isinstance(value, Value) for value in values):
        return None
    operands = [value for value in values if isinstance(value, Value)]
    return _view_rule(instruction, instruction.shape, operands) or _arithmetic_rule(opcode, operands)


def _view_rule(instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> str | None:
    opcode, before, after = instruction.opcode, operands[0].extents, shape.dimensions
    real = [extent for extent in before if extent != 1]
    if opcode in ("reshape", "broadcast") and before == after:
        return f"identity-{opcode}"
    if opcode in ("reshape", "broadcast") and real == [extent for extent in after if extent != 1]:
        return "unit-dimension"
    if opcode == "transpose":
        order = [axis for axis in integers(instruction.attributes["dimensions"]) if before[axis] != 1]
        return "identity-transpose" if order == sorted(order) else None
    if opcode == "convert" and operands[0].dtype == shape.element_type:
        return "identity-convert"
    if opcode == "reduce" and len(operands) == 2:
        reduced = integers(instruction.attributes["dimensions"])
        return "one-element-reduce" if all(before[axis] == 1 for axis in reduced) else None
    return None


def _arithmetic_rule(opcode: str, operands: list[Value]) -> str | None:
    constants = [None if value.special else as_constant(value.poly) for value in operands]
    if opcode == "power" and constants[1] == 1:
        return "power-of-one"
    if (opcode == "multiply" and Fraction(1) in constants) or (opcode == "divide" and constants[1] == 1):
        return "multiply-by-one"
    if (opcode == "add" and 0 in constants) or (opcode == "subtract" and constants[1] == 0):
        return "add-zero"
    bound = {"maximum": "-inf", "minimum": "inf"}.get(opcode)
    if bound is not None and any(value.special == bound for value in operands):
        return "infinite-bound"
    if opcode == "select" and constants[0] is not None:
        return "constant-select"
    return None
