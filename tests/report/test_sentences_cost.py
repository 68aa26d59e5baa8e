"""What a program costs, in sentences."""

from __future__ import annotations

import msgspec
import pytest

from beatnote.description import Program, describe
from beatnote.hlo.aliasing import Alias
from beatnote.hlo.cost.chips import CHIPS, THIS_MACHINE
from beatnote.hlo.cost.cost import Cost
from beatnote.hlo.cost.summary import CollectiveCost, LoopCost
from beatnote.report.sentences_cost import (
    alias_sentence,
    caveat,
    collective_text,
    cost_sentences,
    loop_text,
    operations,
    roofline_sentence,
    share_sentence,
    without_layouts,
)
from tests.report.comparisons import module

TEXT = """
cond { c = f32[4] parameter(0)
  ROOT q = pred[] constant(true) }
body { c = f32[4] parameter(0)
  ROOT d = f32[4] custom-call(c), custom_call_target="mystery" }
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] exponential(x)
  z = f32[4] add(y, x)
  ROOT w = f32[4] while(z), condition=cond, body=body }
"""


def program(text: str = TEXT) -> Program:
    (found,) = describe(module(text), chips=["a100"]).programs
    return found


def test_what_one_run_costs_and_what_is_not_known():
    assert cost_sentences(program()) == (
        "One run: 4 flop, 4 transcendental operations; 64 B read and 48 B written.",
        "At most 48 B held at once, in the order of the text, 16 B of it arguments.",
        "Nothing in it is fused yet: what runs reads and writes less.",
        "It is not known how often w turns: one turn is counted.",
        "The operations of 1 instruction are not known and not counted: d.",
    )


def test_a_scheduled_program_is_as_it_runs():
    scheduled = cost_sentences(program(f"HloModule m, is_scheduled=true\n{TEXT}"))
    assert scheduled[1] == "At most 48 B held at once, 16 B of it arguments."
    assert not [sentence for sentence in scheduled if "fused" in sentence]


def test_why_there_is_no_cost():
    broken = program("ENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=nothing }")
    assert broken.cost is None
    assert cost_sentences(broken) == (
        "What it costs cannot be told: computation 'nothing' is referred to, but is not in the module.",
    )


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Cost(flops=1234), "1.23 kflop"),
        (
            Cost(flops=10**12, matrix_flops={"f32": 10**11, "bf16": 6 * 10**11}),
            "1.00 Tflop (70 % in matrix products of bf16 and f32)",
        ),
        (Cost(transcendentals=5 * 10**6), "0 flop, 5.00 M transcendental operations"),
    ],
)
def test_operations(cost, text):
    assert operations(cost) == text


def test_a_roofline_says_what_it_waits_for_and_whether_it_fits():
    found = program().cost
    assert found is not None
    (roofline,) = found.rooflines
    chip = CHIPS["a100"]
    assert roofline_sentence(roofline, chip, found) == (
        "On A100 SXM4 80 GB 0.0549 ns by the roofline: 0.0549 ns bound by memory."
    )
    small = msgspec.structs.replace(chip, memory_bytes=40)
    assert roofline_sentence(roofline, small, found).endswith(
        "bound by memory. It does not fit: 48 B held, 40 B there."
    )


def test_what_roofline_times_are_worth():
    published, measured = CHIPS["a100"], msgspec.structs.replace(CHIPS["a100"], name=THIS_MACHINE)
    assert caveat([]) == ""
    assert caveat([published]).endswith("neither a bound nor a prediction.")
    assert caveat([published, measured]).endswith(
        "measured just now, the best of a few runs, and are not the same every time."
    )


def test_shares():
    assert share_sentence([CHIPS["a100"], CHIPS["v100"]]) == "Shares are of the time on A100 SXM4 80 GB."
    assert "operations and of all bytes" in share_sentence([])


def test_loops_and_collectives():
    cost = Cost(flops=2000, bytes_read=10**6)
    assert loop_text(LoopCost("e", "w", 8, 1, cost)) == ("8 turns", "2.00 kflop, 1.00 MB")
    assert loop_text(LoopCost("e", "w", None, 3, cost))[0] == "not known, 1 counted, run 3 times"
    assert collective_text(CollectiveCost("e", "c", "all-reduce", 10**6, 1_500_000, 4, 2)) == (
        "1.00 MB",
        "among 4",
        "3.00 MB sent",
    )
    assert collective_text(CollectiveCost("e", "c", "all-reduce", 8, None, None, 1)) == (
        "8 B",
        "group not known",
        "? sent",
    )


@pytest.mark.parametrize(
    ("aliases", "sentence"),
    [
        ((), ""),
        ((Alias(2, 2),), "Output 2 may be written over parameter 2."),
        ((Alias(0, 3),), "Output 0 may be written over parameter 3."),
        (
            (Alias(0, 0), Alias(1, 1), Alias(2, 2)),
            "Outputs 0–2 may be written over the parameters of the same numbers.",
        ),
        ((Alias(0, 4), Alias(1, 5)), "Outputs 0–1 may be written over parameters 4–5."),
    ],
)
def test_aliases(aliases, sentence):
    assert alias_sentence(msgspec.structs.replace(program(), aliases=aliases)) == sentence


def test_shapes_without_layouts():
    shape = "(f32[8,128]{1,0:T(8,128)S(1)}, (s32[], bf16[<=4]{0}))"
    assert without_layouts(shape) == "(f32[8,128], (s32[], bf16[<=4]))"
