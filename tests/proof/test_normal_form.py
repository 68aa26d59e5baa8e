"""The normal form of a random program gives the numbers that XLA computes, under every set of licences."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beatnote.execute.cpu import compile_program
from beatnote.hlo.module import Module
from beatnote.hlo.shapes import leaves
from beatnote.hlo.text import parse
from beatnote.proof.domains import NOTHING, claims_between
from beatnote.proof.evaluate import Evaluator, NotEvaluable
from beatnote.proof.functions import Functions
from beatnote.proof.licences import Ledger, Licences
from beatnote.proof.terms import Table
from beatnote.proof.translate import Translation

from .programs import programs

ATTEMPTS = (
    Licences(),
    Licences(reordering=True),
    Licences(reordering=True, stability=True),
    Licences(reordering=True, stability=True, precision=True),
)
TOLERANCE = 1e-6
LARGEST = 1e12
"""Larger numbers have lost too many digits to compare."""


def drawn(module: Module, seed: int) -> list[np.ndarray]:
    """Inputs of both signs, with whole numbers inside and outside of the ranges that index arrays."""
    random = np.random.default_rng(seed)
    rows = {
        "f64": random.standard_normal,
        "s32": lambda size: random.integers(-2, 5, size).astype(np.int32),
        "pred": lambda size: random.random(size) > 0.5,
    }
    shapes = [shape for parameter in module.entry.parameters for shape in leaves(parameter.shape)]
    return [np.asarray(rows[shape.element_type](shape.dimensions)) for shape in shapes]


def check(text: str, seed: int) -> None:
    module = parse(text)
    inputs = drawn(module, seed)
    executed = compile_program(module, inputs).run()[0].astype(np.float64)
    for licences in ATTEMPTS:
        table = Table()
        numbers = tuple(range(len(inputs)))
        k = Functions(table, Ledger(licences))
        (output,) = Translation(k, module, numbers, "a").outputs
        evaluator = Evaluator(table, inputs)
        if output.special or not all(map(evaluator.holds, claims_between(k, output.domain, NOTHING))):
            continue  # not a real number everywhere
        try:
            found = evaluator.poly(output.poly, output.extents)
        except NotEvaluable:
            continue
        if output.dtype == "s32":
            found = np.mod(found + 2.0**31, 2.0**32) - 2.0**31
        where = np.isfinite(executed) & np.isfinite(found) & (np.abs(executed) < LARGEST)
        np.testing.assert_allclose(found[where], executed[where], rtol=TOLERANCE, atol=TOLERANCE, err_msg=text)


def test_random_programs(heavy: bool) -> None:
    @settings(
        max_examples=3000 if heavy else 150,
        deadline=None,
        derandomize=not heavy,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        database=None,
    )
    @given(programs(), st.integers(0, 1000))
    def run(text: str, seed: int) -> None:
        check(text, seed)

    run()
