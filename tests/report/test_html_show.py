"""A description as a page: all it takes and yields, its opcodes, its instructions, its time; a dump's programs."""

from __future__ import annotations

import msgspec
import pytest

from beatnote.description import Description, describe
from beatnote.hlo.module import Module
from beatnote.report.html_show import example_pick, opcode_rows, render_show, time_rows
from tests.report.comparisons import HOSTILE, PLAIN, WORDY, Element, module, read_page
from tests.report.descriptions import dump, hostile_description, hostile_dump, plain, recorded, several


def page_of(found: Description) -> Element:
    return read_page(render_show(found))


def cells(table: Element) -> list[list[str]]:
    return [[" ".join(c.text.split()) for c in row.children if isinstance(c, Element)] for row in table.all("tr")]


def widths(table: Element) -> list[str | None]:
    return [bar.attributes["width"] for bar in table.all("rect", class_="bar")]


# What it is


@pytest.mark.parametrize(
    ("found", "heading"),
    [
        (plain(), "a_inference_wordy is an HLO program made by tensorflow, to judge by its name."),
        (several(), "jit_elided holds 2 HLO programs made by jax, to judge by the first one's name."),
        (recorded(), "jax:elided is an HLO program made by jax."),
        (dump(), "today is an XLA dump of 4 programs."),
    ],
)
def test_the_heading_says_what_it_is(found, heading):
    assert page_of(found).one("h1").text == heading


def test_versions_are_said_and_so_is_what_is_unknown():
    assert "jax 0.10.2, python 3.11.7" in page_of(recorded()).one("header").text
    nameless = msgspec.structs.replace(describe(module(PLAIN)), framework=None)
    assert "framework unknown" in page_of(nameless).one("header").text
    assert "unknown" not in page_of(dump()).one("header").text


def test_the_footer_has_the_whole_operand():
    footer = page_of(dump()).one("footer")
    assert cells(footer) == [["dumps/today"]]
    assert "beatnote.description/1" in footer.text


# Programs


def test_parameters_and_outputs_are_all_there():
    first, _ = page_of(several()).all("section", class_="program")
    assert first.one("h2").text == "jit_elided: 6 instructions in 1 computation"
    assert cells(first.one("section", class_="parameters")) == [
        ["0", "x", "f32[2,3]{1,0}"],
        ["1", "pair.0", "f32[4]{0}"],
        ["2", "pair.1", "s32[]"],
    ]
    assert cells(first.one("section", class_="outputs")) == [["0", "f32[2,3]{1,0}"], ["1", "s32[]"]]


def test_a_long_table_scrolls_and_a_short_one_does_not():
    parameters = "\n".join(f"  p{k} = f32[] parameter({k})" for k in range(40))
    page = page_of(describe(module(f"ENTRY e {{\n{parameters}\n  ROOT r = f32[] negate(p0)\n}}\n")))
    (capped,) = page.all("div", class_="capped")
    assert len(capped.all("tr")) == 40
    assert (capped.attributes["tabindex"], capped.attributes["aria-label"]) == ("0", "Parameters")


def test_opcodes_have_bars_in_proportion():
    (program,) = describe(module(PLAIN)).programs
    assert [(row.name, row.value, row.width) for row in opcode_rows(program)] == [
        ("parameter", "4", 100.0),
        ("add", "1", 25.0),
        ("multiply", "1", 25.0),
        ("constant", "1", 25.0),
        ("reduce", "1", 25.0),
    ]
    table = page_of(describe(module(PLAIN))).one("section", class_="opcodes").one("table")
    assert widths(table) == ["100.0%", "25.0%", "25.0%", "25.0%", "25.0%"]


def test_constants_left_out_are_named():
    first, second = page_of(several()).all("section", class_="program")
    elided = first.one("section", class_="elided")
    assert elided.one("h3").text == "Constants whose value the text leaves out 1"
    assert [code.text for code in elided.all("code")] == ["table"]
    assert not second.all("section", class_="elided")


