"""The page on the public thread is what the published logs give, and stops where they do not bear it."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("thread_000", DOCS / "thread_000.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_logs_give(script: ModuleType, shared_data: Path) -> None:
    text = script.page(shared_data / "mlperf-v0.7")
    assert text == (DOCS / "thread-000.md").read_text(encoding="utf-8")


def test_a_claim_that_the_logs_do_not_bear_stops_it(script: ModuleType, shared_data: Path, tmp_path: Path) -> None:
    # GIVEN the logs of both sides in each other's place WHEN the page is written THEN it is not
    for ours, theirs in (("JAX", "TF"), ("TF", "JAX")):
        shutil.copytree(shared_data / "mlperf-v0.7" / f"tpu-v3-8192-{theirs}", tmp_path / f"tpu-v3-8192-{ours}")
    with pytest.raises(script.ClaimError, match="the logs do not bear this out: TensorFlow starts up for longer"):
        script.page(tmp_path)
