"""What opcodes beside elementwise ones mean: calls, tuples, conditionals, and what is passed on or left whole."""

from __future__ import annotations

import pytest

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.proof.licences import Licences
from beatnote.proof.value import Untranslatable

from .executed import hold, is_left_whole, program, same, translation

FUNCTIONS = """
add {
  v = f32[] parameter(0)
  w = f32[] parameter(1)
  ROOT s = f32[] add(v, w)
}
twice {
  v = f32[4] parameter(0)
  ROOT d = f32[4] add(v, v)
}
square {
  v = f32[4] parameter(0)
  ROOT s = f32[4] multiply(v, v)
}
both {
  v = f32[4] parameter(0)
  w = f32[4] parameter(1)
  p = f32[4] multiply(v, w)
  m = f32[4] subtract(v, w)
  ROOT t = (f32[4], f32[4]) tuple(p, m)
}
mixed {
  v = f32[] parameter(0)
  w = f32[] parameter(1)
  c = f32[] constant(3)
  e = f32[] exponential(v)
  p = pred[] compare(v, w), direction=GT
  s = f32[] select(p, e, c)
  ROOT r = f32[] add(s, w)
}
first {
  v = f32[] parameter(0)
  ROOT w = f32[] parameter(1)
}
wide {
  v = f32[] parameter(0)
  b = f32[4] broadcast(v), dimensions={}
  z = f32[] constant(0)
  ROOT r = f32[] reduce(b, z), dimensions={0}, to_apply=add
}
"""

