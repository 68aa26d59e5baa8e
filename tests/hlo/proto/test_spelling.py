"""How strings, lists and enumerations are spelled."""

from __future__ import annotations

import pytest

from beatnote.hlo.attributes import unquote
from beatnote.hlo.proto.spelling import braced, enumerated, quoted, quoted_or_json, six_digits


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain text", '"plain text"'),
        (b"a\"b'c\\d", r'"a\"b\'c\\d"'),
        (b"\n\r\t\0\x7f", r'"\n\r\t\000\177"'),
        ("é".encode(), r'"\303\251"'),
    ],
)
def test_strings_are_escaped_as_abseil_does(data: bytes, text: str):
    assert quoted(data) == text
    assert unquote(text) == data.decode()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"a":{"b":"}"}}', '{"a":{"b":"}"}}'),
        (b'{"a":"\\""}', '{"a":"\\""}'),
        (b"{}", "{}"),
        (b"{}{}", '"{}{}"'),
        (b"{", '"{"'),
        (b'{"}', '"{\\"}"'),
        (b"a", '"a"'),
    ],
)
def test_what_lexes_as_an_object_has_no_quotes(data: bytes, text: str):
    assert quoted_or_json(data) == text


def test_lists_and_numbers():
    assert braced([]) == "{}"
    assert braced([0, 2]) == "{0,2}"
    assert [six_digits(one) for one in (44.5, 1e10, 0.001, 1 / 3)] == ["44.5", "1e+10", "0.001", "0.333333"]


def test_a_value_of_the_future_keeps_its_number():
    assert [enumerated(("a", "b"), number) for number in (0, 1, 2, -1)] == ["a", "b", "unknown_2", "unknown_-1"]
