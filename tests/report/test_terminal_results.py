"""MLPerf results in the terminal: whole screens."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from beatnote.report.terminal_results import print_results
from tests.report.results import hostile_results, hostile_set, one_set, single, slower, submission


def screen(found, width: int = 120) -> list[str]:
    out = StringIO()
    print_results(found, Console(file=out, width=width, markup=False, highlight=False, emoji=False))
    return [line.rstrip() for line in out.getvalue().splitlines()]


COMPARISON = """\
B takes 2.000 s longer to train resnet than A; with a single run on a side, how much of that is noise cannot be told.
Of it: start-up +2.000 s.
A: fast: 7.000 s, by a single run.
B: slow: 9.000 s, by a single run.

of the gap          s    95 % interval
start-up       +2.000                     first-cycle excess over the steady cost
epochs          0.000                     number to the target, 3.00 in A, 3.00 in B (means)
epoch cost      0.000                     steady cost of an epoch
tail            0.000                     last result to run_stop
unexplained     0.000                     cycles off their run's median
No intervals: a single run does not show how runs vary.

what the logs show      A                                 B
epochs to the target    3 (1 run)                         3 (1 run)
cycle of 1 epoch        2.00 s (2.00 to 2.00 s, n = 2)    2.00 s (2.00 to 2.00 s, n = 2)
first-cycle excess      1.00 s (n = 1)                    3.00 s (n = 1)
evaluation, a cycle     not told apart                    not told apart
scoring, a cycle        not told apart                    not told apart
tail                    0 s (n = 1)                       0 s (n = 1)
initialisation          10.0 s (n = 1)                    10.0 s (n = 1)
Medians (quartiles) over cycles, or over runs, that reached the target. Initialisation is before the clock starts and in
no score.

No hyperparameter that both sides log differs.

Note: A: not a score by the rules: the rules ask for 5 runs of resnet, and there is 1.
Note: A: no eval_start is logged: evaluation is somewhere in the cycle and cannot be told from training.
Note: B: not a score by the rules: the rules ask for 5 runs of resnet, and there is 1.
Note: B: no eval_start is logged: evaluation is somewhere in the cycle and cannot be told from training.
"""


def test_a_comparison():
    assert screen(single()) == COMPARISON.splitlines()


def test_a_set():
    text = screen(one_set())
    assert text[0] == "fast is MLPerf results of resnet: 5 files, 45 log lines."
    assert "result.txt    9.010 s         4    0.75      success" in text
    assert "result.txt    5.000 s         2    0.75      aborted" in text
    assert "Hyperparameters: lr 1" in text
    assert "Note: result.txt stopped without reaching the target." in text


def test_a_submission():
    assert screen(submission())[0] == "all holds MLPerf results: 2 sets."
    assert screen(submission())[-1] == "Pick one with all::NAME."
    assert any("none" in line and "the rules ask for 5 runs of resnet" in line for line in screen(submission()))


@pytest.mark.parametrize("make", [hostile_results, hostile_set])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_that_is_shown_moves_the_cursor(make, width):
    text = "\n".join(screen(make(), width))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_loses_nothing(width):
    words = " ".join(screen(slower(), width)).split()
    assert sorted(words) == sorted(" ".join(screen(slower(), 200)).split())
