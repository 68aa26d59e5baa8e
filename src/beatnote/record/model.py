"""Recording a reference model by its framework's and its own name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beatnote.models import jax as jax_models
from beatnote.models import tensorflow as tensorflow_models
from beatnote.models.inputs import check, example
from beatnote.record import jax, tensorflow

if TYPE_CHECKING:
    from beatnote.record.live import Live

FRAMEWORKS = {
    "jax": (jax.import_jax, jax_models.build, jax.record),
    "tensorflow": (tensorflow.import_tensorflow, tensorflow_models.build, tensorflow.record),
}
"""Framework → how it is imported, builds a model and records a function."""


class UnknownFrameworkError(LookupError):
    """No framework of that name can be recorded; the message lists those that can."""

    def __str__(self) -> str:
        return str(self.args[0])


def record_model(framework: str, model: str, which: str = "gradient", *, seed: int = 0, steps: int = 30) -> Live:
    """Record a pass of a reference model.

    Args:
        framework: a key of `FRAMEWORKS`.
        model: a key of `models.inputs.MODELS`.
        which: `forward` or `gradient`.
        seed: of the example arguments.
        steps: how many steady steps to time.

    Raises:
        UnknownFrameworkError: there is no such framework.
        UnknownModelError: there is no such model or pass.
        MissingFrameworkError: the framework is not installed.
    """
    if framework not in FRAMEWORKS:
        raise UnknownFrameworkError(f"no framework {framework!r} to record; there are {', '.join(FRAMEWORKS)}")
    check(model, which)
    import_framework, build, record = FRAMEWORKS[framework]
    import_framework()
    return record(build(model, which), example(model, seed), name=f"{framework}:{model}/{which}", steps=steps)
