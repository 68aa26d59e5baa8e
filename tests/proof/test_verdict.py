"""Which verdict follows from what was proven and what was executed."""

from __future__ import annotations

import pytest

from beatnote.proof.verdict import VERDICTS, Condition, judge, weakest

HELD, FAILED, UNTOLD = (Condition("c", held) for held in (True, False, None))
NOT_RUN, AGREES, DISAGREES, CONTRADICTS = (None, False), (True, False), (False, False), (False, True)

TABLE = [
    # what is proven            not run     agrees      disagrees    contradicts
    ("identical", [], ("identical", "identical", "identical", "different")),
    ("identical", [FAILED], ("identical", "identical", "identical", "different")),
    ("proven", [], ("equal", "equal", "equal", "different")),
    ("proven", [HELD], ("equal-if", "equal-if", "equal-if", "different")),
    ("proven", [UNTOLD], ("equal-if", "equal-if", "equal-if", "different")),
    ("proven", [HELD, UNTOLD], ("equal-if", "equal-if", "equal-if", "different")),
    ("proven", [FAILED], ("unknown", "agrees", "different", "different")),
    ("proven", [HELD, FAILED], ("unknown", "agrees", "different", "different")),
    ("nothing", [], ("unknown", "agrees", "different", "different")),
]


@pytest.mark.parametrize(("known", "conditions", "verdicts"), TABLE)
def test_verdict_of_an_output(known: str, conditions: list[Condition], verdicts: tuple[str, ...]) -> None:
    found = [
        judge(
            identical=known == "identical",
            proven=known == "proven",
            conditions=conditions,
            agrees=agrees,
            contradicts=contradicts,
        )
        for agrees, contradicts in (NOT_RUN, AGREES, DISAGREES, CONTRADICTS)
    ]
    assert found == list(verdicts)


@pytest.mark.parametrize("stronger", range(len(VERDICTS)))
def test_the_whole_is_as_weak_as_its_weakest_output(stronger: int) -> None:
    for weaker in range(stronger, len(VERDICTS)):
        assert weakest([VERDICTS[stronger], VERDICTS[weaker]]) == VERDICTS[weaker]
        assert weakest([VERDICTS[weaker], VERDICTS[stronger]]) == VERDICTS[weaker]


def test_nothing_is_known_of_no_outputs() -> None:
    assert weakest([]) == "unknown"
