"""Reading HLO text: every form of every era, the round trip, the published modules."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings

from beatnote.hlo.module import Module
from beatnote.hlo.shapes import UNBOUNDED, ArrayShape, Layout, TupleShape, array
from beatnote.hlo.text import HloSyntaxError, parse, render

from ..conftest import SHARED
from .strategies import BY_HAND, COLLECTIVES, FORMS, OF_2020, SHAPES, TODAY, damaged_texts, modules

CORPUS = SHARED / "hlo"
WHOLE = sorted(
    [
        *(file for folder in ("seeds", "models", "xla-benchmarks") for file in (CORPUS / folder).glob("*.hlo")),
        *CORPUS.glob("issues/*.complete.hlo"),
    ]
)
PARTIAL = sorted([*CORPUS.glob("issues/*.truncated*"), *CORPUS.glob("issues/*.fragment*")])
ABSENT = pytest.mark.skipif(not WHOLE, reason=f"no published modules in {CORPUS}")


def rows(module: Module) -> list[tuple[str, str, str, str, str]]:
    """Every instruction as it would stand in a table; a root's name has a star."""
    table: list[tuple[str, str, str, str, str]] = []
    for computation in module.computations:
        for instruction in computation.instructions:
            star = "*" if instruction.name == computation.root else ""
            inside = ", ".join(instruction.operands) if instruction.literal is None else instruction.literal
            table.append(
                (
                    computation.name,
                    f"{star}{instruction.name}",
                    str(instruction.shape),
                    f"{instruction.opcode}({inside})",
                    instruction.attributes_text,
                )
            )
    return table


def outcome(text: str, name: str = "<text>") -> Module | HloSyntaxError:
    """What `parse` returns, or the error it raises; any other error is the test's failure."""
    try:
        return parse(text, name=name)
    except HloSyntaxError as error:
        return error


def test_a_module_of_today():
    # WHEN
    module = parse(TODAY)

    # THEN
    assert (module.name, module.entry_name, module.following) == ("jit_step", "main.9", ())
    assert module.attributes == {
        "is_scheduled": "true",
        "input_output_alias": "{ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias) }",
        "entry_computation_layout": "{(f32[2,3]{1,0}, s32[])->(f32[2,3]{1,0}, s32[])}",
        "buffer_donor": "{ (2, {}) }",
        "num_partitions": "2",
        "replica_count": "1",
        "frontend_attributes": '{fingerprint="ab=,}"}',
    }
    assert module.tables == (
        ("FileNames", ('1 "train.py"', '2 "a \\"quoted\\" name.py"')),
        ("FunctionNames", ('1 "step"',)),
        ("FileLocations", ("1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=2 end_column=9}",)),
        ("StackFrames", ("1 {file_location_id=1 parent_frame_id=1}",)),
    )
    assert [c.signature for c in module.computations] == [
        "(a.1: f32[], b.1: f32[]) -> f32[]",
        "(x.1: f32[2,3], n.1: s32[]) -> (f32[2,3], s32[])",
    ]
    assert module.computation("region_0.1").attributes_text == 'execution_thread="host"'
    assert [parameter.name for parameter in module.entry.parameters] == ["x.1", "n.1"]
    assert rows(module)[3:] == [
        (
            "main.9",
            "x.1",
            "f32[2,3]{1,0}",
            "parameter(0)",
            'sharding={devices=[2,1]<=[2]}, metadata={op_name="x"}',
        ),
        ("main.9", "n.1", "s32[]", "parameter(1)", "sharding={replicated}"),
        ("main.9", "zero.1", "f32[]", "constant(0)", ""),
        ("main.9", "table.1", "f32[2,3]{1,0}", "constant({ { 1, -2.5, nan }, { inf, -inf, 1e-30 } })", ""),
        (
            "main.9",
            "sum.1",
            "f32[2]{0}",
            "reduce(x.1, zero.1)",
            'dimensions={1}, to_apply=%region_0.1, metadata={op_name="jit(step)/sum"}',
        ),
        ("main.9", "wide.1", "f32[2,3]{1,0}", "broadcast(sum.1)", "dimensions={0}"),
        (
            "main.9",
            "out.1",
            "f32[2,3]{1,0}",
            "multiply(wide.1, table.1)",
            'backend_config={"outer":{"inner":["1","2"]},"text":"a } b"}',
        ),
        ("main.9", "*result.1", "(f32[2,3]{1,0}, s32[])", "tuple(out.1, n.1)", ""),
    ]


