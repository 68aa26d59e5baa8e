"""Recording a function that TensorFlow compiles with XLA, in this process.

TensorFlow compiles inside the first call of a function, so its phases are timed where they can be reached:

- tracing: `get_concrete_function`;
- lowering: asking the traced function for its HLO before optimisation;
- first step: the second call, which is the first to find the program compiled;
- compiling: the first call less lowering, which it repeats, and less the second call; never below 0.

They add up to tracing and the first call. A small program is compiled beforehand, so that what a process pays once
is in no phase. A call returns when its outputs are computed as long as TensorFlow runs synchronously and on CPUs,
its default there; elsewhere a step also waits for all devices.
"""

from __future__ import annotations

import functools
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from beatnote.execute import jaxlib_private
from beatnote.execute.errors import MissingFrameworkError
from beatnote.execute.frameworks import require
from beatnote.hlo.text import parse
from beatnote.record.live import Live
from beatnote.record.machine import flags_set, this_machine, versions_of
from beatnote.record.quiet import quiet_native_log
from beatnote.record.timing import timed, times_of
from beatnote.runs.run import Phases, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from beatnote.hlo.module import Module


class CapturedValueError(ValueError):
    """A function that uses tensors or variables that are not among its arguments."""


def record(function: Callable[..., Any], arguments: Sequence[np.ndarray], *, name: str = "", steps: int = 30) -> Live:
    """Wrap a function in `tf.function(jit_compile=True)`, run it and write down what happened.

    Args:
        function: of tensors; returns tensors in any nesting.
        arguments: one array a parameter.
        name: what the run is called; the function's name where it is empty.
        steps: how many steady steps to time, after as many again to warm up, at most five.

    Raises:
        MissingFrameworkError: TensorFlow is not installed.
        CapturedValueError: the compiled program does not have one parameter an argument.
    """
    tf = import_tensorflow()
    _start(tf)
    jitted = tf.function(function, jit_compile=True)
    placed = [tf.constant(argument) for argument in arguments]
    step = _blocking(tf, jitted, placed)

    concrete, tracing_s = timed(lambda: jitted.get_concrete_function(*placed))
    ir = jitted.experimental_get_compiler_ir(*placed)
    _, lowering_s = timed(lambda: ir(stage="hlo_serialized"))
    _, first_call_s = timed(step)
    _, second_call_s = timed(step)
    compiling_s = max(0.0, first_call_s - lowering_s - second_call_s)
    times_of(step, min(steps, 5))
    name = name or getattr(function, "__name__", "function")
    run = Run(
        name=name,
        framework="tensorflow",
        versions=versions_of("tensorflow", "tensorflow-cpu", "keras", "numpy"),
        flags=flags_set(),
        machine=this_machine(),
        phases=Phases(tracing_s, lowering_s, compiling_s, second_call_s),
        steps_s=times_of(step, steps),
        before=_module(ir, "hlo", f"{name} before"),
        after=_module(ir, "optimized_hlo", f"{name} after"),
    )
    if len(run.before.entry.parameters) != len(placed):
        raise CapturedValueError(
            f"{name} takes {len(placed)} arguments, its program {len(run.before.entry.parameters)} parameters: "
            "every tensor and variable it uses should be an argument, and no argument may decide a shape"
        )

    def call(inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [output.numpy() for output in tf.nest.flatten(jitted(*map(tf.constant, inputs)))]

    empty = _blocking(tf, _empty(tf, concrete), placed)
    return Live(run, tuple(argument.numpy() for argument in placed), call, step, empty)


def import_tensorflow() -> Any:
    """Import TensorFlow without its start-up log.

    Raises:
        MissingFrameworkError: TensorFlow is not installed.
    """
    if "tensorflow" in sys.modules:
        return require("tensorflow")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # errors stay
    with quiet_native_log():
        return require("tensorflow")


@functools.cache
def _start(tf: Any) -> None:
    """Compile and run something, once a process."""
    tf.function(lambda x: x + 1, jit_compile=True, autograph=False)(tf.constant(0.0))


def _blocking(tf: Any, function: Callable[..., Any], placed: Sequence[Any]) -> Callable[[], None]:
    """Make a call of the function on tensors that returns when its outputs are computed."""
    if tf.config.experimental.get_synchronous_execution() and not tf.config.list_physical_devices("GPU"):

        def step() -> None:
            function(*placed)
    else:

        def step() -> None:
            function(*placed)
            tf.test.experimental.sync_devices()

    return step


def _empty(tf: Any, concrete: Any) -> Callable[..., Any]:
    """Compile a function that takes what the program takes and returns zeros of its outputs' shapes."""
    outputs = concrete.structured_outputs

    def zeros(*arguments: Any) -> Any:
        return tf.nest.map_structure(lambda output: tf.zeros(output.shape, output.dtype), outputs)

    return tf.function(zeros, jit_compile=True, autograph=False)


def _module(ir: Callable[..., Any], stage: str, name: str) -> Module:
    """Read the program of a stage; constants that TensorFlow's text leaves out come from the proto, by jaxlib.

    Without jaxlib they stay marked as elided.
    """
    text = ir(stage=stage)
    if "{...}" in text:
        with suppress(MissingFrameworkError):
            text = jaxlib_private.full_text_of_proto(ir(stage=f"{stage}_serialized"))
    return parse(text, name=name)
