"""Reading the clock around one call."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def timed(call: Callable[[], Result]) -> tuple[Result, float]:
    """Return what the call returns, and the seconds it took."""
    start = perf_counter()
    result = call()
    return result, perf_counter() - start


def times_of(step: Callable[[], object], count: int) -> tuple[float, ...]:
    """Time each of `count` calls, one after another, in seconds."""
    return tuple(timed(step)[1] for _ in range(count))
