"""Numbers as people read them."""

from __future__ import annotations

import pytest

from beatnote.report.quantities import (
    MICROSECONDS,
    MILLISECONDS,
    SECONDS,
    counted,
    duration,
    listed,
    percent,
    ranges,
    scaled,
    short,
    unit_for,
)


@pytest.mark.parametrize(
    ("ms", "unit"),
    [(0.0, MICROSECONDS), (0.99, MICROSECONDS), (-0.5, MICROSECONDS), (1.0, MILLISECONDS), (2e4, SECONDS)],
)
def test_units_by_size(ms, unit):
    assert unit_for(ms) is unit


@pytest.mark.parametrize(
    ("ms", "width", "text"),
    [
        (0.27106, 0.060, "+271 µs"),
        (0.00795, 0.00071, "+8.0 µs"),
        (0.00795, 0.00031, "+7.95 µs"),
        (-0.0132, 0.035, "−13 µs"),
        (0.00013, 0.00025, "+0.13 µs"),
        (0.00013, 0.00045, "+0.1 µs"),
        (-0.0000001, 0.01, "0 µs"),
        (0.0, 0.0, "0 µs"),
        (0.0123, 0.0, "+12.3 µs"),
    ],
)
def test_a_time_is_as_exact_as_its_spread_allows(ms, width, text):
    assert MICROSECONDS.time(ms, width, signed=True) == text


def test_an_interval_carries_its_unit_once():
    assert MILLISECONDS.interval(-1.26, 30.4, signed=True) == "−1 to +30 ms"
    assert SECONDS.interval(12_345.0, 12_399.0) == "12.35 to 12.40 s"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (757.2, "757"),
        (0.9735, "0.97"),
        (2.2e-7, "2.2e-7"),
        (3e-9, "3e-9"),
        (1.25e12, "1.2e12"),
        (None, "not a number"),
        (float("nan"), "not a number"),
    ],
)
def test_differences_of_any_size(value, text):
    assert short(value) == text


def test_words_for_counts_lists_and_runs():
    assert [counted(n, "term") for n in (0, 1, 13_012)] == ["0 terms", "1 term", "13,012 terms"]
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert [ranges(n) for n in ([], [3], [0, 1, 2, 5, 7, 8])] == ["", "3", "0–2, 5, 7–8"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 B"),
        (7, "7 B"),
        (999, "999 B"),
        (1000, "1.00 kB"),
        (1536, "1.54 kB"),
        (999_499, "999 kB"),
        (999_600, "1.00 MB"),
        (612_823_662_592, "613 GB"),
        (9_223_372_036_854_775_807, "9.22 EB"),
    ],
)
def test_exact_counts_have_three_digits_and_a_prefix(value, text):
    assert scaled(value, "B") == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (1e-5, "< 0.1 %"), (0.0061, "0.6 %"), (0.0994, "9.9 %"), (0.0996, "10 %"), (1, "100 %")],
)
def test_shares(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 µs"), (1.5e-9, "1.50 ns"), (2.34e-6, "2.34 µs"), (0.0123, "12.3 ms"), (75.0, "75.0 s")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text
