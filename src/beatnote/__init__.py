"""Beatnote takes two training runs and says why one is slower, with evidence, and what to change."""

from __future__ import annotations

__version__ = "0.1.0"
