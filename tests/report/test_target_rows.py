"""Programs compiled for chips that are not here: one sentence and one table each, in the terminal and on the page."""

from __future__ import annotations

from io import StringIO

import msgspec
import pytest
from rich.console import Console

from beatnote.proof.verdict import Condition
from beatnote.report.html import render_html
from beatnote.report.target_rows import target_rows, target_sentence
from beatnote.report.terminal import print_comparison
from beatnote.targets import OnChip, OnTarget
from tests.report.comparisons import HOSTILE, proven, read_page

A = OnChip(35, {"parameter": 4, "fusion": 3, "copy-start": 2}, 0.5, 85.0, 0.0, 32256.0, 0.0656628, 5632, 4096, 0, 43520)
B = OnChip(36, {"parameter": 4, "fusion": 4}, 0.5, 90.0, 2.0, 1e6, None, 5632, 4096, 128, 43520)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (
            OnTarget("tpu:v4", A, A, "identical"),
            "On tpu:v4, compiled and not run: the compiler makes one and the same program of both, up to names and "
            "metadata.",
        ),
        (
            OnTarget("tpu:v4", A, B, "equal", ("reordering", "stability")),
            "On tpu:v4, compiled and not run: the compiler makes two programs, proven the same function over the reals "
            "(reordering and stability).",
        ),
        (
            OnTarget("tpu:v4", A, B, "unknown"),
            "On tpu:v4, compiled and not run: the compiler makes two programs, which were not proven equal.",
        ),
        (OnTarget("tpu:v4", A, None, "unknown", problem="B: refused"), "On tpu:v4: B: refused"),
    ],
)
def test_a_sentence_says_what_became_of_both(target: OnTarget, sentence: str) -> None:
    assert target_sentence(target) == sentence


def test_rows_have_units_and_say_what_is_missing() -> None:
    assert target_rows(OnTarget("tpu:v4", A, B, "equal")) == [
        ("instructions", "35", "36"),
        ("fusion in the entry", "3", "4"),
        ("copy-start in the entry", "2", "·"),
        ("flops, by XLA's count", "85", "90"),
        ("transcendentals, by XLA's count", "0", "2"),
        ("bytes accessed, by XLA's count", "32,256 B", "1,000,000 B"),
        ("time that XLA's model expects", "65.66 ns", "none given"),
        ("arguments", "5,632 B", "5,632 B"),
        ("outputs", "4,096 B", "4,096 B"),
        ("temporaries", "0 B", "128 B"),
        ("code", "43,520 B", "43,520 B"),
    ]


def test_a_side_that_did_not_compile_has_no_numbers() -> None:
    rows = target_rows(OnTarget("tpu:v4", A, None, "unknown", problem="B: refused"))
    assert {b for _, _, b in rows} == {"·"}


def test_both_reports_show_every_target() -> None:
    # GIVEN a comparison with two targets, one with a condition and a hostile name
    condition = Condition("x ≥ 0", True)
    targets = (
        OnTarget("tpu:v4", A, B, "equal-if", (), (condition,)),
        OnTarget(HOSTILE, None, None, "unknown", problem="no"),
    )
    found = msgspec.structs.replace(proven(), targets=targets)
    # WHEN it is printed and made a page
    text = StringIO()
    print_comparison(found, Console(file=text, width=100, markup=False, highlight=False, emoji=False))
    section = read_page(render_html(found)).one("section", id="targets")
    # THEN both say so
    assert "Condition: x ≥ 0 (held on every sample input)" in text.getvalue()
    assert "65.66 ns" in text.getvalue()
    assert "65.66 ns" in section.text
    assert "x ≥ 0 held on every sample input" in section.text
    assert len(section.all("table")) == 1
