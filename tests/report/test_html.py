"""A comparison as a page: escaped, and with the facts that the JSON has."""

from __future__ import annotations

import json
from itertools import pairwise

import msgspec
import pytest

from beatnote.comparison import Comparison, Executed
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import array
from beatnote.proof.residual import Finding
from beatnote.proof.verdict import VERDICTS, Condition, Output
from beatnote.report.html import algebra_rows, render_html, rule_rows
from beatnote.report.html_listing import WRAPPED
from beatnote.report.sentences import gap_sentence, verdict_sentence
from tests.report.comparisons import (
    ALIKE,
    HOSTILE,
    SLOWER,
    Element,
    apart,
    changed,
    comparison,
    hostile,
    module,
    programs,
    proven,
    read_page,
    side,
    timed,
)


def page_of(found: Comparison) -> Element:
    return read_page(render_html(found))


PAGES = {"proven": proven, "timed": timed, "apart": apart, "hostile": hostile}


# Escaped


def test_hostile_text_stays_text():
    page = page_of(hostile())
    # GIVEN programs full of markup WHEN the page is read THEN no element or handler of theirs is in it
    assert [e.attributes.get("type") for e in page.all("script")] == ["application/json", None]
    assert not [e for e in page.all() if any(name.startswith("on") for name in e.attributes)]
    assert "49" not in page.one("h1").text
    # AND their text is there, as it was
    (finding,) = page.all("article")
    assert finding.one("h3").one("code").text == HOSTILE
    assert finding.all("dd")[0].text == HOSTILE
    assert page.one("ul", class_="conditions").one("code").text == HOSTILE
    assert [row.one("code").text for row in page.one("footer").all("tr")] == [HOSTILE, HOSTILE]
    for column in columns(page):
        assert column.one("summary").one("span", class_="n").text == HOSTILE
        assert column.all("li")[0].text.startswith(f"{HOSTILE} = f32[4] parameter(0)")


def test_hostile_facts_are_whole():
    found = hostile()
    facts = page_of(found).one("script", id="facts").text
    assert not set("<>&") & set(facts)
    assert json.loads(facts) == json.loads(json.dumps(found.to_dict()))


def test_the_names_of_sides_cannot_turn_the_text():
    page = page_of(comparison(programs(), a="evil\u202elmth.hlo", b="\x1b[2J"))
    shown = [e.text for part in ("head", "header", "main", "footer") for e in page.all(part)]
    assert not [text for text in shown if "\u202e" in text or "\x1b" in text]
    assert "evil\\u202elmth.hlo" in page.one("h1").text


# What it says


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_verdict_is_the_heading(verdict):
    found = comparison(programs(verdict))
    heading = page_of(found).one("h1")
    assert heading.text == verdict_sentence(found)
    tone = {"different": "bad", "unknown": "open", "agrees": "open"}.get(verdict, "good")
    assert heading.has("class_", tone)


def test_a_short_condition_is_not_broken_over_lines():
    condition = Condition("0 ≤ labels[i] ≤ 6", True)
    page = page_of(comparison(programs("equal-if", conditions=(condition,))))
    assert "wherever 0\u00a0≤\u00a0labels[i]\u00a0≤\u00a06 (" in page.one("h1").text
    (line,) = page.one("ul", class_="conditions").all("li")
    assert line.text == "0 ≤ labels[i] ≤ 6 held on every sample input"


def test_a_condition_that_does_not_hold_stands_out():
    conditions = (Condition("x > 0", False), Condition("y > 0", None))
    lines = page_of(comparison(programs("agrees", conditions=conditions))).one("ul", class_="conditions").all("li")
    assert [(line.has("class_", "broken"), line.one("span").text) for line in lines] == [
        (True, "does not hold on every sample input"),
        (False, "not checked"),
    ]


def cells(table: Element) -> list[list[str]]:
    return [[" ".join(c.text.split()) for c in row.children if isinstance(c, Element)] for row in table.all("tr")]


