"""A comparison as one self-contained HTML page: no network, no scripts but its own, programs' text escaped.

Words are in `sentences`; the parts of the page in the modules named `html_*`; template, style and script in
`templates`, from where they are inlined.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

import beatnote
from beatnote.comparison import SCHEMA, Comparison, Programs
from beatnote.proof.differences import RULES
from beatnote.proof.verdict import Condition
from beatnote.report.facts import facts_text
from beatnote.report.foreign import beginning, printable, scope
from beatnote.report.html_bar import chart
from beatnote.report.html_listing import listings
from beatnote.report.html_outputs import marked, output_rows
from beatnote.report.quantities import counted
from beatnote.report.sentences import (
    FINDING_KINDS,
    PROVEN,
    class_sentences,
    condition_sentence,
    executed_sentence,
    gap_sentence,
    labels,
    untimed_sentence,
    verdict_sentence,
)

WRAPPED = 4000
"""Up to how many instructions long lines are wrapped at first; beyond, every line is of one height, and known."""

_UNBROKEN = 30
_NO_BREAK = "\N{NO-BREAK SPACE}"
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:µs|ms|s|%)(?!\w))")
_IN_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


class RuleRow(msgspec.Struct, frozen=True):
    """One difference that does not matter: how often on each side, and why."""

    name: str
    a: int
    b: int
    why: str


def render_html(comparison: Comparison) -> str:
    """Return the page for a comparison."""
    programs, time = comparison.programs, comparison.time
    script = _packaged("report.js")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            labels=labels(comparison),
            sides=(comparison.a, comparison.b),
            programs=programs,
            verdict=verdict_sentence(comparison),
            tone=_tone(programs.verdict),
            classes=class_sentences(programs),
            outputs=output_rows(programs),
            executed=executed_sentence(programs),
            rules=rule_rows(programs),
            algebra=algebra_rows(programs),
            findings=[(finding, *marked(finding.a, finding.b)) for finding in programs.residual],
            time=time,
            gap=gap_sentence(time) if time is not None else untimed_sentence(programs),
            chart=chart(time) if time is not None else None,
            listings=listings(comparison.modules, comparison.places),
            told=any(comparison.places),
            wrap=sum(module.instruction_count for module in comparison.modules) <= WRAPPED,
            style=Markup(_packaged("report.css")),
            script=Markup(script),
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            facts=embedded(comparison.to_dict()),
            schema=SCHEMA,
            version=beatnote.__version__,
        )
    )


def rule_rows(programs: Programs) -> tuple[RuleRow, ...]:
    """List the rules that account for instructions, the most frequent first."""
    a, b = programs.rules_a, programs.rules_b
    names = sorted({*a, *b}, key=lambda name: (-a.get(name, 0) - b.get(name, 0), name))
    return tuple(RuleRow(name, a.get(name, 0), b.get(name, 0), RULES.get(name, "")) for name in names)


def algebra_rows(programs: Programs) -> tuple[tuple[str, int, str], ...]:
    """List the steps of algebra, which belong to neither side: name, how often, why."""
    rest = {name: n for name, n in programs.rules.items() if name not in programs.rules_a | programs.rules_b}
    return tuple((name, n, RULES.get(name, "")) for name, n in sorted(rest.items(), key=lambda row: (-row[1], row[0])))


def embedded(facts: dict[str, Any]) -> Markup:
    """Return facts as JSON that may stand in a script element: nothing in it ends the element or opens a comment."""
    return Markup(facts_text(facts).translate(_IN_SCRIPT))


def _tone(verdict: str) -> str:
    return "good" if verdict in PROVEN else "bad" if verdict == "different" else "open"


def _unbroken(sentence: str, conditions: Sequence[Condition] = ()) -> str:
    """Return a sentence that no line break can divide between number and unit, or inside a short condition."""
    for text in {printable(condition.text) for condition in conditions}:
        if len(text) <= _UNBROKEN:
            sentence = sentence.replace(text, text.replace(" ", _NO_BREAK))
    return _BEFORE_UNIT.sub(_NO_BREAK, sentence)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_packaged),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "printable": printable,
        "scope": scope,
        "beginning": beginning,
        "unbroken": _unbroken,
        "counted": counted,
        "held": condition_sentence,
        "kind": lambda kind: FINDING_KINDS.get(kind, ""),
    }
    return environment


def _packaged(name: str) -> str:
    return files("beatnote.report").joinpath("templates", name).read_text(encoding="utf-8")
