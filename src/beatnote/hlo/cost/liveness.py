"""How many bytes a program holds at once, if its instructions run in the order of the text.

Values share memory where XLA lets them: tuples, bitcasts and the carry of a loop are what they are made of, and what
changes a part of an array changes it in place. Nothing else is: an addition does not overwrite its operand, and
padding, fragmentation and what libraries want for themselves are not counted. In a scheduled program
(`is_scheduled=true`) the order is the one it runs in; before optimisation it is one of many.
"""

from __future__ import annotations

from itertools import accumulate

import msgspec

from beatnote.hlo.aliasing import aliases_of
from beatnote.hlo.calls import called_computations, callees_first
from beatnote.hlo.cost.arithmetic import base_opcode, result_of
from beatnote.hlo.cost.cost import LARGEST
from beatnote.hlo.cost.opcodes import CONTROL
from beatnote.hlo.cost.sizes import bytes_of
from beatnote.hlo.cost.traffic import changed_in_place, fused_roots, moves_nothing
from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import TupleShape, leaves

_SAME = frozenset({"add-dependency", "bitcast", "domain", "opt-barrier", "while"})
_OUTSIDE = -1
"""The buffer of a parameter or constant: there before and after."""


class Liveness(msgspec.Struct, frozen=True):
    """The most bytes that are held at once.

    Attributes:
        peak_bytes: arguments included.
        argument_bytes: of the parameters, which are held throughout.
        instruction: the name of the one in the entry at which it is.
    """

    peak_bytes: int
    argument_bytes: int
    instruction: str


def liveness_of(module: Module) -> Liveness:
    """Find the most bytes that a program holds at once.

    Raises:
        CostError: the program breaks the rules of HLO, or holds more than 2⁶³ bytes.
    """
    peaks: dict[str, tuple[int, str]] = {}
    for computation in callees_first(module):
        try:
            peaks[computation.name] = _Buffers(module, computation, peaks).peak()
        except CostError:
            raise
        except (ValueError, LookupError) as error:
            raise CostError(f"computation {computation.name!r} breaks the rules of HLO ({error})") from None
    arguments = sum(bytes_of(parameter.shape) for parameter in module.entry.parameters)
    peak, at = peaks[module.entry_name]
    if arguments + peak > LARGEST:
        raise CostError("it holds more than 2⁶³ bytes at once")
    return Liveness(arguments + peak, arguments, at)


class _Buffers:
    """The buffers of one computation, its parameters aside."""

    def __init__(self, module: Module, computation: Computation, peaks: dict[str, tuple[int, str]]) -> None:
        self.module = module
        self.computation = computation
        self.peaks = peaks
        self.is_entry = computation.name == module.entry_name
        self.sizes: list[int] = []
        self.values: dict[str, tuple[int, ...]] = {}
        self.starts: dict[str, list[int]] = {}

    def peak(self) -> tuple[int, str]:
        """Return the most bytes held in buffers that are made here, and at which instruction."""
        instructions = self.computation.instructions
        born: list[range] = []
        last: dict[int, int] = {}
        for place, instruction in enumerate(instructions):
            before = len(self.sizes)
            self.values[instruction.name] = self._value(instruction)
            born.append(range(before, len(self.sizes)))
            for buffer in (*born[-1], *self._used(instruction)):
                last[buffer] = place
        last |= dict.fromkeys(self.values[self.computation.root], len(instructions))
        if self.is_entry:
            outputs = self.values[self.computation.root]
            for alias in aliases_of(self.module):
                if alias.output < len(outputs) and outputs[alias.output] != _OUTSIDE:
                    self.sizes[outputs[alias.output]] = 0  # it lives in the argument
        dying: dict[int, list[int]] = {}
        for buffer, place in last.items():
            if buffer != _OUTSIDE:
                dying.setdefault(place, []).append(buffer)
        held = most = 0
        at = self.computation.root
        for place, instruction in enumerate(instructions):
            inside = held + self._inside(instruction)
            held += sum(self.sizes[buffer] for buffer in born[place])
            if max(held, inside) > most:
                most, at = max(held, inside), instruction.name
            held -= sum(self.sizes[buffer] for buffer in dying.get(place, ()))
        return most, at

    def _used(self, instruction: Instruction) -> tuple[int, ...]:
        """Return the buffers that an instruction needs; of a tuple only the element taken."""
        if instruction.opcode == "get-tuple-element":
            return self.values[instruction.name]
        return tuple(buffer for name in instruction.operands for buffer in self.values[name])

    def _inside(self, instruction: Instruction) -> int:
        """Return what the computations that an instruction runs hold at most."""
        if base_opcode(instruction) not in CONTROL:
            return 0
        return max((self.peaks[name][0] for name in called_computations(instruction)), default=0)

    def _value(self, instruction: Instruction) -> tuple[int, ...]:
        """Return the buffers of an instruction's arrays, making those that are new."""
        opcode = base_opcode(instruction) or ""
        operands = [self.values[name] for name in instruction.operands]
        if opcode in ("parameter", "constant"):
            return (_OUTSIDE,) * len(leaves(instruction.shape))
        if opcode == "tuple":
            if sum(map(len, operands)) != len(leaves(instruction.shape)):
                raise CostError(f"tuple {instruction.name!r} is not of the shape {instruction.shape}")
            return tuple(buffer for operand in operands for buffer in operand)
        if opcode == "get-tuple-element":
            return self._element(instruction)
        shapes = [self.computation[name].shape for name in instruction.operands]
        is_same = not opcode or opcode in _SAME
        if operands and (is_same or (opcode not in CONTROL and moves_nothing(instruction, opcode, shapes))):
            return operands[0]
        if opcode in ("dynamic-update-slice", "scatter") and operands and not self._is_kept(operands[0]):
            return operands[0]
        if opcode == "fusion":
            return self._fused(instruction, operands)
        return tuple(self._new(bytes_of(leaf)) for leaf in leaves(result_of(instruction, opcode)))

    def _element(self, instruction: Instruction) -> tuple[int, ...]:
        source = self.computation[instruction.operands[0]]
        number = int(instruction.attributes["index"][:9])
        buffers = self.values[source.name]
        if not isinstance(source.shape, TupleShape):
            return buffers[:1]
        if source.name not in self.starts:
            sizes = (len(leaves(element)) for element in source.shape.elements)
            self.starts[source.name] = [0, *accumulate(sizes)]
        starts = self.starts[source.name]
        return buffers[starts[number] : starts[number + 1]] if starts[-1] == len(buffers) else buffers[:1]

    def _fused(self, fusion: Instruction, operands: list[tuple[int, ...]]) -> tuple[int, ...]:
        fused = self.module.computation(called_computations(fusion)[0])
        found: list[int] = []
        for root in fused_roots(fused):
            parameter = changed_in_place(root, fused)
            number = None if parameter is None else parameter.parameter_number
            if number is not None and len(operands[number]) == 1 and not self._is_kept(operands[number]):
                found.extend(operands[number])
            else:
                found.extend(self._new(bytes_of(leaf)) for leaf in leaves(root.shape))
        return tuple(found)

    def _is_kept(self, buffers: tuple[int, ...]) -> bool:
        """Whether buffers must not be written over: those of the program's own parameters."""
        return self.is_entry and _OUTSIDE in buffers

    def _new(self, size: int) -> int:
        self.sizes.append(size)
        return len(self.sizes) - 1
