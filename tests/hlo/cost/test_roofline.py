"""Roofline times."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost import cost_of
from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.cost.roofline import roofline_of, times_of
from beatnote.hlo.text import parse

from .programs import ADD, charge_of

CHIP = Chip("toy", "a toy", {"f32": 100.0, "bf16": 400.0}, 10.0, 1000.0, 10**6, 50.0, ("made up",))


def test_a_product_of_matrices_runs_at_the_rate_of_its_type():
    line = "{0}[4,4] dot(p0, p1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
    for element_type, seconds in (("f32", 128 / 100), ("bf16", 128 / 400), ("f16", 128 / 100)):
        shape = f"{element_type}[4,4]"
        charge = charge_of(line.format(element_type), shape, shape)
        assert charge is not None
        times = times_of(charge, CHIP)
        assert times.compute_s == pytest.approx(seconds)
        assert times.bound == "compute"


def test_other_operations_run_at_the_vector_rate_and_bytes_at_that_of_the_memory():
    charge = charge_of("f32[5] exponential(p0)", "f32[5]")
    assert charge is not None
    times = times_of(charge, CHIP)
    assert (times.compute_s, times.memory_s, times.network_s) == (0.5, 0.04, 0.0)
    assert (times.time_s, times.bound) == (0.5, "compute")


def test_a_collective_is_bound_by_the_network():
    charge = charge_of("f32[100] all-gather(p0), replica_groups={{0,1}}, dimensions={0}", "f32[50]")
    assert charge is not None
    times = times_of(charge, CHIP)
    assert times.network_s == 200 / 50
    assert times.bound == "network"


def test_a_program_takes_the_sum_over_its_instructions():
    # GIVEN one that is bound by compute and one by memory, the latter in a loop of three turns
    text = (
        ADD
        + """
more { c = f32[5] parameter(0)
  ROOT q = pred[] constant(true) }
once { c = f32[5] parameter(0)
  ROOT d = f32[5] copy(c) }
ENTRY e { x = f32[5] parameter(0)
  y = f32[5] exponential(x)
  ROOT w = f32[5] while(y), condition=more, body=once, backend_config={"known_trip_count":{"n":"3"}} }
"""
    )
    found = roofline_of(cost_of(parse(text)), CHIP)
    assert found.chip == "toy"
    assert found.time_s == pytest.approx(0.5 + 3 * 0.04)
    assert found.bound_s == {"compute": 0.5, "memory": pytest.approx(0.12), "network": 0.0}
    assert found.memory_s == pytest.approx(4 * 0.04)
