"""Where errors point and what they say."""

from __future__ import annotations

import pytest

from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.text import parse

HEADER = "HloModule m\n\nENTRY e {\n  x = f32[] parameter(0)\n"
"""Three lines and an instruction; what is added stands on line 5."""


def fail(text: str) -> HloSyntaxError:
    with pytest.raises(HloSyntaxError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        (
            "",
            "expected 'HloModule' or a computation such as '%main (x: f32[]) -> f32[] {', found the end of the text",
            1,
            1,
        ),
        (
            "\n  7",
            "expected 'HloModule' or a computation such as '%main (x: f32[]) -> f32[] {', found '7'",
            2,
            3,
        ),
        ("HloModule {", "expected the module's name, found '{'", 1, 11),
        ("HloModule m, =1", "expected an attribute such as dimensions={0,1}, found '='", 1, 14),
        ("HloModule m, a", "expected '=' after the attribute's name 'a', found the end of the text", 1, 15),
        ("HloModule m, a=, b=1", "expected a value for the attribute 'a', found ','", 1, 16),
        ("HloModule m, a={1,\n[2}", "'}' closes nothing that is open here", 2, 3),
        ("HloModule m, a={1,\n2", "expected '}' for this '{', found the end", 1, 16),
        ('HloModule m, a="1\n2', "this string is not closed", 1, 16),
        ("HloModule m, a=1, a=2", "attribute 'a' is given twice", 1, 19),
        ("HloModule m\n\n}", "expected 'HloModule' or a computation", 3, 1),
        ("HloModule m\nFileNames\n1 7", "expected a string or '{' in a line of a table, found '7'", 3, 3),
        ("HloModule m\n/* no end", "this comment is not closed", 2, 1),
        ("e [", "expected '{' and the instructions of computation 'e', found '['", 1, 3),
        (
            "e (: f32[]) -> f32[] {",
            "expected a parameter such as 'x: f32[]' in the signature of computation 'e', found ':'",
            1,
            4,
        ),
        ("e (x: f32[] y) {", "expected ',' or ')' in the signature of computation 'e', found 'y'", 1, 13),
        (
            "e (x: f32[]) {",
            "expected '->' and the result's shape in the signature of computation 'e', found '{'",
            1,
            14,
        ),
        ("e () -> f32 {", "expected a shape such as f32[8,16]{1,0}, found 'f32 {'", 1, 9),
        ("e {", "computation 'e' is not closed: expected '}', found the end", 1, 1),
        ("e { }", "computation 'e' has no instructions", 1, 1),
        (
            "e (x: s32[]) -> s32[] {\n  x = f32[] parameter(0)\n}",
            "computation 'e' is declared to return s32[] but its root 'x' is f32[]",
            1,
            17,
        ),
        (
            "e { x = f32[] parameter(1) }",
            "parameters of computation 'e' should be numbered 0 to 0, found 1",
            1,
            1,
        ),
        (
            "e { x = f32[] parameter(0) y = f32[] parameter(0) }",
            "parameters of computation 'e' should be numbered 0 to 1, found 0, 0",
            1,
            1,
        ),
        ("e { x = f32[] parameter(0) }\n}", "expected 'HloModule' or a computation", 2, 1),
        ("e { x = f32[] parameter(0) }\ne { x = f32[] parameter(0) }", "computation 'e' is defined twice", 2, 1),
        (
            "ENTRY e { x = f32[] parameter(0) }\nENTRY f { x = f32[] parameter(0) }",
            "a second ENTRY computation; the first is 'e'",
            2,
            1,
        ),
    ],
)
def test_around_instructions(text: str, message: str, line: int, column: int):
    # WHEN
    error = fail(text)

    # THEN
    assert error.message.startswith(message)
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("  ?", "expected an instruction or '}', found '?'", 3),
        ("  y", "expected '=' after the instruction's name 'y', found the end of the text", 4),
        ("  y = add(x, x)", "expected a shape such as f32[8,16]{1,0}, found 'add(x, x)'", 7),
        ("  y = f33[] add(x, x)", "unknown element type 'f33'", 7),
        ("  y = f32[-1] add(x, x)", "expected a dimension (8, <=8 or ?), found '-1] add(x, x'", 11),
        ("  y = f32[99999999999999999999] add(x)", "expected a dimension (8, <=8 or ?), found '999999999999'", 11),
        ("  y = f32[9223372036854775808] add(x)", "expected a dimension (8, <=8 or ?), found '922337203685'", 11),
        ("  y = f32[2,3]{0,0} add(x)", "expected a layout that orders 2 dimensions, found '0,0} add(x)'", 16),
        (
            "  y = f32[2]{0:T(8} add(x)",
            "expected '}' at the end of a layout such as {1,0:T(8,128)}, found '(8} add(x)'",
            17,
        ),
        ("  y = (f32[], f32[] add(x)", "expected ',' or ')' in a tuple shape, found 'add(x)'", 21),
        ("  y = f32[] ADD(x)", "expected an opcode, found 'ADD'", 13),
        ("  y = f32[] add x", "expected '(' after the opcode 'add', found 'x'", 17),
        ("  y = f32[] add(x x)", "expected ',' or ')' in the operand list, found 'x'", 19),
        ("  y = f32[] add(x, )", "expected an operand, found ')'", 20),
        ("  y = f32[] add(x, z)", "operand 'z' is not defined above in this computation", 20),
        ("  y = f32[] negate(y)", "operand 'y' is not defined above in this computation", 20),
        ("  y = f32[] negate(s32[] x)", "operand 'x' is written as s32[] but was defined as f32[]", 20),
        ("  x = f32[] negate(x)", "instruction 'x' is defined twice", 3),
        ("  ROOT y = f32[] negate(x) ROOT z = f32[] negate(y)", "a second ROOT instruction; the first is 'y'", 28),
        ("  y = f32[] parameter(one)", "expected a parameter number, found 'one'", 23),
        ("  y = f32[] parameter(9999999999)", "expected a parameter number, found '9999999999'", 23),
        ("  y = f32[] constant()", "expected a value in the parentheses of a constant, found none", 21),
        ("  y = f32[] constant({1, 2)", "')' closes nothing that is open here", 27),
        (
            "  y = f32[] negate(x), index",
            "expected '=' after the attribute's name 'index', found the end of the text",
            29,
        ),
        ("  y = f32[] negate(x), index=, a=1", "expected a value for the attribute 'index', found ','", 30),
        ("  y = f32[] negate(x), a=1, b=2, a=3", "attribute 'a' is given twice", 34),
        (
            "  y = f32[] negate(x) ; index=1",
            "expected ',' and an attribute, the next instruction or '}', found ';'",
            23,
        ),
        ('  y = f32[] negate(x), metadata={op_name="a}', "this string is not closed", 42),
        ("  y = f32[] add(x, /* x)", "this comment is not closed", 20),
        (
            "  y = f32[] call(x), to_apply={ a = f32[] parameter(0) }",
            "the attribute 'to_apply' holds a whole computation: give it a name and write that here",
            31,
        ),
    ],
)
def test_in_instructions(text: str, message: str, column: int):
    # WHEN
    error = fail(HEADER + text)

    # THEN
    assert error.message == message
    assert (error.line, error.column, error.source_line) == (5, column, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 100_000, "shapes nested more than 64 deep"),
        ("f32[]{:P(" * 100_000, "shapes nested more than 64 deep"),
        ("f32[] negate(" * 100_000, "instructions nested more than 100 deep"),
        ("f32[] constant(" + "{" * 100_000, "expected ')' for this '(', found the end"),
    ],
)
def test_deep_nesting_is_refused_with_a_place(text: str, message: str):
    error = fail(f"{HEADER}  y = {text}")
    assert error.message == message
    assert error.line == 5


def test_braces_may_nest_as_deep_as_they_like():
    module = parse(f"{HEADER}  y = f32[] negate(x), a={'{' * 50_000}{'}' * 50_000}\n}}")
    assert len(module.entry["y"].attributes_text) == 100_002


def test_an_error_as_it_is_printed():
    # GIVEN
    with pytest.raises(HloSyntaxError) as caught:
        parse(f"{HEADER}\ty = f32[] add(x, z)\r\n}}", name="step.hlo")

    # THEN
    assert str(caught.value) == (
        "step.hlo:5:19: operand 'z' is not defined above in this computation\n"
        "     y = f32[] add(x, z)\n"
        "                      ^"
    )


def test_a_long_line_is_cut_around_the_place():
    # GIVEN
    error = fail(f"{HEADER}  y = f32[] add(x, z){', a=' + '1' * 300}")

    # WHEN
    _, shown, caret = str(error).splitlines()

    # THEN
    assert len(shown) <= 4 + 100 + 4
    assert shown[len(caret) - 1] == "z"


def test_positions_outside_of_the_text_are_brought_inside():
    error = HloSyntaxError("wrong", name="n", text="ab\ncd", position=99)
    assert (error.line, error.column, error.source_line) == (2, 3, "cd")
