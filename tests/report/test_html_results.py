"""MLPerf results as pages: the same words as in the terminal, bars to scale, and runs on one clock."""

from __future__ import annotations

import pytest

from beatnote.report.html_results import render_results, run_rows, waterfall_chart
from beatnote.report.sentences_results import fact_rows, heading_sentence
from tests.report.comparisons import Element, read_page
from tests.report.results import one_set, single, slower, split, submission


def rows(page: Element, section: str) -> list[list[str]]:
    (found,) = page.all("section", id=section)
    return [[cell.text.strip() for cell in row.all() if cell.tag in ("th", "td")] for row in found.all("tr")]


def test_a_comparison_says_what_the_terminal_says():
    page = read_page(render_results(slower()))
    assert page.one("h1").text.replace("\N{NO-BREAK SPACE}", " ") == heading_sentence(slower())
    shown = [[cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row] for row in rows(page, "logs")[1:]]
    assert shown == [[name, *cells] for name, cells in fact_rows(slower().a, slower().b)]
    assert rows(page, "settings")[1:] == [["lr", "1", "2.5"]]
    assert "Only B logs only." in page.all("section", id="settings")[0].text


@pytest.mark.parametrize("make", [slower, split, single])
def test_bars_lead_from_one_score_to_the_other(make):
    first, *parts, last, gap = waterfall_chart(make()).bars
    scale = first.width / first.ms
    for bar in (*parts, last, gap):
        assert bar.width == pytest.approx(abs(bar.ms) * scale, abs=0.01)
    ends = [bar.start + bar.ms * scale for bar in parts]
    assert parts[0].start == pytest.approx(first.left + first.width, abs=0.01)
    assert ends[-1] == pytest.approx(last.left + last.width, abs=0.01)
    assert [bar.start for bar in parts[1:]] == pytest.approx(ends[:-1], abs=0.01)
    assert sum(bar.ms for bar in parts) == pytest.approx(gap.ms, abs=1e-6)
    assert all(bar.left >= 0 and bar.left + bar.width <= 100 for bar in (first, *parts, last, gap))
    assert all(0 <= end <= 100 for bar in (first, *parts, last, gap) for end in bar.whisker)


def test_a_part_that_is_taken_apart_is_shown_by_its_parts():
    names = [bar.name for bar in waterfall_chart(split()).bars]
    assert names == [
        "score of A", "start-up", "epochs", "training", "evaluation", "scoring", "tail", "unexplained", "score of B",
        "gap, B − A",
    ]  # fmt: skip


def test_runs_stand_on_one_clock():
    found = slower()
    shown = run_rows(found.a, found.b)
    assert [row.side for row in shown] == ["A"] * 5 + ["B"] * 5
    longest = max(run.total_s or 0.0 for run in found.b.side.runs)
    runs = [*found.a.side.runs, *found.b.side.runs]
    for row, run in zip(shown, runs, strict=True):
        ends = [segment.left + segment.width for segment in row.segments]
        assert ends[-1] == pytest.approx(100 * (run.total_s or 0.0) / longest, abs=0.01)
        assert [segment.left for segment in row.segments[1:]] == pytest.approx(ends[:-1], abs=0.01)
    # of each side the fastest and the slowest do not count
    assert [row.remark for row in shown] == ["dropped", "", "", "", "dropped"] * 2


def test_a_run_that_failed_says_how():
    page = read_page(render_results(one_set()))
    assert [row[-1] for row in rows(page, "runs")[1:]] == ["dropped", "", "", "", "aborted"]
    assert "stopped without reaching the target" in page.all("section", id="notes")[0].text


def test_a_submission_lists_its_sets():
    page = read_page(render_results(submission()))
    assert [row[:5] for row in rows(page, "sets")[1:]] == [
        ["", "resnet", "", "5", "9.270\N{NO-BREAK SPACE}s"],
        ["box/<b>", "resnet", "", "1", "none"],
    ]
    assert not page.all("section", id="time")
