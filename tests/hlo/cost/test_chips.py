"""The table of chips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beatnote.hlo.cost.chips import CHIPS, UnknownChipError, chip_named
from beatnote.hlo.shapes import ELEMENT_TYPES

DOCS = Path(__file__).resolve().parents[3] / "docs" / "cost.md"


def test_every_chip_has_a_source_and_plausible_figures():
    for chip in CHIPS.values():
        assert chip.sources
        assert all(chip.sources)
        assert 1e12 < chip.matrix_rate("f32") <= chip.matrix_rate("bf16") * 2
        assert chip.vector_flops_s <= max(chip.matrix_flops_s.values())
        assert 5e11 < chip.memory_bytes_s < 1e13
        assert 1e10 < chip.memory_bytes < 2e11
        assert 5e10 < chip.link_bytes_s < 1e12


def test_every_element_type_has_a_rate():
    for chip in CHIPS.values():
        for name in ELEMENT_TYPES:
            assert chip.matrix_rate(name) > 0


@pytest.mark.parametrize(
    ("chip", "element_type", "teraflops"),
    [
        ("a100", "f32", 156),
        ("a100", "c64", 156),
        ("a100", "f8e4m3fn", 312),  # no unit for it: as f16
        ("a100", "u4", 624),
        ("a100", "s32", 156),
        ("v100", "bf16", 15.7),  # no unit for it: as f32
        ("v100", "c128", 7.8),
        ("tpu-v3", "f64", 123),
        ("tpu-v5e", "s8", 393),
        ("tpu-v3", "s8", 123),
    ],
)
def test_rates_by_type(chip, element_type, teraflops):
    assert chip_named(chip).matrix_rate(element_type) == pytest.approx(teraflops * 1e12)


@pytest.mark.parametrize("name", ["tpu-v4", "tpu:v4", "v4", "TPU_v4", "tpuv4"])
def test_names_are_read_with_patience(name):
    assert chip_named(name) is CHIPS["tpu-v4"]


def test_an_unknown_chip_is_an_error_that_lists_the_others():
    with pytest.raises(UnknownChipError, match=r"no chip 'mi300x' in the table: there are tpu-v2, .*h200, and cpu"):
        chip_named("mi300x")


def test_the_docs_show_the_table():
    rows = re.findall(
        r"^\| `([\w-]+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|", DOCS.read_text("utf-8"), re.MULTILINE
    )
    shown = {name: [float(n.replace(",", "")) for n in figures] for name, *figures in rows}
    assert shown == {
        chip.name: [
            pytest.approx(chip.matrix_rate("bf16") / 1e12),
            pytest.approx(chip.matrix_rate("f32") / 1e12),
            pytest.approx(chip.memory_bytes_s / 1e9),
            pytest.approx(chip.memory_bytes / 1e9, abs=0.5),
            pytest.approx(chip.link_bytes_s / 1e9),
        ]
        for chip in CHIPS.values()
    }
