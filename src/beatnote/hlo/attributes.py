"""What stands behind an instruction's parentheses: splitting it, and the forms that values take.

Attributes are kept as text until someone asks; an unknown one is never an error here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import msgspec

STRING = r'"(?:[^"\\]|\\.)*+"'
"""A quoted string with escapes; it may contain newlines."""

_TOKEN = re.compile(rf'{STRING}|[^"{{}}\[\](),]+|[{{}}\[\](),]', re.DOTALL)
_INTEGER = re.compile(r"-?\d+")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


class AttributeFormError(ValueError):
    """An attribute's value does not have the form that its reader expects."""


@lru_cache(maxsize=8192)
def split_attributes(text: str) -> dict[str, str]:
    """Split `a={1,2}, b="x", c` at its top-level commas into name → value as written."""
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
    """The fields of `{op_name="…" source_line=3}`, strings unquoted."""
    return MappingProxyType(
        {
            name: unquote(quoted) if quoted else bare
            for name, quoted, bare in re.findall(rf'([\w.]+)=(?:({STRING})|([^\s"{{}}]+))', value, re.DOTALL)
        }
    )


def unquote(text: str) -> str:
    """The characters a quoted string stands for."""
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1]

    def plain(found: re.Match[str]) -> str:
        code = found.group(1)
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(plain, text)


def integers(value: str) -> tuple[int, ...]:
    """The integers of `{0,2}`, in order; of `{}` none.

    Raises:
        AttributeFormError: anything but braces, commas, blanks and integers is in it.
    """
    inner = value.strip()
    if not (inner.startswith("{") and inner.endswith("}")) or not re.fullmatch(r"[\s,\d-]*", inner[1:-1]):
        raise AttributeFormError(f"expected a list of integers such as {{0,1}}, found {value!r}")
    return tuple(int(n) for n in _INTEGER.findall(inner))


class Slice(msgspec.Struct, frozen=True):
    """One dimension of `slice={[start:limit:stride]}`."""

    start: int
    limit: int
    stride: int = 1


def slices(value: str) -> tuple[Slice, ...]:
    """The dimensions of `{[0:4], [1:9:2]}`.

    Raises:
        AttributeFormError: it has another form.
    """
    found = re.findall(r"\[(\d+):(\d+)(?::(\d+))?\]", value)
    if len(found) != value.count("["):
        raise AttributeFormError(f"expected slices such as {{[0:4:1]}}, found {value!r}")
    return tuple(Slice(int(a), int(b), int(c or 1)) for a, b, c in found)


class Padding(msgspec.Struct, frozen=True):
    """One dimension of `padding=low_high_interior`."""

    low: int
    high: int
    interior: int = 0


def paddings(value: str) -> tuple[Padding, ...]:
    """The dimensions of `1_1x0_0_2`.

    Raises:
        AttributeFormError: it has another form.
    """
    rows: list[Padding] = []
    for part in value.split("x") if value.strip() else ():
        if not re.fullmatch(r"-?\d+_-?\d+(_\d+)?", part.strip()):
            raise AttributeFormError(f"expected padding such as 1_1x0_0_2, found {value!r}")
        rows.append(Padding(*map(int, part.strip().split("_"))))
    return tuple(rows)