def test_every_instruction_is_listed_once_and_dead_code_is_dimmed():
    instructions = page_of(plain()).one("section", class_="instructions")
    listed = [line.one("span", class_="n").text for line in instructions.all("li")]
    program = module(WORDY)
    entry = [c for c in program.computations if c.name == program.entry_name]
    rest = [c for c in program.computations if c.name != program.entry_name]
    assert listed == [i.name for c in (*entry, *rest) for i in c.instructions]
    dead = [line.one("span", class_="n").text for line in instructions.all("li", class_="dead")]
    assert dead == ["unused.2", "z"]
    assert "dead code 2 instructions that no output depends on" in " ".join(instructions.text.split())


def test_a_listing_by_itself_claims_nothing_about_another_side():
    page = page_of(plain())
    assert not [line for line in page.all("li") if "data-v" in line.attributes or line.has("class_", "alone")]
    assert len(page.all("div", class_="column")) == 1


def test_a_module_without_computations():
    # GIVEN a module without any WHEN it is shown THEN there is nothing to list
    page = page_of(describe(Module("nothing", ())))
    assert page.one("section", class_="program").one("h2").text == "nothing: 0 instructions in 0 computations"
    assert not page.all("li")


# Time


def test_phases_happen_once_and_a_step_has_its_spread():
    found = recorded()
    assert found.recording is not None
    assert [(row.name, row.value, row.width, row.remark) for row in time_rows(found.recording)] == [
        ("tracing", "0.020 s", 10.0, "once"),
        ("lowering", "0.010 s", 5.0, "once"),
        ("compiling", "0.200 s", 100.0, "once"),
        ("first step", "0.050 s", 25.0, "once"),
        ("a step", "101.0 µs", 0.05, "quartiles 100.0 to 103.0 µs, n = 5"),
    ]
    page = page_of(found)
    assert [row[0] for row in cells(page.one(id="time"))] == [
        "tracing",
        "lowering",
        "compiling",
        "first step",
        "a step",
    ]
    header = page.one("header").text.replace("\u00a0", " ")
    assert "A step takes 101.0 µs (quartiles 100.0 to 103.0 µs, n = 5)." in header


def test_a_file_has_no_time():
    assert not page_of(plain()).all(id="time")


# Dumps


def test_the_programs_of_a_dump_and_how_to_pick_one():
    section = page_of(dump()).one(id="dump")
    assert cells(section.one("table")) == [
        ["number", "module", "stage", "size", "NAME"],
        ["1", "jit_fill", "before_optimizations", "0.5 kB", "", "module_0001.jit_fill"],
        ["2", "jit_fill", "before_optimizations", "0.7 kB", "", "module_0002.jit_fill"],
        ["3", "jit_step", "before_optimizations", "1,250.0 kB", "", "jit_step"],
        ["3", "jit_step", "cpu_after_optimizations", "2,500.0 kB", "", "module_0003.jit_step.cpu_after_optimizations"],
    ]
    assert widths(section) == ["0.02%", "0.03%", "50.0%", "100.0%"]
    assert " ".join(section.one("p").text.split()) == (
        "Pick one with dumps/today::NAME, NAME as in the last column: beatnote show dumps/today::jit_step"
    )


def test_the_example_is_the_largest_program_before_optimisation():
    assert example_pick(dump()) == "jit_step"
    assert example_pick(plain()) == ""


# Escaped


def test_hostile_text_stays_text():
    page = page_of(hostile_description())
    parameter = page.one("section", class_="parameters").one("tr")
    assert parameter.one("th").text == HOSTILE
    assert HOSTILE in [row.one("th").text for row in page.one("section", class_="opcodes").all("tr")]
    assert page.one("section", class_="elided").one("code").text == HOSTILE
    assert page.one("summary").one("span", class_="n").text == HOSTILE
    row = page_of(hostile_dump()).one(id="dump").one("tbody").one("tr")
    assert [code.text for code in row.all("code")] == [HOSTILE, f"x{HOSTILE}"]


def test_names_cannot_turn_the_text():
    page = page_of(dump("evil\u202emlth/\x1b[2J"))
    shown = [e.text for part in ("head", "header", "main", "footer") for e in page.all(part)]
    assert not [text for text in shown if "\u202e" in text or "\x1b" in text]
    assert "evil\\u202emlth" in page.one("footer").text
