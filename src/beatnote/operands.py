"""What can be compared, and how each is opened: a model, a program in a file of any form, an XLA dump, MLPerf logs.

May import: hlo, execute, read, record, runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from beatnote.execute.errors import MissingFrameworkError
from beatnote.execute.jaxlib_private import proto_from_mlir
from beatnote.hlo.elided import has_elided, with_values_from
from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.read.compressed import CompressionError, decompressed
from beatnote.read.submission import holds_logs
from beatnote.read.xla_dump import holds_modules, pick_module, proto_beside
from beatnote.record.live import Live

_MODEL = re.compile(r"([a-z][a-z0-9_]*):([\w.\-]*)(?:/([\w.\-]*))?")
_MAGIC = {
    b"%PDF": "a PDF",
    b"\x1f\x8b": "gzip-compressed more than once",
    b"\x28\xb5\x2f\xfd": "zstd-compressed more than once",
    b"PK": "a zip archive",
    b"\x7fELF": "a binary program",
}
_MLIR_BYTECODE = b"ML\xefR"
_MLIR_TEXT = re.compile(rb"(?:\s|//[^\n]*|#[^\n]*)*+(?:module|func\.func)\b")
_MLIR_WORDS = re.compile(rb"\b(?:stablehlo|mhlo|func)\.")
_PROTO = b"\n"  # field 1, of bytes
_BINARY = re.compile(rb"[\0-\x08\x0e-\x1f]")
_SAMPLE_BYTES = 65536
EXPECTED = "HLO (a file such as module_0000.jit_step.before_optimizations.txt, or the .hlo.pb beside it) or StableHLO"


class OperandError(ValueError):
    """Something that cannot be opened as an operand; the message says what was expected and what to do."""


@dataclass(frozen=True)
class Operand:
    """One side of a comparison.

    Attributes:
        text: as the user gave it.
        module: the program before optimisation, or the one in the file.
        framework: that made it, where that is known.
        versions: package -> version.
        live: the program loaded in its framework, for operands recorded now.
        kind: what sort of operand it is.
    """

    text: str
    module: Module
    framework: str | None = None
    versions: dict[str, str] = field(default_factory=dict)
    live: Live | None = None
    kind: str = "program"


def split_pick(operand: str | Path) -> tuple[Path, str]:
    """Part `path::name` into path and name; the name is '' where none is given."""
    path, _, name = str(operand).partition("::")
    return Path(path), name


def is_results(operand: str | Path | Module) -> bool:
    """Tell whether an operand is MLPerf logs: a file, a folder or a submission of them, with a pick or without."""
    if isinstance(operand, Module):
        return False
    path, _ = split_pick(operand)
    return not holds_modules(path) and holds_logs(path)


def open_operand(operand: str | Path | Module, *, steps: int = 30) -> Operand:
    """Open an operand.

    Args:
        operand: `framework:model[/forward]`, a path, `path::name`, or a module.
        steps: how many steady steps to record of a model.

    Raises:
        OperandError: it is not a file with a program in it.
        HloSyntaxError: it is HLO text, but breaks the grammar.
        ProtoError: it is a proto, but damaged.
        LookupError: no such framework, model or pass.
        MissingFrameworkError: the framework is not installed.
        DumpError: a folder without a dump, or no such module in it.
    """
    if isinstance(operand, Module):
        return Operand(operand.name or "module", operand, framework_of(operand.name))
    text = str(operand)
    model = _MODEL.fullmatch(text) if isinstance(operand, str) else None
    if model and not Path(text).exists():
        return _record(text, model.group(1), model.group(2), model.group(3) or "gradient", steps)
    module = _open_path(*split_pick(text))
    return Operand(text, module, framework_of(module.name))


def _record(text: str, framework: str, model: str, which: str, steps: int) -> Operand:
    from beatnote.record.model import record_model  # noqa: PLC0415 - frameworks are behind it

    live = record_model(framework, model, which, steps=steps)
    return Operand(text, live.before, live.run.framework, live.run.versions, live)


def _open_path(path: Path, name: str) -> Module:
    try:
        if path.is_dir():
            return read_module(pick_module(path, name).path)
        module = read_module(path)
    except FileNotFoundError:
        raise OperandError(
            f"no such file: {path} (an operand is framework:model, a file with a program in it, an XLA dump folder, "
            "or MLPerf logs)"
        ) from None
    except OSError as error:
        raise OperandError(f"cannot read {path}: {error.strerror or error}") from None
    if not name:
        return module
    for one in module:
        if one.name == name:
            return one
    raise OperandError(f"{path} holds no module {name!r}; it has {', '.join(one.name for one in module)}")


def read_module(path: Path) -> Module:
    """Read a program from a file of any form, with the values that a dump's text leaves out from the proto beside it.

    Raises:
        OperandError: it is empty, or something else than a program.
        HloSyntaxError: it is HLO text, but breaks the grammar.
        ProtoError: it is a proto, but damaged.
        MissingFrameworkError: it is StableHLO, and JAX is not installed.
        OSError: it cannot be read.
    """
    module = _read(path)
    beside = proto_beside(path) if has_elided(module) else None
    return module if beside is None else with_values_from(module, _read(beside))


def _read(path: Path) -> Module:
    try:
        content = decompressed(path.read_bytes())
    except CompressionError as error:
        raise OperandError(f"{path} {error}") from None
    if not content.strip():
        raise OperandError(f"{path} is empty: expected {EXPECTED}")
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise OperandError(f"{path} is {what}: expected {EXPECTED}")
    if content.startswith(_MLIR_BYTECODE):
        return _from_mlir(content, path, "MLIR bytecode")
    if _BINARY.search(content, 0, _SAMPLE_BYTES):
        if not content.startswith(_PROTO):
            raise OperandError(f"{path} is a binary file: expected {EXPECTED}")
        return _from_proto(content, path)
    if _MLIR_TEXT.match(content) and _MLIR_WORDS.search(content, 0, _SAMPLE_BYTES):
        return _from_mlir(content.decode("utf-8", errors="replace"), path, "MLIR text")
    return parse(content.decode("utf-8", errors="backslashreplace"), name=str(path))


def _from_proto(content: bytes, path: Path) -> Module:
    from beatnote.hlo.proto import read_proto  # noqa: PLC0415 - takes a while to import, and few need it

    return read_proto(content, name=str(path))


def _from_mlir(program: str | bytes, path: Path, form: str) -> Module:
    """Read StableHLO, which only XLA can turn into HLO."""
    try:
        proto = proto_from_mlir(program)
    except MissingFrameworkError as error:
        raise MissingFrameworkError(f"{path} is {form}, which is read with JAX, and {error}") from None
    except RuntimeError as error:
        reason = str(error).strip().partition("\n")[0]
        raise OperandError(f"{path} is {form}, but no StableHLO that the installed XLA reads: {reason}") from None
    return _from_proto(proto, path)


def framework_of(name: str) -> str | None:
    """Tell from a module's name which framework made it; None when it does not say."""
    if name.startswith(("jit_", "pmap_", "xla_computation")):
        return "jax"
    if name.startswith(("a_inference_", "cluster_")):
        return "tensorflow"
    return "torch" if name.startswith(("SyncTensorsGraph", "IrToHlo")) else None
