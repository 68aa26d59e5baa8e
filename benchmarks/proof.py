"""How long proofs take: each reference pair, JAX against TensorFlow, and any two files of HLO text.

    uv run python benchmarks/proof.py [A.hlo B.hlo]

Medians with quartiles over repeats in this process; the pairs take turns, so that drift of the machine hits all.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.models.inputs import MODELS, PASSES
from beatnote.proof.prove import prove
from beatnote.record.model import record_model

REPEATS = 9


def main(paths: list[str]) -> None:
    """Time the pairs and print a table."""
    pairs = _files(paths) if paths else _models()
    times: dict[str, list[float]] = {name: [] for name in pairs}
    for _ in range(REPEATS):
        for name, (a, b) in pairs.items():
            started = perf_counter()
            prove(a, b)
            times[name].append(1e3 * (perf_counter() - started))
    table = Table(box=None, padding=(0, 2))
    for heading in ("pair", "instructions", "proven", "proof, ms", "quartiles, ms"):
        table.add_column(heading, no_wrap=True)
    for name, (a, b) in pairs.items():
        low, median, high = np.quantile(times[name], (0.25, 0.5, 0.75))
        proof = prove(a, b)
        table.add_row(
            name,
            f"{a.instruction_count} and {b.instruction_count}",
            f"{sum(proof.proven)} of {len(proof.proven)} outputs",
            f"{median:.1f}",
            f"{low:.1f} to {high:.1f}",
        )
    Console(width=140).print(table)


def _files(paths: list[str]) -> dict[str, tuple[Module, Module]]:
    if len(paths) != 2:
        sys.exit("expected two files of HLO text, or none for the reference models")
    a, b = (parse(Path(path).read_text(encoding="utf-8"), name=path) for path in paths)
    return {f"{Path(paths[0]).name} against {Path(paths[1]).name}": (a, b)}


def _models() -> dict[str, tuple[Module, Module]]:
    pairs: dict[str, tuple[Module, Module]] = {}
    for model in MODELS:
        for which in PASSES:
            a, b = (record_model(framework, model, which, steps=1).before for framework in ("jax", "tensorflow"))
            pairs[f"{model}/{which}"] = (a, b)
    return pairs


if __name__ == "__main__":
    main(sys.argv[1:])
