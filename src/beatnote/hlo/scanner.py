"""A cursor over HLO text: blanks, names, strings, brackets, shapes and attributes, and where an error is.

Line ends are blanks, as they are for XLA: nothing here depends on how a text is broken into lines.
"""

from __future__ import annotations

import re
from functools import cached_property

from beatnote.hlo.attributes import STRING
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.shape_text import BLANK, ShapeError, shape_at
from beatnote.hlo.shapes import Shape

NAME = r"[A-Za-z_][A-Za-z0-9_.\-]*+"
"""The name of an instruction, a computation or an attribute."""

_BLANK = re.compile(BLANK, re.DOTALL)
_STRING = re.compile(STRING, re.DOTALL)
_NAME = re.compile(f"%?({NAME})")
_SHAPE = re.compile(rf"\(|[a-z][a-z0-9]*+{BLANK}\[", re.DOTALL)
_COMPUTATION = re.compile(
    rf"\{{{BLANK}(?:ROOT[ \t\r\n]{BLANK})?+%?+{NAME}{BLANK}={BLANK}(?:\(|[a-z][a-z0-9]*+{BLANK}\[)"
    r"[^\"'=]*?[\])}}][ \t\r\n]++[a-z][a-z0-9\-]*+\(",
    re.DOTALL,
)
_PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.%<>=:?*+#~@\-]++")
_FLAT = r"(?:[^\"'{}\[\]()/]++|/(?![/*]))"
_LEAF = rf"(?:\{{{_FLAT}*+\}}|\[{_FLAT}*+\]|\({_FLAT}*+\))"
_WITHOUT_OPEN_BRACKETS = re.compile(rf"(?:{_FLAT}|{_LEAF})++")
_SIGHT = re.compile(r"[\w.\-%]{1,24}|\r?\n|.", re.DOTALL)
_CLOSING = {"{": "}", "[": "]", "(": ")"}


class Scanner:
    """Text, a position in it, and what can stand there."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.position = 0

    def error(self, message: str, position: int | None = None) -> HloSyntaxError:
        """Describe an error here, or at a position; a message that only expects is told what was found."""
        at = self.position if position is None else position
        if message.startswith("expected") and "found" not in message:
            message = f"{message}, found {self._sight(at)}"
        return HloSyntaxError(message, name=self.name, text=self.text, position=at)

    def _sight(self, at: int) -> str:
        found = _SIGHT.match(self.text, at)
        if not found:
            return "the end of the text"
        return "the end of the line" if found.group().endswith("\n") else repr(found.group())

    def skip(self) -> None:
        """Move over blanks, line ends and comments."""
        found = _BLANK.match(self.text, self.position)
        if found:
            self.position = found.end()
        if self.text.startswith("/*", self.position):
            raise self.error("this comment is not closed")

    def at_end(self) -> bool:
        """Whether only blanks and comments are left; moves over them."""
        self.skip()
        return self.position >= len(self.text)

    def looks_at(self, literal: str) -> bool:
        """Whether the text goes on with `literal`."""
        return self.text.startswith(literal, self.position)

    def take(self, literal: str) -> bool:
        """Move over `literal` if it stands here."""
        if not self.looks_at(literal):
            return False
        self.position += len(literal)
        return True

    def expect(self, literal: str, where: str) -> None:
        """Move over `literal` and the blanks before it."""
        self.skip()
        if not self.take(literal):
            raise self.error(f"expected {literal!r} {where}")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Move over what a pattern matches here."""
        found = pattern.match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    @cached_property
    def unused_mark(self) -> str:
        """Something that may stand in a name and stands nowhere in the text: names made with it are new."""
        mark = ".inline"
        while mark in self.text:
            mark += "_"
        return mark

    def keyword(self, word: str, *, move: bool = True) -> bool:
        """Whether a whole word stands here; move over it."""
        end = self.position + len(word)
        if not self.looks_at(word) or re.match(r"[\w.\-]", self.text[end : end + 1]):
            return False
        if move:
            self.position = end
        return True

    def identifier(self, what: str) -> str:
        """Move over a name and return it without its `%`."""
        found = self.match(_NAME)
        if not found:
            raise self.error(f"expected {what}")
        return found.group(1)

    def looks_at_shape(self) -> bool:
        """Whether a shape begins here."""
        return _SHAPE.match(self.text, self.position) is not None

    def shape(self) -> Shape:
        """Move over a shape and return it."""
        try:
            shape, self.position = shape_at(self.text, self.position)
        except ShapeError as error:
            raise self.error(str(error), error.position) from None
        return shape

    def string(self) -> str:
        """Move over a quoted string and return it as written."""
        found = self.match(_STRING)
        if not found:
            raise self.error("this string is not closed")
        return found.group()

    def balanced(self) -> str:
        """Move from an opening bracket over the one that closes it; return all between, comments left out."""
        start = self.position
        expected = [_CLOSING[self.text[start]]]
        pieces = [self.text[start]]
        self.position += 1
        while self.position < len(self.text):
            plain = self.match(_WITHOUT_OPEN_BRACKETS)
            if plain:
                pieces.append(plain.group())
                continue
            character = self.text[self.position]
            if character in "\"'":
                pieces.append(self.string())
                continue
            if character == "/":
                self.skip()
                continue
            if character in _CLOSING:
                expected.append(_CLOSING[character])
            elif expected.pop() != character:
                raise self.error(f"{character!r} closes nothing that is open here")
            pieces.append(character)
            self.position += 1
            if not expected:
                return "".join(pieces)
        raise self.error(f"expected {_CLOSING[self.text[start]]!r} for this {self.text[start]!r}, found the end", start)

    def attributes(self) -> str:
        """Move over every `, name=value` from here; return them joined, comments and blanks around them left out."""
        self.skip()
        if not self.looks_at(","):
            return ""
        seen: dict[str, str] = {}
        while self.take(","):
            self.skip()
            start = self.position
            name = self.identifier("an attribute such as dimensions={0,1}")
            if name in seen:
                raise self.error(f"attribute {name!r} is given twice", start)
            self.expect("=", f"after the attribute's name {name!r}")
            self.skip()
            seen[name] = self._value(name)
            self.skip()
        return ", ".join([f"{name}={value}" for name, value in seen.items()])

    def _value(self, name: str) -> str:
        if self.position < len(self.text) and self.text[self.position] in "\"'":
            return self.string()
        if _COMPUTATION.match(self.text, self.position):
            raise self.error(f"the attribute {name!r} holds a whole computation: give it a name and write that here")
        if self.looks_at("{"):
            return self.balanced()
        pieces: list[str] = []
        while True:
            plain = self.match(_PLAIN_VALUE)
            if plain:
                pieces.append(plain.group())
            end = self.position
            self.skip()
            if self.position >= len(self.text) or self.text[self.position] not in _CLOSING:
                break
            if pieces and self.position > end:
                pieces.append(" ")
            pieces.append(self.balanced())
        if not pieces:
            raise self.error(f"expected a value for the attribute {name!r}")
        return "".join(pieces)
