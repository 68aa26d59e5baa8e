"""A cursor over HLO text that knows the whole grammar of an instruction and locates every error.

`text` uses it wherever an instruction does not stand plainly on one line: comments, strings with newlines,
attributes on following lines, nested literals, instructions written inside operand lists.
"""

from __future__ import annotations

import re

from beatnote.hlo.attributes import STRING
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import Shape, ShapeError, parse_shape, same_array

LITERAL_OPCODES = frozenset({"parameter", "constant", "partition-id", "replica-id"})
"""Opcodes whose parentheses hold no operands."""

MAX_NESTING = 100
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_BLANK_IN_LINE = re.compile(r"(?:[^\S\n]+|/\*.*?\*/)+", re.DOTALL)
_STRING = re.compile(STRING, re.DOTALL)
_PLAIN = re.compile(r"[^\"{}\[\](),/\s]+")
_NAME = re.compile(r"%?([\w.\-]+)")
_ARRAY = re.compile(r"[a-z]\w*\[")
_PAIRS = {"{": "}", "[": "]", "(": ")"}


class Scanner:
    """Text, a position in it, and what can stand there."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.position = 0

    def error(self, message: str, position: int | None = None) -> HloSyntaxError:
        """An error here, or at a position; a message that only expects is told what was found."""
        at = self.position if position is None else position
        if message.startswith("expected") and "found" not in message:
            message = f"{message}, found {self._sight(at)}"
        return HloSyntaxError(message, name=self.name, text=self.text, position=at)

    def _sight(self, at: int) -> str:
        if at >= len(self.text):
            return "the end of the text"
        word = re.compile(r"\n|[\w.\-%]+|.").match(self.text, at)
        shown = word.group()[:24] if word else ""
        return "the end of the line" if shown == "\n" else repr(shown)

    def skip(self) -> None:
        """Move over blanks, newlines and comments."""
        found = _BLANK.match(self.text, self.position)
        if found:
            self.position = found.end()

    def skip_in_line(self) -> None:
        """Move over blanks and comments, but not over a newline or a `//`."""
        found = _BLANK_IN_LINE.match(self.text, self.position)
        if found:
            self.position = found.end()

    def looks_at(self, literal: str) -> bool:
        """Whether the text goes on with `literal`."""
        return self.text.startswith(literal, self.position)

    def take(self, literal: str) -> bool:
        """Move over `literal` if it stands here."""
        if not self.looks_at(literal):
            return False
        self.position += len(literal)
        return True

    def keyword(self, word: str) -> bool:
        """Move over a word and the blanks behind it, if it stands here."""
        found = re.compile(rf"{word}(?=\s)\s*").match(self.text, self.position)
        if found:
            self.position = found.end()
        return bool(found)

    def expect(self, literal: str, where: str) -> None:
        """Move over `literal`, blanks before it included."""
        self.skip()
        if not self.take(literal):
            raise self.error(f"expected {literal!r} {where}")

    def token(self, pattern: str, what: str) -> str:
        """Move over what a pattern matches and return it."""
        found = re.compile(pattern).match(self.text, self.position)
        if not found:
            raise self.error(f"expected {what}")
        self.position = found.end()
        return found.group()

    def instruction(self, known: dict[str, Instruction]) -> tuple[Instruction, list[Instruction], bool]:
        """One instruction; those written inside its operand list, to stand before it; whether it is ROOT."""
        is_root = self.keyword("ROOT")
        self.skip()
        found = _NAME.match(self.text, self.position)
        if not found:
            raise self.error("expected an instruction or '}'")
        name = found.group(1)
        self.position = found.end()
        self.expect("=", f"after the instruction's name {name!r}")
        self.skip()
        inline: list[Instruction] = []
        instruction = self._right_hand_side(name, known, inline, 0)
        attributes = self.attributes()
        if attributes:
            instruction = Instruction(
                name, instruction.opcode, instruction.shape, instruction.operands, instruction.literal, attributes
            )
        self.skip_in_line()
        if not (self.position >= len(self.text) or self.text[self.position] in "\n}" or self.looks_at("//")):
            raise self.error("expected ',' and an attribute, or the end of the line")
        return instruction, inline, is_root

    def _right_hand_side(
        self, name: str, known: dict[str, Instruction], inline: list[Instruction], depth: int
    ) -> Instruction:
        if depth > MAX_NESTING:
            raise self.error(f"instructions nested more than {MAX_NESTING} deep")
        shape = self._shape()
        self.skip()
        opcode = self.token(r"[a-z][\w\-]*", "an opcode")
        self.skip()
        if not self.looks_at("("):
            raise self.error(f"expected '(' after the opcode {opcode!r}")
        if opcode in LITERAL_OPCODES:
            start = self.position
            literal = self._balanced()[1:-1].strip()
            if opcode == "parameter" and not re.fullmatch(r"\d{1,9}", literal, re.ASCII):
                raise self.error(f"expected a parameter number, found {literal[:24]!r}", start + 1)
            return Instruction(name, opcode, shape, (), literal)
        return Instruction(name, opcode, shape, self._operands(known, inline, depth))

    def _shape(self) -> Shape:
        start = self.position
        if self.looks_at("("):
            self._balanced()
        elif _ARRAY.match(self.text, start):
            self.token(r"[a-z]\w*\[[^\]\n]*\]?", "a shape")
            if self.looks_at("{"):
                self._balanced()
        else:
            raise self.error("expected a shape such as f32[8,16]{1,0}")
        try:
            return parse_shape(self.text[start : self.position])
        except ShapeError as error:
            raise self.error(str(error), start + error.offset) from None

    def _operands(self, known: dict[str, Instruction], inline: list[Instruction], depth: int) -> tuple[str, ...]:
        self.expect("(", "before the operands")
        names: list[str] = []
        self.skip()
        while not self.take(")"):
            if names:
                self.expect(",", "or ')' in the operand list")
                self.skip()
            names.append(self._operand(known, inline, depth))
            self.skip()
        return tuple(names)

    def _operand(self, known: dict[str, Instruction], inline: list[Instruction], depth: int) -> str:
        start = self.position
        shape = self._shape() if self.looks_at("(") or _ARRAY.match(self.text, start) else None
        self.skip()
        at = self.position
        found = _NAME.match(self.text, at)
        if not found:
            raise self.error("expected an operand")
        name = found.group(1)
        self.position = found.end()
        if shape is not None and self.looks_at("("):
            self.position = start
            fresh = self._unused_name(name, known, inline)
            instruction = self._right_hand_side(fresh, known, inline, depth + 1)
            inline.append(instruction)
            return instruction.name
        instruction = known.get(name)
        if instruction is None:
            raise self.error(f"operand {name!r} is not defined above in this computation", at)
        if shape is not None and not same_array(shape, instruction.shape):
            raise self.error(f"operand {name!r} is written as {shape} but was defined as {instruction.shape}", start)
        return name

    def _unused_name(self, opcode: str, known: dict[str, Instruction], inline: list[Instruction]) -> str:
        taken = len(known) + len(inline)
        while f"{opcode}.inline{taken}" in self.text:
            taken += 1
        return f"{opcode}.inline{taken}"

    def attributes(self) -> str:
        """Every `, name=value` from here, comments and line breaks between them removed; '' for none."""
        parts: list[str] = []
        while True:
            self.skip_in_line()
            if not self.take(","):
                return ", ".join(parts)
            self.skip()
            name = self.token(r"[\w.]+", "an attribute")
            self.skip_in_line()
            if not self.take("="):
                parts.append(name)
                continue
            self.skip_in_line()
            value = self._value()
            if not value:
                raise self.error(f"expected a value for the attribute {name!r}")
            parts.append(f"{name}={value}")

    def _value(self) -> str:
        pieces: list[str] = []
        while self.position < len(self.text):
            character = self.text[self.position]
            if character in _PAIRS:
                pieces.append(self._balanced())
            elif character == '"':
                pieces.append(self._string())
            elif character in ",)}]\n":
                break
            elif character.isspace() or self.looks_at("/*"):
                self.skip_in_line()
                if not pieces or self.position >= len(self.text):
                    break
                if self.text[self.position] in ",)}]\n" or self.looks_at("//"):
                    break
                raise self.error("expected ',' and an attribute, or the end of the line")
            elif self.looks_at("//"):
                break
            else:
                plain = _PLAIN.match(self.text, self.position)
                end = plain.end() if plain else self.position + 1
                pieces.append(self.text[self.position : end])
                self.position = end
        return "".join(pieces)

    def _string(self) -> str:
        found = _STRING.match(self.text, self.position)
        if not found:
            raise self.error("this string is not closed")
        self.position = found.end()
        return found.group()

    def _balanced(self) -> str:
        """From an opening bracket to the one that closes it, comments left out."""
        start = self.position
        open_brackets: list[str] = []
        pieces: list[str] = []
        while self.position < len(self.text):
            character = self.text[self.position]
            if character == '"':
                pieces.append(self._string())
                continue
            if self.looks_at("/*"):
                found = _BLANK.match(self.text, self.position)
                if not found:
                    raise self.error("this comment is not closed")
                self.position = found.end()
                continue
            if character in _PAIRS:
                open_brackets.append(_PAIRS[character])
            elif character in "}])":
                if open_brackets.pop() != character:
                    raise self.error(f"{character!r} closes nothing that is open here")
            self.position += 1
            pieces.append(character)
            if not open_brackets:
                return "".join(pieces)
        raise self.error(f"expected {_PAIRS[self.text[start]]!r} for this {self.text[start]!r}, found the end", start)
