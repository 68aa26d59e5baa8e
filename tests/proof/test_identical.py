"""The same up to names, order and metadata: what of a module's header counts."""

from __future__ import annotations

import pytest

from beatnote.hlo.text import parse
from beatnote.proof.identical import identical

TEXT = "HloModule m{header}\nENTRY e {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}}\n"


@pytest.mark.parametrize(
    ("header", "same"),
    [
        (", allow_spmd_sharding_propagation_to_parameters={true}", True),
        (", allow_spmd_sharding_propagation_to_output={true,true}", True),
        (", num_partitions=2", False),
        (", is_scheduled=true", False),
    ],
)
def test_settings_of_the_compiler_are_left_out(header: str, same: bool) -> None:
    assert identical(parse(TEXT.format(header=header)), parse(TEXT.format(header=""))) is same
