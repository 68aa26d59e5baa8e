"""Where a run takes place."""

from __future__ import annotations

import os
import platform

import numpy as np

from beatnote.record.machine import flags_set, this_machine, versions_of


def test_this_machine():
    # GIVEN this machine WHEN it is described THEN it agrees with what the system says elsewhere
    machine = this_machine()
    assert machine.cores == len(os.sched_getaffinity(0))
    assert machine.platform == platform.platform()
    assert machine.cpu
    with open("/proc/meminfo", encoding="utf-8") as meminfo:
        total_kib = int(next(line for line in meminfo if line.startswith("MemTotal")).split()[1])
    assert machine.memory_bytes == total_kib * 1024


def test_versions_leave_out_what_is_not_installed():
    assert versions_of("numpy", "no-such-package") == {"python": platform.python_version(), "numpy": np.__version__}


def test_flags_are_those_that_change_programs(monkeypatch):
    # GIVEN an environment with flags, an empty flag and other variables
    for name in [n for n in os.environ if n.startswith("JAX_")]:
        monkeypatch.delenv(name)
    flags = {"XLA_FLAGS": "--xla_dump_to=d", "TF_XLA_FLAGS": "--tf_xla_auto_jit=2", "JAX_ENABLE_X64": "1"}
    for name, value in {**flags, "LIBTPU_INIT_ARGS": "", "MY_TOKEN": "secret"}.items():
        monkeypatch.setenv(name, value)
    # WHEN flags are listed THEN they are those that are set and matter
    found = flags_set()
    assert {name: found[name] for name in flags} == flags
    assert not {"LIBTPU_INIT_ARGS", "MY_TOKEN"} & set(found)
