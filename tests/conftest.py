"""Fixtures that every test may use: the shared corpus, and where it is absent, the reason to skip."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from beatnote.record.live import Live
from beatnote.record.model import record_model

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--heavy", action="store_true", help="run heavy tests at full size")


@pytest.fixture(scope="session")
def heavy(request: pytest.FixtureRequest) -> bool:
    """Whether heavy tests should run at full size."""
    return bool(request.config.getoption("--heavy"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published logs and programs beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip(f"no published data at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def live() -> Callable[[str, str, str], Live]:
    """Record a pass of a model in a framework, once a session."""
    return functools.cache(functools.partial(record_model, steps=3))
