"""What stands behind an instruction's parentheses: splitting it, and the forms that values take.

Attributes are kept as text until someone asks; an unknown one is never an error here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import msgspec

STRING = r"""(?:"[^"]*+(?<!\\)"|"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')"""
"""A string in double or single quotes, with escapes; it may contain newlines. To be compiled with re.DOTALL."""

_INT = r"-?[0-9]{1,18}"
_TOKEN = re.compile(rf"{STRING}|[^\"'{{}}\[\](),]+|.", re.DOTALL)
_METADATA = re.compile(rf"([\w.]+)=(?:({STRING})|([^\s\"'{{}},]+))", re.DOTALL)
_INTEGERS = re.compile(rf"\{{\s*(?:{_INT}\s*(?:,\s*{_INT}\s*)*)?\}}")
_SLICE = rf"\[\s*({_INT})\s*:\s*({_INT})\s*(?::\s*({_INT})\s*)?\]"
_SLICES = re.compile(rf"\{{\s*(?:{_SLICE}\s*(?:,\s*{_SLICE}\s*)*)?\}}")
_PADDING = re.compile(rf"{_INT}_{_INT}(_[0-9]{{1,18}})?")
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


class AttributeFormError(ValueError):
    """An attribute's value does not have the form that its reader expects."""


@lru_cache(maxsize=8192)
def split_attributes(text: str) -> dict[str, str]:
    """Split `a={1,2}, b="x"` at its top-level commas into name → value as written."""
    parts: list[str] = []
    depth = 0
    current: list[str] = []
    for token in _TOKEN.findall(text):
        if token in "{[(":
            depth += 1
        elif token in "}])":
            depth -= 1
        elif token == "," and depth == 0:
            parts.append("".join(current))
            current = []
            continue
        current.append(token)
    parts.append("".join(current))
    return {name.strip(): value.strip() for name, _, value in (part.partition("=") for part in parts) if name.strip()}


@lru_cache(maxsize=8192)
def metadata_of(value: str) -> Mapping[str, str]:
    """Read the fields of `{op_name="…" source_line=3}`; strings are unquoted."""
    return MappingProxyType(
        {name: unquote(quoted) if quoted else bare for name, quoted, bare in _METADATA.findall(value)}
    )


def unquote(text: str) -> str:
    r"""Turn a quoted string into the characters it stands for.

    Escapes name bytes of UTF-8, as XLA writes them: `\303\251` is é.
    """
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    if "\\" not in text:
        return text

    def plain(found: re.Match[bytes]) -> bytes:
        hexadecimal, octal, character = found.groups()
        if hexadecimal:
            return bytes([int(hexadecimal, 16)])
        if octal:
            return bytes([int(octal, 8) & 0xFF])
        return _ESCAPED.get(character, character)

    return _ESCAPE.sub(plain, text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def integers(value: str) -> tuple[int, ...]:
    """Read the integers of `{0,2}`, in order; of `{}` none.

    Raises:
        AttributeFormError: it has another form.
    """
    if not _INTEGERS.fullmatch(value.strip()):
        raise AttributeFormError(f"expected a list of integers such as {{0,1}}, found {value!r}")
    return tuple(int(n) for n in re.findall(_INT, value))


class Slice(msgspec.Struct, frozen=True):
    """One dimension of `slice={[start:limit:stride]}`."""

    start: int
    limit: int
    stride: int = 1


def slices(value: str) -> tuple[Slice, ...]:
    """Read the dimensions of `{[0:4], [1:9:2]}`.

    Raises:
        AttributeFormError: it has another form.
    """
    if not _SLICES.fullmatch(value.strip()):
        raise AttributeFormError(f"expected slices such as {{[0:4:1]}}, found {value!r}")
    return tuple(Slice(int(a), int(b), int(c or 1)) for a, b, c in re.findall(_SLICE, value))


class Padding(msgspec.Struct, frozen=True):
    """One dimension of `padding=low_high_interior`."""

    low: int
    high: int
    interior: int = 0


def paddings(value: str) -> tuple[Padding, ...]:
    """Read the dimensions of `1_1x0_0_2`.

    Raises:
        AttributeFormError: it has another form.
    """
    rows: list[Padding] = []
    for part in value.split("x") if value.strip() else ():
        if not _PADDING.fullmatch(part.strip()):
            raise AttributeFormError(f"expected padding such as 1_1x0_0_2, found {value!r}")
        rows.append(Padding(*map(int, part.strip().split("_"))))
    return tuple(rows)
