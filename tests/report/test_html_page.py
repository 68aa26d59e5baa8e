"""What holds of every page: self-contained, its text escaped, its facts embedded."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

import pytest

from beatnote.report.html import render_html
from beatnote.report.html_page import embedded
from beatnote.report.html_results import render_results
from beatnote.report.html_show import render_show
from tests.report.comparisons import Element, apart, hostile, proven, read_page, timed
from tests.report.descriptions import dump, hostile_description, hostile_dump, plain, recorded, several
from tests.report.results import hostile_results, hostile_set, one_set, single, slower, split, submission

PAGES = {
    **{f"compare-{make.__name__}": (make, render_html) for make in (proven, timed, apart, hostile)},
    **{
        f"show-{make.__name__}": (make, render_show)
        for make in (plain, several, recorded, dump, hostile_description, hostile_dump)
    },
}
PAGES |= {
    f"results-{make.__name__}": (make, render_results)
    for make in (slower, split, single, hostile_results, one_set, submission, hostile_set)
}
LOADS = ("src", "href", "srcset", "data", "poster", "action", "formaction", "ping", "background", "xlink:href", "cite")


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> Element:
    make, render = PAGES[request.param]
    return read_page(render(make()))


def script_of(page: Element) -> str:
    (script,) = (e.text for e in page.all("script") if "type" not in e.attributes)
    return script


def test_nothing_is_fetched(page):
    # GIVEN a page WHEN its elements are looked at THEN the only address is an empty icon
    addresses = [e.attributes[a] for e in page.all() for a in LOADS if a in e.attributes]
    assert addresses == ["data:,"]
    assert not {e.tag for e in page.all()} & {"a", "img", "iframe", "object", "embed", "base", "form", "video", "audio"}
    # AND neither style nor script load anything
    styles = "".join(e.text for e in page.all("style")) + "".join(e.attributes.get("style") or "" for e in page.all())
    assert set(re.findall(r"url\([^)]*\)|@import|@font-face", styles)) <= {"url(#hatch)"}
    unwanted = r"fetch|XMLHttp|WebSocket|EventSource|sendBeacon|import|eval|innerHTML|https?:"
    assert not re.search(unwanted, script_of(page))


def test_the_page_forbids_itself_the_network_and_other_scripts(page):
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"] or ""
    digest = b64encode(sha256(script_of(page).encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "http" not in policy


def test_no_element_or_handler_comes_from_a_program(page):
    assert [e.attributes.get("type") for e in page.all("script")] == ["application/json", None]
    assert not [e for e in page.all() if any(name.startswith("on") for name in e.attributes)]
    assert "49" not in page.one("h1").text


@pytest.mark.parametrize("name", PAGES)
def test_facts_are_whole(name):
    make, render = PAGES[name]
    facts = read_page(render(make())).one("script", id="facts").text
    assert not set("<>&") & set(facts)
    assert json.loads(facts) == json.loads(json.dumps(make().to_dict()))


def test_every_wrap_box_has_columns_to_act_on(page):
    # GIVEN the script, which takes the columns of a box's section WHEN there is a box THEN they are there, as it says
    sections = [section for section in page.all("section") if section.all("input", class_="wrap-box")]
    assert len(sections) >= len(page.all("input", class_="wrap-box"))
    for section in sections:
        assert "checked" in section.all("input")[0].attributes
        assert section.all("div", class_="columns")[0].has("class_", "wrap")


def test_templates_styles_and_scripts_come_with_the_package():
    folder = files("beatnote.report") / "templates"
    assert {entry.name for entry in folder.iterdir()} == {
        "page.html.j2",
        "page.css",
        "parts.html.j2",
        "listing.js",
        "compare.html.j2",
        "compare.css",
        "compare.js",
        "results.html.j2",
        "results.css",
        "show.html.j2",
        "show.css",
    }


def test_facts_that_are_no_numbers_are_null():
    assert json.loads(embedded({"a": float("nan"), "b": [float("inf"), 1.5]})) == {"a": None, "b": [None, 1.5]}
