"""When two programs' numbers count as the same."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.execute.agreement import agreement, difference

ONE = np.ones(4, np.float32)


@pytest.mark.parametrize(
    ("a", "b", "agrees"),
    [
        (ONE, ONE * np.float32(1 + 1e-6), True),
        (ONE, ONE * np.float32(1.001), False),
        (ONE * np.float32(1e-9), ONE * np.float32(1.5e-9), False),  # tiny outputs are held to their own size
        (ONE.astype(np.float64), ONE.astype(np.float64) * (1 + 1e-7), False),
        (ONE.astype(np.float16), ONE.astype(np.float16) * np.float16(1.01), True),
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array([True]), np.array([False]), False),
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), True),
        (np.array([np.nan, 1.0]), np.array([1.0, np.nan]), False),
        (np.array([np.inf]), np.array([-np.inf]), False),
        (ONE, np.ones(3, np.float32), False),
        (ONE, ONE.astype(np.float64), False),
        (np.zeros(0), np.zeros(0), True),
        (np.array([1 + 1j]), np.array([1 + 2j]), False),
    ],
)
def test_tolerance(a: np.ndarray, b: np.ndarray, agrees: bool) -> None:
    assert difference(a, b)[2] is agrees
    assert difference(b, a)[2] is agrees


def test_largest_differences_over_all_inputs_are_kept() -> None:
    inputs = [(ONE,), (ONE * 3,)]
    found = agreement(lambda i: [i[0], i[0]], lambda i: [i[0], i[0] * i[0]], [(i, i) for i in inputs])
    assert found.inputs == 2
    assert found.max_abs_diff == (0.0, 6.0)
    assert found.max_rel_diff == (0.0, pytest.approx(6 / 9))
    assert found.agrees == (True, False)
    assert found.contradicts == (False, True)


def test_cancellation_disagrees_but_contradicts_nothing() -> None:
    # GIVEN an output that is 0 on one side and rounding noise of its inputs on the other
    noise = np.full(4, 3e-7, np.float32)
    found = agreement(lambda _: [noise * 0], lambda _: [noise], [((ONE,), (ONE,))])
    assert found.agrees == (False,)
    assert found.contradicts == (False,)


def test_not_a_number_on_one_side_is_no_difference_that_can_be_told() -> None:
    found = agreement(lambda i: [i[0] * np.float32(np.nan)], lambda i: [i[0]], [((ONE,), (ONE,))])
    assert found.max_abs_diff == (None,)
    assert found.contradicts == (True,)
