"""The pinned versions resolve together, for every Python that is supported."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pinned() -> dict[str, str]:
    rows = project()["tool"]["uv"]["constraint-dependencies"]  # type: ignore[index]
    return dict(row.split("==") for row in rows)


@pytest.fixture
def uv() -> list[str]:
    found = shutil.which("uv")
    if found:
        return [found]
    probe = subprocess.run([sys.executable, "-m", "uv", "--version"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("uv is not installed")
    return [sys.executable, "-m", "uv"]


def test_every_constraint_is_an_exact_version() -> None:
    rows = project()["tool"]["uv"]["constraint-dependencies"]  # type: ignore[index]
    assert all(row.count("==") == 1 for row in rows)


def test_constraints_resolve(uv: list[str], tmp_path: Path) -> None:
    # GIVEN the project's metadata alone
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "src" / "beatnote").mkdir(parents=True)
    (tmp_path / "src" / "beatnote" / "__init__.py").touch()
    # WHEN it is resolved for all supported Pythons at once
    done = subprocess.run([*uv, "lock"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode and ("error sending request" in done.stderr or "dns error" in done.stderr):
        pytest.skip("no package registry can be reached")
    assert done.returncode == 0, done.stderr
    # THEN every pinned package has the pinned version
    lock = tomllib.loads((tmp_path / "uv.lock").read_text(encoding="utf-8"))
    versions = {package["name"]: package["version"] for package in lock["package"]}
    assert {name: versions.get(name) for name in pinned()} == pinned()


def test_no_lock_file_is_kept() -> None:
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
