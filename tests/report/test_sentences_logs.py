"""What has to be said of logs: what they do not tell, and which lines are amiss."""

from __future__ import annotations

import msgspec

from beatnote.explain.cycles import Cycle
from beatnote.report.sentences_logs import files_text, lines_text, notes_of
from beatnote.runs.mlperf import Lines
from tests.explain.runs import a_run
from tests.report.results import a_set, slower


def test_how_much_there_is():
    assert files_text(slower().a.files) == "5 files, 45 log lines"
    assert files_text(slower().b.files) == "5 files, 45 log lines, and 10 other lines"


def test_notes_say_what_logs_do_not_tell_and_what_is_amiss():
    found = slower()
    assert notes_of(found.a, "A") == []
    assert notes_of(found.b, "B") == [
        "B: no eval_start is logged: evaluation is somewhere in the cycle and cannot be told from training.",
        *(
            f"B: result_{k}.txt: 1 log line could not be read (line 4), "
            "3 events logged again, by another rank or process."
            for k in range(3)
        ),
        "B: 2 more files have such lines.",
    ]


def test_notes_on_scores_and_runs_that_failed():
    notes = notes_of(a_set([a_run([3.0, 2.0]), a_run([3.0], status="aborted"), a_run([3.0], status="unfinished")]))
    assert notes[:4] == [
        "not a score by the rules: 2 of 3 runs did not reach the target, and the rules allow 1.",
        "not a score by the rules: the rules ask for 5 runs of resnet, and there are 3.",
        "result.txt stopped without reaching the target.",
        "result.txt has no run_stop.",
    ]


def test_a_first_result_that_comes_late():
    run = a_run([9.0, 2.0])
    late = msgspec.structs.replace(run, cycles=(Cycle(9.0, 4.0), *run.steady))
    assert any("after 4 cycles' worth of training" in note for note in notes_of(a_set([late])))


def test_lines_that_are_amiss():
    assert lines_text(Lines(total=9, events=8, other=1, undated=3)) == ""
    assert lines_text(
        Lines(unreadable=7, unreadable_at=(1, 2, 3, 4, 5), truncated=True, duplicated=1, out_of_order=2)
    ) == (
        "7 log lines could not be read (line 1, 2, 3, 4, 5, …), it ends within a line, 1 duplicated line, "
        "2 lines out of order"
    )
