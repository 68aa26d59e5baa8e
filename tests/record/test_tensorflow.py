"""Recording any function with TensorFlow."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from beatnote.execute.cpu import compile_program
from beatnote.execute.prepare import parameter_shapes
from beatnote.record import tensorflow as recorder
from beatnote.record.tensorflow import CapturedValueError, import_tensorflow, record

TABLE = np.random.default_rng(0).standard_normal((20, 20)).astype(np.float32)
X = np.ones((3, 20), np.float32)


def times_table(x):
    return x @ import_tensorflow().constant(TABLE)


def test_large_constants_are_in_full():
    # GIVEN a function with a constant that TensorFlow's text leaves out WHEN it is recorded
    live = record(times_table, [X], name="table", steps=2)
    # THEN its program holds every number, before and after optimisation
    for module in (live.before, live.after):
        constants = [i for i in module.instructions() if i.opcode == "constant" and "20,20" in str(i.shape)]
        assert [str(i.literal).count(",") for i in constants] == [20 * 20 - 1]
    np.testing.assert_allclose(compile_program(live.before).run([X])[0], live.outputs()[0], rtol=1e-5)


def test_without_jaxlib_large_constants_are_marked_elided(monkeypatch):
    # GIVEN a Python without jaxlib WHEN such a function is recorded THEN the constant is known to be missing
    monkeypatch.setitem(sys.modules, "jaxlib._hlo", None)
    live = record(times_table, [X], steps=2)
    assert [str(i.shape) for i in live.before.instructions() if i.is_elided] == ["f32[20,20]{1,0}"]


def test_an_unused_argument_stays_a_parameter():
    # GIVEN a function that does not use an argument WHEN it is recorded THEN its program takes it all the same
    live = record(lambda x, unused: x + 1, [X, TABLE], steps=2)
    assert [shape.dimensions for shape in parameter_shapes(live.before)] == [X.shape, TABLE.shape]


def test_captured_variables_are_refused():
    # GIVEN a function of a variable that is not among its arguments
    variable = import_tensorflow().Variable(TABLE)
    # WHEN it is recorded THEN the error says so
    with pytest.raises(CapturedValueError, match="captured takes 1 arguments, its program 2 parameters"):
        record(lambda x: x @ variable, [X], name="captured", steps=2)


def test_a_call_is_its_step_only_while_tensorflow_is_synchronous(monkeypatch):
    # GIVEN a function that notes its calls, and TensorFlow's wait for all devices doing the same
    tf = import_tensorflow()
    seen = []
    monkeypatch.setattr(tf.test.experimental, "sync_devices", lambda: seen.append("wait"))
    # WHEN it steps with TensorFlow in its default mode, and asynchronous
    assert tf.config.experimental.get_synchronous_execution()
    recorder._blocking(tf, lambda: seen.append("call"), [])()
    assert seen == ["call"]
    monkeypatch.setattr(tf.config.experimental, "get_synchronous_execution", lambda: False)
    recorder._blocking(tf, lambda: seen.append("call"), [])()
    # THEN in the second it waits after the call
    assert seen == ["call", "call", "wait"]


def test_the_empty_function_has_the_signature_and_no_work():
    # GIVEN a function with nested outputs
    tf = import_tensorflow()
    function = tf.function(lambda x, y: {"a": tf.cast(x, tf.int32), "b": [y @ y]})
    concrete = function.get_concrete_function(tf.constant(X), tf.constant(TABLE))
    # WHEN its empty function is called
    empty = recorder._empty(tf, concrete)
    result = empty(tf.constant(X), tf.constant(TABLE))
    # THEN it returns zeros in that nesting, and its program takes both arguments
    assert (result["a"].shape, result["a"].dtype, result["b"][0].shape) == (X.shape, tf.int32, TABLE.shape)
    assert not any(np.any(leaf.numpy()) for leaf in tf.nest.flatten(result))
    program = empty.experimental_get_compiler_ir(tf.constant(X), tf.constant(TABLE))(stage="hlo")
    assert program.count(" parameter(") == 2
    assert " dot(" not in program
