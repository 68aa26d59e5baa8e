"""Attributes: splitting them, and the forms of their values."""

from __future__ import annotations

import pytest

from beatnote.hlo.attributes import (
    AttributeFormError,
    Padding,
    Slice,
    integers,
    metadata_of,
    paddings,
    slices,
    split_attributes,
    unquote,
)


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("", {}),
        ("dimensions={0,1}", {"dimensions": "{0,1}"}),
        ("a={{0,1},{2}}, b=%f, c=[2,4]<=[8]T(1,0)", {"a": "{{0,1},{2}}", "b": "%f", "c": "[2,4]<=[8]T(1,0)"}),
        ('a="x, b=1", b="\\", c=2"', {"a": '"x, b=1"', "b": '"\\", c=2"'}),
        ("a='x, \"', b={'}'}", {"a": "'x, \"'", "b": "{'}'}"}),
        ('backend_config={"k":[{"x":1},"}"]}', {"backend_config": '{"k":[{"x":1},"}"]}'}),
        ("a", {"a": ""}),
    ],
)
def test_splitting(text: str, attributes: dict[str, str]):
    assert split_attributes(text) == attributes


def test_metadata():
    # GIVEN
    value = '{op_type="Add" op_name="a{b}, \\"c\\"" source_file=\'x y\', source_line=12 stack_frame_id=3}'

    # THEN
    assert metadata_of(value) == {
        "op_type": "Add",
        "op_name": 'a{b}, "c"',
        "source_file": "x y",
        "source_line": "12",
        "stack_frame_id": "3",
    }
    assert metadata_of("") == {}


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ('"plain"', "plain"),
        ("'single'", "single"),
        (r'"a \"b\" \\ \'c\'"', "a \"b\" \\ 'c'"),
        (r'"line\nline\ttab"', "line\nline\ttab"),
        (r'"caf\303\251 \xc3\xa9"', "café é"),
        ('"already café"', "already café"),
        (r'"broken \303"', "broken \ufffd"),
        ("bare", "bare"),
        ('""', ""),
    ],
)
def test_unquoting(quoted: str, text: str):
    assert unquote(quoted) == text


def test_integers():
    assert integers("{0,2, 1}") == (0, 2, 1)
    assert integers("{}") == integers(" { } ") == ()
    assert integers("{-1}") == (-1,)


def test_slices():
    assert slices("{[0:4], [1:9:2]}") == (Slice(0, 4), Slice(1, 9, 2))
    assert slices("{}") == ()


def test_paddings():
    assert paddings("1_1x0_-1_2") == (Padding(1, 1), Padding(0, -1, 2))
    assert paddings("") == ()


@pytest.mark.parametrize("read", [integers, slices, paddings])
@pytest.mark.parametrize(
    "value", ["{0,}", "{0 1}", "{--1}", "0,1", "{[0:4}", "{[0]}", "1_x2_2", "1_2_3_4", "{" + "9" * 5000 + "}"]
)
def test_other_forms_are_refused(read, value: str):
    with pytest.raises(AttributeFormError, match=r"^expected .*, found "):
        read(value)
