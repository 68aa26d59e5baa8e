"""Printing: today's form, names with `%`, no operand shapes."""

from __future__ import annotations

from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.render import render, render_instruction
from beatnote.hlo.shapes import array


def test_a_whole_module():
    # GIVEN
    x = Instruction("x", "parameter", array("f32", 2), (), "0", "sharding={replicated}")
    y = Instruction("y", "add", array("f32", 2), ("x", "x"))
    module = Module(
        "m",
        (Computation("main", (x, y), "y", "(x: f32[2]) -> f32[2]", 'execution_thread="host"'),),
        "main",
        "is_scheduled=true",
        (("FileNames", ('1 "a.py"',)),),
        (Module("n", (Computation("other", (x,), "x"),), "other"),),
    )

    # THEN
    assert render(module) == (
        "HloModule m, is_scheduled=true\n"
        "\n"
        "FileNames\n"
        '1 "a.py"\n'
        "\n"
        "ENTRY %main (x: f32[2]) -> f32[2] {\n"
        "  %x = f32[2] parameter(0), sharding={replicated}\n"
        "  ROOT %y = f32[2] add(%x, %x)\n"
        '}, execution_thread="host"\n'
        "\n"
        "// -----\n"
        "\n"
        "HloModule n\n"
        "\n"
        "ENTRY %other {\n"
        "  ROOT %x = f32[2] parameter(0), sharding={replicated}\n"
        "}\n"
    )


def test_one_instruction():
    assert render_instruction(Instruction("i", "iota", array("s32", 4), (), None, "iota_dimension=0")) == (
        "%i = s32[4] iota(), iota_dimension=0"
    )
