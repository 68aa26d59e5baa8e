"""Text that is written when someone asks for it."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest

from beatnote.hlo.deferred import Deferred
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import array


class Writer:
    """Writes bytes as text, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def write(self, data: bytes) -> str:
        self.times += 1
        return data.decode()


@pytest.fixture
def writer() -> Writer:
    return Writer()


def instruction(attributes: Any) -> Instruction:
    return Instruction("x", "negate", array("f32"), ("y",), None, attributes)


def test_it_is_written_once_and_when_it_is_read(writer: Writer):
    deferred = instruction(Deferred(writer.write, b"a={1}, b=2"))
    changed = msgspec.structs.replace(deferred, name="z")
    assert writer.times == 0
    assert deferred.attributes == {"a": "{1}", "b": "2"}
    assert deferred.attributes_text == "a={1}, b=2"
    assert changed.attributes_text == "a={1}, b=2"
    assert writer.times == 1


def test_it_equals_its_text(writer: Writer):
    plain, deferred = instruction("a=1"), instruction(Deferred(writer.write, b"a=1"))
    assert deferred == plain
    assert plain == deferred
    assert deferred == instruction(Deferred(writer.write, b"a=1"))
    assert deferred != instruction("a=2")
    assert hash(deferred) == hash(plain)
    assert repr(deferred) == repr(plain)


def test_it_is_plain_text_elsewhere(writer: Writer):
    deferred = instruction(Deferred(writer.write, b"a=1"))
    assert pickle.loads(pickle.dumps(deferred)) == instruction("a=1")


def test_what_cannot_be_written_says_so_each_time():
    def write(data: bytes) -> str:
        raise ValueError("damaged")

    deferred = instruction(Deferred(write, b""))
    for _ in range(2):
        with pytest.raises(ValueError, match="damaged"):
            _ = deferred.attributes
