"""What a recording yields, as frozen data. How it is obtained is in `record`."""

from __future__ import annotations

import msgspec

from beatnote.hlo.module import Module


class Machine(msgspec.Struct, frozen=True):
    """Where a run took place.

    Attributes:
        cpu: the model as the system names it.
        cores: that this process may use.
        memory_bytes: of the whole machine; 0 where the system does not tell.
        platform: operating system, its version and architecture.
    """

    cpu: str
    cores: int
    memory_bytes: int
    platform: str


class Phases(msgspec.Struct, frozen=True):
    """Seconds from the function to its first result, in order.

    Attributes:
        tracing_s: running the Python function to get the framework's graph.
        lowering_s: turning the graph into HLO before optimisation.
        compiling_s: XLA, from that HLO to machine code.
        first_step_s: the first call of the compiled program, until its outputs are there.
    """

    tracing_s: float
    lowering_s: float
    compiling_s: float
    first_step_s: float


class Run(msgspec.Struct, frozen=True):
    """One program of one framework, as it was recorded.

    Attributes:
        name: what was recorded, such as `jax:mlp/gradient`.
        framework: `jax` or `tensorflow`.
        versions: package → version, Python's under `python`.
        flags: the environment variables that were set and change what is compiled or how it runs.
        machine: where.
        phases: from the function to its first result.
        steps_s: steady steps one after another, each until its outputs are there.
        before: the program before XLA's optimisation.
        after: the program that runs.
    """

    name: str
    framework: str
    versions: dict[str, str]
    flags: dict[str, str]
    machine: Machine
    phases: Phases
    steps_s: tuple[float, ...]
    before: Module
    after: Module
