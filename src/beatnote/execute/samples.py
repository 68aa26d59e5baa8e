"""Sample inputs to run two programs on: like the example's where there is one, else drawn from the shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from beatnote.execute.inputs import random_inputs
from beatnote.hlo.module import Module

Arrays = list[np.ndarray[Any, Any]]


def samples(module: Module, example: Sequence[np.ndarray[Any, Any]] | None, count: int) -> list[Arrays]:
    """Draw sample inputs for a program.

    Args:
        module: the program.
        example: inputs that make sense for it; the first sample, and what the others are drawn like.
        count: how many samples.

    Raises:
        InputError: a parameter is dynamic or of a type without NumPy's equal.
    """
    if example is None:
        return [random_inputs(module, seed) for seed in range(count)]
    return [list(example)] + [[_like(array, seed, k) for k, array in enumerate(example)] for seed in range(1, count)]


def _like(example: np.ndarray[Any, Any], seed: int, place: int) -> np.ndarray[Any, Any]:
    """Draw an array of the example's shape: its own values shuffled, floats with noise of their spread."""
    random = np.random.default_rng((seed, place))
    values = random.permutation(example.ravel()).reshape(example.shape)
    if not np.issubdtype(example.dtype, np.floating):
        return values
    noise = random.standard_normal(example.shape) * (np.std(example) or 1.0) / 2
    return (values + noise).astype(example.dtype)
