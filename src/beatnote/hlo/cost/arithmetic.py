"""The operations of one instruction: what it computes, not what it moves.

Rules by opcode are in `opcodes`; this file has the formulas of those that need one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from beatnote.hlo.attributes import integers
from beatnote.hlo.cost.contractions import convolution_flops, dot_flops
from beatnote.hlo.cost.cost import NOTHING, Cost
from beatnote.hlo.cost.custom_calls import matrix_flops, other_work
from beatnote.hlo.cost.opcodes import (
    BATCH_NORM_FLOPS,
    COMPLEX_FLOPS,
    CONTROL,
    DONE,
    ELEMENTWISE,
    FREE,
    MOVES,
    RESULT_OF_START,
    START,
    TRANSCENDENTAL,
)
from beatnote.hlo.cost.sizes import elements_of
from beatnote.hlo.cost.windows import WindowDimension, meetings, window_of
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Shape, TupleShape, leaves


def base_opcode(instruction: Instruction) -> str | None:
    """Return the opcode that is counted: that of a start without `-start`, None for what completes one."""
    opcode = instruction.opcode
    if opcode.endswith(DONE):
        return None
    if opcode == "async-start":
        return "call"
    return opcode.removesuffix(START)


def result_of(instruction: Instruction, opcode: str) -> Shape:
    """Return the shape of what is computed: of a start, the part of its tuple that is the result."""
    shape = instruction.shape
    if opcode == instruction.opcode or not isinstance(shape, TupleShape) or opcode == "all-reduce":
        return shape
    place = RESULT_OF_START.get(opcode, 1)
    return shape.elements[place] if place < len(shape.elements) else shape


def arithmetic_of(
    instruction: Instruction, opcode: str, operands: Sequence[Shape], result: Shape, called: Sequence[Cost]
) -> Cost | None:
    """Return the operations of one run; None for a custom call or an opcode that is not known.

    Args:
        instruction: the instruction.
        opcode: its own, without `-start`.
        operands: their shapes, in order.
        result: the shape of what it computes.
        called: the costs of one run of the computations it refers to, in the order of `called_computations`.

    Raises:
        CostError, AttributeFormError, LookupError: an attribute is missing or does not fit.
    """
    if opcode in FREE or opcode in MOVES or opcode in CONTROL:
        return NOTHING
    if opcode in TRANSCENDENTAL:
        return Cost(transcendentals=elements_of(result))
    if opcode in ELEMENTWISE:
        return Cost(flops=elements_of(result) * _flops_an_element(opcode, (*leaves(result), *_arrays(operands))))
    if opcode in BATCH_NORM_FLOPS:
        return Cost(flops=BATCH_NORM_FLOPS[opcode] * elements_of(operands[0]))
    if opcode in ("dot", "convolution"):
        return _product(instruction, opcode, operands, result)
    if opcode == "custom-call":
        return _custom_call(instruction, operands, result)
    if opcode == "fusion":
        return called[0].with_traffic(0, 0)
    if opcode in ("triangular-solve", "cholesky", "fft"):
        return Cost(flops=_of_linear_algebra(instruction, opcode, operands))
    return _of_applications(instruction, opcode, operands, result, called)


def _of_applications(
    instruction: Instruction, opcode: str, operands: Sequence[Shape], result: Shape, called: Sequence[Cost]
) -> Cost | None:
    """Count opcodes that apply a computation again and again: how often, times what it costs."""
    first = _arrays(operands[:1])[0] if operands else None
    if first is None or not called:
        return None
    applied = [cost.with_traffic(0, 0) for cost in called]
    if opcode == "reduce":
        return applied[0].times(max(0, elements_of(first) - elements_of(leaves(result)[0])))
    if opcode == "map":
        return applied[0].times(elements_of(result))
    if opcode == "scatter":
        return applied[0].times(elements_of(operands[len(operands) // 2 + 1]))
    if opcode in ("all-reduce", "reduce-scatter"):
        return applied[0].times(sum(map(elements_of, operands)))
    if opcode == "sort":
        dimension = (*integers(instruction.attributes.get("dimensions", "{0}")), 0)[0]
        longest = first.dimensions[dimension] if first.dimensions else 1
        return applied[0].times(elements_of(first) * max(0, longest - 1).bit_length())  # n·⌈log₂ n⌉ comparisons
    if opcode == "reduce-window":
        places = leaves(result)[0]
        met = _window_meetings(instruction, first, places)
        return applied[0].times(max(0, met - elements_of(places)))
    if opcode == "select-and-scatter":
        source = _arrays(operands[1:2])[0]
        select, scatter = applied
        met = _window_meetings(instruction, first, source)
        return select.times(max(0, met - elements_of(source))) + scatter.times(elements_of(source))
    return None


def _flops_an_element(opcode: str, shapes: Sequence[ArrayShape]) -> int:
    is_complex = any(ELEMENT_TYPES[shape.element_type].kind == "complex" for shape in shapes)
    return COMPLEX_FLOPS.get(opcode, 2) if is_complex else 1


def _product(instruction: Instruction, opcode: str, operands: Sequence[Shape], result: Shape) -> Cost:
    lhs, rhs = _arrays(operands[:2])
    (to,) = leaves(result)
    flops = dot_flops(instruction, lhs, to) if opcode == "dot" else convolution_flops(instruction, lhs, rhs, to)
    return Cost(flops=flops, matrix_flops={lhs.element_type: flops})


def _custom_call(instruction: Instruction, operands: Sequence[Shape], result: Shape) -> Cost | None:
    arrays = _arrays(operands)
    results = leaves(result)
    flops = matrix_flops(instruction, arrays, results[0]) if results else None
    if flops is not None:
        return Cost(flops=flops, matrix_flops={arrays[0].element_type: flops})
    other = other_work(instruction, arrays)
    return None if other is None else Cost(*other)


def _of_linear_algebra(instruction: Instruction, opcode: str, operands: Sequence[Shape]) -> int:
    """Count flops by the leading term.

    A Cholesky factor n³/3, a right-hand side n², a complex Fourier transform 5·n·log₂ n and a real one half of that
    (M. Frigo and S. G. Johnson, benchFFT).
    """
    first = _arrays(operands[:1])[0]
    factor = 4 if ELEMENT_TYPES[first.element_type].kind == "complex" else 1
    if opcode == "cholesky":
        return factor * elements_of(first) * first.dimensions[-1] // 3
    if opcode == "triangular-solve":
        return factor * elements_of(operands[1]) * first.dimensions[-1]
    lengths = integers(instruction.attributes.get("fft_length", "{}"))
    points = elements_of(first)
    if instruction.attributes.get("fft_type") == "IRFFT" and lengths:
        points = points // max(1, first.dimensions[-1]) * lengths[-1]
    scale = 5 if instruction.attributes.get("fft_type") in ("FFT", "IFFT") else 2.5
    return int(scale * points * max(0, prod(lengths) - 1).bit_length())


def _window_meetings(instruction: Instruction, inputs: ArrayShape, places: ArrayShape) -> int:
    """Count over all places the elements of the window that are no padding."""
    window = window_of(instruction)
    rows = window or (WindowDimension(1),) * len(inputs.dimensions)
    return prod(
        meetings(row, extent, place)
        for row, extent, place in zip(rows, inputs.dimensions, places.dimensions, strict=True)
    )


def _arrays(shapes: Sequence[Shape]) -> tuple[ArrayShape, ...]:
    return tuple(leaf for shape in shapes for leaf in leaves(shape))
