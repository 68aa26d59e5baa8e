"""Reading HLO text of every era: `parse`. Printing it, `render`, is re-exported here.

An instruction on a line of its own, which is nearly all of them, is read by one regular expression; whatever
that does not match goes to the cursor in `scanner`, which knows the whole grammar and says what is wrong where.
"""

from __future__ import annotations

import re

from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.render import render
from beatnote.hlo.scanner import LITERAL_OPCODES, Scanner
from beatnote.hlo.shapes import Shape, ShapeError, parse_shape, same_array

__all__ = ["HloSyntaxError", "parse", "render"]

_STRING = r'"(?:[^"\\\n]++|\\.)*+"'
_ARRAY = r"[a-z]\w*+\[[^\]\n]*+\](?:\{[^{}\n]*+\})?+"


def _nested(opening: str, closing: str, depth: int, other: str = r"(?!)") -> str:
    """A balanced pair on one line, at most `depth` deep, with `other` standing for what hides brackets."""
    plain = rf"[^{opening}{closing}\"\n]++|{other}"
    pattern = rf"{opening}(?:{plain})*+{closing}"
    for _ in range(depth - 1):
        pattern = rf"{opening}(?:{plain}|{pattern})*+{closing}"
    return pattern


_TUPLE = _nested(r"\(", r"\)", 5)
_SHAPE = rf"(?:{_ARRAY}|{_TUPLE})"
_BRACES = _nested(r"\{", r"\}", 5, _STRING)
_VALUE = rf"(?:[^\"\n/{{}}()\[\], ]++|{_STRING}|{_BRACES}|\[[^\]\"\n]*+\]|/(?![/*]))++"
_ATTRIBUTE = rf"[\w.]++(?:={_VALUE})?+"
_INSTRUCTION = re.compile(
    rf"\s*+(ROOT )?+%?+([\w.\-]++) = ({_SHAPE}) ([a-z][\w\-]*+)"
    rf"\(((?:[^()\"\n]++|{_TUPLE})*+)\)(?:, ({_ATTRIBUTE}(?:, {_ATTRIBUTE})*+))?+[ \t\r]*+\n"
)
_HEADER = re.compile(rf"(ENTRY\s+)?%?([\w.\-]+)\s*(\((?:[^()]++|{_TUPLE})*+\)\s*->\s*{_SHAPE})?\s*\{{")
_NAMED_OPERAND = re.compile(rf"(?:({_SHAPE}) )?%([\w.\-]+)")
_TABLE = re.compile(r"([A-Z]\w*)[ \t]*\n((?:\d+[ \t][^\n]*(?:\n|$))*)")


