"""What can be an operand, and what is said of what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from beatnote.hlo.text import parse
from beatnote.operands import OperandError, open_operand, read_module

TEXT = """HloModule {name}
ENTRY e {{
  ROOT p = f32[2] parameter(0)
}}
"""


def test_a_module_is_an_operand() -> None:
    module = parse(TEXT.format(name="jit_step"))
    opened = open_operand(module)
    assert opened.module is module
    assert (opened.text, opened.framework, opened.kind, opened.live) == ("jit_step", "jax", "program", None)


@pytest.mark.parametrize(
    ("name", "framework"),
    [
        ("jit_step", "jax"),
        ("pmap_step.3", "jax"),
        ("a_inference_step_12__XlaMustCompile", "tensorflow"),
        ("cluster_12__XlaCompiledKernel", "tensorflow"),
        ("SyncTensorsGraph.43", "torch"),
        ("main", None),
    ],
)
def test_the_framework_is_told_by_the_names_it_gives(name: str, framework: str | None) -> None:
    assert open_operand(parse(TEXT.format(name=name))).framework == framework


def test_a_file_of_several_modules(tmp_path: Path) -> None:
    path = tmp_path / "two.hlo"
    path.write_text(TEXT.format(name="one") + TEXT.format(name="two"), encoding="utf-8")
    assert open_operand(path).module.name == "one"
    assert open_operand(f"{path}::two").module.name == "two"
    with pytest.raises(OperandError, match="holds no module 'three'; it has one, two"):
        open_operand(f"{path}::three")


def test_a_module_of_a_dump(tmp_path: Path) -> None:
    for number, name in enumerate(("init", "step")):
        path = tmp_path / f"module_000{number}.jit_{name}.before_optimizations.txt"
        path.write_text(TEXT.format(name=f"jit_{name}"), encoding="utf-8")
    assert open_operand(f"{tmp_path}::jit_step").module.name == "jit_step"


def test_a_file_may_be_named_like_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("jax:step").write_text(TEXT.format(name="mine"), encoding="utf-8")
    assert open_operand("jax:step").module.name == "mine"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"%PDF-1.7\n", "is a PDF"),
        (b"\x1f\x8b\x08\x00", "is gzip-compressed"),
        (b"\x28\xb5\x2f\xfd\x00", "is zstd-compressed"),
        (b"ML\xefR\x01", "is MLIR bytecode"),
        (b"PK\x03\x04", "is a zip archive"),
        (b"\x7fELF\x02", "is a binary program"),
        (b"HloModule m\0", "is a binary file"),
    ],
)
def test_what_is_not_text_is_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "operand"
    path.write_bytes(content)
    with pytest.raises(OperandError, match=f"{what}.*: expected HLO text"):
        read_module(path)


def test_no_such_file_says_what_an_operand_is() -> None:
    with pytest.raises(OperandError, match=r"no such file: nowhere\.hlo \(an operand is framework:model, a file"):
        open_operand("nowhere.hlo")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "loop.hlo"
    path.symlink_to(path)
    with pytest.raises(OperandError, match=r"cannot read .*loop\.hlo: Too many levels of symbolic links"):
        open_operand(path)


def test_bytes_that_are_not_utf8_do_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "latin.hlo"
    content = TEXT.format(name="m").replace("parameter(0)", 'parameter(0), metadata={op_name="r?sum"}')
    path.write_bytes(content.encode().replace(b"r?sum", b"r\xe9sum"))
    assert read_module(path).name == "m"
