"""What is done to a program before it runs, and what is refused."""

from __future__ import annotations

import pytest

from beatnote.execute.errors import ExecutionError
from beatnote.execute.prepare import runnable
from beatnote.hlo.text import parse, render


def test_annotations_aliases_layouts_and_copies_go():
    # GIVEN a program with all that ties it to where it was recorded
    module = parse(
        "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, "
        "entry_computation_layout={(f32[2,2]{0,1})->f32[2,2]{0,1}}\n"
        "\n"
        "FileNames\n"
        '1 "a.py"\n'
        "\n"
        "ENTRY main {\n"
        '  p = f32[2,2]{0,1} parameter(0), parameter_replication={false}, metadata={op_name="x, {y}"}\n'
        "  c = f32[2,2]{1,0} copy(p)\n"
        "  ROOT t = f32[2,2]{0,1} transpose(c), dimensions={1,0}, metadata={stack_frame_id=3}\n"
        "}\n"
    )
    # WHEN it is made runnable THEN only what it computes is left
    assert render(runnable(module)) == (
        "HloModule m\n"
        "\n"
        "ENTRY %main {\n"
        "  %p = f32[2,2] parameter(0)\n"
        "  ROOT %t = f32[2,2] transpose(%p), dimensions={1,0}\n"
        "}\n"
    )


def module(body: str, header: str = ""):
    return parse(f"HloModule m{header}\n\nENTRY main {{\n{body}\n}}\n")


SUM = "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"


def all_reduce(groups: str):
    return parse(
        f"HloModule m\n\n{SUM}\nENTRY main {{\n  p = f32[2] parameter(0)\n"
        f"  ROOT r = f32[2] all-reduce(p), replica_groups={groups}, to_apply=add\n}}\n"
    )


@pytest.mark.parametrize(
    ("refused", "part"),
    [
        (module("  ROOT c = f32[2] constant({...})"), "the value of constant %c is elided"),
        (module("  ROOT p = f32[2] parameter(0)", ", is_scheduled=true"), "already optimised (is_scheduled)"),
        (module("  p = f32[4] parameter(0)\n  ROOT b = f32[2,2] bitcast(p)"), "%b is a bitcast"),
        (module("  ROOT p = f32[2] parameter(0)", ", num_partitions=8"), "several devices (num_partitions=8)"),
        (module("  ROOT p = f32[2] parameter(0)", ", replica_count=2"), "several devices (replica_count=2)"),
        (module("  ROOT p = f32[<=2] parameter(0)"), "shape f32[<=2]"),
        (module("  ROOT t = token[] after-all()"), "shape token[]"),
        (all_reduce("{{0,1}}"), "%r (all-reduce) runs over several devices"),
        (all_reduce("[2,4]<=[8]"), "%r (all-reduce) runs over several devices"),
        (parse("HloModule nothing\n"), "nothing holds no computation"),
    ],
)
def test_what_would_run_as_another_program_is_refused(refused, part):
    # GIVEN a program that would not be itself when it runs here WHEN it is made runnable THEN the error says why
    with pytest.raises(ExecutionError) as caught:
        runnable(refused)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("groups", ["{{0}}", "{}", "[1,1]<=[1]"])
def test_a_collective_of_one_device_is_no_reason_to_refuse(groups):
    assert runnable(all_reduce(groups)).entry.root == "r"
