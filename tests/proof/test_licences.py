"""What an attempt may use, and what it is seen to use."""

from __future__ import annotations

from time import monotonic

import pytest

from beatnote.proof.licences import CLASSES, Claim, Ledger, Licences, TimeIsUpError

HOLDS, FAILS = Claim("true", 3), Claim("false", 4)


def test_nothing_is_allowed_unless_it_is_said():
    assert Licences().classes == ()
    assert Licences().granted == frozenset()


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_allowed_one_by_one(name: str):
    # GIVEN
    before = Licences(granted=frozenset({HOLDS}))

    # WHEN
    after = before.allowing([name])

    # THEN
    assert after.classes == (name,)
    assert after.granted == before.granted
    assert after.allowing(CLASSES).classes == CLASSES
    assert before.classes == ()


def test_a_grant_is_used_when_it_is_asked_for():
    # GIVEN
    ledger = Ledger(Licences(granted=frozenset({HOLDS, FAILS})))

    # THEN
    assert (ledger.granted(5), ledger.used) == (None, set())
    assert (ledger.granted(3), ledger.used) == (1, {HOLDS})
    assert (ledger.granted(4), ledger.used) == (0, {HOLDS, FAILS})


def test_only_tests_are_granted():
    ledger = Ledger(Licences(granted=frozenset({Claim("nonzero", 3), Claim("finite", 3)})))
    assert ledger.granted(3) is None


def test_an_attempt_ends_when_its_time_is_up():
    Ledger(Licences()).check_time()
    Ledger(Licences(), monotonic() + 60).check_time()
    with pytest.raises(TimeIsUpError, match="no proof within the time given"):
        Ledger(Licences(), monotonic() - 1).check_time()
