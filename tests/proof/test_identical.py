"""When two programs are the same up to names, order of instructions and metadata."""

from __future__ import annotations

import pytest

from beatnote.hlo.text import parse
from beatnote.proof.identical import identical

TEXT = """HloModule a, entry_computation_layout={(f32[4]{0}, f32[4]{0})->f32[4]{0}}

double {
  v = f32[4] parameter(0)
  ROOT d = f32[4] add(v, v)
}

ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  c = f32[4] constant({1, 2, 3, 4})
  p = f32[4] multiply(x, c)
  q = f32[4] subtract(p, y)
  dead = f32[4] negate(x)
  w = f32[4] call(q), to_apply=double
  e = f32[4] exponential(y), control-predecessors={p}
  ROOT r = f32[4] add(w, e), metadata={op_name="add"}
}
"""


def changed(*rows: tuple[str, str]) -> str:
    text = TEXT
    for old, new in rows:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        changed(("HloModule a", "HloModule b")),
        changed(("double", "twice"), (" v = ", " value = "), ("add(v, v)", "add(value, value)")),
        changed((" p = ", " product = "), ("(p, y)", "(product, y)"), ("={p}", "={product}")),
        changed((', metadata={op_name="add"}', "")),
        changed(('op_name="add"', 'op_name="other" source_line=3')),
        changed(("{1, 2, 3, 4}", "{1,2,3,4}")),
        changed(
            ("  dead = f32[4] negate(x)\n", ""), ("  c = f32[4] con", "  dead = f32[4] negate(x)\n  c = f32[4] con")
        ),
        changed(
            (
                "  x = f32[4] parameter(0)\n  y = f32[4] parameter(1)",
                "  y = f32[4] parameter(1)\n  x = f32[4] parameter(0)",
            )
        ),
    ],
)
def test_names_order_and_metadata_do_not_count(text: str) -> None:
    assert identical(parse(TEXT), parse(text))
    assert identical(parse(text), parse(TEXT))


@pytest.mark.parametrize(
    "text",
    [
        changed(("{1, 2, 3, 4}", "{1, 2, 3, 5}")),
        changed(("parameter(0)\n  y", "parameter(1)\n  y"), ("y = f32[4] parameter(1)", "y = f32[4] parameter(0)")),
        changed(("subtract(p, y)", "subtract(y, p)")),
        changed(("add(w, e)", "add(e, w)")),
        changed(("exponential(y), control-predecessors={p}", "exponential(y)")),
        changed(("control-predecessors={p}", "control-predecessors={q}")),
        changed(("add(v, v)", "multiply(v, v)")),
        changed(("  dead = f32[4] negate(x)\n", "")),
        changed(("negate(x)", "negate(y)")),
        changed(('metadata={op_name="add"}', "sharding={replicated}")),
        changed(("ROOT r = f32[4] add", "r = f32[4] add"), ("  e = f32[4]", "  ROOT e = f32[4]")),
        changed(("ROOT r = f32[4] add(w, e)", "ROOT r = f32[4]{0} add(w, e)")),
        changed(("{(f32[4]{0}, f32[4]{0})->f32[4]{0}}", "{(f32[4]{0}, f32[4]{0})->f32[4]{0}}, num_partitions=2")),
    ],
)
def test_anything_else_counts(text: str) -> None:
    assert not identical(parse(TEXT), parse(text))
    assert not identical(parse(text), parse(TEXT))


def test_an_elided_constant_is_not_identical_to_itself() -> None:
    elided = parse(changed(("{1, 2, 3, 4}", "{...}")))
    assert not identical(elided, elided)


def test_a_computation_that_is_not_in_the_text_is_identical_to_nothing() -> None:
    broken = parse(changed(("to_apply=double", "to_apply=gone")))
    assert not identical(broken, broken)


def test_computations_are_looked_into_whatever_they_are_called() -> None:
    # GIVEN two programs whose reducers swapped names
    text = """
    one {{
      a = f32[] parameter(0)
      b = f32[] parameter(1)
      ROOT s = f32[] add(a, b)
    }}
    two {{
      a = f32[] parameter(0)
      b = f32[] parameter(1)
      ROOT s = f32[] maximum(a, b)
    }}
    ENTRY main {{
      x = f32[4] parameter(0)
      z = f32[] constant(0)
      ROOT r = f32[] reduce(x, z), dimensions={{0}}, to_apply={}
    }}"""
    swapped = text.replace("one {{", "other {{").replace("two {{", "one {{").replace("other {{", "two {{")
    assert identical(parse(text.format("one")), parse(swapped.format("two")))
    assert not identical(parse(text.format("one")), parse(swapped.format("one")))


NEGATED = "HloModule m{header}\nENTRY e {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}}\n"


@pytest.mark.parametrize(
    ("header", "same"),
    [
        (", allow_spmd_sharding_propagation_to_parameters={true}", True),
        (", allow_spmd_sharding_propagation_to_output={true,true}", True),
        (", num_partitions=2", False),
        (", is_scheduled=true", False),
    ],
)
def test_settings_of_the_compiler_are_left_out(header: str, same: bool) -> None:
    assert identical(parse(NEGATED.format(header=header)), parse(NEGATED.format(header=""))) is same
