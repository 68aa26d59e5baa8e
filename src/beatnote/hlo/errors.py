"""The errors of this room: what it cannot read, with the place, and programs whose cost it cannot tell."""

from __future__ import annotations

_WINDOW = 100


class CostError(ValueError):
    """A program whose cost cannot be told: it breaks the rules of HLO, or its numbers are beyond all bounds."""


class HloSyntaxError(ValueError):
    """HLO text that does not follow the grammar.

    Attributes:
        message: what was expected and what was found.
        name: the file, or what stands for it.
        line: 1-based.
        column: 1-based, in characters.
        source_line: the whole line the error is on, without its line end.
    """

    def __init__(self, message: str, *, name: str, text: str, position: int) -> None:
        position = max(0, min(position, len(text)))
        start = text.rfind("\n", 0, position) + 1
        end = text.find("\n", position)
        self.message = message
        self.name = name
        self.line = text.count("\n", 0, position) + 1
        self.column = position - start + 1
        self.source_line = text[start : end if end >= 0 else len(text)].rstrip("\r")
        super().__init__(str(self))

    def __str__(self) -> str:
        shown, caret = _excerpt(self.source_line, self.column - 1)
        return f"{self.name}:{self.line}:{self.column}: {self.message}\n    {shown}\n    {' ' * caret}^"


def _excerpt(line: str, caret: int) -> tuple[str, int]:
    """Cut a long line around the caret; unprintable characters become blanks, so that it stays under its character."""
    line = "".join([character if character.isprintable() else " " for character in line])
    if len(line) <= _WINDOW:
        return line, caret
    start = max(0, min(caret - _WINDOW // 2, len(line) - _WINDOW))
    head = "… " if start else ""
    tail = " …" if start + _WINDOW < len(line) else ""
    return f"{head}{line[start : start + _WINDOW]}{tail}", caret - start + len(head)


class ProtoError(ValueError):
    """Bytes that are not a program as XLA writes it in protocol messages.

    Attributes:
        message: what was expected and what was found.
        place: where, from the outside in: the file, the computation, the instruction, as far as they are known.
    """

    def __init__(self, message: str, *place: str) -> None:
        self.message = message
        self.place = place
        super().__init__(": ".join((*place, message)))

    def within(self, *place: str) -> ProtoError:
        """Make the same error with places around its own."""
        return ProtoError(self.message, *place, *self.place)