def parse(text: str, *, name: str = "<text>") -> Module:
    """Read the module in a text; modules behind it are in its `following`.

    A text without a `HloModule` line is read as the computations it holds.

    Args:
        text: HLO text, of any version of XLA.
        name: what errors call it, usually the file's path.

    Raises:
        HloSyntaxError: with line, column and the source line.
    """
    parser = _Parser(text, name)
    modules: list[Module] = []
    while not parser.at_end():
        modules.append(parser.module(first=not modules))
    if not modules:
        raise HloSyntaxError("expected an HLO module, found nothing", name=name, text=text, position=len(text))
    first, *rest = modules
    if not rest:
        return first
    return Module(first.name, first.computations, first.entry_name, first.attributes_text, first.tables, tuple(rest))


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self.scanner = Scanner(text, name)
        self.text = text
        self.shapes: dict[str, Shape] = {}

    def at_end(self) -> bool:
        self.scanner.skip()
        return self.scanner.position >= len(self.text)

    def module(self, *, first: bool) -> Module:
        scanner = self.scanner
        name = attributes = ""
        if scanner.keyword("HloModule"):
            name = scanner.token(r"[^\s,{}()=]+", "the module's name")
            attributes = scanner.attributes()
        elif not first:
            raise scanner.error("expected 'HloModule'")
        tables: list[tuple[str, tuple[str, ...]]] = []
        computations: dict[str, Computation] = {}
        entry = ""
        while not self.at_end() and not scanner.looks_at("HloModule "):
            table = _TABLE.match(self.text, scanner.position)
            if table:
                tables.append((table.group(1), tuple(table.group(2).splitlines())))
                scanner.position = table.end()
                continue
            start = scanner.position
            computation, is_entry = self.computation()
            if computation.name in computations:
                raise scanner.error(f"computation {computation.name!r} is defined twice", start)
            if is_entry and entry:
                raise scanner.error(f"a second ENTRY computation; the first is {entry!r}", start)
            computations[computation.name] = computation
            entry = computation.name if is_entry else entry
        if not name and not computations:
            raise scanner.error("expected 'HloModule' or a computation")
        entry = entry or (next(reversed(computations)) if computations else "")
        return Module(name, tuple(computations.values()), entry, attributes, tuple(tables))

    def computation(self) -> tuple[Computation, bool]:
        scanner = self.scanner
        start = scanner.position
        header = _HEADER.match(self.text, start)
        if not header:
            raise scanner.error("expected 'HloModule' or a computation such as '%main (x: f32[]) -> f32[] {'")
        entry, name, signature = header.groups()
        scanner.position = header.end()
        instructions, root = self.body(name, start)
        return Computation(name, instructions, root, signature or "", scanner.attributes()), bool(entry)

    def body(self, computation: str, opened: int) -> tuple[tuple[Instruction, ...], str]:
        scanner, text, match, shapes = self.scanner, self.text, _INSTRUCTION.match, self.shapes
        found: dict[str, Instruction] = {}
        root = ""
        position = scanner.position
        while True:
            line = match(text, position)
            if line:
                is_root, name, shape_text, opcode, inside, attributes = line.groups("")
                shape = shapes.get(shape_text) or self.shape(shape_text, line.start(3))
                if opcode in LITERAL_OPCODES:
                    operands: tuple[str, ...] | None = ()
                    literal = inside if "/" not in inside else None
                else:
                    literal = None
                    operands = self.operands(inside, line.start(5), found) if inside else ()
                if operands is not None and (literal is not None or opcode not in LITERAL_OPCODES):
                    if name in found:
                        raise scanner.error(f"instruction {name!r} is defined twice", line.start(2))
                    if is_root:
                        root = self.only_root(root, name, line.start(2))
                    if opcode == "parameter":
                        self.check_parameter(literal or "", line.start(5))
                    found[name] = Instruction(name, opcode, shape, operands, literal, attributes)
                    position = line.end()
                    continue
            scanner.position = position
            scanner.skip()
            if scanner.position >= len(text):
                raise scanner.error(f"computation {computation!r} is not closed: expected '}}', found the end", opened)
            if scanner.take("}"):
                break
            start = scanner.position
            instruction, inline, is_root = scanner.instruction(found)
            for one in inline:
                found[one.name] = one
            if instruction.name in found:
                raise scanner.error(f"instruction {instruction.name!r} is defined twice", start)
            if is_root:
                root = self.only_root(root, instruction.name, start)
            found[instruction.name] = instruction
            position = scanner.position
        if not found:
            raise scanner.error(f"computation {computation!r} has no instructions", opened)
        self.check_parameters(computation, found, opened)
        return tuple(found.values()), root or next(reversed(found))

    def shape(self, text: str, start: int) -> Shape:
        try:
            shape = self.shapes[text] = parse_shape(text)
        except ShapeError as error:
            raise self.scanner.error(str(error), start + error.offset) from None
        return shape

    def operands(self, inside: str, start: int, found: dict[str, Instruction]) -> tuple[str, ...] | None:
        """The names in plain operand lists; None for lists that need the scanner."""
        if "%" not in inside:
            names = tuple(inside.split(", "))
            return names if all(name in found for name in names) else None
        if "[" not in inside:
            names = tuple(inside.replace("%", "").split(", "))
            return names if all(name in found for name in names) else None
        names = []
        for operand in _NAMED_OPERAND.finditer(inside):
            shape_text, name = operand.groups()
            instruction = found.get(name)
            if instruction is None:
                return None
            if shape_text:
                shape = self.shapes.get(shape_text) or self.shape(shape_text, start + operand.start(1))
                if shape is not instruction.shape and not same_array(shape, instruction.shape):
                    return None
            names.append(name)
        return tuple(names) if len(names) == inside.count("%") else None

    def only_root(self, root: str, name: str, position: int) -> str:
        if root:
            raise self.scanner.error(f"a second ROOT instruction; the first is {root!r}", position)
        return name

    def check_parameter(self, literal: str, position: int) -> None:
        if not (literal.isascii() and literal.isdigit() and len(literal) < 10):
            raise self.scanner.error(f"expected a parameter number, found {literal!r}", position)

    def check_parameters(self, computation: str, found: dict[str, Instruction], opened: int) -> None:
        numbers = sorted(i.parameter_number or 0 for i in found.values() if i.opcode == "parameter")
        if numbers != list(range(len(numbers))):
            raise self.scanner.error(
                f"parameters of computation {computation!r} should be numbered 0 to {len(numbers) - 1}, found {numbers}",
                opened,
            )
