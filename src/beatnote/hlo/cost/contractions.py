"""The flops of dots and convolutions, one multiplication and one addition for each product.

A product of complex numbers is four multiplications and four additions, twice over: 8 flops instead of 2. Source of the
formulas: the sums that the operation semantics of XLA define; a product with padding is none.
"""

from __future__ import annotations

from math import prod

from beatnote.hlo.attributes import integers
from beatnote.hlo.cost.sizes import elements_of
from beatnote.hlo.cost.windows import WindowDimension, meetings, window_of
from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape


def product_flops(element_type: str) -> int:
    """Return the flops of multiplying two numbers and adding the product to a sum."""
    return 8 if ELEMENT_TYPES[element_type].kind == "complex" else 2


def dot_flops(instruction: Instruction, lhs: ArrayShape, result: ArrayShape) -> int:
    """Return 2 × elements of the result × extents contracted."""
    contracted = integers(instruction.attributes.get("lhs_contracting_dims", "{}"))
    return product_flops(lhs.element_type) * elements_of(result) * prod(lhs.dimensions[d] for d in contracted)


def convolution_flops(instruction: Instruction, lhs: ArrayShape, rhs: ArrayShape, result: ArrayShape) -> int:
    """Return 2 × products: batch × output features × input features of a group × places where the kernel meets input.

    Raises:
        CostError: `dim_labels` is missing or does not fit the shapes.
    """
    labels = instruction.attributes.get("dim_labels", "")
    inputs, _, rest = labels.partition("_")
    kernel, _, outputs = rest.partition("->")
    sides = ((inputs, lhs, "bf"), (kernel, rhs, "io"), (outputs, result, "bf"))
    for written, shape, needed in sides:
        if len(written) != len(shape.dimensions) or not set(needed) <= set(written):
            raise CostError(f"dim_labels of {instruction.name!r} does not fit its shapes: {labels[:60]!r}")
    groups = _group(instruction, "feature_group_count")
    batch_groups = _group(instruction, "batch_group_count")
    products = lhs.dimensions[inputs.index("f")] // groups * (lhs.dimensions[inputs.index("b")] // batch_groups)
    products *= result.dimensions[outputs.index("f")]
    window = window_of(instruction)
    spatial = sorted(set(kernel) - {"i", "o"})
    for place, label in enumerate(spatial):
        if label not in inputs or label not in outputs:
            raise CostError(f"dim_labels of {instruction.name!r} does not fit its shapes: {labels[:60]!r}")
        size = rhs.dimensions[kernel.index(label)]
        row = window[place] if place < len(window) else WindowDimension(size)
        products *= meetings(row, lhs.dimensions[inputs.index(label)], result.dimensions[outputs.index(label)])
    return product_flops(lhs.element_type) * products


def _group(instruction: Instruction, name: str) -> int:
    text = instruction.attributes.get(name, "1")
    if not text.isdecimal() or not int(text[:18]) > 0:
        raise CostError(f"{name} of {instruction.name!r} should be a count, found {text[:24]!r}")
    return int(text[:18])
