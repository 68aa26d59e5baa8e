"""What this machine's processor can do, measured: as a chip beside those of the table."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np

from beatnote.hlo.cost.chips import THIS_MACHINE, Chip
from beatnote.record.machine import this_machine

SIDE = 1024
"""Of the square matrices that are multiplied."""

STREAM_BYTES = 2**26
"""Of each array that is streamed: larger than caches."""

RUNS = 5


def measure_this_cpu() -> Chip:
    """Measure what this processor reaches, in about two seconds: the best of five runs each.

    Products of matrices by NumPy's BLAS on all cores; other operations by additions that stay in the cache; memory by
    `a = b + c` on every core at once (STREAM add, J. McCalpin), which reads two arrays and writes one.
    """
    machine = this_machine()
    return Chip(
        THIS_MACHINE,
        f"this machine ({machine.cpu}, {machine.cores} cores)",
        {"f32": _matrix_flops_s(np.float32), "f64": _matrix_flops_s(np.float64)},
        _vector_flops_s(machine.cores),
        _memory_bytes_s(machine.cores),
        machine.memory_bytes,
        0.0,
        (f"measured with NumPy {np.__version__}: best of {RUNS} runs of matrix products and streams",),
    )


def _matrix_flops_s(dtype: type[np.floating]) -> float:
    a, b, out = (np.ones((SIDE, SIDE), dtype) for _ in range(3))
    return 2 * SIDE**3 / _best_s(lambda: np.matmul(a, b, out=out))


def _vector_flops_s(cores: int) -> float:
    rounds, count = 500, 2**15
    arrays = [tuple(np.ones(count, np.float32) for _ in range(3)) for _ in range(cores)]

    def add(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
        for _ in range(rounds):
            np.add(a, b, out=out)

    return cores * rounds * count / _on_all(cores, arrays, add)


def _memory_bytes_s(cores: int) -> float:
    count = STREAM_BYTES // 8 // cores
    arrays = [tuple(np.ones(count, np.float64) for _ in range(3)) for _ in range(cores)]
    return cores * count * 8 * 3 / _on_all(cores, arrays, lambda a, b, out: np.add(a, b, out=out))


def _on_all(cores: int, arrays: list[tuple[np.ndarray, ...]], work: Callable[..., object]) -> float:
    """Return how long it takes until every core has worked on its arrays, at best, in seconds."""
    with ThreadPoolExecutor(cores) as pool:
        return _best_s(lambda: list(pool.map(lambda own: work(*own), arrays)))


def _best_s(work: Callable[[], object]) -> float:
    work()
    best = float("inf")
    for _ in range(RUNS):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best
