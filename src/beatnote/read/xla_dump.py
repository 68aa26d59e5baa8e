"""The folder that `XLA_FLAGS=--xla_dump_to=DIR --xla_dump_hlo_as_text` fills: which modules are in it.

Only names of files are looked at here, so that a folder of thousands is listed at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

_FILE = re.compile(
    r"(?:\d{9,}\.)?module_(?P<number>\d+)\.(?P<name>.+?)\.(?P<stage>(?!\d)[\w.\-]*?(?:before|after)_optimizations)"
    r"\.(?:txt|hlo\.pb(?:\.gz)?)"
)
_TENSORFLOW = re.compile(r"(.+?)__Xla\w+")
_FORMS = (".txt", ".hlo.pb", ".hlo.pb.gz")
BEFORE = "before_optimizations"


class DumpError(ValueError):
    """A folder without a dump, or a name that is not one module of it."""


class DumpedModule(msgspec.Struct, frozen=True):
    """One program of a dump.

    Attributes:
        number: XLA's, in the order of compilation.
        name: the module's.
        stage: `before_optimizations`, `cpu_after_optimizations` and the like.
        path: of its file, the text where there is one.
    """

    number: int
    name: str
    stage: str
    path: Path

    @property
    def title(self) -> str:
        """What picks it and no other: `module_0003.jit_step.before_optimizations`."""
        return _without_form(self.path.name)

    @property
    def short_name(self) -> str:
        """The module's name without what TensorFlow adds to it: `cluster_12` of `cluster_12__XlaCompiledKernel_…`."""
        found = _TENSORFLOW.fullmatch(self.name)
        return found.group(1) if found else self.name


def holds_modules(folder: Path) -> bool:
    """Tell whether there is a program of a dump in a folder, looking no further than the first."""
    try:
        return folder.is_dir() and any(_FILE.fullmatch(path.name) for path in folder.iterdir())
    except OSError:
        return False


def list_modules(folder: Path) -> list[DumpedModule]:
    """List the programs in a dump, by number, the one before optimisation first.

    Raises:
        DumpError: there are none.
        OSError: the folder cannot be read.
    """
    paths: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=_form):
        if _FILE.fullmatch(path.name):
            paths.setdefault(_without_form(path.name), path)
    found: list[DumpedModule] = []
    for path in paths.values():
        match = _FILE.fullmatch(path.name)
        if match:
            found.append(DumpedModule(int(match["number"]), match["name"], match["stage"], path))
    if not found:
        raise DumpError(
            f"{folder} holds no XLA dump and no MLPerf logs: expected files such as "
            "module_0000.jit_step.before_optimizations.txt (XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_text "
            "--xla_dump_hlo_as_proto' writes them) or result_0.txt"
        )
    return sorted(found, key=lambda one: (one.number, one.stage != BEFORE, one.stage))


def proto_beside(path: Path) -> Path | None:
    """Return the file in which XLA dumped the program of a text once more, as a proto; None where there is none."""
    if not _FILE.fullmatch(path.name) or not path.name.endswith(".txt"):
        return None
    files = (path.with_name(_without_form(path.name) + form) for form in _FORMS[1:])
    return next((file for file in files if file.is_file()), None)


def _form(path: Path) -> int:
    """Order the forms of a program: the text first."""
    return next((place for place, form in enumerate(_FORMS) if path.name.endswith(form)), len(_FORMS))


def _without_form(name: str) -> str:
    return next((name.removesuffix(form) for form in _FORMS if name.endswith(form)), name)


def shortest_picks(modules: Sequence[DumpedModule]) -> list[str]:
    """Return for each module of a dump what `pick_module` finds it by: its name, number and name, or else the title.

    Args:
        modules: all of them, as `list_modules` orders them.
    """
    first: dict[tuple[int, str], DumpedModule] = {}
    for module in modules:
        first.setdefault((module.number, module.name), module)
    sharing = Counter(module.short_name for module in first.values())

    def shortest(module: DumpedModule) -> str:
        if first[module.number, module.name] is not module:
            return module.title
        alone = sharing[module.short_name] == 1 and not module.short_name.isdigit()  # digits would pick by number
        return module.short_name if alone else _numbered(module)

    return [shortest(module) for module in modules]


def pick_module(folder: Path, name: str) -> DumpedModule:
    """Find one module of a dump: by name, by number and name, or by title; '' picks the only one.

    Of a module's stages the one before optimisation is meant, unless the title says another.

    Raises:
        DumpError: none fits, or several do.
    """
    modules = list_modules(folder)
    for module in modules:
        if name == module.title:
            return module
    fitting = [m for m in modules if not name or name in (m.name, m.short_name, str(m.number), _numbered(m))]
    numbers = {module.number for module in fitting}
    if len(numbers) == 1:
        return fitting[0]
    names = list(dict.fromkeys(map(_numbered, fitting or modules)))
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    what = f"no module {name!r}" if not fitting else f"{len(numbers)} modules" + (f" {name!r}" if name else "")
    raise DumpError(f"{folder} holds {what}: pick one with {folder}::NAME from {shown}")


def _numbered(module: DumpedModule) -> str:
    return f"module_{module.number:04d}.{module.name}"