def test_a_module_of_2020_with_operand_shapes():
    # WHEN
    module = parse(OF_2020)

    # THEN
    assert rows(module) == [
        ("max_F32.3", "lhs.4", "f32[]", "parameter(0)", "parameter_replication={false}"),
        ("max_F32.3", "rhs.5", "f32[]", "parameter(1)", ""),
        ("max_F32.3", "*maximum.6", "f32[]", "maximum(lhs.4, rhs.5)", ""),
        ("cluster_0.7", "arg0.1", "f32[4,4]{1,0}", "parameter(0)", module.entry.instructions[0].attributes_text),
        ("cluster_0.7", "constant.2", "f32[]", "constant(-inf)", module.entry.instructions[1].attributes_text),
        ("cluster_0.7", "pair.3", "(f32[4,4]{1,0}, f32[])", "tuple(arg0.1, constant.2)", ""),
        ("cluster_0.7", "gte.4", "f32[4,4]{1,0}", "get-tuple-element(pair.3)", "index=0"),
        ("cluster_0.7", "reduce.5", "f32[4]{0}", "reduce(gte.4, constant.2)", "dimensions={1}, to_apply=%max_F32.3"),
        ("cluster_0.7", "yes.6", "pred[]", "constant(true)", ""),
        ("cluster_0.7", "*tuple.7", "(f32[4]{0}, pred[])", "tuple(reduce.5, yes.6)", ""),
    ]
    assert module.entry["constant.2"].metadata == {
        "op_type": "Max",
        "op_name": "Max",
        "source_file": 'a "b".py',
        "source_line": "12",
    }


