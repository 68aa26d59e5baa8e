"""Compiling and running one HLO program under jaxlib on this machine's CPU, whoever made it.

What is done to a program first is in `prepare`; the calls into jaxlib are in `jaxlib_private`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from beatnote.execute import jaxlib_private
from beatnote.execute.empty import empty_program
from beatnote.execute.errors import ExecutionError
from beatnote.execute.frameworks import require
from beatnote.execute.inputs import check_inputs, random_inputs
from beatnote.execute.prepare import output_shapes, parameter_shapes, runnable
from beatnote.hlo.text import parse, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from beatnote.hlo.module import Module


class Executable:
    """A program compiled for the CPU, which keeps inputs in place for its steps.

    Attributes:
        module: what is run, as `prepare.runnable` left it.
        parameters: shapes of its inputs, tuples flattened.
        results: shapes of its outputs, tuples flattened.
        inputs: what `step` uses and `run` uses when given none.
    """

    def __init__(self, module: Module, inputs: Sequence[np.ndarray] | None = None) -> None:
        self.module = runnable(module)
        self.parameters = parameter_shapes(self.module)
        self.results = output_shapes(self.module)
        self.inputs = tuple(random_inputs(self.module, seed=0) if inputs is None else inputs)
        check_inputs(self.inputs, self.parameters)
        self._program = _load(self.module)

    def run(self, inputs: Sequence[np.ndarray] | None = None) -> list[np.ndarray]:
        """Return the outputs for some inputs, tuples flattened.

        Raises:
            InputError: the inputs do not fit the parameters.
            ExecutionError: the program fails while it runs.
        """
        if inputs is None:
            placed = self._placed
        else:
            check_inputs(inputs, self.parameters)
            placed = _place(inputs)
        with _one_line("the program fails"):
            return [np.asarray(output) for output in jaxlib_private.execute(self._program, placed)]

    def step(self) -> None:
        """Run once on the inputs in place and wait for every output."""
        for output in jaxlib_private.execute(self._program, self._placed):
            output.block_until_ready()

    def empty_step(self) -> None:
        """Like `step`, but of the empty program of this signature: the cost of calling one."""
        for output in jaxlib_private.execute(self._empty, self._placed):
            output.block_until_ready()

    @cached_property
    def _placed(self) -> list[Any]:
        return _place(self.inputs)

    @cached_property
    def _empty(self) -> Any:
        return _load(empty_program(self.parameters, self.results))


def compile_program(program: Module | str, inputs: Sequence[np.ndarray] | None = None) -> Executable:
    """Compile a program from before optimisation; of several in one text, the first.

    Args:
        program: a module, or HLO text.
        inputs: arrays for its parameters in order, tuples flattened; None draws them with
            `inputs.random_inputs(module, 0)`.

    Raises:
        HloSyntaxError: the text is not HLO.
        ExecutionError: it cannot run as the program it is (see `prepare.runnable`), or XLA refuses it.
        InputError: the inputs do not fit its parameters.
        MissingFrameworkError: JAX is not installed.
    """
    return Executable(parse(program) if isinstance(program, str) else program, inputs)


def _load(module: Module) -> Any:
    device = _device()
    with _one_line("XLA refuses the program"):
        return jaxlib_private.load(jaxlib_private.bytecode_from_text(render(module)), device)


def _device() -> Any:
    with _one_line("JAX offers no CPU to run on"):
        return require("jax").local_devices(backend="cpu")[0]


def _place(inputs: Sequence[np.ndarray]) -> list[Any]:
    jax = require("jax")
    with jax.enable_x64(True):  # or 64-bit inputs would be narrowed on the way
        return jax.device_put(list(inputs), _device())


@contextmanager
def _one_line(what: str) -> Iterator[None]:
    """Turn XLA's errors, pages long, into an ExecutionError with the first cause."""
    try:
        yield
    except RuntimeError as error:
        raise ExecutionError(f"{what}: {first_cause(str(error))}") from error


def first_cause(message: str) -> str:
    """Pick the one line of an XLA error that says what is wrong."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    causes = [line for line in lines if "error: " in line]
    line = causes[0] if causes else (lines or ["no message"])[0]
    line = re.sub(r"^.*?error: ", "", line)
    return re.sub(r"^(?:loc\([^)]*\)|[A-Z_]+): ", "", line)