def test_outputs_with_one_fate_are_one_row():
    outputs = tuple(Output(k, "equal" if k != 2 else "agrees") for k in range(5))
    executed = Executed(3, (0.0, 1e-8, 2e-7, 0.0, 3e-8), (0.0, 1e-7, 2e-6, 0.0, 3e-7))
    page = page_of(comparison(programs("agrees", outputs=outputs, executed=executed)))
    assert cells(page.one("table", class_="outputs"))[1:] == [
        ["0–1, 3–4 (4)", "equal", "3e-8", "3e-7"],
        ["2", "agrees", "2e-7", "2e-6"],
    ]


def test_one_output_needs_no_table():
    page = page_of(comparison(programs("agrees", executed=Executed(3, (1e-8,), (1e-7,)))))
    assert not page.all("table", class_="outputs")
    assert "the largest difference is 1e-8, 1e-7 of the output's largest element" in page.one(id="verdicts").text


def test_rules_say_why_they_do_not_matter():
    # GIVEN two spellings of one function WHEN they are compared
    facts = proven().programs
    assert {row.name: (row.a, row.b) for row in rule_rows(facts)} == {
        name: (facts.rules_a.get(name, 0), facts.rules_b.get(name, 0)) for name in {**facts.rules_a, **facts.rules_b}
    }
    # THEN what differs is a table, the most frequent first
    table = cells(page_of(proven()).one(id="rules").all("table")[0])
    assert table[0] == ["instructions", "A", "B", "why"]
    assert ["dead-code", "·", "1", "computed, but no output depends on it: Exp"] in table
    assert ["identity-reshape", "·", "1", "reshape to the same shape"] in table


def test_steps_of_algebra_belong_to_no_side():
    facts = programs(rules={"copy": 3, "join-sums": 16, "new-rule": 2}, rules_a={"copy": 3})
    assert algebra_rows(facts) == (("join-sums", 16, "sums over sums taken as one sum"), ("new-rule", 2, ""))
    tables = page_of(comparison(facts)).one(id="rules").all("table")
    assert [cells(table)[0][0] for table in tables] == ["instructions", "steps of algebra"]


def test_where_the_programs_part():
    findings = (
        Finding("layer/mul", "2·x[i]·y[j]", "3·x[i]·y[j]", "arithmetic"),
        Finding("loss", "0", "Σj exp(z[j])", "missing-rule"),
    )
    first, second = page_of(changed(apart(), residual=findings)).all("article")
    assert " ".join(first.one("h3").text.split()) == "layer/mul arithmetic: another formula"
    assert [dd.text for dd in first.all("dd")] == ["2·x[i]·y[j]", "3·x[i]·y[j]"]
    assert [mark.text for mark in first.all("mark")] == ["2", "3"]
    # formulas that have nothing in common are not marked all over
    assert not second.all("mark")
    assert "no proof, and no numbers that differ" in second.text


# The time


def bars(page: Element) -> dict[str, tuple[float, float, float]]:
    rows = [row.attributes for row in page.one("table", class_="chart").all("tr") if "data-name" in row.attributes]
    return {
        str(row["data-name"]): tuple(float(row[f"data-{k}ms"] or "") for k in ("", "low-", "high-")) for row in rows
    }  # pyright: ignore[reportReturnType]


def test_the_bars_are_the_jsons_numbers():
    page = page_of(timed())
    facts = json.loads(page.one("script", id="facts").text)["time"]
    assert bars(page) == {
        "step of A": tuple(facts["a"]["step_ms"][k] for k in ("median", "low", "high")),
        **{part["name"]: (part["ms"], part["low_ms"], part["high_ms"]) for part in facts["parts"]},
        "step of B": tuple(facts["b"]["step_ms"][k] for k in ("median", "low", "high")),
        "gap, B − A": (facts["gap_ms"], facts["gap_low_ms"], facts["gap_high_ms"]),
    }
    assert gap_sentence(SLOWER) in page.one("header").text.replace("\u00a0", " ")
    assert "B takes 159\u00a0µs a step more" in page.one("header").text


def test_two_files_show_their_programs_alone():
    page = page_of(timed(ALIKE))
    assert list(bars(page)) == ["step of A alone", "program", "step of B alone", "gap, B − A"]
    rows = {row.attributes["data-name"]: row for row in page.all("tr") if "data-name" in row.attributes}
    assert rows["program"].has("class_", "noise")
    assert "within noise" in rows["program"].text


