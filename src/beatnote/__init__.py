"""Beatnote takes two training runs and says why one is slower, with evidence, and what to change."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beatnote.comparison import Comparison
    from beatnote.results import ResultsComparison
    from beatnote.words import compare

__all__ = ["Comparison", "ResultsComparison", "__version__", "compare"]
__version__ = "0.1.0"

_ROOMS = {"Comparison": "comparison", "ResultsComparison": "results", "compare": "words"}


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import beatnote` and `beatnote --help` cost nothing."""
    if name in _ROOMS:
        return getattr(import_module(f"beatnote.{_ROOMS[name]}"), name)
    raise AttributeError(f"module 'beatnote' has no attribute {name!r}")
