"""Outputs in rows, and formulas with their differences marked."""

from __future__ import annotations

import pytest

from beatnote.comparison import Executed
from beatnote.proof.verdict import Condition, Output
from beatnote.report.html_outputs import marked, output_rows
from tests.report.comparisons import programs

FINITE = (Condition("every element of x is finite", True),)


def test_outputs_are_grouped_by_verdict_and_conditions():
    outputs = (Output(0, "equal-if", FINITE), Output(1, "equal"), Output(2, "equal-if", FINITE), Output(3, "equal-if"))
    rows = output_rows(programs("equal-if", outputs=outputs))
    assert [(row.indices, row.count, row.verdict, row.conditions) for row in rows] == [
        ("0, 2", 2, "equal-if", FINITE),
        ("1", 1, "equal", ()),
        ("3", 1, "equal-if", ()),
    ]
    assert {row.largest_abs for row in rows} == {""}


def test_one_output_that_is_no_number_hides_no_other():
    outputs = tuple(Output(k, "different") for k in range(2))
    (row,) = output_rows(programs("different", outputs=outputs, executed=Executed(3, (1.0, None), (0.5, None))))
    assert (row.largest_abs, row.largest_rel) == ("not a number", "not a number")


@pytest.mark.parametrize(
    ("a", "b", "left", "right"),
    [
        ("2·x[i]", "2·x[i]", "2·x[i]", "2·x[i]"),
        ("2·x[i]", "3·x[i]", "<mark>2</mark>·x[i]", "<mark>3</mark>·x[i]"),
        ("x[i] + y[i]", "x[i]", "x[i]<mark> + y[i]</mark>", "x[i]"),
        ("0", "Σj exp(z[j])", "0", "Σj exp(z[j])"),
        ("<b> + x", "<b> − x", "&lt;b&gt; <mark>+</mark> x", "&lt;b&gt; <mark>−</mark> x"),
    ],
)
def test_what_one_formula_has_and_the_other_lacks(a, b, left, right):
    assert tuple(map(str, marked(a, b))) == (left, right)
