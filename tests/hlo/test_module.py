"""Module, computation and instruction as data."""

from __future__ import annotations

import pytest

from beatnote.hlo.module import Instruction, Module
from beatnote.hlo.shapes import array
from beatnote.hlo.text import parse

from .strategies import OF_2020, TODAY


def test_finding_things_by_name():
    # GIVEN
    module = parse(TODAY)

    # THEN
    assert module.entry is module.computation("main.9")
    assert module.entry["sum.1"].operands == ("x.1", "zero.1")
    assert "sum.1" in module.entry
    assert "add.1" not in module.entry
    assert module.entry.root_instruction.name == "result.1"
    with pytest.raises(KeyError):
        module.entry["add.1"]
    with pytest.raises(KeyError):
        module.computation("main")


def test_counting_and_walking():
    # GIVEN
    module = parse(f"{TODAY}\n{OF_2020}")

    # THEN
    assert module.instruction_count == len(list(module.instructions())) == 11
    assert [one.instruction_count for one in module] == [11, 10]


def test_parameters_are_ordered_by_number():
    # GIVEN
    entry = parse("e { b = s32[] parameter(1) a = f32[] parameter(0) ROOT t = (f32[], s32[]) tuple(a, b) }").entry

    # THEN
    assert [(p.name, p.parameter_number) for p in entry.parameters] == [("a", 0), ("b", 1)]
    assert entry.root_instruction.parameter_number is None


@pytest.mark.parametrize(
    ("opcode", "literal", "is_elided"),
    [("constant", "{...}", True), ("constant", "{1, 2}", False), ("add", None, False)],
)
def test_elided(opcode: str, literal: str | None, is_elided: bool):
    assert Instruction("x", opcode, array("f32", 2), (), literal).is_elided is is_elided


def test_attributes_are_read_only():
    # GIVEN
    instruction = Instruction("x", "add", array("f32"), ("a", "b"), None, 'dimensions={0}, metadata={op_name="n"}')

    # THEN
    assert instruction.attributes == {"dimensions": "{0}", "metadata": '{op_name="n"}'}
    assert instruction.metadata == {"op_name": "n"}
    with pytest.raises(TypeError):
        instruction.attributes["dimensions"] = "{1}"  # type: ignore[index]


def test_data_is_frozen_and_compares_by_value():
    # GIVEN
    one, other = parse(TODAY), parse(TODAY)

    # THEN
    assert one == other
    assert hash(one.entry.instructions[0]) == hash(other.entry.instructions[0])
    assert one != Module(one.name, one.computations, "region_0.1", one.attributes_text, one.tables)
    with pytest.raises(AttributeError):
        one.name = "other"  # type: ignore[misc]
