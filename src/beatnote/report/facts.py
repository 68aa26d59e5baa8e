"""The facts of a report as JSON text."""

from __future__ import annotations

from typing import Any

import msgspec


def facts_text(facts: dict[str, Any]) -> str:
    """Render facts as indented JSON; what is not a number is null."""
    return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode()
