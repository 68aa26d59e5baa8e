"""The reference models, JAX against TensorFlow: every pass proven, its conditions true and needed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from beatnote.comparison import compare
from beatnote.execute.agreement import agreement
from beatnote.execute.cpu import compile_program
from beatnote.hlo.text import parse, render
from beatnote.record.live import Live

Recorder = Callable[[str, str, str], Live]

LABELS = ("0 ≤ labels[i] ≤ 6",)
EXPECTED: dict[tuple[str, str], tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    # verdict, classes of reasoning, conditions
    ("matvec", "forward"): ("equal", (), ()),
    ("matvec", "gradient"): ("equal", (), ()),
    ("mlp", "forward"): ("equal-if", (), LABELS),
    ("mlp", "gradient"): ("equal-if", ("reordering",), LABELS),
    ("layernorm", "forward"): ("equal", ("reordering", "stability"), ()),
    ("layernorm", "gradient"): ("equal", ("reordering", "stability"), ()),
    ("attention", "forward"): ("equal", (), ()),
    ("attention", "gradient"): ("equal", ("reordering", "stability"), ()),
}


@pytest.mark.parametrize(("model", "which"), EXPECTED)
def test_pair_is_proven(live: Recorder, model: str, which: str) -> None:
    # GIVEN both programs as text, WHEN they are compared and executed
    a, b = (live(framework, model, which).before for framework in ("jax", "tensorflow"))
    found = compare(parse(render(a)), parse(render(b))).programs
    # THEN the verdict rests on a proof, with these classes and conditions, which held
    verdict, classes, conditions = EXPECTED[model, which]
    assert (found.verdict, found.classes) == (verdict, classes)
    assert tuple(condition.text for condition in found.conditions) == conditions
    assert all(condition.held is True for condition in found.conditions)
    assert {output.verdict for output in found.outputs} == {verdict}
    assert found.executed is not None
    assert found.normalised.a == found.normalised.b


@pytest.mark.parametrize("which", ["forward", "gradient"])
def test_the_condition_on_labels_is_needed(live: Recorder, which: str) -> None:
    # GIVEN labels below the range that the condition names
    first, second = (live(framework, "mlp", which) for framework in ("jax", "tensorflow"))
    inputs = [np.array(array) for array in first.inputs]
    inputs[-1] = np.full_like(inputs[-1], -1)
    runs = [compile_program(side.before, inputs).run for side in (first, second)]
    # THEN the programs do differ there
    assert not all(agreement(runs[0], runs[1], [(inputs, inputs)]).agrees)


def test_verdicts_do_not_depend_on_the_side(live: Recorder) -> None:
    a, b = (live(framework, "mlp", "gradient").before for framework in ("jax", "tensorflow"))
    there, back = compare(a, b, run=False).programs, compare(b, a, run=False).programs
    assert there.verdict == back.verdict
    assert there.classes == back.classes
    assert len(there.conditions) == len(back.conditions)
