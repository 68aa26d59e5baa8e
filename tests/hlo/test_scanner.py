"""The cursor: what it moves over, and what it leaves out."""

from __future__ import annotations

import pytest

from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.scanner import Scanner
from beatnote.hlo.shapes import array


def test_blanks_line_ends_and_comments_are_one():
    # GIVEN
    scanner = Scanner(" \t\r\n/* a\n*/ // b\n\n//c\r x", "")

    # WHEN
    scanner.skip()

    # THEN
    assert scanner.text[scanner.position :] == "x"
    assert not scanner.at_end()


def test_words():
    # GIVEN
    scanner = Scanner("ROOTS ROOT %a.b-c_1 = f32[2] x", "")

    # THEN
    assert not scanner.keyword("ROOT")
    assert scanner.identifier("a name") == "ROOTS"
    scanner.skip()
    assert scanner.keyword("ROOT", move=False)
    assert scanner.keyword("ROOT")
    scanner.skip()
    assert scanner.identifier("a name") == "a.b-c_1"
    scanner.expect("=", "here")
    scanner.skip()
    assert scanner.looks_at_shape()
    assert scanner.shape() == array("f32", 2)
    scanner.skip()
    assert not scanner.looks_at_shape()
    with pytest.raises(HloSyntaxError, match="expected '=' here, found 'x'"):
        scanner.expect("=", "here")


@pytest.mark.parametrize(
    ("text", "balanced", "rest"),
    [
        ("{} x", "{}", " x"),
        ("{a=(1,[2]), b={c}}, d", "{a=(1,[2]), b={c}}", ", d"),
        ("{\"}\", '{'}x", "{\"}\", '{'}", "x"),
        ("{0,/*index=1*/1 // two\n,2}", "{0,1 ,2}", ""),
        ("{a/b}", "{a/b}", ""),
        ("((((f32[2]{1,0:T(8,128)(2,1)}, ()))))", "((((f32[2]{1,0:T(8,128)(2,1)}, ()))))", ""),
    ],
)
def test_brackets(text: str, balanced: str, rest: str):
    # GIVEN
    scanner = Scanner(text, "")

    # THEN
    assert scanner.balanced() == balanced
    assert scanner.text[scanner.position :].startswith(rest)


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("", ""),
        ("x", ""),
        (", a=1", "a=1"),
        (' ,a = {1} ,\n b= %f , c="x" d', 'a={1}, b=%f, c="x"'),
        (", a=/* one */1, // two\n b=[2,4]<=[4,2]T(1,0)", "a=1, b=[2,4]<=[4,2]T(1,0)"),
        (", a=bf01_oi01->bf01, b=-1.5e-3, c=0_0x1_1", "a=bf01_oi01->bf01, b=-1.5e-3, c=0_0x1_1"),
        (", a=mesh[x=2]  {x} y", "a=mesh[x=2] {x}"),
    ],
)
def test_attributes(text: str, attributes: str):
    assert Scanner(text, "").attributes() == attributes


def test_a_mark_that_stands_nowhere_in_the_text():
    assert Scanner("add.inline1 x.inline_", "").unused_mark == ".inline__"


def test_errors_say_what_was_found():
    # GIVEN
    scanner = Scanner("a\r\n", "file")

    # THEN
    assert scanner.error("expected b").message == "expected b, found 'a'"
    assert scanner.error("expected b", 1).message == "expected b, found the end of the line"
    assert scanner.error("expected b", 3).message == "expected b, found the end of the text"
    assert scanner.error("wrong").message == "wrong"
