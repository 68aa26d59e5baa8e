"""The normal form of a short program held against what XLA computes, and programs written with every reducer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from beatnote.execute.cpu import compile_program
from beatnote.execute.prepare import parameter_shapes
from beatnote.hlo.module import Module
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.hlo.text import parse
from beatnote.proof.domains import NOTHING, claims_between
from beatnote.proof.evaluate import Evaluator
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Ledger, Licences
from beatnote.proof.logic import whole_range
from beatnote.proof.terms import Table
from beatnote.proof.translate import Translation
from beatnote.proof.value import Value

from .texts import module

LADDER = (
    Licences(),
    Licences(reordering=True),
    Licences(reordering=True, stability=True),
    Licences(reordering=True, stability=True, precision=True),
)

_REDUCER = """
{0}_{1} {{
  x = {1}[] parameter(0)
  y = {1}[] parameter(1)
  ROOT r = {1}[] {0}(x, y)
}}
"""

REDUCERS = "".join(
    _REDUCER.format(opcode, dtype)
    for opcode, dtypes in (
        ("add", "f64 s32 s8 u8 pred"),
        ("multiply", "f64 f32 s32 s8"),
        ("maximum", "f64 s32 s8 u8 pred"),
        ("minimum", "f64 f32 s32 u8"),
        ("and", "pred s32"),
        ("or", "pred s32"),
    )
    for dtype in dtypes.split()
)
"""Computations `add_f64`, `maximum_s8` and so on."""


def program(parameters: str, body: str, computations: str = "") -> Module:
    """Make a module that may also use `<opcode>_<type>` as reducers, and computations of its own."""
    made = module(parameters, body)
    return msgspec.structs.replace(
        made, computations=(*parse(REDUCERS + computations).computations, *made.computations)
    )


def translation(made: Module, licences: Licences = Licences(), table: Table | None = None) -> Translation:  # noqa: B008
    """Read a program as terms, its parameters numbered from 0 on."""
    numbers = tuple(range(len(parameter_shapes(made))))
    return Translation(Functions(table or Table(), Ledger(licences)), made, numbers, "a")


def inputs_of(made: Module, seed: int = 0) -> list[np.ndarray]:
    """Draw inputs of both signs that whole numbers fill the ends of their ranges with, and index arrays wrongly."""
    random = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    for shape in parameter_shapes(made):
        kind, size = ELEMENT_TYPES[shape.element_type].kind, shape.dimensions
        if kind == "float":
            found.append(random.standard_normal(size).astype(shape.element_type.replace("f", "float")))
        elif kind == "pred":
            found.append(random.random(size) > 0.5)
        else:
            least, greatest = whole_range(shape.element_type)
            ends = np.array([least, least + 1, greatest - 1, greatest], dtype=object)
            small = random.integers(-3 if kind == "signed" else 0, 7, size)
            far = ends[random.integers(0, 4, size)]
            drawn = np.where(random.random(size) > 0.8, far, small)
            found.append(np.asarray(drawn).astype(shape.element_type.replace("s", "int").replace("u", "uint")))
    return found


def hold(made: Module, inputs: Sequence[np.ndarray] | None = None, *, seeds: Sequence[int] = (0, 1, 2)) -> None:
    """Assert that the normal form of every output gives XLA's numbers, under every set of licences.

    It must have numbers at all: nothing may be left unexplained, and what it needs to be defined must hold.
    """
    rows = [inputs] if inputs is not None else [inputs_of(made, seed) for seed in seeds]
    executable = compile_program(made, rows[0])
    for row in rows:
        executed = executable.run(row)
        for licences in LADDER:
            found = translation(made, licences)
            for output, expected in zip(found.outputs, executed, strict=True):
                np.testing.assert_allclose(
                    numbers(found, output, row),
                    expected.astype(np.float64),
                    rtol=1e-5,
                    atol=1e-6,
                    err_msg=str(licences),
                )


def numbers(found: Translation, output: Value, inputs: Sequence[np.ndarray]) -> np.ndarray:
    """Evaluate an output, whole numbers wrapped around; what it needs to be defined must hold."""
    evaluator = Evaluator(found.k.table, inputs)
    assert not output.special
    assert all(evaluator.holds(claim) for claim in claims_between(found.k, output.domain, NOTHING))
    values = evaluator.poly(output.poly, output.extents)
    if output.kind in ("signed", "unsigned"):
        least, greatest = whole_range(output.dtype)
        values = np.mod(values - least, greatest - least + 1) + least
    return values


def is_left_whole(made: Module, opcode: str) -> bool:
    """Whether the only output is elements of an operation that terms do not look into."""
    found = translation(made)
    (output,) = found.outputs
    (((atom, _),), _) = output.poly[0]
    kind, number, _ = found.k.table.atoms[atom]
    return kind == "leaf" and found.k.table.leaves[number][0::6] == ("operation", opcode)


def same(a: Module, b: Module, licences: Licences = Licences()) -> bool:  # noqa: B008
    """Whether two programs are read as the same terms."""
    table = Table()
    first, second = (translation(made, licences, table) for made in (a, b))
    return [(o.poly, o.extents, o.dtype, o.special) for o in first.outputs] == [
        (o.poly, o.extents, o.dtype, o.special) for o in second.outputs
    ]
