"""What MLPerf results say: whole sentences, with units and spreads, and nothing that the logs do not tell."""

from __future__ import annotations

import re

import pytest

from beatnote.explain.mlperf import Quartiles
from beatnote.report.sentences_results import (
    PartRow,
    epochs_text,
    fact_rows,
    four_digits,
    heading_sentence,
    interval_sentence,
    part_rows,
    quartiles_text,
    score_sentence,
    settings_heading,
    shares_sentence,
    value_text,
)
from beatnote.runs.mlperf import System
from tests.explain.runs import a_run
from tests.report.results import a_set, compared, five, single, slower, split


def test_a_gap_in_sentences():
    found = slower()
    assert re.fullmatch(
        r"B takes 6\.\d\d s longer to train resnet than A \(95 % interval \d\.\d\d to \d\.\d\d s\)\.",
        heading_sentence(found),
    )
    assert shares_sentence(found).startswith("Of it: epochs +")
    assert "start-up +2.00 s" in shares_sentence(found)
    assert interval_sentence(found) == (
        "Intervals: 95 %, bootstrap over 5 runs of A and 5 of B; so few runs make them rough."
    )


def test_no_gap():
    same = a_set(five(1.0, 2.0, 4))
    assert heading_sentence(compared(same, same)) == (
        "No gap beyond noise in training resnet: B minus A is 0.000 s (95 % interval 0.000 to 0.000 s)."
    )


def test_a_single_run_has_no_noise_to_tell():
    assert heading_sentence(single()) == (
        "B takes 2.000 s longer to train resnet than A; with a single run on a side, "
        "how much of that is noise cannot be told."
    )
    assert interval_sentence(single()) == "No intervals: a single run does not show how runs vary."
    assert [(row.name, row.number, row.interval, row.noise) for row in part_rows(single())] == [
        ("start-up", "+2.000", "", False),
        ("epochs", "0.000", "", False),
        ("epoch cost", "0.000", "", False),
        ("tail", "0.000", "", False),
        ("unexplained", "0.000", "", False),
    ]


def test_parts_of_a_part_follow_it():
    rows: list[PartRow] = list(part_rows(split()))
    assert [(row.name, row.depth) for row in rows] == [
        ("start-up", 0),
        ("epochs", 0),
        ("epoch cost", 0),
        ("training", 1),
        ("evaluation", 1),
        ("scoring", 1),
        ("tail", 0),
        ("unexplained", 0),
    ]
    # the numbers that are shown have the decimals of the scores
    assert {len(row.number.split(".")[1]) for row in rows} == {2}
    assert rows[1].meaning == "number to the target, 4.00 in A, 4.00 in B (means)"


FRAME = System("Box 8", "Frame")
ABORTED = a_run([4.0], status="aborted")
FEW = [a_run([3.0]), a_run([4.0])]


@pytest.mark.parametrize(
    ("runs", "system", "expected"),
    [
        (
            five(1.0, 2.0, 4),
            None,
            "fast: 9.270 s, the mean of 3 of 5 runs (9.140 to 9.400 s) after the fastest and the ",
        ),
        (five(1.0, 2.0, 4), FRAME, "Frame on Box 8: 9.270 s, the mean of 3 of 5 runs"),
        (FEW[:1], System(framework="Frame"), "Frame: 3.000 s, by a single run."),
        (FEW, None, "fast: 3.500 s, the mean of all 2 runs (3.000 to 4.000 s)."),
        (
            [*FEW, ABORTED, ABORTED],
            None,
            "fast: 3.500 s, the mean of the 2 of 4 runs that reached the target (3.000 to ",
        ),
        ([ABORTED], None, "fast: no run reached the target."),
        ([a_run([3.0], benchmark="unet3d")] * 40, None, "fast: 3.000 s, the mean of 32 of 40 runs (3.000 to 3.000 s) "),
    ],
)
def test_scores(runs, system, expected):
    assert score_sentence(a_set(runs, system=system)).startswith(expected)


def test_four_are_dropped_at_either_end_of_unet3d():
    found = score_sentence(a_set([a_run([3.0], benchmark="unet3d")] * 40))
    assert found.endswith("after the 4 fastest and the 4 slowest are dropped.")


def test_facts_of_both_sides():
    rows = dict(fact_rows(slower().a, slower().b))
    assert list(rows) == [
        "epochs to the target",
        "cycle of 1 epoch",
        "first-cycle excess",
        "evaluation, a cycle",
        "scoring, a cycle",
        "tail",
        "initialisation",
    ]
    assert rows["epochs to the target"] == ("4 (4 runs), 5 (1 run)", "6 (4 runs), 7 (1 run)")
    assert rows["evaluation, a cycle"] == ("0.500 s (0.500 to 0.500 s, n = 16)", "not told apart")
    assert rows["tail"] == ("0.010 s (0.010 to 0.010 s, n = 5)",) * 2


def test_cycles_of_different_sizes_say_theirs():
    rows = dict(fact_rows(a_set([a_run([3.0, 2.0, 2.0])]), a_set([a_run([3.0, 2.0, 2.0], epochs=4.0)])))
    assert rows["cycle"] == (
        "2.00 s (2.00 to 2.00 s, n = 2) for 1 epoch",
        "2.00 s (2.00 to 2.00 s, n = 2) for 4 epochs",
    )
    assert rows["epochs to the target"] == ("3 (1 run)", "12 = 3 × 4 (1 run)")


def test_what_is_not_logged():
    one = a_set([a_run([3.0])])
    rows = dict(fact_rows(one))
    assert rows["cycle of 1 epoch"] == ("no second result",)
    assert rows["first-cycle excess"] == ("not told apart",)
    assert epochs_text(a_set([]).side) == "not logged"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Quartiles(3.3550000190, 3.3435, 3.38198, 35), "3.36 s (3.34 to 3.38 s, n = 35)"),
        (Quartiles(0.2855, 0.269, 0.449, 10), "0.29 s (0.27 to 0.45 s, n = 10)"),
        (Quartiles(0.0, 0.0, 0.00075, 10), "0.000 s (0.000 to 0.001 s, n = 10)"),
        (Quartiles(0.54, 0.54, 0.54, 1), "0.540 s (n = 1)"),
        (None, "not logged"),
    ],
)
def test_no_finer_than_the_spread_or_the_clock(found, expected):
    assert quartiles_text(found) == expected


def test_times_that_are_computed_have_four_digits():
    assert [four_digits(s) for s in (15.458, 5313.34, 0.25, 123.456)] == ["15.46 s", "5,313 s", "0.250 s", "123.5 s"]


def test_values_of_hyperparameters_are_brief():
    assert [value_text(v) for v in (0.9086575725261137, 287.0, 64, "lars", True)] == [
        "0.908658",
        "287",
        "64",
        "lars",
        "True",
    ]
    assert len(value_text("x" * 100)) == 40
    assert settings_heading(slower()).startswith("Hyperparameters that differ: ")
    assert settings_heading(single()) == "No hyperparameter that both sides log differs."
