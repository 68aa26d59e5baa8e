"""Splitting a gap: parts that add up to the last digit, and know their noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beatnote.explain.split import Part, Side, Spread, split, spread

seconds = st.floats(min_value=1e-7, max_value=100)


@st.composite
def sides(draw, count=2):
    rounds = draw(st.integers(1, 12))
    samples = st.lists(seconds, min_size=rounds, max_size=rounds).map(tuple)
    return [Side(draw(samples), draw(samples), draw(samples), draw(samples)) for _ in range(count)]


def flat(step, empty, alone, alone_empty, rounds=8):
    return Side((step,) * rounds, (empty,) * rounds, (alone,) * rounds, (alone_empty,) * rounds)


def test_a_gap_of_known_parts():
    # GIVEN A: 8 ms of program, called in 1 ms; B: 10 ms, called in 4 ms, and 5 ms more under its own compiler.
    # Under the common runtime a call takes 2 ms of A, 2.5 ms of B.
    a = flat(step=9e-3, empty=1e-3, alone=10e-3, alone_empty=2e-3)
    b = flat(step=19e-3, empty=4e-3, alone=12.5e-3, alone_empty=2.5e-3)
    # WHEN the gap is split
    result = split(a, b)
    # THEN every part has its size
    assert result.gap.ms == pytest.approx(10)
    assert {part.name: round(part.ms, 6) for part in result.parts} == {
        "program": 2.5,
        "compiler": 5.0,
        "framework": 3.0,
        "unexplained": -0.5,
    }
    # AND samples without spread give intervals without width, none of them noise
    assert all((part.low_ms, part.high_ms) == (part.ms, part.ms) for part in (result.gap, *result.parts))
    assert not any(part.within_noise for part in result.parts)


@settings(max_examples=200, deadline=None)
@given(sides())
def test_parts_add_up_to_the_last_digit(both):
    # GIVEN any samples WHEN the gap is split THEN the parts' sum is the gap, exactly and in any order
    result = split(*both, resamples=20)
    values = [part.ms for part in result.parts]
    assert {sum(order) for order in permutations(values)} == {result.gap.ms}
    assert sum(map(Fraction, values)) == Fraction(result.gap.ms)
    step_a, step_b = (np.median(side.step_s) * 1e3 for side in both)
    assert result.gap.ms == pytest.approx(step_b - step_a, abs=1e-8)


@settings(max_examples=100, deadline=None)
@given(sides())
def test_swapping_the_sides_negates_every_part(both):
    # GIVEN any samples WHEN A and B change places THEN every part and interval changes its sign
    there, back = split(*both, resamples=50), split(*reversed(both), resamples=50)
    for part, other in zip((there.gap, *there.parts), (back.gap, *back.parts), strict=True):
        assert (part.name, part.ms, part.low_ms, part.high_ms) == (other.name, -other.ms, -other.high_ms, -other.low_ms)
        assert part.within_noise == other.within_noise


@settings(max_examples=50, deadline=None)
@given(sides(count=1))
def test_identical_samples_give_zeros(one):
    # GIVEN the same samples on both sides WHEN the gap is split THEN there is none, and it is noise
    result = split(one[0], one[0], resamples=50)
    assert all(part == Part(part.name, 0.0, 0.0, 0.0) for part in (result.gap, *result.parts))
    assert all(part.within_noise for part in (result.gap, *result.parts))


def test_intervals_tell_noise_from_a_gap():
    # GIVEN two sides that differ in framework alone, by less than the steps vary from round to round
    random = np.random.default_rng(1)

    def side(framework_s):
        common = random.normal(0, 1e-4, 60)
        means = (3e-3 + framework_s, 1e-3 + framework_s, 2e-3, 1e-4)
        return Side(*(tuple(mean + common + random.normal(0, 1e-6, 60)) for mean in means))

    # WHEN the gap is split
    result = split(side(0), side(5e-3))
    parts = {part.name: part for part in result.parts}
    # THEN the framework's part is told from nothing and the program's is not
    assert not result.gap.within_noise
    assert not parts["framework"].within_noise
    assert parts["framework"].low_ms < 5 < parts["framework"].high_ms
    assert parts["program"].within_noise
    # AND what was common to a round cancels where it should: the compiler's interval is narrower than the gap's
    width = {part.name: part.high_ms - part.low_ms for part in (result.gap, *result.parts)}
    assert width["compiler"] < width["gap"]


def test_samples_of_other_rounds_are_refused():
    # GIVEN samples of different numbers of rounds, or of none WHEN the gap is split THEN that is refused
    with pytest.raises(ValueError, match=r"the same rounds, found \[1, 2\]"):
        split(flat(1, 1, 1, 1, rounds=2), flat(1, 1, 1, 1, rounds=1))
    with pytest.raises(ValueError, match=r"the same rounds, found \[0\]"):
        split(flat(1, 1, 1, 1, rounds=0), flat(1, 1, 1, 1, rounds=0))


def test_spread():
    # GIVEN samples in seconds WHEN they are summed up THEN the median and quartiles are in milliseconds
    assert spread([0.001, 0.005, 0.002, 0.004, 0.003]) == Spread(3.0, 2.0, 4.0, 5)
    with pytest.raises(ValueError, match="no samples"):
        spread([])
