"""The house: which room may import which, and that every room says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import beatnote

ROOT = Path(beatnote.__file__).parent

GROUND = frozenset({"hlo", "models"})
MAY_IMPORT: dict[str, frozenset[str]] = {
    "hlo": frozenset(),
    "models": frozenset(),
    "proof": frozenset({"hlo"}),
    "execute": frozenset({"hlo"}),
    "runs": frozenset({"hlo"}),
    "read": frozenset({"hlo", "runs"}),
    "record": frozenset({"hlo", "models", "execute", "runs"}),
    "explain": frozenset({"hlo", "runs"}),
    "operands": frozenset({"hlo", "execute", "runs", "read", "record"}),
    "results": frozenset({"hlo", "runs", "read", "explain", "operands"}),
    "trial": frozenset({"hlo", "proof", "execute", "runs", "read", "record", "explain", "operands"}),
    "targets": frozenset({"hlo", "proof", "execute"}),
    "comparison": frozenset(
        {"hlo", "proof", "execute", "runs", "read", "record", "explain", "operands", "targets", "trial"}
    ),
    "description": frozenset({"hlo", "proof", "execute", "runs", "read", "record", "explain", "operands"}),
    "words": frozenset({"hlo", "operands", "trial", "comparison", "description", "results"}),
    "report": frozenset(
        {"hlo", "proof", "runs", "explain", "targets", "trial", "comparison", "description", "results", "words"}
    ),
    "cli": frozenset({"hlo", "proof", "operands", "comparison", "description", "results", "words", "report"}),
}
"""Room (a package, or a module at the top) -> the rooms it may import."""

FRAMEWORKS = frozenset({"jax", "jaxlib", "flax", "tensorflow", "keras", "torch"})
WITHOUT_FRAMEWORKS = ("hlo", "proof", "explain", "read", "runs", "report", "cli")


def rooms() -> list[str]:
    return sorted(
        path.stem
        for path in ROOT.iterdir()
        if (path.is_dir() or path.suffix == ".py") and not path.name.startswith("_")
    )


def files_of(room: str) -> list[Path]:
    folder = ROOT / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [ROOT / f"{room}.py"]


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_room_is_in_the_plan() -> None:
    assert set(rooms()) - {"py"} == set(MAY_IMPORT)


def test_the_plan_has_no_circles() -> None:
    # GIVEN the plan, WHEN rooms are taken away that import nothing left, THEN nothing is left
    left = dict(MAY_IMPORT)
    while left:
        free = [room for room, targets in left.items() if not targets & set(left)]
        assert free, f"a circle among {sorted(left)}"
        for room in free:
            del left[room]


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_arrows_point_downwards(room: str) -> None:
    for path in files_of(room):
        targets = {name.split(".")[1] for name in imports(path) if name.startswith("beatnote.")}
        wrong = {target for target in targets & set(MAY_IMPORT) if target != room and target not in MAY_IMPORT[room]}
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_models_are_imported_by_record_alone() -> None:
    users = {room for room, targets in MAY_IMPORT.items() if "models" in targets}
    assert users == {"record"}


@pytest.mark.parametrize("room", WITHOUT_FRAMEWORKS)
def test_no_framework_where_a_laptop_without_one_must_do(room: str) -> None:
    for path in files_of(room):
        found = {name.split(".")[0] for name in imports(path)} & FRAMEWORKS
        assert not found, f"{path.relative_to(ROOT)} imports {sorted(found)}"


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_every_room_says_what_it_may_import(room: str) -> None:
    path = ROOT / room / "__init__.py" if (ROOT / room).is_dir() else ROOT / f"{room}.py"
    assert "May import" in (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""), path


def test_in_hlo_only_readers_of_protos_know_protos_and_only_costs_know_costs() -> None:
    for path in files_of("hlo"):
        own = path.relative_to(ROOT / "hlo").parts[0]
        inner = {
            name.split(".")[2] for name in imports(path) if name.count(".") >= 2 and name.startswith("beatnote.hlo.")
        }
        assert not (inner & {"cost", "proto"}) - {own}, f"{path.relative_to(ROOT)} imports {sorted(inner)}"
