"""What every page is: one self-contained file, no network, no scripts but its own, programs' text escaped.

What a page says is in `html` and `html_show`; templates, styles and scripts in `templates`, from where they are
inlined.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

import beatnote
from beatnote.proof.verdict import Condition
from beatnote.report.facts import facts_text
from beatnote.report.foreign import beginning, printable, scope
from beatnote.report.quantities import counted
from beatnote.report.sentences import FINDING_KINDS, condition_sentence

_UNBROKEN = 30
_NO_BREAK = "\N{NO-BREAK SPACE}"
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:ns|µs|ms|s|%|[kMGTPE]?(?:B|flop)|[kMGTPE])(?!\w))")
_IN_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


def render_page(name: str, *, facts: dict[str, Any], scripts: Sequence[str], **parts: Any) -> str:
    """Return a page.

    Args:
        name: of its template and of the style that it adds to what all pages share.
        facts: to be embedded as JSON, with their schema under `schema`.
        scripts: to be inlined, in order; the page allows itself no other.
        parts: what the template shows.
    """
    style = "\n".join(map(_packaged, ("page.css", f"{name}.css")))
    script = "\n".join(map(_packaged, scripts))
    return (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            **parts,
            style=Markup(style),
            script=Markup(script),
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            facts=embedded(facts),
            schema=facts["schema"],
            version=beatnote.__version__,
        )
    )


def embedded(facts: dict[str, Any]) -> Markup:
    """Return facts as JSON that may stand in a script element: nothing in it ends the element or opens a comment."""
    return Markup(facts_text(facts).translate(_IN_SCRIPT))


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
