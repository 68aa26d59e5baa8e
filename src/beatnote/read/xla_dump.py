"""The folder that `XLA_FLAGS=--xla_dump_to=DIR --xla_dump_hlo_as_text` fills: which modules are in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

_FILE = re.compile(
    r"(?:\d{9,}\.)?module_(?P<number>\d+)\.(?P<name>.+?)\.(?P<stage>[\w.\-]*?(?:before|after)_optimizations)\.txt"
)
BEFORE = "before_optimizations"


class DumpError(ValueError):
    """A folder without a dump, or a name that is not one module of it."""


class DumpedModule(msgspec.Struct, frozen=True):
    """One text file of a dump.

    Attributes:
        number: XLA's, in the order of compilation.
        name: the module's.
        stage: `before_optimizations`, `cpu_after_optimizations` and the like.
        path: of the file.
    """

    number: int
    name: str
    stage: str
    path: Path

    @property
    def title(self) -> str:
        """What picks it and no other: `module_0003.jit_step.before_optimizations`."""
        return self.path.name.removesuffix(".txt")


def list_modules(folder: Path) -> list[DumpedModule]:
    """List the programs in a dump, by number, the one before optimisation first.

    Raises:
        DumpError: there are none.
        OSError: the folder cannot be read.
    """
    found: list[DumpedModule] = []
    for path in folder.iterdir():
        match = _FILE.fullmatch(path.name)
        if match:
            found.append(DumpedModule(int(match["number"]), match["name"], match["stage"], path))
    if not found:
        raise DumpError(
            f"{folder} holds no XLA dump and no MLPerf logs: expected files such as "
            "module_0000.jit_step.before_optimizations.txt (XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_text' "
            "writes them) or result_0.txt"
        )
    return sorted(found, key=lambda one: (one.number, one.stage != BEFORE, one.stage))


def shortest_picks(modules: Sequence[DumpedModule]) -> list[str]:
    """Return for each module of a dump what `pick_module` finds it by: its name, number and name, or else the title.

    Args:
        modules: all of them, as `list_modules` orders them.
    """
    first: dict[tuple[int, str], DumpedModule] = {}
    for module in modules:
        first.setdefault((module.number, module.name), module)
    sharing = Counter(name for _, name in first)

    def shortest(module: DumpedModule) -> str:
        if first[module.number, module.name] is not module:
            return module.title
        alone = sharing[module.name] == 1 and not module.name.isdigit()  # digits would pick by number
        return module.name if alone else _numbered(module)

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
    fitting = [m for m in modules if not name or name in (m.name, str(m.number), _numbered(m))]
    numbers = {module.number for module in fitting}
    if len(numbers) == 1:
        return fitting[0]
    names = list(dict.fromkeys(map(_numbered, fitting or modules)))
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    what = f"no module {name!r}" if not fitting else f"{len(numbers)} modules" + (f" {name!r}" if name else "")
    raise DumpError(f"{folder} holds {what}: pick one with {folder}::NAME from {shown}")


def _numbered(module: DumpedModule) -> str:
    return f"module_{module.number:04d}.{module.name}"
