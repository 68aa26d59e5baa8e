"""Module, computation and instruction as frozen data, whatever format they came from.

Reading and printing text is in `text` and `render`; what attributes mean is in `attributes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

import msgspec

from beatnote.hlo.attributes import metadata_of, split_attributes
from beatnote.hlo.deferred import written_when_read
from beatnote.hlo.shapes import Shape


class Instruction(msgspec.Struct, frozen=True, gc=False):
    """One instruction.

    Attributes:
        name: without `%`, unique in its computation.
        opcode: as XLA spells it, such as `get-tuple-element`.
        shape: of the result.
        operands: names of instructions in the same computation, in order.
        literal: what stands in the parentheses of `parameter`, `constant` and the like, as written;
            `constant({...})` is an elided constant: its value is not in the text.
        attributes_text: everything after the parentheses, as written, without the leading comma. That of a proto is
            written when it is read first, which raises ProtoError where the bytes are damaged.
    """

    name: str
    opcode: str
    shape: Shape
    operands: tuple[str, ...] = ()
    literal: str | None = None
    attributes_text: str = ""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Every attribute by name, its value as written; an attribute without a value maps to ''."""
        return MappingProxyType(split_attributes(self.attributes_text))

    @property
    def metadata(self) -> Mapping[str, str]:
        """The fields of `metadata={…}`: op_name, op_type, source_file, source_line and so on, unquoted."""
        return metadata_of(self.attributes.get("metadata", ""))

    @property
    def is_elided(self) -> bool:
        """Whether this is a constant whose value the text leaves out."""
        return self.opcode == "constant" and self.literal is not None and "..." in self.literal

    @property
    def parameter_number(self) -> int | None:
        """The number in `parameter(n)`, None for other opcodes."""
        return int(self.literal) if self.opcode == "parameter" and self.literal is not None else None


written_when_read(Instruction, "attributes_text")


class Computation(msgspec.Struct, frozen=True, dict=True):
    """Instructions in the order of the text, operands before their users.

    Attributes:
        name: without `%`.
        instructions: never empty.
        root: the name of the instruction whose value is the computation's.
        signature: `(p: f32[]) -> f32[]` as written, or '' where the text has none.
        attributes_text: what follows the closing brace, such as `execution_thread="host"`.
    """

    name: str
    instructions: tuple[Instruction, ...]
    root: str
    signature: str = ""
    attributes_text: str = ""

    @cached_property
    def _by_name(self) -> dict[str, Instruction]:
        return {instruction.name: instruction for instruction in self.instructions}

    def __getitem__(self, name: str) -> Instruction:
        """Return the instruction of that name.

        Raises:
            KeyError: there is none.
        """
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def root_instruction(self) -> Instruction:
        """The instruction whose value is the computation's."""
        return self._by_name[self.root]

    @cached_property
    def parameters(self) -> tuple[Instruction, ...]:
        """The parameter instructions by number."""
        found = [i for i in self.instructions if i.opcode == "parameter"]
        return tuple(sorted(found, key=lambda i: i.parameter_number or 0))


class Module(msgspec.Struct, frozen=True, dict=True):
    """A whole program.

    Attributes:
        name: '' for a fragment without a `HloModule` line.
        computations: in the order of the text.
        entry_name: the computation marked ENTRY; where none is, the last one, as XLA takes it; '' where there is none
            at all, which XLA would refuse.
        attributes_text: the rest of the `HloModule` line, as written.
        tables: FileNames, FunctionNames, FileLocations, StackFrames and the like: (title, lines).
        following: further modules of the same text (files of several modules split by `// -----`).
    """

    name: str
    computations: tuple[Computation, ...]
    entry_name: str = ""
    attributes_text: str = ""
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    following: tuple[Module, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Computation]:
        return {computation.name: computation for computation in self.computations}

    @property
    def attributes(self) -> Mapping[str, str]:
        """The header's attributes by name, values as written."""
        return MappingProxyType(split_attributes(self.attributes_text))

    def computation(self, name: str) -> Computation:
        """Return the computation of that name.

        Raises:
            KeyError: there is none.
        """
        return self._by_name[name]

    @property
    def entry(self) -> Computation:
        """The computation that runs first.

        Raises:
            KeyError: the text holds no computation.
        """
        return self._by_name[self.entry_name]

    @property
    def instruction_count(self) -> int:
        """Instructions in all computations, parameters and constants included."""
        return sum(len(computation.instructions) for computation in self.computations)

    def instructions(self) -> Iterator[Instruction]:
        """Every instruction of every computation, in the order of the text."""
        for computation in self.computations:
            yield from computation.instructions

    def __iter__(self) -> Iterator[Module]:
        """Yield this module and those that follow it in the same text."""
        yield self
        yield from self.following
