"""Recording the reference models for real, in both frameworks."""

from __future__ import annotations

import functools
import sys

import numpy as np
import pytest

from beatnote.execute.cpu import compile_program
from beatnote.execute.errors import MissingFrameworkError
from beatnote.execute.prepare import parameter_shapes
from beatnote.models.inputs import MODELS, PASSES, UnknownModelError, arguments_of
from beatnote.record.model import FRAMEWORKS, UnknownFrameworkError, record_model

STEPS = 6


@functools.cache
def recorded(framework, model, which):
    return record_model(framework, model, which, steps=STEPS)


every_program = pytest.mark.parametrize(
    ("framework", "model", "which"), [(f, m, p) for f in FRAMEWORKS for m in MODELS for p in PASSES]
)


@every_program
def test_what_is_written_down(framework, model, which):
    # GIVEN a reference model WHEN it is recorded
    live = recorded(framework, model, which)
    run = live.run
    # THEN the run says what it was, with what, and how long everything took
    assert (run.name, run.framework) == (f"{framework}:{model}/{which}", framework)
    assert {"python", "numpy"} < set(run.versions)
    phases = run.phases
    assert min(phases.tracing_s, phases.lowering_s, phases.first_step_s) > 0
    assert phases.compiling_s >= 0
    assert len(run.steps_s) == STEPS
    assert min(run.steps_s) > 0
    # AND the program takes the table's arguments, with every constant in full, before and after optimisation
    arguments = arguments_of(model)
    names = {"float32": "f32", "int32": "s32"}
    assert [(s.element_type, s.dimensions) for s in parameter_shapes(live.before)] == [
        (names[a.dtype], a.shape) for a in arguments
    ]
    assert not any(i.is_elided for module in (live.before, live.after) for i in module.instructions())
    assert live.after.attributes["is_scheduled"] == "true"
    assert "is_scheduled" not in live.before.attributes


@every_program
def test_the_program_alone_computes_what_the_framework_does(framework, model, which):
    # GIVEN a recorded program
    live = recorded(framework, model, which)
    # WHEN it runs in its framework and alone, on the example and on other inputs
    alone = compile_program(live.before, live.inputs)
    others = [value[::-1].copy() for value in live.inputs]
    # THEN outputs agree
    for ours, theirs in ((alone.run(), live.outputs()), (alone.run(others), live.outputs(others))):
        assert [v.shape for v in ours] == [v.shape for v in theirs]
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("which", PASSES)
def test_frameworks_agree(model, which):
    # GIVEN one model in both frameworks WHEN both run on the example THEN inputs are equal and outputs agree
    a, b = recorded("jax", model, which), recorded("tensorflow", model, which)
    assert all(np.array_equal(u, v) for u, v in zip(a.inputs, b.inputs, strict=True))
    for u, v in zip(a.outputs(), b.outputs(), strict=True):
        np.testing.assert_allclose(u, v, rtol=1e-4, atol=1e-6)


def test_unknown_names():
    # GIVEN names that are not there WHEN they are recorded THEN the error lists those that are
    with pytest.raises(UnknownFrameworkError) as caught:
        record_model("caffe", "mlp")
    assert str(caught.value) == "no framework 'caffe' to record; there are jax, tensorflow"
    with pytest.raises(UnknownModelError, match="no reference model 'gpt'; there are matvec"):
        record_model("jax", "gpt")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_without_the_framework(monkeypatch, framework):
    # GIVEN a Python without the framework WHEN a model is recorded THEN one line says what to install
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(MissingFrameworkError) as caught:
        record_model(framework, "matvec")
    assert str(caught.value) == f"{framework} is not installed: pip install 'beatnote[{framework}]'"
