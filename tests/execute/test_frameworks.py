"""Importing frameworks late: nothing before it is needed, and one line when it is not there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from beatnote.execute.errors import MissingFrameworkError
from beatnote.execute.frameworks import require

ROOMS = "beatnote.execute.cpu, beatnote.record.model, beatnote.record.steps, beatnote.explain.split, beatnote.runs.run"


def test_importing_the_rooms_imports_no_framework():
    # GIVEN a fresh Python WHEN every room is imported THEN no framework is
    code = f"import sys, {ROOMS}; print([m for m in ('jax', 'jaxlib', 'tensorflow', 'keras') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_package_that_is_there():
    assert require("numpy.linalg").__name__ == "numpy.linalg"


def test_a_package_that_is_not_installed():
    with pytest.raises(MissingFrameworkError) as caught:
        require("no_such_framework", extra="jax")
    assert str(caught.value) == "no_such_framework is not installed: pip install 'beatnote[jax]'"


@pytest.mark.parametrize(
    ("code", "cause"),
    [("import no_such_part", "No module named 'no_such_part'"), ("raise ImportError('too old\\nreally')", "too old")],
)
def test_a_package_that_is_broken(tmp_path, monkeypatch, code, cause):
    # GIVEN a package that fails while it is imported
    (tmp_path / "broken_framework.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    # WHEN it is needed THEN one line says that it is there, and the first cause
    with pytest.raises(MissingFrameworkError) as caught:
        require("broken_framework")
    assert str(caught.value) == f"broken_framework is installed but does not import: {cause}"
