"""Where a recording takes place: the machine, the packages' versions and the flags that are set."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

from beatnote.runs.run import Machine

_FLAGS = frozenset(
    {
        "XLA_FLAGS",
        "TF_XLA_FLAGS",
        "LIBTPU_INIT_ARGS",
        "CUDA_VISIBLE_DEVICES",
        "OMP_NUM_THREADS",
        "TF_ENABLE_ONEDNN_OPTS",
        "TF_NUM_INTEROP_THREADS",
        "TF_NUM_INTRAOP_THREADS",
        "TF_DETERMINISTIC_OPS",
    }
)
_FLAG_PREFIXES = ("JAX_", "XLA_PYTHON_CLIENT_")


def this_machine() -> Machine:
    """Describe the machine this process runs on."""
    return Machine(
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_bytes=_memory_bytes(),
        platform=platform.platform(),
    )


def versions_of(*packages: str) -> dict[str, str]:
    """List Python's version and those of the packages, leaving out what is not installed."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def flags_set() -> dict[str, str]:
    """List the environment variables that are set and change what XLA and the frameworks compile or how it runs."""
    return {
        name: value
        for name, value in sorted(os.environ.items())
        if value and (name in _FLAGS or name.startswith(_FLAG_PREFIXES))
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0
