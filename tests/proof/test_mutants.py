"""No program that was changed so that it computes something else is called the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from beatnote.comparison import compare
from beatnote.execute.agreement import difference
from beatnote.execute.cpu import compile_program
from beatnote.execute.errors import ExecutionError
from beatnote.execute.samples import samples
from beatnote.hlo.module import Module
from beatnote.record.live import Live

from .mutants import mutants
from .texts import module

PROVEN = ("identical", "equal", "equal-if")
PASSES = [(model, which) for model in ("matvec", "mlp", "layernorm", "attention") for which in ("forward", "gradient")]
SMALL = {"matvec": 40, "mlp": 85, "layernorm": 85, "attention": 85}
"""How many mutants of each pass are tried without --heavy: more than 500 in all."""

VIEWS = """
    c = f32[] constant(0.5)
    p = f32[6,4] pad(x, c), padding=1_2x0_1
    s = f32[4,4] slice(p), slice={[0:4], [0:4]}
    t = f32[4,4] transpose(s), dimensions={1,0}
    v = f32[4,4] reverse(t), dimensions={0}
    j = f32[8,4] concatenate(v, s), dimensions={0}
    z = f32[] constant(0)
    k = f32[4] reduce(j, z), dimensions={0}, to_apply=sum_f32
    b = f32[4,4] broadcast(k), dimensions={0}
    m = f32[4,4] subtract(b, s)
    r = f32[4,4] divide(m, b)
"""


@pytest.mark.parametrize(("model", "which"), PASSES)
def test_no_mutant_of_a_pair_is_called_equal(
    live: Callable[[str, str, str], Live], heavy: bool, model: str, which: str
) -> None:
    a, b = (live(framework, model, which) for framework in ("jax", "tensorflow"))
    chosen = list(mutants(b.before))
    if not heavy:
        chosen = random.Random(0).sample(chosen, min(len(chosen), SMALL[model]))
    wrong, seen = _false_equals(a.before, chosen, a.inputs)
    assert not wrong
    assert seen["different"] > len(chosen) / 4, seen  # the mutations do change something
    print(f"{model}/{which}: {dict(seen)}")


def test_no_mutant_of_views_is_called_equal() -> None:
    original = module("x: f32[3,3]", VIEWS)
    wrong, seen = _false_equals(original, list(mutants(original)), None)
    assert not wrong
    assert seen["different"] >= 20, seen


def _false_equals(
    original: Module, chosen: list[tuple[str, Module]], example: Sequence[np.ndarray] | None
) -> tuple[list[str], Counter[str]]:
    """Names of mutants that give other numbers and are called the same, and how many of each sort there were."""
    inputs = samples(original, example, 2)
    reference = compile_program(original, inputs[0])
    expected = [reference.run(each) for each in inputs]
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for name, mutant in chosen:
        try:
            executable = compile_program(mutant, inputs[0])
            found = [executable.run(each) for each in inputs]
        except ExecutionError:
            seen["refused"] += 1
            continue
        same = all(
            difference(x, y)[2] for rows in zip(expected, found, strict=True) for x, y in zip(*rows, strict=True)
        )
        verdict = compare(original, mutant, run=False).programs.verdict
        seen["same" if same else "different"] += 1
        if not same and verdict in PROVEN:
            wrong.append(f"{name}: {verdict}")
    return wrong, seen
