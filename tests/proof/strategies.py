"""What the tests of this room draw from: indices, expressions, numbers; and the small workbench they are tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof import index
from beatnote.proof.evaluate import Evaluator
from beatnote.proof.functions import Functions
from beatnote.proof.index import Digit, Index
from beatnote.proof.licences import Ledger, Licences
from beatnote.proof.terms import ANY_SIGN, NULL, POSITIVE, Leaf, Poly, Table, scalar

QUICK = settings(max_examples=60, deadline=None)
THOROUGH = settings(max_examples=200, deadline=None)

NONE = Licences()
REORDERING = Licences(reordering=True)
STABILITY = Licences(reordering=True, stability=True)
EVERYTHING = Licences(reordering=True, stability=True, precision=True)

licences = st.sampled_from([NONE, REORDERING, STABILITY, EVERYTHING])
divisors = st.integers(1, 7)
fractions = st.fractions(min_value=-4, max_value=4, max_denominator=6)
"""Coefficients."""

DTYPES = {"s8": np.int8, "u8": np.uint8, "s16": np.int16, "s32": np.int32, "u32": np.uint32}
"""Whole-number types that NumPy has too."""

COMPARISONS = {
    "GT": np.greater,
    "LT": np.less,
    "GE": np.greater_equal,
    "LE": np.less_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}
directions = st.sampled_from(sorted(COMPARISONS))
"""How numbers are compared, as XLA spells it."""


# Indices

EXTENTS = (4, 6, 3)
"""Of variables 0, 1 and 2 in drawn indices."""


@st.composite
def digits(draw: st.DrawFn) -> Digit:
    """Some digit of variable 0, 1 or 2 that splits its extent evenly."""
    variable = draw(st.integers(0, len(EXTENTS) - 1))
    extent = EXTENTS[variable]
    divisor = draw(st.sampled_from([d for d in range(1, extent + 1) if extent % d == 0]))
    rest = extent // divisor
    return Digit(variable, divisor, draw(st.sampled_from([m for m in range(1, rest + 1) if rest % m == 0])))


@st.composite
def indices(draw: st.DrawFn) -> Index:
    """Sums of digits with coefficients of both signs, and of quotients and remainders of such."""
    terms = draw(st.lists(st.tuples(st.integers(-4, 6), digits()), max_size=3))
    total = index.add(index.constant(draw(st.integers(-6, 6))), *(index.scale(index.of_digit(d), c) for c, d in terms))
    if draw(st.booleans()):
        quotient, remainder = index.divide(total, draw(divisors))
        total = index.add(index.scale(quotient, draw(st.integers(-2, 3))), index.scale(remainder, draw(divisors)))
    return total


def everywhere(extents: Sequence[int] = EXTENTS) -> dict[int, NDArray[np.int64]]:
    """All values of the variables, in a grid of these extents."""
    return dict(enumerate(np.indices(tuple(extents))))


# Terms


def functions(allowed: Licences = NONE, table: Table | None = None) -> Functions:
    """Make the algebra of one attempt, over a table of its own unless one is given."""
    return Functions(table if table is not None else Table(), Ledger(allowed))


def parameter(
    k: Functions,
    number: int,
    extents: Sequence[int] = (),
    at: Sequence[Index] | None = None,
    dtype: str = "f64",
    sign: int | None = None,
) -> Poly:
    """Read parameter `number` at indices, at variables 0, 1, … unless others are given."""
    if sign is None:
        sign = NULL | POSITIVE if ELEMENT_TYPES[dtype].kind in ("pred", "unsigned") else ANY_SIGN
    leaf = k.table.leaf(Leaf("parameter", number, tuple(extents), dtype, 1 << number, sign, f"p{number}"))
    if at is None:
        at = [index.variable(v, extent) for v, extent in enumerate(extents)]
    return k.read(leaf, tuple(at))


def numbers(k: Functions, poly: Poly, inputs: Sequence[Any], extents: Sequence[int] = ()) -> NDArray[np.float64]:
    """What a term over variables 0, 1, … is, given the parameters."""
    return Evaluator(k.table, [np.asarray(i) for i in inputs]).poly(poly, tuple(extents))


def arrays(seed: int, *shapes: tuple[int, ...], dtype: Any = np.float64) -> list[NDArray[Any]]:
    """One random array of each shape: normal, or all values of a whole-number type."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return [random.standard_normal(shape) for shape in shapes]
    if np.dtype(dtype).kind == "b":
        return [random.random(shape) > 0.5 for shape in shapes]
    row = np.iinfo(dtype)
    return [random.integers(row.min, row.max, shape, dtype=dtype, endpoint=True) for shape in shapes]


seeds = st.integers(0, 1 << 32)


# Expressions: trees that both the algebra and NumPy compute

Tree = tuple[Any, ...]


def trees(*operations: str) -> st.SearchStrategy[Tree]:
    """Expressions of parameters 0, 1 and 2, numbers and binary operations."""
    leaves = st.one_of(
        st.tuples(st.just("parameter"), st.integers(0, 2)), st.tuples(st.just("number"), fractions)
    )  # fmt: skip
    return st.recursive(leaves, lambda inside: st.tuples(st.sampled_from(operations), inside, inside), max_leaves=8)


def built(k: Functions, tree: Tree, rows: Mapping[str, Any], leaves: Sequence[Poly]) -> Poly:
    """Make the term of a tree, each operation by its row."""
    if tree[0] == "parameter":
        return leaves[tree[1]]
    if tree[0] == "number":
        return scalar(tree[1])
    return rows[tree[0]](*(built(k, each, rows, leaves) for each in tree[1:]))


def computed(tree: Tree, rows: Mapping[str, Any], leaves: Sequence[Any]) -> Any:
    """Compute the numbers of a tree, each operation by its row."""
    if tree[0] == "parameter":
        return leaves[tree[1]]
    if tree[0] == "number":
        return float(tree[1]) if isinstance(tree[1], Fraction) else tree[1]
    return rows[tree[0]](*(computed(each, rows, leaves) for each in tree[1:]))


def as_dtype(values: Any, dtype: str) -> NDArray[np.float64]:
    """Whole numbers as a type holds them after wrapping around."""
    row = ELEMENT_TYPES[dtype]
    least = 0 if row.kind == "unsigned" else -(1 << (row.bits - 1))
    return np.mod(np.asarray(values, dtype=np.float64) - least, 1 << row.bits) + least
