"""The flops of custom calls to libraries, which XLA's own analysis counts as −1.

The forms of their configurations are those of XLA's GemmBackendConfig, CudnnConvBackendConfig and OneDnnMatMulConfig,
printed as JSON. What is not known here is said to be unknown, never counted as nothing.
"""

from __future__ import annotations

import re
from math import prod

from beatnote.hlo.attributes import unquote
from beatnote.hlo.cost.contractions import convolution_flops, product_flops
from beatnote.hlo.cost.opcodes import (
    CONVOLUTION_CUSTOM_CALLS,
    ELEMENTWISE_CUSTOM_CALLS,
    FACTORISATIONS,
    FREE_CUSTOM_CALLS,
    MATRIX_CUSTOM_CALLS,
)
from beatnote.hlo.cost.sizes import elements_of
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ArrayShape

_CONTRACTED = re.compile(r'"lhs_contracting_dimensions":\s*\[([\s",0-9]*)\]')
_TRANSPOSED = re.compile(r'"transpose_a":\s*true')
_OUTPUT_FEATURES = re.compile(r'"output_feature_dim":\s*"?([0-9]{1,4})"?')
_ROUTINE = re.compile(r"(?:lapack_|cusolver_|mkl_)?[sdcz]?([a-z]{4,5})(?:_ffi|_batched)?")


def target_of(instruction: Instruction) -> str:
    """Return the name of what a custom call calls."""
    return unquote(instruction.attributes.get("custom_call_target", ""))


def is_free(instruction: Instruction) -> bool:
    """Whether a custom call only marks something."""
    return target_of(instruction) in FREE_CUSTOM_CALLS


def matrix_flops(instruction: Instruction, operands: tuple[ArrayShape, ...], result: ArrayShape) -> int | None:
    """Return the flops of a custom call that multiplies matrices or convolves, None for one that does not."""
    target = target_of(instruction)
    if len(operands) < 2:
        return None
    if target in MATRIX_CUSTOM_CALLS:
        contracted = _contracted(instruction, operands[0])
        return product_flops(operands[0].element_type) * elements_of(result) * contracted
    if target in CONVOLUTION_CUSTOM_CALLS:
        return _convolution(instruction, target, operands, result)
    return None


def other_work(instruction: Instruction, operands: tuple[ArrayShape, ...]) -> tuple[int, int] | None:
    """Return flops and transcendental operations of other custom calls that are known, None for the rest."""
    target = target_of(instruction)
    if target in FREE_CUSTOM_CALLS:
        return 0, 0
    if target in ELEMENTWISE_CUSTOM_CALLS and operands:
        flops, transcendentals = ELEMENTWISE_CUSTOM_CALLS[target]
        return flops * elements_of(operands[0]), transcendentals * elements_of(operands[0])
    routine = _ROUTINE.fullmatch(target)
    if routine and routine.group(1) in FACTORISATIONS:
        numerator, denominator = FACTORISATIONS[routine.group(1)]
        matrices = [shape for shape in operands if len(shape.dimensions) >= 2]
        if matrices:
            *batch, rows, columns = matrices[0].dimensions
            return prod(batch) * min(rows, columns) ** 3 * numerator // denominator, 0
    return None


def _contracted(instruction: Instruction, lhs: ArrayShape) -> int:
    """Multiply the extents that a matrix product sums over.

    Those that the configuration names, else the last of the left operand, or the one before where that is transposed.
    """
    config = instruction.attributes.get("backend_config", "").replace("\\", "")
    named = _CONTRACTED.search(config)
    if named:
        return prod(lhs.dimensions[int(d)] for d in re.findall(r"[0-9]{1,4}", named.group(1)))
    from_the_end = 2 if _TRANSPOSED.search(config) else 1
    return lhs.dimensions[-from_the_end] if len(lhs.dimensions) >= from_the_end else 1


def _convolution(instruction: Instruction, target: str, operands: tuple[ArrayShape, ...], result: ArrayShape) -> int:
    first, second, _, last = CONVOLUTION_CUSTOM_CALLS[target].split()
    by_role = {first: operands[0], second: operands[1], last: result}
    if "dim_labels" in instruction.attributes:
        return convolution_flops(instruction, by_role["input"], by_role["kernel"], by_role["output"])
    # oneDNN's configuration numbers dimensions from 1; padding is not told apart from products here
    found = _OUTPUT_FEATURES.search(instruction.attributes.get("backend_config", "").replace("\\", ""))
    kernel = by_role["kernel"]
    place = int(found.group(1)) - 1 if found else len(kernel.dimensions) - 1
    if not 0 <= place < len(kernel.dimensions):
        place = len(kernel.dimensions) - 1
    features = max(1, kernel.dimensions[place])
    return product_flops(kernel.element_type) * elements_of(by_role["output"]) * elements_of(kernel) // features
