"""The instructions of one computation, read with the cursor that knows the whole grammar.

The faster reader of plain lines is in `lines`; both add to the same Body, and every error is raised here.
"""

from __future__ import annotations

import re

import msgspec

from beatnote.hlo.module import Computation, Instruction
from beatnote.hlo.scanner import NAME, Scanner
from beatnote.hlo.shapes import Shape, same_array

LITERAL_OPCODES = frozenset({"parameter", "constant"})
"""Opcodes whose parentheses hold no operands."""

PARAMETER_NUMBER = re.compile(r"[0-9]{1,9}+")
MAX_NESTING = 100
_OPCODE = re.compile(r"[a-z][A-Za-z0-9_\-]*+")
_NEXT = re.compile(rf"ROOT(?![\w.\-])|%?{NAME}\s*=")


class Header(msgspec.Struct):
    """What stands before the instructions of a computation.

    Attributes:
        name: of the computation.
        is_entry: whether it is marked ENTRY.
        start: where it begins in the text.
        end: where its instructions begin, behind the brace.
        signature: `(x: f32[], y: s32[2]) -> f32[2]` as written, '' for none.
        result: the shape behind the arrow.
        result_at: where that is written.
    """

    name: str
    is_entry: bool
    start: int
    end: int
    signature: str = ""
    result: Shape | None = None
    result_at: int = 0


class Body:
    """A computation while it is read.

    Attributes:
        name: of the computation.
        found: its instructions so far, by name.
        names: what an operand may be written as, such as `x`, `%x` or `f32[] %x`, to its name.
        parameter_numbers: of its parameters so far.
        root: the name of the instruction marked ROOT; '' so far none.
    """

    def __init__(self, name: str, opened_at: int, scanner: Scanner) -> None:
        self.name = name
        self.opened_at = opened_at
        self.scanner = scanner
        self.found: dict[str, Instruction] = {}
        self.names: dict[str, str] = {}
        self.parameter_numbers: list[int] = []
        self.root = ""

    def computation(self, signature: str, attributes: str) -> Computation:
        """Make the computation, all its instructions read."""
        return Computation(
            self.name, tuple(self.found.values()), self.root or next(reversed(self.found)), signature, attributes
        )

    def check(self) -> None:
        """Check what only the whole computation shows.

        Raises:
            HloSyntaxError: it has no instructions, or a parameter number is missing or given twice.
        """
        if not self.found:
            raise self.scanner.error(f"computation {self.name!r} has no instructions", self.opened_at)
        numbers = self.parameter_numbers
        if numbers != list(range(len(numbers))) and sorted(numbers) != list(range(len(numbers))):
            raise self.scanner.error(
                f"parameters of computation {self.name!r} should be numbered 0 to {len(numbers) - 1}, "
                f"found {', '.join(map(str, sorted(numbers)[:16]))}",
                self.opened_at,
            )

    def read_instruction(self) -> None:
        """Read one instruction where the scanner stands, with those written inside its operand list before it.

        Raises:
            HloSyntaxError: it breaks the grammar, its name is taken, or an operand is not defined above it.
        """
        scanner = self.scanner
        start = scanner.position
        is_root = scanner.keyword("ROOT")
        scanner.skip()
        if is_root and self.root:
            raise scanner.error(f"a second ROOT instruction; the first is {self.root!r}", start)
        start = scanner.position
        name = scanner.identifier("an instruction or '}'")
        scanner.expect("=", f"after the instruction's name {name!r}")
        scanner.skip()
        instruction = self._right_hand_side(name, 0)
        instruction = _with_attributes(instruction, scanner.attributes())
        if name in self.found:
            raise scanner.error(f"instruction {name!r} is defined twice", start)
        self._add(instruction)
        self.root = name if is_root else self.root
        self._check_end()

    def _check_end(self) -> None:
        """Check that an instruction or a brace follows; what is wrong with a further line, its reader says."""
        scanner = self.scanner
        if scanner.at_end() or scanner.looks_at("}") or _NEXT.match(scanner.text, scanner.position):
            return
        line_start = scanner.text.rfind("\n", 0, scanner.position) + 1
        if scanner.text[line_start : scanner.position].strip():
            raise scanner.error("expected ',' and an attribute, the next instruction or '}'")

    def _add(self, instruction: Instruction) -> None:
        name = instruction.name
        if instruction.parameter_number is not None:
            self.parameter_numbers.append(instruction.parameter_number)
        self.found[name] = instruction
        self.names[name] = self.names[f"%{name}"] = name

    def _right_hand_side(self, name: str, depth: int) -> Instruction:
        """Read what is behind the `=`, but no attributes; without a name, one is made of the opcode."""
        scanner = self.scanner
        if depth > MAX_NESTING:
            raise scanner.error(f"instructions nested more than {MAX_NESTING} deep")
        shape = scanner.shape()
        scanner.skip()
        opcode = scanner.match(_OPCODE)
        if not opcode:
            raise scanner.error("expected an opcode")
        scanner.skip()
        if not scanner.looks_at("("):
            raise scanner.error(f"expected '(' after the opcode {opcode.group()!r}")
        if opcode.group() in LITERAL_OPCODES:
            operands, literal = (), self._literal(opcode.group())
        else:
            operands, literal = self._operands(depth), None
        return Instruction(name or self._unused_name(opcode.group()), opcode.group(), shape, operands, literal)

    def _literal(self, opcode: str) -> str:
        start = self.scanner.position
        literal = self.scanner.balanced()[1:-1].strip()
        if not literal:
            raise self.scanner.error(f"expected a value in the parentheses of a {opcode}, found none", start)
        if opcode == "parameter" and not PARAMETER_NUMBER.fullmatch(literal):
            raise self.scanner.error(f"expected a parameter number, found {literal[:24]!r}", start + 1)
        return literal

    def _operands(self, depth: int) -> tuple[str, ...]:
        scanner = self.scanner
        scanner.expect("(", "before the operands")
        names: list[str] = []
        scanner.skip()
        while not scanner.take(")"):
            if names:
                scanner.expect(",", "or ')' in the operand list")
                scanner.skip()
            names.append(self._operand(depth))
            scanner.skip()
        return tuple(names)

    def _operand(self, depth: int) -> str:
        scanner = self.scanner
        start = scanner.position
        shape = scanner.shape() if scanner.looks_at_shape() else None
        scanner.skip()
        at = scanner.position
        name = scanner.identifier("an operand")
        scanner.skip()
        if scanner.looks_at("("):
            scanner.position = start
            instruction = self._right_hand_side("", depth + 1)
            self._add(instruction)
            return instruction.name
        instruction = self.found.get(name)
        if instruction is None:
            raise scanner.error(f"operand {name!r} is not defined above in this computation", at)
        if shape is not None and not same_array(shape, instruction.shape):
            raise scanner.error(f"operand {name!r} is written as {shape} but was defined as {instruction.shape}", start)
        return name

    def _unused_name(self, opcode: str) -> str:
        return f"{opcode}{self.scanner.unused_mark}{len(self.found)}"


def _with_attributes(instruction: Instruction, attributes_text: str) -> Instruction:
    """Make the same instruction with attributes."""
    return Instruction(
        instruction.name,
        instruction.opcode,
        instruction.shape,
        instruction.operands,
        instruction.literal,
        attributes_text,
    )
