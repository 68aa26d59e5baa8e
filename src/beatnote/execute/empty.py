"""A program that does nothing but take another's arguments and return zeros of its outputs' shapes.

How long one takes is the cost of calling a program, without the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import TupleShape, array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beatnote.hlo.shapes import ArrayShape


def empty_program(parameters: Sequence[ArrayShape], outputs: Sequence[ArrayShape]) -> Module:
    """Make the program of that signature that computes nothing."""
    instructions = [
        Instruction(f"p{number}", "parameter", shape, literal=str(number)) for number, shape in enumerate(parameters)
    ]
    for number, shape in enumerate(outputs):
        zero = "false" if shape.element_type == "pred" else "0"
        if shape.element_type in ("c64", "c128"):
            zero = "(0, 0)"
        instructions += [
            Instruction(f"zero{number}", "constant", array(shape.element_type), literal=zero),
            Instruction(f"o{number}", "broadcast", shape, (f"zero{number}",), attributes_text="dimensions={}"),
        ]
    root = Instruction("out", "tuple", TupleShape(tuple(outputs)), tuple(f"o{n}" for n in range(len(outputs))))
    return Module("empty", (Computation("main", (*instructions, root), "out"),), "main")
