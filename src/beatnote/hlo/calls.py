"""Which computations an instruction refers to, and the order in which computations build on each other."""

from __future__ import annotations

from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Computation, Instruction, Module

CALLS = ("to_apply", "calls", "condition", "body", "true_computation", "false_computation", "select", "scatter")
CALL_LISTS = ("branch_computations", "called_computations")


def called_computations(instruction: Instruction) -> tuple[str, ...]:
    """Names of the computations an instruction refers to, in a fixed order of its attributes."""
    attributes = instruction.attributes
    names = [attributes[name] for name in CALLS if name in attributes]
    for name in CALL_LISTS:
        names += [part for part in attributes.get(name, "").strip("{}").split(",") if part.strip()]
    return tuple(name.strip().lstrip("%") for name in names)


def callees_first(module: Module) -> tuple[Computation, ...]:
    """List the computations that the entry needs, itself last, each behind all it refers to.

    Raises:
        CostError: there is no entry, a computation refers to one that is not there, or to itself by whatever way.
    """
    if module.entry_name not in {computation.name for computation in module.computations}:
        raise CostError(f"module {module.name!r} has no computation to begin with")
    done: dict[str, Computation] = {}
    open_names: set[str] = set()
    pending = [module.entry_name]
    while pending:
        name = pending[-1]
        if name in done:
            pending.pop()
            continue
        computation = _find(module, name)
        missing = [called for called in _called(computation) if called not in done]
        if not missing:
            done[name] = computation
            open_names.discard(name)
            pending.pop()
            continue
        if name in open_names or name in missing:
            raise CostError(f"computation {name!r} refers to itself, by way of {missing[0]!r}")
        open_names.add(name)
        pending.extend(missing)
    return tuple(done.values())


def _called(computation: Computation) -> dict[str, None]:
    return {
        name: None
        for instruction in computation.instructions
        if "=" in instruction.attributes_text
        for name in called_computations(instruction)
    }


def _find(module: Module, name: str) -> Computation:
    try:
        return module.computation(name)
    except KeyError:
        raise CostError(f"computation {name!r} is referred to, but is not in the module") from None
