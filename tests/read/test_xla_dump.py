"""A dump folder: which programs are in it, and how to pick one."""

from __future__ import annotations

from pathlib import Path

import pytest

from beatnote.read.xla_dump import DumpError, list_modules, pick_module, shortest_picks

TITLES = (
    "module_0001.jit_fill.before_optimizations",
    "module_0001.jit_fill.cpu_after_optimizations",
    "module_0002.jit_fill.before_optimizations",
    "module_0010.jit_step.before_optimizations",
    "module_0010.jit_step.cpu_after_optimizations",
    "module_0011.12.before_optimizations",
    "module_0012.other.gpu_after_optimizations",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for title in TITLES:
        (tmp_path / f"{title}.txt").write_text("HloModule x\n", encoding="utf-8")
    (tmp_path / "module_0010.jit_step.cpu_after_optimizations-buffer-assignment.txt").write_text("", encoding="utf-8")
    (tmp_path / "module_0010.jit_step.ir-with-opt.ll").write_text("", encoding="utf-8")
    return tmp_path


def test_programs_are_listed_in_the_order_of_compilation(folder):
    assert [module.title for module in list_modules(folder)] == list(TITLES)


def test_the_shortest_pick_is_the_name_where_one_module_has_it(folder):
    assert shortest_picks(list_modules(folder)) == [
        "module_0001.jit_fill",
        "module_0001.jit_fill.cpu_after_optimizations",
        "module_0002.jit_fill",
        "jit_step",
        "module_0010.jit_step.cpu_after_optimizations",
        "module_0011.12",
        "other",
    ]


def test_every_pick_and_every_title_picks_its_program(folder):
    modules = list_modules(folder)
    for module, pick in zip(modules, shortest_picks(modules), strict=True):
        assert pick_module(folder, pick) == module
        assert pick_module(folder, module.title) == module


def test_a_name_of_several_modules_picks_none(folder):
    with pytest.raises(DumpError, match=r"2 modules 'jit_fill'.*from module_0001\.jit_fill, module_0002\.jit_fill$"):
        pick_module(folder, "jit_fill")
