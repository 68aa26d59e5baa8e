"""Text that is written when someone asks for it: most of what a proto says of an instruction is never looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Deferred(msgspec.Struct, gc=False, eq=False, repr_omit_defaults=True):
    """A text that is not written yet; it equals what it will be.

    It is not looked at by the garbage collector, so nothing that `write` holds may lead back to it.
    """

    write: Callable[[bytes], str] | None
    data: bytes
    text: str = ""

    def __str__(self) -> str:
        if self.write is not None:
            self.text = self.write(self.data)
            self.write, self.data = None, b""
        return self.text

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> bool:
        return str(self) == (str(other) if isinstance(other, Deferred) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def written_when_read(kind: type[msgspec.Struct], field: str) -> None:
    """Let a field of frozen data hold a `Deferred`: whoever reads it finds a string.

    Making, comparing and replacing the data work on what the field holds, so they write nothing that they need not.
    """
    slot: Any = getattr(kind, field)

    def read(instance: msgspec.Struct) -> str:
        held = slot.__get__(instance)
        return held if type(held) is str else str(held)

    setattr(kind, field, property(read))
