"""Bars: to scale, from A's step to B's, readable when parts are negative or nothing at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.report.html_bar import chart
from tests.report.comparisons import ALIKE, SLOWER, part, time_of


def test_rows_say_what_they_are():
    assert [(bar.name, bar.kind, bar.value, bar.interval, bar.remark) for bar in chart(SLOWER).bars] == [
        ("step of A", "step", "118 µs", "113 to 123 µs", "median and quartiles, n = 100"),
        ("program", "noise", "−6 µs", "−13 to +2 µs", "within noise"),
        ("compiler", "less", "−94 µs", "−106 to −85 µs", "95 % interval"),
        ("framework", "more", "+260 µs", "+256 to +265 µs", "95 % interval"),
        ("unexplained", "noise", "−1.0 µs", "−1.5 to +0.2 µs", "within noise"),
        ("step of B", "step", "277 µs", "258 to 312 µs", "median and quartiles, n = 100"),
        ("gap, B − A", "more", "+159 µs", "+151 to +165 µs", "95 % interval"),
    ]


def test_parts_lead_from_one_step_to_the_other():
    first, *parts, last, gap = chart(SLOWER).bars
    scale = first.width / first.ms
    # GIVEN the bars WHEN they are drawn THEN all have one scale
    for bar in (*parts, last, gap):
        assert bar.width == pytest.approx(abs(bar.ms) * scale, abs=0.01)
    # AND each part starts where the one before ended, from A's end to B's
    ends = [bar.start + bar.ms * scale for bar in parts]
    assert parts[0].start == pytest.approx(first.left + first.width, abs=0.01)
    assert ends[-1] == pytest.approx(last.left + last.width, abs=0.01)
    assert [bar.start for bar in parts[1:]] == pytest.approx(ends[:-1], abs=0.01)
    assert (gap.left, gap.left + gap.width) == pytest.approx((parts[0].start, ends[-1]), abs=0.01)


def test_a_part_below_zero_has_room():
    # GIVEN a compiler's part that is larger than all of A
    time = time_of(
        (0.008, 0.0077, 0.0084),
        (0.27, 0.24, 0.31),
        (0.262, 0.255, 0.27),
        part("program", 0.0, 0.0, 0.0),
        part("compiler", -0.013, -0.031, 0.0035),
        part("framework", 0.275, 0.262, 0.291),
    )
    # WHEN it is drawn THEN it crosses zero and nothing leaves the axis
    drawn = chart(time)
    zero = next(tick.at for tick in drawn.ticks if tick.label == "0")
    compiler = drawn.bars[2]
    assert compiler.left < zero < compiler.start
    assert all(0 <= x <= 100 for bar in drawn.bars for x in (bar.left, bar.left + bar.width, *bar.whisker))


def test_within_noise_of_two_files():
    drawn = chart(ALIKE)
    assert [(bar.name, bar.kind) for bar in drawn.bars] == [
        ("step of A alone", "step"),
        ("program", "noise"),
        ("step of B alone", "step"),
        ("gap, B − A", "noise"),
    ]
    assert drawn.unit == "µs"
    assert [tick.label for tick in drawn.ticks] == ["0", "5", "10"]


times = st.floats(min_value=1e-4, max_value=1e6)


@given(times, times, st.floats(-1e6, 1e6))
def test_any_time_can_be_drawn(a, b, program):
    # GIVEN any steps and parts WHEN they are drawn THEN all is on the axis, whose lines go from left to right
    gap = b - a
    rest = gap - program
    time = time_of(
        (a, a * 0.9, a * 1.1),
        (b, b, b),
        (gap, gap - 1, gap + 1),
        part("program", program, program, program),
        part("framework", rest, rest - 1, rest + 1),
    )
    drawn = chart(time)
    assert all(-0.001 <= x <= 100.001 for bar in drawn.bars for x in (bar.left, bar.left + bar.width, *bar.whisker))
    assert 2 <= len(drawn.ticks) <= 14
    assert all(one.at < next_.at for one, next_ in pairwise(drawn.ticks))
    assert len({tick.label for tick in drawn.ticks}) == len(drawn.ticks)
