"""A dump folder: which programs are in it, and how to pick one."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from beatnote.read.xla_dump import (
    DumpError,
    holds_modules,
    list_modules,
    pick_module,
    proto_beside,
    shortest_picks,
)

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


def test_a_program_is_listed_once_whatever_forms_it_is_dumped_in(tmp_path: Path):
    for name in ("0000.a.before_optimizations.hlo.pb", "0000.a.before_optimizations.txt"):
        (tmp_path / f"module_{name}").write_bytes(b"")
    (tmp_path / "module_0001.b.before_optimizations.hlo.pb.gz").write_bytes(b"")
    (tmp_path / "module_0001.b.cpu_after_optimizations-memory-usage-report.pb").write_bytes(b"")
    first, second = list_modules(tmp_path)
    assert (first.title, first.path.suffix) == ("module_0000.a.before_optimizations", ".txt")
    assert (second.title, second.path.suffix) == ("module_0001.b.before_optimizations", ".gz")
    assert proto_beside(first.path) == tmp_path / "module_0000.a.before_optimizations.hlo.pb"
    assert proto_beside(second.path) is None
    assert pick_module(tmp_path, "b") == second


def test_modules_of_tensorflow_and_torch_are_picked_by_their_short_names(tmp_path: Path):
    names = (
        "cluster_12__XlaCompiledKernel_true__XlaHasReferenceVars_false__XlaNumConstantArgs_0_",
        "a_inference_step_39__XlaMustCompile_true_config_proto_3175580994766145631_executor_type_11160318154034397263_",
        "SyncTensorsGraph.43",
    )
    for number, name in enumerate(names):
        (tmp_path / f"module_{number:04d}.{name}.before_optimizations.txt").write_bytes(b"")
    modules = list_modules(tmp_path)
    assert shortest_picks(modules) == ["cluster_12", "a_inference_step_39", "SyncTensorsGraph.43"]
    for module, pick in zip(modules, shortest_picks(modules), strict=True):
        assert pick_module(tmp_path, pick) == module


def test_a_folder_of_thousands_is_listed_at_once(tmp_path: Path):
    for number in range(4000):
        (tmp_path / f"module_{number:04d}.jit_f.before_optimizations.txt").touch()
    start = perf_counter()
    modules = list_modules(tmp_path)
    shortest_picks(modules)
    assert perf_counter() - start < 2
    assert [module.number for module in modules] == list(range(4000))


def test_a_folder_is_a_dump_by_the_names_in_it(tmp_path: Path) -> None:
    assert not holds_modules(tmp_path)
    assert not holds_modules(tmp_path / "missing")
    (tmp_path / "result_0.txt").touch()
    assert not holds_modules(tmp_path)
    (tmp_path / "module_0001.jit_step.before_optimizations.txt").touch()
    assert holds_modules(tmp_path)
