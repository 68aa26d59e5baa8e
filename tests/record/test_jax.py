"""Recording any function with JAX."""

from __future__ import annotations

import numpy as np

from beatnote.execute.cpu import compile_program
from beatnote.execute.prepare import parameter_shapes
from beatnote.record import jax as recorder
from beatnote.record.jax import record

TABLE = np.random.default_rng(0).standard_normal((20, 20)).astype(np.float32)
X = np.ones((3, 20), np.float32)


def test_large_constants_are_in_full():
    # GIVEN a function with a large constant WHEN it is recorded
    live = record(lambda x: x @ TABLE, [X], name="table", steps=2)
    # THEN its program holds every number
    constants = [i for i in live.before.instructions() if i.opcode == "constant" and "20,20" in str(i.shape)]
    assert [str(i.literal).count(",") for i in constants] == [20 * 20 - 1]
    np.testing.assert_array_equal(compile_program(live.before).run([X])[0], live.outputs()[0])


def test_an_unused_argument_stays_a_parameter():
    # GIVEN a function that does not use an argument WHEN it is recorded THEN its program takes it all the same
    live = record(lambda x, unused: x + 1, [X, TABLE], steps=2)
    assert [shape.dimensions for shape in parameter_shapes(live.before)] == [X.shape, TABLE.shape]
    assert len(live.inputs) == 2


def test_a_step_returns_when_its_work_is_done(monkeypatch):
    # GIVEN a function long enough that JAX returns from the call before the work is done, and its outputs in sight
    import jax

    live = record(lambda x: jax.lax.fori_loop(0, 30_000, lambda _, v: jax.numpy.tanh(v @ TABLE), x), [X], steps=1)
    seen = []
    leaves = jax.tree.leaves
    monkeypatch.setattr(jax.tree, "leaves", lambda tree: seen.extend(leaves(tree)) or leaves(tree))
    # WHEN it steps THEN its output is there
    live.step()
    assert [output.is_ready() for output in seen] == [True]


def test_the_empty_function_has_the_signature_and_no_work():
    # GIVEN the shapes of nested outputs
    import jax

    outputs = jax.eval_shape(lambda: {"a": jax.numpy.ones((2, 3), "int32"), "b": [jax.numpy.ones(4)]})
    # WHEN the empty function of two arguments is called
    empty = recorder._empty(outputs)
    result = empty(X, TABLE)
    # THEN it returns zeros in that nesting, and its program takes both arguments
    assert jax.tree.map(lambda v: (v.shape, v.dtype.name), result) == {"a": ((2, 3), "int32"), "b": [((4,), "float32")]}
    assert not any(np.any(leaf) for leaf in jax.tree.leaves(result))
    program = empty.lower(X, TABLE).compiler_ir("hlo").as_hlo_text()
    assert program.count(" parameter(") == 2
    assert " dot(" not in program


def test_recording_twice_traces_twice():
    # GIVEN a function that counts how often it is traced
    traces = []

    def function(x):
        traces.append(1)
        return x * 2

    # WHEN it is recorded twice THEN the second recording does not live off the first
    record(function, [X], steps=1)
    once = len(traces)
    record(function, [X], steps=1)
    assert len(traces) == 2 * once > 0
