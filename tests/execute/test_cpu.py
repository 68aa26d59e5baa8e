"""Running programs under jaxlib: whoever made them, whatever their types, as often as one likes."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from beatnote.execute.cpu import compile_program, first_cause
from beatnote.execute.errors import ExecutionError, InputError, MissingFrameworkError
from beatnote.execute.inputs import dtype_of
from beatnote.hlo.text import HloSyntaxError, parse


def program(*lines: str, header: str = "") -> str:
    """A module with one computation of these instructions, the last of them the root."""
    body = "\n".join(f"  {line}" for line in (*lines[:-1], f"ROOT {lines[-1]}"))
    return f"HloModule m{header}\n\nENTRY main {{\n{body}\n}}\n"


@pytest.mark.parametrize("maker", ["jax", "tf"])
def test_the_published_programs_compute_the_gradient(shared_data, maker):
    # GIVEN one of the two programs of 2020, and arguments for it
    text = (shared_data / f"hlo/seeds/matvec_grad.{maker}.2020.hlo").read_text()
    executable = compile_program(text)
    weights, x, b, y = executable.inputs
    # WHEN it runs
    (gradient,) = executable.run()
    # THEN it returns the gradient of sum((W·x + b − y)²) by W
    np.testing.assert_allclose(gradient, np.outer(2 * (weights @ x + b - y), x), rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["models/jax_bert.before", "models/tf_bert.before", "xla-benchmarks/mha_block_1x12x128x64_bf16"]
)
def test_published_models_run(shared_data, name):
    # GIVEN a published program of a real model
    module = parse((shared_data / f"hlo/{name}.hlo").read_text())
    # WHEN it runs on sample inputs, twice
    executable = compile_program(module)
    first, second = executable.run(), executable.run()
    # THEN it returns what its shape says, the same both times
    assert [(v.shape, v.dtype) for v in first] == [(s.dimensions, dtype_of(s.element_type)) for s in executable.results]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(first, second, strict=True))


def test_a_program_that_overwrites_its_input_runs_again_and_again():
    # GIVEN a program that may write its output into its input's memory
    text = program(
        "p = f32[3] parameter(0)", "n = f32[3] add(p, p)", header=", input_output_alias={ {}: (0, {}, may-alias) }"
    )
    x = np.arange(3, dtype=np.float32)
    executable = compile_program(text, [x])
    # WHEN it steps and runs many times
    for _ in range(5):
        executable.step()
        executable.empty_step()
    # THEN the input is never changed
    np.testing.assert_array_equal(executable.run()[0], [0, 2, 4])
    np.testing.assert_array_equal(x, [0, 1, 2])


@pytest.mark.parametrize(
    "element_type",
    [
        "pred",
        "s8",
        "s16",
        "s32",
        "s64",
        "u8",
        "u16",
        "u32",
        "u64",
        "f16",
        "bf16",
        "f32",
        "f64",
        "c64",
        "c128",
        "s4",
        "f8e4m3fn",
    ],
)
def test_every_type_passes_through(element_type):
    # GIVEN a program that reverses a vector of a type
    text = program(f"p = {element_type}[2] parameter(0)", f"r = {element_type}[2] reverse(p), dimensions={{0}}")
    value = np.array([0, 1]).astype(dtype_of(element_type))
    # WHEN it runs THEN the type and the elements arrive
    (result,) = compile_program(text, [value]).run()
    assert result.dtype == value.dtype
    assert list(result) == [1, 0]


def test_64_bits_stay_64_and_jax_s_setting_is_left_alone():
    # GIVEN an integer that 32 bits cannot hold, and JAX with 64-bit types off
    import jax

    before = jax.config.read("jax_enable_x64")
    text = program("p = s64[] parameter(0)", "n = s64[] negate(p)")
    # WHEN it is passed through a program THEN it comes back whole, and the setting is as it was
    (result,) = compile_program(text, [np.array(2**40)]).run()
    assert result == -(2**40)
    assert jax.config.read("jax_enable_x64") == before


def test_tuples_are_flattened_on_both_sides():
    # GIVEN a program that takes a nested tuple and returns another
    text = program(
        "p = (f32[2],(f32[3],s32[])) parameter(0)",
        "q = f32[] parameter(1)",
        "inner = (f32[3],s32[]) get-tuple-element(p), index=1",
        "first = f32[2] get-tuple-element(p), index=0",
        "r = ((f32[3],s32[]),f32[],f32[2]) tuple(inner, q, first)",
    )
    a, b, c, d = np.array([1, 2], "f"), np.array([3, 4, 5], "f"), np.array(6, "i"), np.array(7, "f")
    # WHEN it gets the leaves in order THEN it returns leaves in order
    result = compile_program(text, [a, b, c, d]).run()
    assert [v.tolist() for v in result] == [[3, 4, 5], 6, 7, [1, 2]]


def test_layouts_do_not_change_what_is_computed():
    # GIVEN a program whose parameter and result are column-major
    text = program(
        "p = f32[2,3]{0,1} parameter(0)",
        "r = f32[2,3]{0,1} negate(p)",
        header=", entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}",
    )
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    # WHEN it runs on a row-major array THEN elements keep their places
    np.testing.assert_array_equal(compile_program(text, [value]).run()[0], -value)


def test_copies_are_seen_through():
    # GIVEN copies of copies, one of them the result
    text = program(
        "p = f32[2] parameter(0)",
        "a = f32[2] copy(p)",
        "b = f32[2] negate(a)",
        "c = f32[2] copy(b)",
        "d = f32[2] copy(c)",
    )
    # WHEN it runs THEN the result is what was copied
    assert compile_program(text, [np.array([1, 2], "f")]).run()[0].tolist() == [-1, -2]


def test_no_parameters_and_several_modules():
    # GIVEN a text of two modules, neither with parameters WHEN it is compiled THEN the first one runs
    text = program("c = f32[2] constant({1, 2})") + "\n// -----\n\n" + program("c = f32[] constant(9)")
    assert [v.tolist() for v in compile_program(text).run()] == [[1, 2]]


def test_other_inputs_than_those_in_place():
    # GIVEN an executable with inputs in place
    executable = compile_program(program("p = f32[] parameter(0)", "n = f32[] negate(p)"), [np.array(1, "f")])
    # WHEN it runs on others THEN those in place are still there
    assert executable.run([np.array(5, "f")])[0] == -5
    assert executable.run()[0] == -1


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "expected 2 inputs, found 0"),
        ([np.zeros(3, "f"), np.zeros(2, "i")], "input 0: expected float32[2], found float32[3]"),
        ([np.zeros((2, 1), "f"), np.zeros(2, "i")], "input 0: expected float32[2], found float32[2, 1]"),
        ([np.zeros(2, "f"), np.zeros(2, "q")], "input 1: expected int32[2], found int64[2]"),
    ],
)
def test_inputs_that_do_not_fit(inputs, message):
    # GIVEN a program WHEN it gets inputs of another number, shape or type THEN the error says which
    text = program("p = f32[2] parameter(0)", "q = s32[2] parameter(1)", "n = f32[2] negate(p)")
    with pytest.raises(InputError) as caught:
        compile_program(text, inputs)
    assert str(caught.value) == message
    with pytest.raises(InputError):
        compile_program(text).run(inputs)


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (("p = f32[2] parameter(0)", 'c = f32[2] custom-call(p), custom_call_target="nowhere"'), "nowhere"),
        (("p = f32[2] parameter(0)", "q = f32[3] parameter(1)", "a = f32[2] add(p, q)"), "same shape"),
        (("p = f32[2] parameter(0)", "a = f32[2] frobnicate(p)"), "frobnicate"),
    ],
)
def test_programs_that_xla_refuses(lines, part):
    # GIVEN a program that XLA does not take WHEN it is compiled THEN the error is one line with the cause
    with pytest.raises(ExecutionError) as caught:
        compile_program(program(*lines))
    assert str(caught.value).startswith("XLA refuses the program: ")
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_that_is_not_hlo():
    with pytest.raises(HloSyntaxError):
        compile_program("hello")


def test_without_jax(monkeypatch):
    # GIVEN a Python without JAX WHEN a program is compiled THEN one line says what to install
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingFrameworkError) as caught:
        compile_program(program("c = f32[] constant(1)"))
    assert str(caught.value) == "jax is not installed: pip install 'beatnote[jax]'"


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("NOT_FOUND: no such thing\nmore", "no such thing"),
        ("UNKNOWN: <unknown>:0: error: loc(\"t\"): 'add' op is wrong\n<unknown>:0: note: see", "'add' op is wrong"),
        ("INVALID_ARGUMENT: Syntax error:\nwas parsing 3:2: error: expects name\n  p=\n", "expects name"),
        ("", "no message"),
    ],
)
def test_first_cause(message, cause):
    assert first_cause(message) == cause
