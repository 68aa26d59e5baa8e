"""The fast reader: instructions that stand plainly on one line each, which is nearly all of a dump.

One regular expression finds the parts of a line; parts are then looked up among those already known to be right.
What is not plain is left to `body`, which knows the whole grammar and says what is wrong where. So this reader may
give up on any line, but what it takes must be what `body` would have read.
"""

from __future__ import annotations

import re

from beatnote.hlo.attributes import STRING
from beatnote.hlo.body import LITERAL_OPCODES, PARAMETER_NUMBER, Body, Header
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Instruction
from beatnote.hlo.scanner import NAME, Scanner
from beatnote.hlo.shape_text import ShapeError, parse_shape
from beatnote.hlo.shapes import Shape, same_array

_INDEX = r"/\*index=[0-9]++\*/"
_FLAT = r"[^()\"'\r\n/]*+"


def _parenthesised(inner: str) -> str:
    return rf"\({_FLAT}(?:(?:{_INDEX}|{inner}){_FLAT})*+\)"


_TUPLE = _parenthesised(_parenthesised(_parenthesised(_parenthesised(r"(?!)"))))
_INSIDE = rf"{_FLAT}(?:(?:{_INDEX}|{_TUPLE}){_FLAT})*+"
_METADATA = rf"metadata=\{{(?:[a-z_]++=(?:{STRING}|[0-9]++) ?+)*+\}}"
_BEFORE = rf"[^\"'\r\nm/]*+(?:(?:m(?!etadata=)|{STRING}|/(?![/*]))[^\"'\r\nm/]*+)*+"
_BEHIND = rf"[^\"'\r\n/]*+(?:(?:{STRING}|/(?![/*]))[^\"'\r\n/]*+)*+"

# Possessive throughout, so that it gives up in linear time; the empty alternative at the end makes `finditer` stop at
# the first line that is not plain instead of searching for the next one that is.
_LINE = re.compile(
    rf"[ \t\r\n]*+(ROOT )?+(%?+{NAME}) = ([a-z][^ \n/]*+|{_TUPLE}) ([a-z][a-z0-9\-]*+)\(({_INSIDE})\)"
    rf"(?:, (({_BEFORE})(?:(?<=, ){_METADATA}(?:, ({_BEHIND})(?<!, ))?+|(?<!, ))))?+"
    r"[ \t]*+\r?+\n(?=[ \t\r\n]*+[%A-Za-z_}])|",
    re.DOTALL,
)
_OPERAND = re.compile(rf"(?:([a-z][^ /]*+|{_TUPLE}) )?+%?+({NAME})(?:, (?:{_INDEX})?+(?!$)|$)")

_PARAMETER = rf"{NAME}: ([a-z][a-z0-9]*+\[[0-9,]*+\](?:\{{[0-9,]*+\}})?+|{_TUPLE})"
_PARAMETER_SHAPE = re.compile(_PARAMETER)
_SIGNATURE = rf"\((?:{_PARAMETER}(?:, {_PARAMETER})*+)?+\) -> ([a-z][^ \r\n/]*+|{_TUPLE})"
_HEADER = re.compile(
    rf"[ \t\r\n]*+(?!HloModule )((ENTRY )?+%?+({NAME})) (?:({_SIGNATURE}) )?+"
    r"\{(?=[ \t]*+\r?+\n[ \t\r\n]*+[%A-Za-z_])"
)

_WORDS = r"[A-Za-z0-9_.%:=<>\-, ]*+"
_BRACES = rf"\{{{_WORDS}(?:(?:\[{_WORDS}\]|\{{{_WORDS}\}}|\"[^\"\\]*+\"){_WORDS})*+\}}"
_VALUE = rf"(?:[A-Za-z0-9_.%>\-]++|{_BRACES}|\"[^\"\\]*+\")"
_SIMPLE_ATTRIBUTES = re.compile(rf"{NAME}={_VALUE}(?:, {NAME}={_VALUE})*+(?:, )?+")
_ATTRIBUTE_NAME = re.compile(rf"(?:^|, )({NAME})=")

_BRACKETS = re.compile(r"[^{}\[\]()]++")
_PLAIN_RANK = 8
_SAMPLE = 20_000


class _NotPlain(Exception):
    """Something on this line is for the scanner to judge."""


