"""Comparisons to report on: proven from small texts, or put together by hand; and pages read back as elements."""

from __future__ import annotations

import json
from functools import cache
from html.parser import HTMLParser

import msgspec

from beatnote.comparison import Comparison, Executed, Pair, Programs, Side, compare
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import array
from beatnote.hlo.text import parse
from beatnote.proof.residual import Finding
from beatnote.proof.verdict import Condition, Output
from beatnote.trial import Milliseconds, SideTime, Time, TimePart

PLAIN = """
HloModule jit_plain

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %total = f32[] add(%a, %b)
}

ENTRY %main (x: f32[4], y: f32[4]) -> f32[] {
  %x = f32[4]{0} parameter(0)
  %y = f32[4]{0} parameter(1)
  %product = f32[4]{0} multiply(%x, %y)
  %zero = f32[] constant(0)
  ROOT %dot = f32[] reduce(%product, %zero), dimensions={0}, to_apply=%sum
}
"""

WORDY = """
HloModule a_inference_wordy

%add.7 (a: f32[], b: f32[]) -> f32[] {
  %a.8 = f32[] parameter(0)
  %b.9 = f32[] parameter(1)
  ROOT %add.10 = f32[] add(%a.8, %b.9)
}

%never (z: f32[]) -> f32[] {
  ROOT %z = f32[] parameter(0)
}

%scaled (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  ROOT %same = f32[4]{0} reshape(%p)
}

ENTRY %wordy (arg0: f32[4], arg1: f32[4]) -> f32[] {
  %arg0.1 = f32[4]{0} parameter(0), metadata={op_name="XLA_Args"}
  %unused.2 = f32[4]{0} exponential(%arg0.1), metadata={op_type="Exp" op_name="loss/forward/Exp"}
  %called.3 = f32[4]{0} call(%arg0.1), to_apply=%scaled
  %arg1.4 = f32[4]{0} parameter(1), metadata={op_name="XLA_Args"}
  %mul.5 = f32[4]{0} multiply(%arg1.4, %called.3), metadata={op_type="Mul" op_name="jit(f)/a/very/long/scope/of/the/model/that/goes/on/Mul"}
  %zero.6 = f32[] constant(0)
  ROOT %sum.7 = f32[] reduce(%mul.5, %zero.6), dimensions={0}, to_apply=%add.7
}
"""  # noqa: E501 - one instruction, one line

HOSTILE = (
    """</script><script>alert(1)</script><img src=x onerror="alert('2')"> javascript:alert(3) <!-- & ]]> {{ 7*7 }}"""
)

OTHER = PLAIN.replace("multiply", "add").replace("jit_plain", "jit_other")


@cache
def module(text: str) -> Module:
    return parse(text)


@cache
def proven() -> Comparison:
    """Two spellings of a dot product, proven the same."""
    return compare(module(PLAIN), module(WORDY), run=False)


@cache
def apart() -> Comparison:
    """Two programs that are not the same, not executed."""
    return compare(module(PLAIN), module(OTHER), run=False)


def side(operand: str, framework: str | None = "jax", versions: dict[str, str] | None = None) -> Side:
    return Side(operand, "program", framework, versions or {}, operand)


def programs(
    verdict: str = "equal",
    *,
    outputs: tuple[Output, ...] | None = None,
    conditions: tuple[Condition, ...] = (),
    executed: Executed | None = None,
    **rest,
) -> Programs:
    facts = {
        "classes": (),
        "instructions": Pair(11, 38),
        "normalised": Pair(8, 8),
        "matched": Pair(0, 0),
        "rules": {},
        "rules_a": {},
        "rules_b": {},
        "residual": (),
        "parameters": (),
        "notes": (),
    }
    given = outputs if outputs is not None else (Output(0, verdict, conditions),)
    return Programs(verdict=verdict, conditions=conditions, outputs=given, executed=executed, **(facts | rest))


def comparison(facts: Programs, *, a: str = "jax:matvec", b: str = "tensorflow:matvec", time: Time | None = None):
    pair = module(PLAIN), module(WORDY)
    return Comparison(side(a), side(b, "tensorflow"), facts, time, pair, ({}, {}))


