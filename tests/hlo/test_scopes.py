"""The model's words for an instruction."""

from __future__ import annotations

import pytest

from beatnote.hlo.module import Instruction
from beatnote.hlo.scopes import scope_of
from beatnote.hlo.shapes import array


@pytest.mark.parametrize(
    ("op_name", "scope"),
    [
        ("jit(step)/jit(main)/jvp(Model)/decoder/while/body/layers/mlp/wo/dot_general", "Model/decoder"),
        ("jit(step)/jit(main)/transpose(jvp(Model))/decoder/while/body/checkpoint/layers/mlp/mul", "Model/decoder"),
        ("jit(step)/jit(main)/transpose(jvp())/add", ""),
        ("jit(predict)/conv3_block1_3_bn/rsqrt", "conv3_block1_3_bn"),
        ("gradient_tape/resnet50_1/conv3_bn/Reshape_3", "resnet50_1/conv3_bn"),
        ("adam/Mul_23", "adam"),
        ("Mul_23", ""),
        ("", ""),
        ("jit(f)/vmap(while)/body/a/b/c/d", "a/b"),
        ("jit(f)/dot_general[\n dimension_numbers=((1/2)) ]", ""),
        ("transpose(" * 40 + "x" + ")" * 40 + "/add", None),
    ],
)
def test_scopes(op_name, scope):
    escaped = op_name.replace("\n", "\\n")
    instruction = Instruction("r", "add", array("f32"), (), None, f'metadata={{op_name="{escaped}"}}')
    found = scope_of(instruction)
    assert scope is None or found == scope


def test_no_metadata():
    assert scope_of(Instruction("r", "add", array("f32"))) == ""
