"""What the reference models take: names, shapes and types of their arguments, and values for them.

One table for all frameworks, so that a model gets the same numbers everywhere. The models themselves are in
one file a framework.
"""

from __future__ import annotations

import msgspec
import numpy as np

PASSES = ("forward", "gradient")
"""`forward` is the scalar loss, `gradient` its gradients with respect to the differentiated arguments."""


class UnknownModelError(LookupError):
    """No reference model or pass of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class Argument(msgspec.Struct, frozen=True):
    """One argument of a model.

    Attributes:
        name: as in the model's signature.
        shape: of the array.
        differentiated: whether the gradient pass returns the gradient with respect to it.
        classes: for integer labels, how many there are; 0 for floats.
        spread: the standard deviation of example values: one over the root of the fan-in for weights, so
            that activations stay near 1.
    """

    name: str
    shape: tuple[int, ...]
    differentiated: bool = False
    classes: int = 0
    spread: float = 1.0

    @property
    def dtype(self) -> str:
        """The NumPy name of the element type."""
        return "int32" if self.classes else "float32"


MODELS: dict[str, tuple[Argument, ...]] = {
    "matvec": (
        Argument("W", (5, 5), differentiated=True),
        Argument("x", (5,)),
        Argument("b", (5,)),
        Argument("y", (5,)),
    ),
    "mlp": (
        Argument("w1", (12, 16), differentiated=True, spread=12**-0.5),
        Argument("b1", (16,), differentiated=True),
        Argument("w2", (16, 7), differentiated=True, spread=16**-0.5),
        Argument("b2", (7,), differentiated=True),
        Argument("x", (8, 12)),
        Argument("labels", (8,), classes=7),
    ),
    "layernorm": (
        Argument("scale", (16,), differentiated=True),
        Argument("bias", (16,), differentiated=True),
        Argument("x", (4, 6, 16), differentiated=True),
        Argument("target", (4, 6, 16)),
    ),
    # heads of size 16: the scale 1/sqrt(16) is exact, so dividing and multiplying by it agree to the last bit
    "attention": (
        Argument("w_query", (32, 2, 16), differentiated=True, spread=32**-0.5),
        Argument("w_key", (32, 2, 16), differentiated=True, spread=32**-0.5),
        Argument("w_value", (32, 2, 16), differentiated=True, spread=32**-0.5),
        Argument("w_output", (2, 16, 32), differentiated=True, spread=32**-0.5),
        Argument("x", (2, 6, 32)),
        Argument("target", (2, 6, 32)),
    ),
}
"""Model name → its arguments, in order."""


def arguments_of(model: str) -> tuple[Argument, ...]:
    """List the arguments of a model, in order.

    Raises:
        UnknownModelError: there is no such model.
    """
    if model not in MODELS:
        raise UnknownModelError(f"no reference model {model!r}; there are {', '.join(MODELS)}")
    return MODELS[model]


def differentiated(model: str) -> tuple[int, ...]:
    """List the positions of the arguments that the gradient pass differentiates by, ascending.

    Raises:
        UnknownModelError: there is no such model.
    """
    return tuple(i for i, argument in enumerate(arguments_of(model)) if argument.differentiated)


def example(model: str, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Draw values for a model's arguments: floats normal, labels uniform, the same for the same seed.

    Raises:
        UnknownModelError: there is no such model.
    """
    random = np.random.default_rng(seed)
    return tuple(
        (
            random.integers(0, argument.classes, argument.shape)
            if argument.classes
            else random.normal(0.0, argument.spread, argument.shape)
        ).astype(argument.dtype)
        for argument in arguments_of(model)
    )


def check(model: str, which: str) -> None:
    """Check that there is such a model and such a pass.

    Raises:
        UnknownModelError: there is not; it lists the names.
    """
    arguments_of(model)
    if which not in PASSES:
        raise UnknownModelError(f"no pass {which!r} of {model}; there are {', '.join(PASSES)}")
