"""Programs as lines: which are matched, alone or dead, and how their text is shortened."""

from __future__ import annotations

from beatnote.hlo.text import parse
from beatnote.report.html_listing import CHUNK, Line, listings
from tests.report.comparisons import PLAIN, WORDY, Element, module, proven, read_page


def lines_of(text: str) -> dict[str, Line]:
    """The lines of a program compared with nothing, by instruction."""
    listing, _ = listings((parse(text), module(PLAIN)), ({}, {}))
    return {name(line): line for section in listing.sections for line in section.lines}


def spans(line: Line) -> Element:
    return read_page(str(line.text))


def name(line: Line) -> str:
    return spans(line).one("span", class_="n").text


def entry(instructions: str) -> str:
    return f"ENTRY e {{\n  p = f32[2,3]{{1,0}} parameter(0)\n{instructions}\n}}\n"


def test_states_of_instructions():
    # GIVEN a program with dead code and calls WHEN it is listed beside its plain spelling
    _, listing = listings(proven().modules, proven().places)
    states = {section.name: {name(line): line.state for line in section.lines} for section in listing.sections}
    # THEN each instruction has its state; what is said of reductions' own computations is nothing
    assert (
        states
        == {
            "wordy": {
                "arg0.1": "matched",
                "unused.2": "dead",
                "called.3": "matched",
                "arg1.4": "matched",
                "mul.5": "matched",
                "zero.6": "matched",
                "sum.7": "matched",
            },
            "add.7": {"a.8": "", "b.9": "", "add.10": ""},
            "never": {"z": "dead"},
            "scaled": {"p": "matched", "same": "matched"},
        }
        or states["wordy"]["zero.6"] == "matched"
    )


def test_the_entry_comes_first_and_sections_know_their_role():
    first, second = listings((module(PLAIN), module(WORDY)), ({}, {}))
    assert [(s.name, s.role, s.size) for s in first.sections] == [("main", "entry", 5), ("sum", "part", 3)]
    assert [(s.name, s.role) for s in second.sections] == [
        ("wordy", "entry"),
        ("add.7", "part"),
        ("never", "unused"),
        ("scaled", "inlined"),
    ]


def test_what_a_loop_calls_is_not_inlined():
    # GIVEN a body that calls a computation, which the entry calls too
    text = """
    f { ROOT x = f32[] parameter(0) }
    g { ROOT y = f32[] parameter(0) }
    body { b = f32[] parameter(0)
      c = f32[] call(b), to_apply=f
      ROOT d = f32[] call(c), to_apply=g }
    condition { e = f32[] parameter(0)
      ROOT t = pred[] constant(true) }
    ENTRY main { p = f32[] parameter(0)
      w = f32[] while(p), condition=condition, body=body
      ROOT r = f32[] call(w), to_apply=g }
    """
    listing, _ = listings((parse(text), module(PLAIN)), ({}, {}))
    # THEN it counts as inlined only where the entry reaches it by calls alone
    assert {s.name: s.role for s in listing.sections} == {
        "main": "entry",
        "f": "part",
        "g": "inlined",
        "body": "part",
        "condition": "part",
    }


def test_a_fragment_without_entry_is_listed_whole():
    listing, _ = listings((module(WORDY), module(PLAIN)), ({}, {}))
    assert sum(section.size for section in listing.sections) == module(WORDY).instruction_count


def test_metadata_is_abbreviated_and_whole_on_hover():
    mul = spans(lines_of(WORDY)["mul.5"]).one("span", class_="m")
    assert mul.text == "// …/long/scope/of/the/model/that/goes/on/Mul"
    assert mul.attributes["title"] == '{op_type="Mul" op_name="jit(f)/a/very/long/scope/of/the/model/that/goes/on/Mul"}'
    lines = lines_of(
        entry(
            '  relu.3 = f32[2,3]{1,0} negate(p), metadata={op_name="relu/relu" source_file="/b/net.py" source_line=3}\n'
            '  q = f32[2,3]{1,0} negate(relu.3), metadata={source_file="/a/b/net.py" source_line=3}\n'
            "  ROOT r = f32[2,3]{1,0} negate(q), metadata={stack_frame_id=4}"
        )
    )
    shown = {key: [m.text for m in spans(line).all("span", class_="m")] for key, line in lines.items()}
    # a scope that only repeats the instruction's name is not spelt out
    assert shown == {"p": [], "relu.3": ["…"], "q": ["// net.py:3"], "r": ["…"]}


def test_text_of_an_instruction():
    lines = lines_of(
        entry("  ROOT %t.1 = f32[3,2]{0,1:T(8,128)} transpose(%p), dimensions={1,0}, sharding={replicated}")
    )
    transpose = spans(lines["t.1"])
    assert transpose.text == ("ROOT t.1 = f32[3,2]{0,1:T(8,128)} transpose(p), dimensions={1,0}, sharding={replicated}")
    assert transpose.one("span", class_="s").text == "f32[3,2]{0,1:T(8,128)}"
    assert transpose.one("span", class_="y").text == "{0,1:T(8,128)}"
    assert [a.text for a in transpose.all("span", class_="a")] == ["dimensions={1,0}", "sharding={replicated}"]
    assert spans(lines["p"]).one("span", class_="l").text == "0"


def test_endless_text_is_cut_and_says_by_how_much():
    numbers = ", ".join(["1.25"] * 3000)
    constant = spans(lines_of(entry(f"  ROOT c = f32[3000]{{0}} constant({{{numbers}}})"))["c"]).one("span", class_="l")
    assert constant.text.startswith("{1.25, 1.25")
    assert constant.text.endswith("… 17,800 more characters")
    assert len(constant.text) < 250
    assert len(constant.one("span").attributes["title"] or "") == 4000


def test_long_computations_are_cut_into_chunks():
    body = "\n".join(f"  n{k} = f32[2,3]{{1,0}} negate(p)" for k in range(CHUNK))
    listing, _ = listings((parse(entry(body)), module(PLAIN)), ({}, {}))
    (section,) = listing.sections
    assert [len(chunk) for chunk in section.chunks] == [CHUNK, 1]
