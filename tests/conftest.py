"""Fixtures that every test may use: the shared corpus, and where it is absent, the reason to skip."""

from __future__ import annotations

from pathlib import Path

import pytest

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
