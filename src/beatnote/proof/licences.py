"""What a proof may use beyond plain algebra, and the record of what it did use.

Classes say how a proof reasons; a granted test is a side condition of `equal-if`. Each can be withheld, which is how
the smallest set that still proves is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import inf
from time import monotonic
from typing import NamedTuple

import msgspec


class Claim(NamedTuple):
    """Something said of every element of a term.

    Attributes:
        what: "true" or "false" of a test; "nonzero", "nonnegative" or "defined" of a term; "finite" of a parameter.
        number: of the node in the table (of kind "need" for a term); for "finite", of the parameter.
    """

    what: str
    number: int


class Licences(msgspec.Struct, frozen=True):
    """What one attempt at a proof may use.

    Attributes:
        reordering: sums and products may be re-associated and distributed.
        stability: exp and log may be split over sums and products, as if nothing over- or underflowed.
        precision: conversions between floating-point types are the identity, and a constant stands for the short
            fraction it is the rounding of.
        granted: tests taken to be true or false everywhere.
    """

    reordering: bool = False
    stability: bool = False
    precision: bool = False
    granted: frozenset[Claim] = frozenset()

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes of reasoning allowed."""
        return tuple(name for name in CLASSES if getattr(self, name))

    def allowing(self, classes: Iterable[str]) -> Licences:
        """Add further classes."""
        return msgspec.structs.replace(self, **dict.fromkeys(classes, True))


CLASSES = ("reordering", "stability", "precision")


class TimeIsUpError(RuntimeError):
    """An attempt took longer than it was given."""


class Ledger:
    """The record of one attempt: rules used, grants used, guards seen.

    Attributes:
        rules: how often each rule was used.
        used: granted claims that some term was simplified by.
        deadline_s: when to give up, by `time.monotonic`.
        guards: tests whose failure a program answers with NaN or a clamp, and that could be granted.
    """

    def __init__(self, licences: Licences, deadline_s: float = inf) -> None:
        self.licences = licences
        self.deadline_s = deadline_s
        self.rules: Counter[str] = Counter()
        self.used: set[Claim] = set()
        self.guards: set[Claim] = set()

    def check_time(self) -> None:
        """Stop here when the time given is over.

        Raises:
            TimeIsUpError: it is.
        """
        if monotonic() > self.deadline_s:
            raise TimeIsUpError("no proof within the time given")

    def granted(self, number: int) -> int | None:
        """1 or 0 when a test node is taken to be true or false everywhere, else None."""
        for what, value in (("true", 1), ("false", 0)):
            claim = Claim(what, number)
            if claim in self.licences.granted:
                self.used.add(claim)
                return value
        return None
