"""Text that comes from programs, made fit to be shown: no control characters, no line breaks, no endless lines.

Escaping for HTML is the template's business.
"""

from __future__ import annotations

import re

_PARAMETERS = re.compile(r"\[\s.*?\s\](?=/|$)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


def printable(text: str) -> str:
    r"""Return text on one line, with control and formatting characters (`\x1b`, bidirectional marks) as escapes."""
    if text.isprintable():
        return text
    text = _BLANKS.sub(" ", text)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def scope(op_name: str) -> str:
    """Return the model's words for an instruction without the compiled function and the parameters that JAX adds."""
    return printable(_PARAMETERS.sub("", re.sub(r"^jit\([^)]*\)/", "", op_name)))


def beginning(text: str, limit: int) -> str:
    """Return the text, or as much of its beginning as fits."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def ending(text: str, limit: int) -> str:
    """Return the text, or as much of its end as fits."""
    return text if len(text) <= limit else f"…{text[len(text) - limit + 1 :]}"


def middle_out(text: str, limit: int) -> str:
    """Return the text, or its beginning and end around an ellipsis."""
    if len(text) <= limit:
        return text
    head = (limit - 1) // 2
    return f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}"
