"""Shares that add up to the last digit."""

from __future__ import annotations

from math import isclose, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.explain.waterfall import QUANTUM_S, Part, by_count_and_cost, exactly, log_mean, rounded

positive = st.floats(min_value=1e-3, max_value=1e5).map(np.asarray)


@given(positive, positive)
def test_the_logarithmic_mean(a, b):
    mean = float(log_mean(a, b))
    assert min(a, b) * (1 - 1e-12) <= mean <= max(a, b) * (1 + 1e-12)
    if not isclose(a, b, rel_tol=1e-3):
        assert mean == pytest.approx((b - a) / log(b / a))
    assert mean == float(log_mean(b, a))


def test_the_logarithmic_mean_does_not_cancel():
    assert float(log_mean(np.asarray(2.0), np.asarray(2.0))) == 2.0
    assert float(log_mean(np.asarray(1.0), np.asarray(1 + 1e-9))) == pytest.approx(1 + 5e-10, rel=1e-14)


@given(positive, positive, positive, positive)
def test_count_and_cost_add_up_whichever_changes_first(n, c, m, d):
    epochs, cost = by_count_and_cost((n, c), (m, d))
    assert float(epochs + cost) == pytest.approx(float(m * d - n * c), rel=1e-9, abs=1e-9 * float(n * c + m * d))
    swapped = by_count_and_cost((m, d), (n, c))
    assert [float(part) for part in swapped] == [-float(epochs), -float(cost)]
    assert float(by_count_and_cost((n, c), (n, d))[0]) == 0.0
    assert float(by_count_and_cost((n, c), (m, c))[1]) == 0.0


@given(st.lists(st.floats(-1e5, 1e5), min_size=1, max_size=5))
def test_rounded_shares_add_up_exactly(shares):
    total = float(rounded(sum(shares)))
    found = exactly(total, shares)
    assert sum(found) == total
    assert all(abs(part - share) <= 4 * QUANTUM_S + 1e-9 for part, share in zip(found, shares, strict=True))
    assert exactly(-total, [-share for share in shares]) == tuple(-part for part in found)
    if any(shares):
        assert all(part == 0 for part, share in zip(found, shares, strict=True) if share == 0)


def test_parts_know_their_noise_and_their_leaves():
    inner = (Part("x", 1.0, -0.5, 2.0), Part("y", 2.0))
    whole = Part("gap", 7.0, 6.0, 8.0, (Part("p", 3.0, parts=inner), Part("q", 4.0, 3.0, 5.0)))
    assert [leaf.name for leaf in whole.leaves()] == ["x", "y", "q"]
    assert (whole.within_noise, inner[0].within_noise, inner[1].within_noise) == (False, True, None)