class Lines:
    """A text and what is known of the parts of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        # A guess at what operands are written as, and so what to look up first; a wrong one only costs time.
        start = text.find(" = ")
        sample = text[start : start + _SAMPLE]
        self.prints_shapes = any(mark in sample for mark in ("] %", "} %", ") %"))
        self.shapes = _Shapes()
        self.literals = {"parameter": _ParameterNumbers(), "constant": _Constants()}
        self.sound_attributes = {""}

    def header(self, position: int) -> Header | None:
        """Read the plain header of a computation at a position; None if there is no plain one."""
        found = _HEADER.match(self.text, position)
        if not found:
            return None
        _, is_entry, name, signature, _, _, result_text = found.groups("")
        if not signature:
            return Header(name, bool(is_entry), found.start(1), found.end())
        try:
            result = self.shapes[result_text]
            for shape_text in _PARAMETER_SHAPE.findall(signature):
                self.shapes[shape_text]
        except ShapeError:
            return None
        return Header(name, bool(is_entry), found.start(1), found.end(), signature, result, found.start(7))

    def read(self, position: int, body: Body) -> int:
        """Add plain lines to a body from a position on; return where the first line that is not plain begins."""
        shapes, literals, sound, prints_shapes = self.shapes, self.literals, self.sound_attributes, self.prints_shapes
        found, names = body.found, body.names
        name_of = names.__getitem__
        line = None
        try:
            for line in _LINE.finditer(self.text, position):
                is_root, written, shape_text, opcode, inside, attributes, before, behind = line.groups("")
                if not written:
                    break
                # The body may change only where nothing can send this line to the scanner any more.
                shape = shapes[shape_text]
                if before not in sound:
                    self._check_attributes(before)
                if behind:
                    self._check_attributes(f"{before}metadata={{}}, {behind}")
                name = written[1:] if written[0] == "%" else written
                if name in found:
                    break
                if opcode in LITERAL_OPCODES:
                    operands, literal = (), literals[opcode][inside]
                    if opcode == "parameter":
                        body.parameter_numbers.append(int(literal))
                else:
                    literal = None
                    try:
                        first, comma, rest = inside.partition(", ")
                        if not comma:
                            operands = (names[first],)
                        elif ", " not in rest:
                            operands = (names[first], names[rest])
                        else:
                            operands = tuple(map(name_of, inside.split(", ")))
                    except KeyError:
                        operands = self._operands(inside, body)
                if is_root:
                    if body.root:
                        break
                    body.root = name
                found[name] = Instruction(name, opcode, shape, operands, literal, attributes)
                if prints_shapes:
                    written = f"{shape_text} {written}"
                names[written] = name
        except (_NotPlain, ShapeError):
            pass
        return line.start() if line else position

    def _operands(self, inside: str, body: Body) -> tuple[str, ...]:
        """Read an operand list of any plain form."""
        if inside in body.names:
            return (body.names[inside],)
        names: list[str] = []
        end = 0
        while end < len(inside):
            operand = _OPERAND.match(inside, end)
            instruction = body.found.get(operand.group(2)) if operand else None
            if operand is None or instruction is None:
                raise _NotPlain
            if operand.group(1) is not None and not same_array(self.shapes[operand.group(1)], instruction.shape):
                raise _NotPlain
            names.append(instruction.name)
            end = operand.end()
        return tuple(names)

    def _check_attributes(self, attributes: str) -> None:
        """Check that the scanner reads these attributes just as they are written, and no name twice.

        A comma at the end stands for the metadata that follows it in the text.
        """
        if attributes in self.sound_attributes:
            return
        names = _ATTRIBUTE_NAME.findall(attributes) if attributes.count("=") > 1 else ()
        is_sound = len(set(names)) == len(names) and _SIMPLE_ATTRIBUTES.fullmatch(attributes) is not None
        if not is_sound:
            alone = attributes.removesuffix(", ")
            scanner = Scanner(f", {alone}", "")
            try:
                is_sound = scanner.attributes() == alone and scanner.at_end()
            except HloSyntaxError:
                is_sound = False
        if not is_sound:
            raise _NotPlain
        self.sound_attributes.add(attributes)


class _Shapes(dict[str, Shape]):
    """The shapes met so far by their text."""

    def __missing__(self, text: str) -> Shape:
        shape = self[text] = parse_shape(text)
        return shape


class _ParameterNumbers(dict[str, str]):
    """What stood in the parentheses of parameters and is right."""

    def __missing__(self, inside: str) -> str:
        if not PARAMETER_NUMBER.fullmatch(inside):
            raise _NotPlain
        self[inside] = inside
        return inside


class _Constants(dict[str, str]):
    """What stood in the parentheses of constants and is right, to what is kept of it."""

    def __missing__(self, inside: str) -> str:
        brackets = _BRACKETS.sub("", inside)
        for _ in range(_PLAIN_RANK):
            brackets = brackets.replace("{}", "").replace("()", "").replace("[]", "")
        literal = inside.strip()
        if brackets or "/" in inside or not literal:
            raise _NotPlain
        if len(inside) < _SAMPLE:
            self[inside] = literal
        return literal
