"""Which instructions of one program compute what instructions of the other do."""

from __future__ import annotations

from beatnote.proof.prove import Attempt
from beatnote.proof.translate import Translation
from beatnote.proof.value import Value

Place = tuple[str, str]
"""(computation, instruction)."""


def values_by_place(translation: Translation) -> dict[Place, int]:
    """Give a number to the value of each live array instruction: equal functions of the parameters have equal numbers.

    Dimensions of extent 1 and the order of dimensions do not count.
    """
    numbers: dict[Place, int] = {}
    for place, value in translation.values.items():
        if isinstance(value, Value):
            k = translation.k
            closed = k.close("value", (value.dtype, value.special), (value.poly,))
            atom = k.atom_of(closed, value.sign)
            numbers[place] = k.table.atoms[atom].number
    return numbers


def matched(attempt: Attempt) -> tuple[dict[Place, int], dict[Place, int]]:
    """Give numbers to the values that occur on both sides, by place, for each side."""
    a, b = values_by_place(attempt.a), values_by_place(attempt.b)
    common = set(a.values()) & set(b.values())
    return (
        {place: number for place, number in a.items() if number in common},
        {place: number for place, number in b.items() if number in common},
    )
