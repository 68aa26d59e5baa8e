"""The Run as data: frozen, comparable, and written as JSON."""

from __future__ import annotations

import msgspec
import pytest

from beatnote.hlo.text import parse
from beatnote.runs.run import Machine, Phases, Run


def a_run():
    module = parse("HloModule m\n\nENTRY main {\n  ROOT c = f32[] constant(1)\n}\n")
    return Run(
        name="jax:matvec/gradient",
        framework="jax",
        versions={"jax": "0.10.2"},
        flags={"XLA_FLAGS": "--xla_cpu_enable_fast_math=false"},
        machine=Machine(cpu="a chip", cores=2, memory_bytes=2**30, platform="Linux"),
        phases=Phases(tracing_s=0.1, lowering_s=0.2, compiling_s=0.3, first_step_s=0.4),
        steps_s=(0.01, 0.02),
        before=module,
        after=module,
    )


def test_a_run_is_frozen():
    # GIVEN a run WHEN one of its facts is changed THEN that is refused, and a changed copy is another run
    run = a_run()
    with pytest.raises(AttributeError):
        setattr(run, "framework", "tensorflow")  # noqa: B010
    assert msgspec.structs.replace(run, steps_s=(0.01,)) != run
    assert run == a_run()


def test_a_run_is_written_with_its_units():
    # GIVEN a run WHEN it is encoded THEN every time and size carries its unit in its name
    written = msgspec.json.decode(msgspec.json.encode(a_run()))
    assert written["phases"] == {"tracing_s": 0.1, "lowering_s": 0.2, "compiling_s": 0.3, "first_step_s": 0.4}
    assert written["steps_s"] == [0.01, 0.02]
    assert written["machine"] == {"cpu": "a chip", "cores": 2, "memory_bytes": 2**30, "platform": "Linux"}