def hostile_program() -> Module:
    """A program with hostile text wherever a program has text."""
    metadata = json.dumps({"op_name": HOSTILE})[len('{"op_name": ') : -1]
    instructions = (
        Instruction(HOSTILE, "parameter", array("f32", 4), literal="0", attributes_text=f"sharding={HOSTILE}"),
        Instruction(
            "c", "constant", array("f32", 4), literal=HOSTILE, attributes_text=f"metadata={{op_name={metadata}}}"
        ),
        Instruction("x", "add", array("f32", 4), operands=(HOSTILE, "c"), attributes_text=f"{HOSTILE}=1"),
        Instruction("y", HOSTILE, array("f32", 4), operands=("x",), attributes_text=f'backend_config="{HOSTILE * 99}"'),
    )
    return Module(HOSTILE, (Computation(HOSTILE, instructions, "y"),), HOSTILE)


def hostile() -> Comparison:
    """Two programs with hostile text, and as much of it in what is said of them."""
    program = hostile_program()
    facts = programs(
        "equal-if",
        conditions=(Condition(HOSTILE, True),),
        outputs=(Output(0, "equal"), Output(1, "equal-if", (Condition(HOSTILE, True),))),
        executed=Executed(3, (0.0, 1.0), (0.0, 1.0)),
        rules={HOSTILE: 3, "algebra" + HOSTILE: 4},
        rules_a={HOSTILE: 1},
        rules_b={HOSTILE: 2},
        residual=(Finding(HOSTILE, HOSTILE, f"2·{HOSTILE}", HOSTILE),),
        notes=(HOSTILE,),
        classes=(HOSTILE,),
    )
    places = {(HOSTILE, HOSTILE): 5, (HOSTILE, "x"): 7}
    sides = [side(HOSTILE, HOSTILE, {HOSTILE: HOSTILE}) for _ in range(2)]
    return Comparison(sides[0], sides[1], facts, SLOWER, (program, program), (places, places))


def changed(found: Comparison, **facts) -> Comparison:
    """A comparison with other facts about its programs."""
    return msgspec.structs.replace(found, programs=msgspec.structs.replace(found.programs, **facts))


def part(name: str, ms: float, low: float, high: float) -> TimePart:
    return TimePart(name, ms, low, high, low <= 0 <= high)


def time_of(
    a: tuple[float, float, float],
    b: tuple[float, float, float],
    gap: tuple[float, float, float],
    *parts: TimePart,
    live: bool = True,
) -> Time:
    """A time split: (median, low, high) of each side's step and of the gap, and the parts."""
    steps = [Milliseconds(*ms, 100) for ms in (a, b)]
    alone = Milliseconds(0.008, 0.0075, 0.009, 100)
    sides = [SideTime(ms, alone, 0.03) if live else SideTime(None, ms, 0.03) for ms in steps]
    return Time(sides[0], sides[1], *gap, gap[1] <= 0 <= gap[2], parts)


SLOWER = time_of(
    (0.118, 0.113, 0.123),
    (0.277, 0.258, 0.312),
    (0.159, 0.151, 0.165),
    part("program", -0.006, -0.013, 0.002),
    part("compiler", -0.094, -0.106, -0.085),
    part("framework", 0.26, 0.256, 0.265),
    part("unexplained", -0.001, -0.0015, 0.0002),
)
"""B is slower: its framework costs more, its compiler saves some."""

ALIKE = time_of(
    (0.0103, 0.0095, 0.0126),
    (0.0105, 0.0097, 0.0147),
    (0.0002, -0.0006, 0.0014),
    part("program", 0.0002, -0.0006, 0.0014),
    part("compiler", 0.0, 0.0, 0.0),
    part("framework", 0.0003, -0.0004, 0.0012),
    part("unexplained", -0.0003, -0.0012, 0.0004),
    live=False,
)
"""Two files, no faster one than the other."""


def timed(time: Time | None = None) -> Comparison:
    """The proven pair with a time split, B slower unless another is given."""
    return msgspec.structs.replace(proven(), time=time or SLOWER)


class Element:
    """An element of a page: tag, attributes, children, and the text inside it."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Elements inside it, in order, of a tag and with attributes (`class_` holds one of its classes)."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                if tag in (None, child.tag) and all(child.has(name, value) for name, value in attributes.items()):
                    found.append(child)
                found += child.all(tag, **attributes)
        return found

    def one(self, tag: str | None = None, **attributes: str) -> Element:
        (found,) = self.all(tag, **attributes)
        return found

    def has(self, name: str, value: str) -> bool:
        if name == "class_":
            return value in (self.attributes.get("class") or "").split()
        return self.attributes.get(name.replace("_", "-")) == value


class _Reader(HTMLParser):
    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in self.VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(text: str) -> Element:
    """The elements of a page; every one must be closed, in order."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert [element.tag for element in reader.open] == [""]
    return reader.open[0]
