"""Beatnote takes two training runs and says why one is slower, with evidence, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beatnote.comparison import Comparison, compare

__all__ = ["Comparison", "__version__", "compare"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import beatnote` and `beatnote --help` cost nothing."""
    if name in ("Comparison", "compare"):
        from beatnote import comparison  # noqa: PLC0415

        return getattr(comparison, name)
    raise AttributeError(f"module 'beatnote' has no attribute {name!r}")