def test_no_time_is_one_line():
    page = page_of(proven())
    assert " ".join(page.one("section", id="time").text.split()) == (
        "Where the time goes Not timed: the programs were not executed."
    )
    assert not page.all("table", class_="chart")


# Both programs


def columns(page: Element) -> list[Element]:
    return page.one(id="programs").all("section", class_="column")


@pytest.mark.parametrize("name", PAGES)
def test_every_instruction_is_there_once_on_its_side(name):
    found = PAGES[name]()
    for column, program in zip(columns(page_of(found)), found.modules, strict=True):
        listed = [line.one("span", class_="n").text for line in column.all("li")]
        entry = [c for c in program.computations if c.name == program.entry_name]
        rest = [c for c in program.computations if c.name != program.entry_name]
        assert listed == [i.name for c in (*entry, *rest) for i in c.instructions]


def test_equal_values_have_equal_numbers_on_both_sides():
    found = proven()
    page = page_of(found)
    numbers: dict[int, set[str]] = {}
    for column, program, places in zip(columns(page), found.modules, found.places, strict=True):
        shown: dict[tuple[str, str], str] = {}
        for section in column.all("details"):
            name = section.one("summary").one("span", class_="n").text
            assert name in {computation.name for computation in program.computations}
            for line in section.all("li"):
                if line.attributes.get("data-v"):
                    shown[name, line.one("span", class_="n").text] = str(line.attributes["data-v"])
        # GIVEN the places of values WHEN both programs are listed THEN exactly those instructions carry a number
        assert shown.keys() == places.keys()
        for place, number in shown.items():
            numbers.setdefault(places[place], set()).add(number)
    # AND the numbers stand for the values, one for one
    assert all(len(found) == 1 for found in numbers.values())
    assert len({n for found in numbers.values() for n in found}) == len(numbers)
    assert {line.attributes.get("data-v") for line in columns(page)[0].all("li")} >= {"1", "2"}


def test_the_page_works_where_nothing_is_matched():
    # GIVEN programs that cannot be read as terms WHEN they are listed THEN no line claims to be alone
    page = page_of(comparison(programs("unknown")))
    assert not [line for line in page.all("li") if line.has("class_", "alone")]
    assert not page.all(id="status")


def test_a_program_of_ten_thousand_instructions_is_laid_out_by_the_piece():
    # GIVEN a chain of additions longer than anyone wraps
    names = ["x", *(f"add.{k}" for k in range(10_000))]
    chain = tuple(
        Instruction(
            name, "add", array("f32", 8, 8), operands=(before, before), attributes_text="metadata={op_name=a/b}"
        )
        for before, name in pairwise(names)
    )
    first = Instruction("x", "parameter", array("f32", 8, 8), literal="0")
    program = Module("chain", (Computation("main", (first, *chain), names[-1]),), "main")
    found = comparison(programs("unknown"))
    text = render_html(msgspec.structs.replace(found, modules=(program, module_a())))
    # WHEN it is rendered THEN every line is there once, in pieces of known height, lines not wrapped
    assert program.instruction_count > WRAPPED
    assert text.count("<li>") + text.count('<li class="dead">') == program.instruction_count + 1
    assert text.count('style="--lines:100"') == 100
    assert 'class="columns"' in text
    assert len(text) < 300 * program.instruction_count


def test_the_footer_says_what_was_compared():
    sides = side("jax:matvec", "jax", {"jax": "0.10.2", "python": "3.11.7"}), side("x.hlo", None)
    found = msgspec.structs.replace(comparison(programs()), a=sides[0], b=sides[1], modules=(module_a(), module_a()))
    footer = page_of(found).one("footer")
    assert cells(footer) == [
        ["A", "jax:matvec", "jax", "jax 0.10.2, python 3.11.7"],
        ["B", "x.hlo", "framework unknown", ""],
    ]
    assert "beatnote.comparison/1" in footer.text


def module_a() -> Module:
    return module("ENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n")
