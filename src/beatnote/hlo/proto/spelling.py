"""How XLA spells what many attributes are made of: escaped strings, lists, indices, numbers, enumerations."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPECIAL = re.compile(rb"[^ !#-&(-\[\]-~]")
_NAMED = {b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t", b'"': b'\\"', b"'": b"\\'", b"\\": b"\\\\"}
_JSON = re.compile(rb'[^"\\{}]+|"(?:[^"\\]|\\.)*+"|([{}])|.', re.DOTALL)


def escaped(data: bytes) -> str:
    r"""Write bytes for between quotes, as absl::CEscape does: `é` becomes `\303\251`."""
    if _SPECIAL.search(data):
        data = _SPECIAL.sub(lambda found: _NAMED.get(found.group(), b"\\%03o" % found.group()[0]), data)
    return data.decode("ascii")


def quoted(data: bytes) -> str:
    """Write bytes as a string in quotes."""
    return f'"{escaped(data)}"'


def quoted_or_json(data: bytes) -> str:
    """Write what can stand as `{…}` just so, anything else as a string in quotes."""
    if not _lexes_as_json_object(data):
        return quoted(data)
    return data.decode("utf-8", "backslashreplace")


def _lexes_as_json_object(data: bytes) -> bool:
    """Whether braces outside of strings open at the first byte and close at the last (xla::LexesAsJsonDict)."""
    if not data.startswith(b"{"):
        return False
    depth = 0
    for found in _JSON.finditer(data):
        if found.group(1):
            depth += 1 if found.group(1) == b"{" else -1
            if depth == 0:
                return found.end() == len(data)
        elif found.group() in (b'"', b"\\"):
            return False
    return False


def comma_list(numbers: Iterable[int]) -> str:
    """Write `0,2`."""
    return ",".join(map(str, numbers))


def braced(numbers: Iterable[int]) -> str:
    """Write `{0,2}`: a list, or a place in a tuple."""
    return f"{{{','.join(map(str, numbers))}}}"


def six_digits(number: float) -> str:
    """Write a floating-point number as absl::StrCat does."""
    return f"{number:.6g}"


def enumerated(names: tuple[str, ...], number: int) -> str:
    """Write the name of a value of an enumeration; one that is not known keeps its number."""
    return names[number] if 0 <= number < len(names) else f"unknown_{number}"