MEANINGS = {
    "call": ("x: f32[4]", "r = f32[4] call(x), to_apply=twice"),
    "call of a call's result": ("x: f32[4]", "a = f32[4] call(x), to_apply=twice\nr = f32[4] call(a), to_apply=square"),
    "tuple": ("x: f32[4], y: f32[4]", "r = (f32[4], f32[4]) tuple(y, x)"),
    "get-tuple-element": (
        "x: f32[4], y: f32[4]",
        "t = (f32[4], f32[4]) call(x, y), to_apply=both\nr = f32[4] get-tuple-element(t), index=1",
    ),
    "map": ("x: f32[2,3], y: f32[2,3]", "r = f32[2,3] map(x, y), dimensions={0,1}, to_apply=mixed"),
    "map to an operand": ("x: f32[3], y: f32[3]", "r = f32[3] map(x, y), dimensions={0}, to_apply=first"),
    "map with a sum inside": ("x: f32[3]", "r = f32[3] map(x), dimensions={0}, to_apply=wide"),
    "map of what was moved": (
        "x: f32[2,3]",
        "t = f32[3,2] transpose(x), dimensions={1,0}\nr = f32[3,2] map(t, t), dimensions={0,1}, to_apply=mixed",
    ),
    "conditional": (
        "p: pred[], x: f32[4], y: f32[4]",
        "r = f32[4] conditional(p, x, y), true_computation=twice, false_computation=square",
    ),
    "iota": ("x: f32[]", "r = f32[3,4] iota(), iota_dimension=1"),
    "iota of whole numbers": ("x: f32[]", "r = u8[3,4] iota(), iota_dimension=0"),
    "constant": ("x: f32[]", "r = f32[2,2] constant({{1, -2}, {0.5, 3e-3}})"),
    "constant of truth values": ("x: f32[]", "r = pred[3] constant({true, false, true})"),
    "opt-barrier": ("x: f32[4]", "b = f32[4] opt-barrier(x)\nr = f32[4] negate(b)"),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_meanings_are_those_of_xla(name: str) -> None:
    parameters, body = MEANINGS[name]
    hold(program(parameters, body, FUNCTIONS))


def test_a_parameter_that_is_a_tuple_is_its_elements() -> None:
    made = parse(
        """ENTRY main {
          t = (s32[4], (f32[4], f32[4])) parameter(0)
          u = (f32[4], f32[4]) get-tuple-element(t), index=1
          ROOT r = f32[4] get-tuple-element(u), index=0
        }"""
    )
    assert same(made, program("a: s32[4], b: f32[4], c: f32[4]", "r = f32[4] copy(b)"))


@pytest.mark.parametrize(
    "passing_on",
    [
        "r = f32[4] copy(x)",
        "t = (f32[4], f32[4]) tuple(y, x)\nr = f32[4] get-tuple-element(t), index=1",
        "n = (f32[4], f32[4]) tuple(x, y)\nt = (f32[4], (f32[4], f32[4])) tuple(y, n)\n"
        "u = (f32[4], f32[4]) get-tuple-element(t), index=1\nr = f32[4] get-tuple-element(u), index=0",
        "r = f32[4] opt-barrier(x)",
        'r = f32[4] domain(x), domain={kind="sharding"}',
        'r = f32[4] custom-call(x), custom_call_target="Sharding", sharding={replicated}',
        "k = token[] after-all()\nr = f32[4] add-dependency(x, k)",
        "s = (f32[4], f32[4], u32[]) copy-start(x)\nr = f32[4] copy-done(s)",
        "r = f32[4] bitcast(x)",
    ],
)
def test_what_passes_a_value_on_is_the_value(passing_on: str) -> None:
    assert same(program("x: f32[4], y: f32[4]", passing_on), program("x: f32[4], y: f32[4]", "r = f32[4] reshape(x)"))


@pytest.mark.parametrize(
    "call",
    [
        "r = f32[4] call(x), to_apply=square",
        "r = f32[4] fusion(x), kind=kLoop, calls=square",
        "s = ((f32[4]), f32[4], u32[]) async-start(x), calls=square\n"
        "u = ((f32[4]), f32[4], u32[]) async-update(s)\nr = f32[4] async-done(u)",
    ],
)
def test_a_call_of_any_kind_is_its_body(call: str) -> None:
    assert same(program("x: f32[4]", call, FUNCTIONS), program("x: f32[4]", "r = f32[4] multiply(x, x)"))


def test_a_fusion_of_several_outputs_is_a_tuple() -> None:
    fused = program(
        "x: f32[4], y: f32[4]",
        "f = (f32[4], f32[4]) fusion(x, y), kind=kLoop, calls=both\nr = f32[4] get-tuple-element(f), index=1",
        FUNCTIONS,
    )
    assert same(fused, program("x: f32[4], y: f32[4]", "r = f32[4] subtract(x, y)"))


def loop(limit: int, step: str, condition: str = "LT") -> Module:
    return parse(
        f"""
    test {{
      s = (s32[], f32[4]) parameter(0)
      i = s32[] get-tuple-element(s), index=0
      c = s32[] constant({limit})
      ROOT p = pred[] compare(i, c), direction={condition}
    }}
    step {{
      s = (s32[], f32[4]) parameter(0)
      i = s32[] get-tuple-element(s), index=0
      x = f32[4] get-tuple-element(s), index=1
      o = s32[] constant(1)
      j = s32[] add(i, o)
      y = f32[4] {step}
      ROOT t = (s32[], f32[4]) tuple(j, y)
    }}
    ENTRY main {{
      x = f32[4] parameter(0)
      z = s32[] constant(0)
      t = (s32[], f32[4]) tuple(z, x)
      w = (s32[], f32[4]) while(t), condition=test, body=step
      ROOT r = f32[4] get-tuple-element(w), index=1
    }}"""
    )


def test_a_loop_is_left_whole_and_equals_one_of_the_same_body() -> None:
    assert is_left_whole(loop(3, "sine(x)"), "while")
    assert same(loop(3, "multiply(x, x)"), loop(3, "multiply(x, x), metadata={}"))
    assert not same(loop(3, "sine(x)"), loop(4, "sine(x)"))
    assert not same(loop(3, "sine(x)"), loop(3, "cosine(x)"))
    assert not same(loop(3, "sine(x)"), loop(3, "sine(x)", "LE"))


def branches(first: str, second: str, index: str = "i") -> Module:
    text = "".join(
        f"branch{k} {{\n v = f32[4] parameter(0)\n ROOT r = f32[4] {body}\n}}\n"
        for k, body in enumerate((first, second))
    )
    return parse(
        text
        + f"""ENTRY main {{
          i = s32[] parameter(0)
          j = s32[] parameter(1)
          x = f32[4] parameter(2)
          ROOT r = f32[4] conditional({index}, x, x), branch_computations={{branch0, branch1}}
        }}"""
    )


def test_a_choice_by_number_is_left_whole_and_equals_one_of_the_same_branches() -> None:
    assert is_left_whole(branches("sine(v)", "cosine(v)"), "conditional")
    assert same(branches("sine(v)", "add(v, v)"), branches("sine(v)", "add(v, v), metadata={}"))
    assert not same(branches("sine(v)", "cosine(v)"), branches("cosine(v)", "sine(v)"))
    assert not same(branches("sine(v)", "cosine(v)"), branches("sine(v)", "cosine(v)", "j"))


def test_a_conditional_is_a_selection_that_asks_nothing_of_the_other_branch() -> None:
    roots = "root {\n v = f32[4] parameter(0)\n ROOT s = f32[4] sqrt(v)\n}\n" + FUNCTIONS
    parameters = "p: pred[], x: f32[4]"
    chosen = program(
        parameters, "r = f32[4] conditional(p, x, x), true_computation=root, false_computation=twice", roots
    )
    selected = program(
        parameters,
        "s = f32[4] sqrt(x)\nd = f32[4] add(x, x)\nb = pred[4] broadcast(p), dimensions={}\nr = f32[4] select(b, s, d)",
    )
    assert same(chosen, selected)
    assert len(translation(chosen).outputs[0].domain) == 1


@pytest.mark.parametrize(
    ("parameters", "body", "opcode"),
    [
        ("x: f32[4]", "r = f32[4] sort(x), dimensions={0}, to_apply=less", "sort"),
        ("x: f32[4]", 'r = f32[4] custom-call(x), custom_call_target="f"', "custom-call"),
        ("x: f32[4]", "r = s32[4] bitcast-convert(x)", "bitcast-convert"),
        ("x: f32[4]", "r = s32[4] bitcast(x)", "bitcast"),
        ("x: f32[4]", "r = f32[4] all-reduce(x), to_apply=add", "all-reduce"),
        (
            "x: f32[1,4,1], k: f32[2,1,1]",
            "r = f32[1,3,1] convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f",
            "convolution",
        ),
        (
            "x: f32[4]",
            "z = f32[] constant(0)\nr = f32[3] reduce-window(x, z), window={size=2}, to_apply=add",
            "reduce-window",
        ),
        ("x: f32[4]", "i = f32[] constant(-inf)\nr = f32[6] pad(x, i), padding=1_1", "pad"),
        ("x: f32[4]", "r = f32[4] never-heard-of(x)", "never-heard-of"),
        ("x: f32[]", "r = f16[5000] iota(), iota_dimension=0", "iota"),
        ("x: f32[]", "r = s8[200] iota(), iota_dimension=0", "iota"),
    ],
)
def test_what_is_not_explained_is_left_whole(parameters: str, body: str, opcode: str) -> None:
    less = "less {\n v = f32[] parameter(0)\n w = f32[] parameter(1)\n ROOT p = pred[] compare(v, w), direction=LT\n}\n"
    assert is_left_whole(program(parameters, body, FUNCTIONS + less), opcode)


def sort(comparator: str, attributes: str = "dimensions={0}") -> Module:
    return program(
        "x: f32[4]",
        f"r = f32[4] sort(x), {attributes}, to_apply=order",
        f"order {{\n v = f32[] parameter(0)\n w = f32[] parameter(1)\n {comparator}\n}}\n",
    )


def test_a_sort_is_one_by_the_same_order() -> None:
    less = sort("ROOT p = pred[] compare(v, w), direction=LT")
    assert same(less, sort("ROOT p = pred[] compare(w, v), direction=GT"))
    assert not same(less, sort("ROOT p = pred[] compare(v, w), direction=GT"))
    assert not same(less, sort("ROOT p = pred[] compare(v, w), direction=LT, type=TOTALORDER"))
    assert not same(less, sort("ROOT p = pred[] compare(v, w), direction=LT", "dimensions={0}, is_stable=true"))


def test_an_unexplained_operation_equals_only_that_on_equal_operands() -> None:
    text = 's = f32[4] {}\nr = f32[4] custom-call(s), custom_call_target="f"'
    parameters = "x: f32[4], y: f32[4]"
    assert same(program(parameters, text.format("add(x, y)")), program(parameters, text.format("add(y, x)")))
    assert not same(program(parameters, text.format("add(x, y)")), program(parameters, text.format("add(x, x)")))


@pytest.mark.parametrize(
    ("layout", "source", "like"),
    [
        ("{1,0}", "{1,0}", "r = f32[2,6] reshape(x)"),
        ("{0,1}", "{1,0}", "a = f32[6,2] reshape(x)\nr = f32[2,6] transpose(a), dimensions={1,0}"),
        ("{1,0}", "{0,1}", "a = f32[4,3] transpose(x), dimensions={1,0}\nr = f32[2,6] reshape(a)"),
    ],
)
def test_a_bitcast_reads_memory_by_both_layouts(layout: str, source: str, like: str) -> None:
    made = parse(f"ENTRY main {{\n x = f32[3,4]{source} parameter(0)\n ROOT r = f32[2,6]{layout} bitcast(x)\n}}")
    assert same(made, program("x: f32[3,4]", like))


@pytest.mark.parametrize(
    ("shape", "source", "explained"),
    [
        ("f32[6,4,128]{2,1,0:T(2,128)}", "f32[2,3,4,128]{3,2,1,0:T(2,128)}", True),
        ("f32[4,128]{1,0:T(4,128)}", "f32[2,2,128]{2,1,0:T(2,128)}", False),
        ("f32[4,128]{1,0}", "f32[2,2,128]{2,1,0:T(2,128)}", False),
        ("f32[8,2,128]{2,1,0:T(8,128)}", "f32[8,256]{1,0:T(8,128)}", False),
        ("f32[1,4,128]{2,1,0:T(2,128)S(1)}", "f32[4,128]{1,0:T(2,128)}", True),
    ],
)
def test_a_bitcast_is_explained_where_tiles_cover_the_same(shape: str, source: str, explained: bool) -> None:
    made = parse(f"ENTRY main {{\n x = {source} parameter(0)\n ROOT r = {shape} bitcast(x)\n}}")
    assert is_left_whole(made, "bitcast") is not explained


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("r = f32[4] get-tuple-element(x), index=0", "takes element 0 of something else than a tuple"),
        ("t = (f32[4]) tuple(x)\nr = f32[4] get-tuple-element(t), index=1", "takes element 1"),
        ("r = f32[4] get-tuple-element(x)", "index"),
        ("r = f32[4] async-done(x)", "should be given a tuple"),
        ("r = f32[4] call(x), to_apply=gone", "computation 'gone' is not in the text"),
        ("r = f32[4] call(x, x), to_apply=twice", "computation 'twice' is called with 2 operands"),
        ("r = f32[4] map(x), dimensions={0}, to_apply=both", "computation 'both' is called with 1 operands"),
        ("r = f32[4] pad(x, x), padding=what", "expected padding"),
        ("r = f32[4] slice(x), slice={[a:b]}", "expected slices"),
    ],
)
def test_what_has_no_meaning_is_refused_in_one_line(body: str, words: str) -> None:
    with pytest.raises(Untranslatable) as error:
        translation(program("x: f32[4]", body, FUNCTIONS))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_dividing_by_a_constant_zero_is_left_whole() -> None:
    made = program("x: f32[]", "z = f32[] constant(0)\nr = f32[] divide(x, z)")
    for licences in (Licences(), Licences(reordering=True, stability=True, precision=True)):
        assert translation(made, licences).outputs[0].special == "some"
