"""Compiling programs for a chip that is not here, with the chip's real compiler, in a process of its own.

TPUs by `libtpu`, which opens a topology of any size without a device. What comes back is the program as the chip
would run it, and what XLA itself expects of it; nothing is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import msgspec

from beatnote.execute import jaxlib_private
from beatnote.execute.child import ChildError, call_in_child
from beatnote.execute.cpu import first_cause
from beatnote.execute.errors import ExecutionError, MissingFrameworkError
from beatnote.execute.frameworks import is_installed, not_installed
from beatnote.execute.prepare import runnable
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Module
from beatnote.hlo.text import parse, render

SMALLEST = {"v2": "2x2", "v3": "2x2", "v4": "2x2x1", "v5e": "2x2", "v5p": "2x2x1", "v6e": "2x2", "tpu7x": "2x2x1"}
"""The smallest topology of each TPU that libtpu opens, taken where a target names none."""

_ENVIRONMENT = {"JAX_PLATFORMS": "cpu", "TPU_SKIP_MDS_QUERY": "1", "ALLOW_MULTIPLE_LIBTPU_LOAD": "1"}
"""No device is looked for, nobody is asked over the network for one, and others may compile at the same time."""


class TargetError(ValueError):
    """A target that cannot be understood; the message says what one looks like."""


class Target(msgspec.Struct, frozen=True):
    """A chip to compile for.

    Attributes:
        text: `tpu:v4:2x2x1`.
        topology: as libtpu takes it, `v4:2x2x1`.
    """

    text: str
    topology: str


class Compiled(msgspec.Struct, frozen=True):
    """A program compiled for a chip, and what XLA expects of it.

    Attributes:
        module: after the compiler's passes, scheduled.
        compile_s: how long it took here.
        flops: by XLA's count.
        transcendentals: the same of exp, log and the like.
        bytes_accessed: read and written by every instruction.
        optimal_s: the time that XLA's cost model expects; None where it gives none, or one that is not positive.
        arguments_bytes: of the inputs, as laid out on the chip.
        outputs_bytes: of the outputs.
        temporaries_bytes: of memory used on the way.
        code_bytes: of the program.
    """

    module: Module
    compile_s: float
    flops: float
    transcendentals: float
    bytes_accessed: float
    optimal_s: float | None
    arguments_bytes: int
    outputs_bytes: int
    temporaries_bytes: int
    code_bytes: int


def parse_target(text: str) -> Target:
    """Read a target such as `tpu:v3:2x2`; without a topology the smallest is taken.

    Raises:
        TargetError: it names no chip known here.
    """
    found = re.fullmatch(r"tpu:(\w+)(?::(\d+(?:x\d+){1,2}))?", text)
    if not found or found.group(1) not in SMALLEST:
        raise TargetError(
            f"no target {text!r}; targets are tpu:CHIP or tpu:CHIP:TOPOLOGY, such as tpu:v4:2x2x1, "
            f"with CHIP one of {', '.join(SMALLEST)}"
        )
    chip, topology = found.groups()
    return Target(text, f"{chip}:{topology or SMALLEST[chip]}")


def require_compiler() -> None:
    """Make sure that the TPU compiler can be loaded.

    Raises:
        MissingFrameworkError: JAX or libtpu is not installed.
    """
    for package in ("jax", "libtpu"):
        if not is_installed(package):
            raise MissingFrameworkError(not_installed(package, extra="tpu"))


def compile_for(
    target: Target, modules: Sequence[Module], tell: Callable[[str], object]
) -> tuple[Compiled | ExecutionError, ...]:
    """Compile programs for one device of a chip, whatever the compiler does in its process.

    Args:
        target: the chip.
        modules: programs from before optimisation.
        tell: told what is being done.

    Returns:
        For each program what came out, or why nothing did.
    """
    try:
        return call_in_child(_compiled, target, tuple(modules), what=f"the compiler for {target.text}", tell=tell)
    except (ChildError, ExecutionError) as error:
        return (ExecutionError(str(error)),) * len(modules)


def _compiled(
    target: Target, modules: Sequence[Module], tell: Callable[[str], object]
) -> tuple[Compiled | ExecutionError, ...]:
    os.environ.update(_ENVIRONMENT)
    try:
        device = jaxlib_private.tpu_devices(target.topology)[0]
    except Exception as error:  # jax, jaxlib and libtpu each raise their own
        raise ExecutionError(f"libtpu does not open {target.text}: {first_cause(str(error))}") from None
    return tuple(_one(device, module, f"{target.text}, {module.name}", tell) for module in modules)


def _one(device: Any, module: Module, name: str, tell: Callable[[str], object]) -> Compiled | ExecutionError:
    tell(f"compiling for {name}")
    started = perf_counter()
    try:
        executable = jaxlib_private.compile_only(jaxlib_private.bytecode_from_text(render(runnable(module))), device)
    except ExecutionError as error:
        return error
    except Exception as error:
        return ExecutionError(f"the compiler refuses {module.name}: {first_cause(str(error))}")
    compile_s = perf_counter() - started
    try:
        compiled = parse(jaxlib_private.full_text(jaxlib_private.optimized_module(executable)), name=name)
    except HloSyntaxError as error:
        return ExecutionError(f"the compiler's program cannot be read: {error.message} (line {error.line})")
    costs = dict(executable.cost_analysis())
    memory = executable.get_compiled_memory_stats()
    optimal_s = costs.get("optimal_seconds", 0.0)
    return Compiled(
        compiled,
        compile_s,
        costs.get("flops", 0.0),
        costs.get("transcendentals", 0.0),
        costs.get("bytes accessed", 0.0),
        optimal_s if optimal_s > 0 else None,
        memory.argument_size_in_bytes,
        memory.output_size_in_bytes,
        memory.temp_size_in_bytes,
        memory.generated_code_size_in_bytes,
    )
