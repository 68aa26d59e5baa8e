"""The model's words for an instruction."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost.scopes import MOST, scope_words, scopes_of
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import array
from beatnote.hlo.text import parse


@pytest.mark.parametrize(
    ("op_name", "scope"),
    [
        ("jit(step)/jit(main)/jvp(Model)/decoder/while/body/layers/mlp/wo/dot_general", "Model/decoder/layers/mlp/wo"),
        (
            "jit(step)/jit(main)/transpose(jvp(Model))/decoder/while/body/checkpoint/layers/mlp/mul",
            "Model/decoder/layers/mlp",
        ),
        ("jit(step)/jit(main)/transpose(jvp())/add", ""),
        ("jit(predict)/conv3_block1_3_bn/rsqrt", "conv3_block1_3_bn"),
        ("gradient_tape/resnet50_1/conv3_bn/Reshape_3", "resnet50_1/conv3_bn"),
        ("adam/Mul_23", "adam"),
        ("Mul_23", ""),
        ("", ""),
        ("jit(f)/vmap(while)/body/a/b/c/d", "a/b/c"),
        ("jit(f)/dot_general[\n dimension_numbers=((1/2)) ]", ""),
        ("transpose(" * 40 + "x" + ")" * 40 + "/add", None),
    ],
)
def test_scopes(op_name, scope):
    escaped = op_name.replace("\n", "\\n")
    instruction = Instruction("r", "add", array("f32"), (), None, f'metadata={{op_name="{escaped}"}}')
    found = "/".join(scope_words(instruction))
    assert scope is None or found == scope


def test_no_metadata():
    assert scope_words(Instruction("r", "add", array("f32"))) == ()


def program(scopes: list[str]) -> str:
    lines = [f'r{k} = f32[] negate(x), metadata={{op_name="jit(f)/{scope}/neg"}}' for k, scope in enumerate(scopes)]
    return "ENTRY e { x = f32[] parameter(0)\n" + "\n".join(lines) + "\nROOT r = f32[] negate(x) }"


def test_as_many_words_as_give_few_parts():
    found = scopes_of(parse(program(["a/b/c/d/e", "a/b/c/d/f", "a/b/x"])))
    assert list(found.values()) == ["", "a/b/c/d", "a/b/c/d", "a/b/x", ""]
    many = scopes_of(parse(program([f"a/b/layer_{k}" for k in range(MOST)])))
    assert set(many.values()) == {"", "a/b"}