def test_a_module_written_by_hand():
    # WHEN
    module = parse(BY_HAND)

    # THEN
    assert module.attributes == {"is_scheduled": "false"}
    assert rows(module) == [
        ("add", "a", "f32[]", "parameter(0)", ""),
        ("add", "b", "f32[]", "parameter(1)", ""),
        ("add", "*c", "f32[]", "add(a, b)", ""),
        ("body", "p", "(s32[], f32[4])", "parameter(0)", ""),
        ("body", "i", "s32[]", "get-tuple-element(p)", "index=0"),
        ("body", "v", "f32[4]", "get-tuple-element(p)", "index=1"),
        ("body", "one", "s32[]", "constant(1)", ""),
        ("body", "next", "s32[]", "add(i, one)", ""),
        ("body", "*r", "(s32[], f32[4])", "tuple(next, v)", ""),
        ("condition", "p", "(s32[], f32[4])", "parameter(0)", ""),
        ("condition", "i", "s32[]", "get-tuple-element(p)", "index=0"),
        ("condition", "constant.inline2", "s32[]", "constant(10)", ""),
        ("condition", "*less", "pred[]", "compare(i, constant.inline2)", "direction=LT"),
        ("main", "x", "f32[4]", "parameter(0)", ""),
        ("main", "zero", "s32[]", "constant(0)", ""),
        ("main", "start", "(s32[], f32[4])", "tuple(zero, x)", ""),
        ("main", "loop", "(s32[], f32[4])", "while(start)", "condition=condition, body=body"),
        (
            "main",
            "y",
            "f32[4]",
            "get-tuple-element(loop)",
            'index=1, metadata={op_name="two\nlines" source_file=\'single "quotes"\'}',
        ),
        ("main", "d", "f32[]", "dot(y, x)", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
        ("main", "multiply.inline6", "f32[]", "multiply(d, d)", ""),
        ("main", "*z", "f32[]", "add(d, multiply.inline6)", "control-predecessors={d, y}"),
    ]
    assert module.entry["y"].metadata == {"op_name": "two\nlines", "source_file": 'single "quotes"'}


def test_shapes_with_layouts_and_dynamic_dimensions():
    # WHEN
    entry = parse(SHAPES).entry

    # THEN
    assert {instruction.name: instruction.shape for instruction in entry.instructions} == {
        "a": ArrayShape("bf16", (8, 128), (False, False), Layout((1, 0), "T(8,128)(2,1)S(1)")),
        "b": ArrayShape("s4", (16,), (False,), Layout((0,), "E(4)")),
        "c": ArrayShape("f32", (8, 4), (True, False), Layout((1, 0))),
        "d": ArrayShape("f32", (UNBOUNDED, 4), (True, False)),
        "e": TupleShape(
            (
                ArrayShape("f32", (2,), (False,), Layout((0,))),
                TupleShape((array("token"), array("opaque"))),
                TupleShape(),
            )
        ),
        "f": ArrayShape("f8e4m3fn", (3,), (False,), Layout((0,), "T(128)(4,1)")),
        "g": array("f4e2m1fn", 2),
        "h": array("c64", 2),
        "i": array("s32", 64),
        "j": ArrayShape("f32", (), (), Layout((), "T(128)")),
        "t": TupleShape((entry["a"].shape, array("f32"))),
    }
    assert [instruction.name for instruction in entry.instructions if instruction.is_elided] == ["i"]


def test_collectives_and_async_operations_are_kept_as_written():
    # WHEN
    entry = parse(COLLECTIVES).entry

    # THEN
    assert [(i.opcode, i.attributes_text) for i in entry.instructions] == [
        ("parameter", "sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"),
        ("all-reduce-start", "channel_id=1, replica_groups=[2,2]<=[4], use_global_device_ids=true, to_apply=add"),
        ("all-reduce-done", ""),
        ("async-start", "calls=wrapped"),
        ("async-done", "calls=wrapped"),
        ("collective-permute-start", "source_target_pairs={{0,1},{1,0}}"),
        ("collective-permute-done", 'statistics={visualizing_index=0,stat=1.5}, origin={{"x" {0}}}'),
    ]
    assert str(entry["as"].shape) == "((f32[8]{0}), f32[8]{0}, u32[])"


PLAIN = """\
HloModule same, is_scheduled=true

%double (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %d = f32[2]{0} add(%p, %p), metadata={op_name="a/b"}
}

ENTRY %main (x: f32[2]) -> (f32[2], f32[2]) {
  %x = f32[2]{0} parameter(0)
  %c = f32[2]{0} constant({1, 2})
  %y = f32[2]{0} fusion(%x), kind=kLoop, calls=%double
  ROOT %t = (f32[2]{0}, f32[2]{0}) tuple(%y, %c), sharding={{replicated}, {replicated}}
}
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN.replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param("\ufeff" + PLAIN, id="byte-order mark"),
        pytest.param(PLAIN.replace("  %", "\t%").replace("  ROOT", "\tROOT"), id="tabs"),
        pytest.param("// one\n/* two\nlines */\n" + PLAIN, id="comments before the module"),
        pytest.param(PLAIN.replace("%x, ", "%x /* c */ , // d\n"), id="comments between operands"),
        pytest.param(
            PLAIN.replace(", ", " , /*index=5*/ ").replace(" , /*index=5*/ f32[2]) {", ", f32[2]) {"), id="index"
        ),
        pytest.param(PLAIN.replace("%", ""), id="no percent signs"),
        pytest.param(PLAIN.replace("%p, %p", "f32[2]{0} %p, f32[2] %p"), id="operand shapes"),
        pytest.param(PLAIN.replace("%y, %c", "f32[2]{0} %y, f32[2]{0} %c"), id="operand shapes of a tuple"),
        pytest.param(PLAIN.replace("\n  ", " "), id="instructions on one line"),
        pytest.param(PLAIN.replace("\n", " "), id="everything on one line"),
        pytest.param(PLAIN.replace(" = ", "=").replace(", ", ","), id="no blanks"),
        pytest.param(PLAIN.replace(" ", "\n"), id="a line for each word"),
        pytest.param(PLAIN.replace(", metadata", "\n    , metadata"), id="attribute on the next line"),
        pytest.param(PLAIN.replace("\n}", "\n/* end */ }"), id="comment before a brace"),
        pytest.param(PLAIN.replace("ENTRY ", ""), id="the last computation is the entry where none is marked"),
    ],
)
def test_the_same_module_written_otherwise(text: str):
    # GIVEN what may differ: signatures, whose text is kept, `%` before the names of computations, blanks in braces
    def normal(module: Module) -> list[tuple[str, ...]]:
        return [tuple("".join(part.split()).replace("%", "") for part in row) for row in rows(module)]

    # WHEN
    module = parse(text)

    # THEN
    assert normal(module) == normal(parse(PLAIN))
    assert (module.name, module.entry_name) == ("same", "main")
    assert module.attributes == {"is_scheduled": "true"}
    assert [c.name for c in module.computations] == ["double", "main"]
    assert parse(render(module)) == module


def test_computations_without_a_module():
    # WHEN
    module = parse("one { ROOT x = f32[] parameter(0) }\ntwo { y = s32[] constant(1) z = s32[] negate(y) }")

    # THEN
    assert (module.name, module.entry_name) == ("", "two")
    assert [c.root for c in module.computations] == ["x", "z"]


def test_a_header_alone_is_a_module_without_computations():
    # WHEN
    module = parse('HloModule m, is_scheduled=true\n\nFileNames\n1 "a"\n')

    # THEN
    assert (module.name, module.computations, module.entry_name) == ("m", (), "")
    assert parse(render(module)) == module
    with pytest.raises(KeyError):
        _ = module.entry


def test_several_modules_in_one_text():
    # GIVEN
    text = "HloModule a\ne { x = f32[] parameter(0) }\n// -----\nHloModule b\ne { y = s32[] parameter(0) }\n"

    # WHEN
    module = parse(text)

    # THEN
    assert [(one.name, one.entry.root) for one in module] == [("a", "x"), ("b", "y")]
    assert parse(render(module)) == module


def test_what_is_not_known_survives():
    # GIVEN
    text = (
        "HloModule m, of_the_future={a:[{b}]}\n\nMeshes\n1 {x=2}\n\n"
        'e {\n  x = f32[]{:Q(7)} parameter(0), unheard_of={"k":[1,{"l":2}]}, and="so, on"\n'
        "  y = f32[] opcode-of-the-future(x), groups=mesh[2,4] {0,1}\n}\n"
    )

    # WHEN
    module = parse(text)

    # THEN
    assert module.attributes == {"of_the_future": "{a:[{b}]}"}
    assert module.tables == (("Meshes", ("1 {x=2}",)),)
    assert module.entry["x"].attributes == {"unheard_of": '{"k":[1,{"l":2}]}', "and": '"so, on"'}
    assert module.entry["y"].attributes == {"groups": "mesh[2,4] {0,1}"}
    assert parse(render(module)) == module


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_round_trip_of_every_form(text: str):
    module = parse(text)
    assert parse(render(module)) == module


@ABSENT
@pytest.mark.parametrize("file", WHOLE, ids=lambda file: file.name)
def test_round_trip_of_published_modules(file: Path):
    # GIVEN
    text = file.read_text(encoding="utf-8")

    # WHEN
    module = parse(text, name=str(file))

    # THEN
    assert parse(render(module)) == module


@ABSENT
@pytest.mark.parametrize("file", PARTIAL, ids=lambda file: file.name)
def test_published_fragments_parse_to_what_they_hold_or_say_where_they_break(file: Path):
    # GIVEN
    text = file.read_text(encoding="utf-8")

    # WHEN
    found = outcome(text, str(file))

    # THEN
    if isinstance(found, HloSyntaxError):
        assert found.source_line == text.splitlines()[found.line - 1]
        assert str(found).startswith(f"{file}:{found.line}:{found.column}: ")
    else:
        assert found.instruction_count == sum(" = " in line for line in text.splitlines())
        assert parse(render(found)) == found


@given(modules())
@settings(max_examples=150, deadline=None)
def test_random_modules_are_read_back_as_they_were(module: Module):
    assert parse(render(module)) == module


@given(damaged_texts)
@settings(max_examples=1500, deadline=None)
def test_damaged_text_is_read_soundly_or_refused(text: str):
    # WHEN
    start = time.perf_counter()
    found = outcome(text)

    # THEN
    assert time.perf_counter() - start < 2
    assert isinstance(found, HloSyntaxError) or parse(render(found)) == found
