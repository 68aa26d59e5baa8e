"""Trying two programs: on inputs that belong together, and without going down with XLA."""

from __future__ import annotations

import numpy as np
import pytest

import beatnote
from beatnote.hlo.text import parse
from beatnote.operands import open_operand
from beatnote.proof.prove import prove
from beatnote.trial import SAMPLES, paired_samples

from .proof.texts import module


def test_samples_of_a_pair_hold_the_same_values_for_partners() -> None:
    # GIVEN programs that take the same two arrays in another order
    a = parse(
        "HloModule a\nENTRY e {\n  x = f32[2] parameter(0)\n  y = f32[3] parameter(1)\n  ROOT r = f32[2] negate(x)\n}"
    )
    b = parse(
        "HloModule b\nENTRY e {\n  y = f32[3] parameter(0)\n  x = f32[2] parameter(1)\n  ROOT r = f32[2] negate(x)\n}"
    )
    # WHEN samples are drawn for both
    rows = paired_samples(open_operand(a), open_operand(b), prove(a, b))
    # THEN partners hold the same values, and each sample others
    assert len(rows) == SAMPLES
    for own, other in rows:
        assert np.array_equal(own[0], other[1])
        assert np.array_equal(own[1], other[0])
    assert not np.array_equal(rows[0][0][0], rows[1][0][0])


def test_a_program_that_takes_xla_down_is_one_line() -> None:
    # GIVEN a reshape to another number of elements, over which XLA ends its process
    text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[5] reshape(x)\n}"
    found = beatnote.compare(parse(text), parse(text))
    # THEN what could be said is said
    assert found.programs.executed is None
    (note,) = (note for note in found.programs.notes if note.startswith("not executed: "))
    assert note.startswith("not executed: running them was ended by SIGABRT: Check failed: ")
    assert "\n" not in note


@pytest.mark.parametrize("opcode", ["infeed", "recv"])
def test_a_program_that_waits_for_its_host_is_not_run(opcode: str) -> None:
    found = beatnote.compare(*[module("t: f32[]", f"k = token[] after-all()\nr = (f32[2], token[]) {opcode}(k)")] * 2)
    assert any(f"%r ({opcode}) waits for a host that is not there" in note for note in found.programs.notes)
