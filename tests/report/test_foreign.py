"""Text from programs, made fit to be shown."""

from __future__ import annotations

import pytest

from beatnote.report.foreign import beginning, ending, middle_out, printable, scope


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dot.10", "dot.10"),
        ("naïve β ≤ 6", "naïve β ≤ 6"),
        ("two\n   lines\t", "two lines "),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\u202eb", "a\\u202eb"),
        ("\ud800", "\\ud800"),
        ("\0", "\\x00"),
    ],
)
def test_nothing_can_move_the_cursor_or_turn_the_text(text, shown):
    assert printable(text) == shown


@pytest.mark.parametrize("shorten", [beginning, ending, middle_out])
def test_shortening_keeps_to_the_limit(shorten):
    assert shorten("short", 5) == "short"
    assert shorten("much longer", 6) in ("much …", "…onger", "mu…ger")


@pytest.mark.parametrize(
    ("op_name", "words"),
    [
        ("jit(f)/layer/mul", "layer/mul"),
        ("jit(f)/dot_general[ dimension_numbers=(((1,), (0,)), ((), ()))\n    precision=None ]", "dot_general"),
        ("jit(f)/xla_call[ name=g ]/while[ x=1 ]/add", "xla_call/while/add"),
        ("a[i]/b", "a[i]/b"),
    ],
)
def test_the_models_words(op_name, words):
    assert scope(op_name) == words
