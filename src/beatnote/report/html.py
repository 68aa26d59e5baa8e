"""A comparison as a page.

Words are in `sentences`; the parts of the page in the modules named `html_*`; what every page shares in `html_page`.
"""

from __future__ import annotations

import msgspec

from beatnote.comparison import Comparison, Programs
from beatnote.proof.differences import RULES
from beatnote.report.html_bar import chart
from beatnote.report.html_listing import listings, wraps
from beatnote.report.html_outputs import marked, output_rows
from beatnote.report.html_page import render_page
from beatnote.report.sentences import (
    PROVEN,
    class_sentences,
    executed_sentence,
    gap_sentence,
    labels,
    rule_reason,
    untimed_sentence,
    verdict_sentence,
)
from beatnote.report.target_rows import target_rows, target_sentence


class RuleRow(msgspec.Struct, frozen=True):
    """One difference that does not matter: how often on each side, and why."""

    name: str
    a: int
    b: int
    why: str


def render_html(comparison: Comparison) -> str:
    """Return the page for a comparison."""
    programs, time = comparison.programs, comparison.time
    return render_page(
        "compare",
        facts=comparison.to_dict(),
        scripts=("listing.js", "compare.js"),
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
        targets=[(target, target_sentence(target), target_rows(target)) for target in comparison.targets],
        listings=listings(comparison.modules, comparison.places),
        told=any(comparison.places),
        wrap=wraps(comparison.modules),
    )


def rule_rows(programs: Programs) -> tuple[RuleRow, ...]:
    """List the rules that account for instructions, the most frequent first."""
    a, b = programs.rules_a, programs.rules_b
    names = sorted({*a, *b}, key=lambda name: (-a.get(name, 0) - b.get(name, 0), name))
    return tuple(RuleRow(name, a.get(name, 0), b.get(name, 0), rule_reason(name, programs)) for name in names)


def algebra_rows(programs: Programs) -> tuple[tuple[str, int, str], ...]:
    """List the steps of algebra, which belong to neither side: name, how often, why."""
    rest = {name: n for name, n in programs.rules.items() if name not in programs.rules_a | programs.rules_b}
    return tuple((name, n, RULES.get(name, "")) for name, n in sorted(rest.items(), key=lambda row: (-row[1], row[0])))


def _tone(verdict: str) -> str:
    return "good" if verdict in PROVEN else "bad" if verdict == "different" else "open"
