"""Recording a function that JAX compiles, in this process.

Tracing, lowering and compiling are the three stages of `jax.jit`, timed one by one. The first step is the first
call of the jitted function, which finds its compiled program in JAX's cache; a step is such a call and
`block_until_ready` on every output. A small program is compiled beforehand, so that what a process pays once is in
no phase; library functions that were traced before in this process are still traced faster.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from beatnote.execute import jaxlib_private
from beatnote.execute.frameworks import require
from beatnote.hlo.text import parse
from beatnote.record.live import Live
from beatnote.record.machine import flags_set, this_machine, versions_of
from beatnote.record.timing import timed, times_of
from beatnote.runs.run import Phases, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def record(function: Callable[..., Any], arguments: Sequence[np.ndarray], *, name: str = "", steps: int = 30) -> Live:
    """Jit a function, run it and write down what happened.

    Args:
        function: of JAX arrays, not jitted; returns arrays in any nesting.
        arguments: one array a parameter.
        name: what the run is called; the function's name where it is empty.
        steps: how many steady steps to time, after as many again to warm up, at most five.

    Raises:
        MissingFrameworkError: JAX is not installed.
    """
    jax = import_jax()
    _start(jax)
    jitted = _jit(function)
    placed = [jax.device_put(argument) for argument in arguments]

    def step() -> None:
        for output in jax.tree.leaves(jitted(*placed)):
            output.block_until_ready()

    traced, tracing_s = timed(lambda: jitted.trace(*placed))
    lowered, lowering_s = timed(traced.lower)
    compiled, compiling_s = timed(lowered.compile)
    _, first_step_s = timed(step)
    times_of(step, min(steps, 5))
    name = name or getattr(function, "__name__", "function")
    run = Run(
        name=name,
        framework="jax",
        versions=versions_of("jax", "jaxlib", "numpy"),
        flags=flags_set(),
        machine=this_machine(),
        phases=Phases(tracing_s, lowering_s, compiling_s, first_step_s),
        steps_s=times_of(step, steps),
        before=parse(lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True), name=f"{name} before"),
        after=parse(_after_optimisation(compiled), name=f"{name} after"),
    )
    empty = _empty(lowered.out_info)

    def call(inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [np.asarray(output) for output in jax.tree.leaves(jitted(*inputs))]

    def empty_step() -> None:
        for output in jax.tree.leaves(empty(*placed)):
            output.block_until_ready()

    return Live(run, tuple(np.asarray(argument) for argument in placed), call, step, empty_step)


def import_jax() -> Any:
    """Import JAX.

    Raises:
        MissingFrameworkError: JAX is not installed.
    """
    return require("jax")


@functools.cache
def _start(jax: Any) -> None:
    """Compile and run something, once a process."""
    jax.jit(lambda x: x + 1)(0.0).block_until_ready()


def _jit(function: Callable[..., Any]) -> Any:
    """Make a jit of its own, so that an earlier one of the same function leaves it nothing in JAX's caches.

    Unused arguments are kept: parameter i of the program is argument i.
    """

    @functools.wraps(function)
    def fresh(*arguments: Any) -> Any:
        return function(*arguments)

    return import_jax().jit(fresh, keep_unused=True)


def _empty(outputs: Any) -> Any:
    """Jit a function that takes what the program takes and returns zeros of its outputs' shapes."""
    jax = import_jax()
    return _jit(lambda *_: jax.tree.map(lambda output: jax.numpy.zeros(output.shape, output.dtype), outputs))


def _after_optimisation(compiled: Any) -> str:
    loaded = compiled.runtime_executable()
    return jaxlib_private.full_text(jaxlib_private.optimized_module(loaded))
