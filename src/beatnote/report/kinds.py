"""Which report is whose: each kind of finding has one for the terminal and one as a page."""

from __future__ import annotations

from beatnote.comparison import Comparison
from beatnote.description import Description
from beatnote.results import ResultsComparison, ResultsDescription

Finding = Comparison | Description | ResultsComparison | ResultsDescription


def print_report(found: Finding) -> None:
    """Print a finding to standard output."""
    if isinstance(found, ResultsComparison | ResultsDescription):
        from beatnote.report.terminal_results import print_results  # noqa: PLC0415 - only one of them is needed

        print_results(found)
    elif isinstance(found, Comparison):
        from beatnote.report.terminal import print_comparison  # noqa: PLC0415

        print_comparison(found)
    else:
        from beatnote.report.terminal_show import print_description  # noqa: PLC0415

        print_description(found)


def render_report(found: Finding) -> str:
    """Return the page for a finding."""
    if isinstance(found, ResultsComparison | ResultsDescription):
        from beatnote.report.html_results import render_results  # noqa: PLC0415 - only one of them is needed

        return render_results(found)
    if isinstance(found, Comparison):
        from beatnote.report.html import render_html  # noqa: PLC0415

        return render_html(found)
    from beatnote.report.html_show import render_show  # noqa: PLC0415

    return render_show(found)


def verdict_of(found: Comparison | ResultsComparison) -> str | None:
    """Return the verdict on programs; None where there are none."""
    return found.programs.verdict if isinstance(found, Comparison) else None
