"""Which attributes matter, and which computations an instruction refers to."""

from __future__ import annotations

import pytest

from beatnote.hlo.calls import called_computations
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import array
from beatnote.proof.attributes import compared_attributes, how_exactly


def instruction(opcode: str, attributes: str) -> Instruction:
    return Instruction("r", opcode, array("f32", 4), ("x",), None, attributes)


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        ("to_apply=%add", ("add",)),
        ("calls=fused", ("fused",)),
        ("body=b, condition=c", ("c", "b")),
        ("condition=c, body=b", ("c", "b")),
        ("true_computation=yes, false_computation=no", ("yes", "no")),
        ("false_computation=no, true_computation=yes", ("yes", "no")),
        ("branch_computations={%one, %two, three}", ("one", "two", "three")),
        ("called_computations={f}", ("f",)),
        ("select=%ge, scatter=%add", ("ge", "add")),
        ("scatter=%add, select=%ge", ("ge", "add")),
        ("dimensions={0}", ()),
    ],
)
def test_called_computations_come_in_a_fixed_order(attributes: str, names: tuple[str, ...]) -> None:
    assert called_computations(instruction("x", attributes)) == names


@pytest.mark.parametrize(
    "attributes",
    [
        'metadata={op_name="a"}',
        "to_apply=add",
        "control-predecessors={a}",
        "indices_are_sorted=true",
        "unique_indices=true",
        "sharding={replicated}",
        'origin={{"x"}}',
        "parameter_replication={true}",
        'frontend_attributes={a="b"}',
    ],
)
def test_where_an_instruction_comes_from_does_not_matter(attributes: str) -> None:
    assert compared_attributes(instruction("sort", attributes)) == ()


def test_order_of_attributes_does_not_matter() -> None:
    a = compared_attributes(instruction("sort", "dimensions={0}, is_stable=true"))
    assert a == compared_attributes(instruction("sort", "is_stable=true, dimensions={0}"))
    assert a == (("dimensions", "{0}"), ("is_stable", "true"))


@pytest.mark.parametrize(
    ("opcode", "a", "b"),
    [
        ("sort", "dimensions={0}", "dimensions={1}"),
        ("sort", "is_stable=true", "is_stable=false"),
        ("rng-bit-generator", "algorithm=rng_philox", "algorithm=rng_three_fry"),
        ("custom-call", 'custom_call_target="a"', 'custom_call_target="b"'),
        ("custom-call", "sharding={manual}", "sharding={replicated}"),
        ("custom-call", 'frontend_attributes={a="b"}', 'frontend_attributes={a="c"}'),
        ("custom-call", "operand_precision={highest}", ""),
        ("all-reduce", "channel_id=1", ""),
        ("convolution", "feature_group_count=2", ""),
        ("compare", "type=FLOAT", "type=TOTALORDER"),
    ],
)
def test_what_an_operation_computes_by_matters(opcode: str, a: str, b: str) -> None:
    assert compared_attributes(instruction(opcode, a)) != compared_attributes(instruction(opcode, b))


@pytest.mark.parametrize("opcode", ["dot", "convolution"])
@pytest.mark.parametrize("attribute", ["operand_precision={highest,highest}", "algorithm=dot_f32_f32_f32"])
def test_how_exactly_a_product_multiplies_is_told_apart(opcode: str, attribute: str) -> None:
    assert compared_attributes(instruction(opcode, attribute)) == ()
    assert how_exactly(instruction(opcode, attribute)) == (tuple(attribute.split("=")),)


@pytest.mark.parametrize("attribute", ["operand_precision={default,default}", "algorithm=dot_unset", ""])
def test_the_usual_precision_is_no_precision_given(attribute: str) -> None:
    assert how_exactly(instruction("dot", attribute)) == ()


def test_which_channel_does_not_matter() -> None:
    a, b = (compared_attributes(instruction("all-reduce", f"channel_id={n}")) for n in (1, 2))
    assert a == b
