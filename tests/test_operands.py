"""What can be an operand, and what is said of what cannot."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from beatnote.execute.errors import MissingFrameworkError
from beatnote.hlo.proto import ProtoError
from beatnote.hlo.proto.schema import message_types
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
        (gzip.compress(gzip.compress(b"HloModule m")), "is gzip-compressed more than once"),
        (gzip.compress(zstd.compress(b"HloModule m")), "is zstd-compressed more than once"),
        (zstd.compress(b"PK\x03\x04"), "is a zip archive"),
        (b"PK\x03\x04", "is a zip archive"),
        (b"\x7fELF\x02", "is a binary program"),
        (b"HloModule m\0", "is a binary file"),
    ],
)
def test_what_is_no_program_is_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "operand"
    path.write_bytes(content)
    with pytest.raises(OperandError, match=rf"{what}.*: expected HLO \(a file such as"):
        read_module(path)


def small_proto(value: float = 1.5) -> bytes:
    """An HloProto of one constant."""
    types = message_types()
    shape = types["ShapeProto"](element_type=11, dimensions=[1]).SerializeToString()
    literal = types["LiteralProto"](shape=shape, f32s=[value]).SerializeToString()
    constant = types["HloInstructionProto"](name="c", opcode="constant", id=7, shape=shape, literal=literal)
    entry = types["HloComputationProto"](name="e", id=3, root_id=7, instructions=[constant.SerializeToString()])
    module = types["HloModuleProto"](name="m", entry_computation_id=3, computations=[entry.SerializeToString()])
    return types["Wrapper"](first=module.SerializeToString()).SerializeToString()


@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstd.compress], ids=["plain", "gzip", "zstd"])
@pytest.mark.parametrize("content", [TEXT.format(name="m").encode(), small_proto()], ids=["text", "proto"])
def test_text_and_proto_compressed_or_not(tmp_path: Path, compress: Any, content: bytes) -> None:
    path = tmp_path / "operand"
    path.write_bytes(compress(content))
    assert read_module(path).name == "m"


def test_a_damaged_proto_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "m.hlo.pb"
    path.write_bytes(small_proto()[:-9])
    with pytest.raises(ProtoError, match=r"m\.hlo\.pb: .*(cut off or damaged|no HloProto)"):
        open_operand(path)


def test_a_damaged_compressed_file_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "m.hlo.gz"
    path.write_bytes(gzip.compress(TEXT.format(name="m").encode())[:-9])
    with pytest.raises(OperandError, match=r"m\.hlo\.gz is gzip-compressed, but damaged: "):
        open_operand(path)


ELIDED = "HloModule m\n\nENTRY e {\n  ROOT c = f32[1] constant({...})\n}\n"


def test_a_dumped_text_has_its_constants_from_the_proto_beside_it(tmp_path: Path) -> None:
    # GIVEN
    title = "module_0001.m.before_optimizations"
    (tmp_path / f"{title}.txt").write_text(ELIDED, encoding="utf-8")
    assert open_operand(tmp_path).module.entry["c"].is_elided

    # WHEN
    (tmp_path / f"{title}.hlo.pb").write_bytes(small_proto(2.5))

    # THEN
    assert open_operand(tmp_path).module.entry["c"].literal == "{2.5}"
    assert open_operand(tmp_path / f"{title}.txt").module.entry["c"].literal == "{2.5}"


STABLEHLO = """// a comment
module @jit_f {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
"""


def test_stablehlo_is_read_through_jaxlib(tmp_path: Path) -> None:
    pytest.importorskip("jaxlib")
    path = tmp_path / "f.mlir"
    path.write_text(STABLEHLO, encoding="utf-8")
    module = open_operand(path).module
    assert (module.name, module.entry.root_instruction.opcode) == ("jit_f", "tanh")


def test_mlir_bytecode_is_read_through_jaxlib(tmp_path: Path) -> None:
    pytest.importorskip("jaxlib")
    from beatnote.execute.jaxlib_private import bytecode_from_text

    path = tmp_path / "f.mlirbc.zst"
    path.write_bytes(zstd.compress(bytecode_from_text(TEXT.format(name="m"))))
    assert open_operand(path).module.entry.root_instruction.opcode == "parameter"


@pytest.mark.parametrize("content", [b"ML\xefR\x01", STABLEHLO.replace("tanh", "tarnish").encode()])
def test_mlir_that_xla_does_not_read(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("jaxlib")
    path = tmp_path / "f"
    path.write_bytes(content)
    with pytest.raises(OperandError, match=r"is MLIR (text|bytecode), but no StableHLO that the installed XLA reads: "):
        read_module(path)


def test_without_jax_stablehlo_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jaxlib", None)
    monkeypatch.setitem(sys.modules, "jaxlib._jax", None)
    path = tmp_path / "f.mlir"
    path.write_text(STABLEHLO, encoding="utf-8")
    with pytest.raises(MissingFrameworkError, match=r"f\.mlir is MLIR text, which is read with JAX, and jaxlib is"):
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
