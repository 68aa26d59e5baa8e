"""What can be compared, and how each is opened: a reference model, a file of HLO text, an XLA dump, MLPerf logs.

May import: hlo, read, record, runs.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from beatnote.read.submission import holds_logs
from beatnote.read.xla_dump import DumpError, list_modules, pick_module
from beatnote.record.live import Live

_MODEL = re.compile(r"([a-z][a-z0-9_]*):([\w.\-]*)(?:/([\w.\-]*))?")
_MAGIC = {
    b"%PDF": "a PDF",
    b"\x1f\x8b": "gzip-compressed",
    b"\x28\xb5\x2f\xfd": "zstd-compressed",
    b"ML\xefR": "MLIR bytecode",
    b"PK": "a zip archive",
    b"\x7fELF": "a binary program",
}
EXPECTED = "HLO text (a file such as module_0000.jit_step.before_optimizations.txt)"


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
    if path.is_dir():
        with suppress(DumpError, OSError):
            return not list_modules(path)
    return holds_logs(path)


def open_operand(operand: str | Path | Module, *, steps: int = 30) -> Operand:
    """Open an operand.

    Args:
        operand: `framework:model[/forward]`, a path, `path::name`, or a module.
        steps: how many steady steps to record of a model.

    Raises:
        OperandError: it is not a file of HLO text.
        HloSyntaxError: it is, but breaks the grammar.
        LookupError: no such framework, model or pass.
        MissingFrameworkError: the framework is not installed.
        DumpError: a folder without a dump, or no such module in it.
    """
    if isinstance(operand, Module):
        return Operand(operand.name or "module", operand, _framework_of(operand))
    text = str(operand)
    model = _MODEL.fullmatch(text) if isinstance(operand, str) else None
    if model and not Path(text).exists():
        return _record(text, model.group(1), model.group(2), model.group(3) or "gradient", steps)
    module = _open_path(*split_pick(text))
    return Operand(text, module, _framework_of(module))


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
            f"no such file: {path} (an operand is framework:model, a file of HLO text, an XLA dump folder, "
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
    """Read a file of HLO text.

    Raises:
        OperandError: it is empty, or something else than text.
        HloSyntaxError: it breaks the grammar.
        OSError: it cannot be read.
    """
    content = path.read_bytes()
    if not content.strip():
        raise OperandError(f"{path} is empty: expected {EXPECTED}")
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise OperandError(f"{path} is {what}: expected {EXPECTED}")
    if b"\0" in content[:65536] or path.suffix == ".pb":
        raise OperandError(f"{path} is a binary file: expected {EXPECTED}")
    return parse(content.decode("utf-8", errors="backslashreplace"), name=str(path))


def _framework_of(module: Module) -> str | None:
    """Tell from the names it gives who made a module; None when they do not say."""
    if module.name.startswith(("jit_", "pmap_", "xla_computation")):
        return "jax"
    if module.name.startswith(("a_inference_", "cluster_")):
        return "tensorflow"
    return "torch" if module.name.startswith(("SyncTensorsGraph", "IrToHlo")) else None
