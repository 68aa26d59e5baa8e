"""Reading HLO text of every era: `parse`. Printing it, `render`, is re-exported here.

This file reads what is around instructions: module headers, tables, computations. Instructions are read by `lines`
where they stand plainly on one line each, and by `body` otherwise.
"""

from __future__ import annotations

import re

from beatnote.hlo.attributes import STRING
from beatnote.hlo.body import Body, Header
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.lines import Lines
from beatnote.hlo.module import Computation, Module
from beatnote.hlo.render import render
from beatnote.hlo.scanner import Scanner
from beatnote.hlo.shapes import same_array

__all__ = ["HloSyntaxError", "parse", "render"]

_MODULE_NAME = re.compile(r"%?([^\s,{}()=\"'/]+)")
_TABLE = re.compile(
    r"(FileNames|FunctionNames|FileLocations|StackFrames)(?![\w.\-])|([A-Z]\w*)(?=[ \t\r\n]+[0-9]+[ \t]+[\"'{])"
)
_TABLE_LINE = re.compile(rf"[ \t\r\n]*+([0-9]++ (?:{STRING}|\{{[^{{}}\"'/]*+\}}))(?=[ \t]*+\r?+\n)", re.DOTALL)
_NUMBER = re.compile(r"[0-9]++")


def parse(text: str, *, name: str = "<text>") -> Module:
    """Read the module in a text; modules behind it are in its `following`.

    A text without a `HloModule` line is read as the computations it holds. Where none is marked ENTRY, the last one is
    the entry, as it is for XLA. An instruction inside an operand list becomes one of its own, `opcode.inlineN`, before
    its user. What XLA would infer is not: a shape left out, or a computation inside an attribute, is an error.

    Args:
        text: HLO text, of any version of XLA.
        name: what errors call it, usually the file's path.

    Raises:
        HloSyntaxError: with line, column and the source line.
    """
    parser = _Parser(text, name)
    modules = [parser.module()]
    while not parser.scanner.at_end():
        modules.append(parser.module())
    first, *rest = modules
    if not rest:
        return first
    return Module(first.name, first.computations, first.entry_name, first.attributes_text, first.tables, tuple(rest))


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self.scanner = Scanner(text, name)
        self.scanner.take("\ufeff")
        self.lines = Lines(text)

    def module(self) -> Module:
        """Read the module that begins here: its header, its tables, its computations."""
        scanner = self.scanner
        scanner.skip()
        name = attributes = ""
        if scanner.keyword("HloModule"):
            scanner.skip()
            found = scanner.match(_MODULE_NAME)
            if not found:
                raise scanner.error("expected the module's name")
            name = found.group(1)
            attributes = scanner.attributes()
        tables: list[tuple[str, tuple[str, ...]]] = []
        while not scanner.at_end() and (title := scanner.match(_TABLE)):
            tables.append((title.group(), self.table()))
        computations: dict[str, Computation] = {}
        entry = ""
        while True:
            header = self.lines.header(scanner.position)
            if header is None:
                if (name or computations) and (scanner.at_end() or scanner.keyword("HloModule", move=False)):
                    break
                header = self.header()
            if header.name in computations:
                raise scanner.error(f"computation {header.name!r} is defined twice", header.start)
            if header.is_entry:
                if entry:
                    raise scanner.error(f"a second ENTRY computation; the first is {entry!r}", header.start)
                entry = header.name
            computations[header.name] = self.computation(header)
        entry = entry or next(reversed(computations), "")
        return Module(name, tuple(computations.values()), entry, attributes, tuple(tables))

    def table(self) -> tuple[str, ...]:
        """Read the lines of a table: a number and a string or a braced value each."""
        scanner = self.scanner
        lines: list[str] = []
        while True:
            while plain := scanner.match(_TABLE_LINE):
                lines.append(plain.group(1))
            scanner.skip()
            number = scanner.match(_NUMBER)
            if not number:
                return tuple(lines)
            scanner.skip()
            if scanner.looks_at("{"):
                lines.append(f"{number.group()} {scanner.balanced()}")
            elif scanner.looks_at('"') or scanner.looks_at("'"):
                lines.append(f"{number.group()} {scanner.string()}")
            else:
                raise scanner.error("expected a string or '{' in a line of a table")

    def computation(self, header: Header) -> Computation:
        """Read what is behind the header of a computation."""
        scanner = self.scanner
        body = Body(header.name, header.start, scanner)
        self.instructions(body, header.end)
        computation = body.computation(header.signature, scanner.attributes())
        if header.result is not None and not same_array(header.result, computation.root_instruction.shape):
            root = computation.root_instruction
            raise scanner.error(
                f"computation {header.name!r} is declared to return {header.result} "
                f"but its root {root.name!r} is {root.shape}",
                header.result_at,
            )
        return computation

    def header(self) -> Header:
        """Read everything before the instructions of a computation, its opening brace included."""
        scanner = self.scanner
        scanner.skip()
        opened_at = scanner.position
        is_entry = scanner.keyword("ENTRY")
        scanner.skip()
        name = scanner.identifier("'HloModule' or a computation such as '%main (x: f32[]) -> f32[] {'")
        scanner.skip()
        if not scanner.looks_at("("):
            scanner.expect("{", f"and the instructions of computation {name!r}")
            return Header(name, is_entry, opened_at, scanner.position)
        start = scanner.position
        self.signature_parameters(name)
        scanner.expect("->", f"and the result's shape in the signature of computation {name!r}")
        scanner.skip()
        result_at = scanner.position
        result = scanner.shape()
        signature = scanner.text[start : scanner.position]
        scanner.expect("{", f"and the instructions of computation {name!r}")
        return Header(name, is_entry, opened_at, scanner.position, signature, result, result_at)

    def signature_parameters(self, computation: str) -> None:
        """Move over the parenthesised parameters of a signature, each a name and a shape."""
        scanner = self.scanner
        scanner.take("(")
        scanner.skip()
        is_first = True
        while not scanner.take(")"):
            if not is_first:
                scanner.expect(",", f"or ')' in the signature of computation {computation!r}")
                scanner.skip()
            is_first = False
            scanner.identifier(f"a parameter such as 'x: f32[]' in the signature of computation {computation!r}")
            scanner.take(":")
            scanner.skip()
            scanner.shape()
            scanner.skip()

    def instructions(self, body: Body, position: int) -> None:
        """Read all instructions from a position to the brace that closes the computation, and that brace."""
        scanner = self.scanner
        while True:
            scanner.position = self.lines.read(position, body)
            if scanner.take("}"):
                break
            if scanner.at_end():
                raise scanner.error(
                    f"computation {body.name!r} is not closed: expected '}}', found the end", body.opened_at
                )
            if scanner.take("}"):
                break
            body.read_instruction()
            position = scanner.position
        body.check()
