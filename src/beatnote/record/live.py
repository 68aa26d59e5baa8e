"""A recorded program that is still loaded in its framework, ready to run again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from beatnote.hlo.module import Module
    from beatnote.runs.run import Run


@dataclass(frozen=True)
class Live:
    """One program in one framework.

    Attributes:
        run: what was written down.
        inputs: the example arguments, in the order of the program's parameters.
        call: outputs for some inputs, flattened, as NumPy arrays.
        step: runs the program once on arguments that already are the framework's own arrays, and returns when
            every output is computed.
        empty_step: the same for a program of the same parameters and output shapes that computes nothing: what
            the framework takes to call a program.
    """

    run: Run
    inputs: tuple[np.ndarray, ...]
    call: Callable[[Sequence[np.ndarray]], list[np.ndarray]]
    step: Callable[[], None]
    empty_step: Callable[[], None]

    @property
    def before(self) -> Module:
        """The program before XLA's optimisation."""
        return self.run.before

    @property
    def after(self) -> Module:
        """The program that runs."""
        return self.run.after

    def outputs(self, inputs: Sequence[np.ndarray] | None = None) -> list[np.ndarray]:
        """Return the outputs for some inputs, or for the example's."""
        return self.call(self.inputs if inputs is None else inputs)
