"""Collectives: who takes part and what they send."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost import cost_of
from beatnote.hlo.text import parse

from .programs import ADD, charge_of


@pytest.mark.parametrize(
    ("line", "opcode", "payload", "size", "sent"),
    [
        ("f32[8] all-reduce(p0), replica_groups={{0,1,2,3}}, to_apply=add", "all-reduce", 32, 4, 48),
        ("f32[8] all-reduce-start(p0), replica_groups=[2,4]<=[8], to_apply=add", "all-reduce", 32, 4, 48),
        ("f32[8] all-reduce(p0), replica_groups=[4,2]<=[2,4]T(1,0), to_apply=add", "all-reduce", 32, 2, 32),
        ("f32[8] all-reduce(p0), replica_groups={}, to_apply=add", "all-reduce", 32, None, None),
        ("f32[8] all-reduce(p0), replica_groups={{0},{1}}, to_apply=add", "all-reduce", 32, 1, 0),
        ("f32[16] all-gather(p0), replica_groups={{0,1},{2,3}}, dimensions={0}", "all-gather", 64, 2, 32),
        ("f32[2] reduce-scatter(p0), replica_groups=[1,4]<=[4], to_apply=add", "reduce-scatter", 32, 4, 24),
        ("f32[8] all-to-all(p0), replica_groups={{0,1}}, dimensions={0}", "all-to-all", 32, 2, 16),
        ("f32[8] collective-permute(p0), source_target_pairs={{0,1},{1,2}}", "collective-permute", 32, 2, 32),
    ],
)  # fmt: skip
def test_what_is_sent(line, opcode, payload, size, sent):
    charge = charge_of(line, "f32[8]")
    assert charge is not None
    found = charge.collective
    assert found is not None
    assert (found.opcode, found.payload_bytes, found.group_size, found.sent_bytes) == (opcode, payload, size, sent)


def test_all_devices_where_no_groups_are_given():
    text = (
        "HloModule m, replica_count=2, num_partitions=4\n" + ADD + "ENTRY e { p = f32[8] parameter(0)\n"
        " ROOT r = f32[8] all-reduce(p), replica_groups={}, to_apply=add }\n"
    )
    (charge,) = cost_of(parse(text)).charges
    assert charge.collective is not None
    assert charge.collective.group_size == 8


def test_other_opcodes_are_none():
    charge = charge_of("f32[8] negate(p0)", "f32[8]")
    assert charge is not None
    assert charge.collective is None
