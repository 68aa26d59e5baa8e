"""Write `thread-000.md`: what the published MLPerf v0.7 logs say of the four causes given in a public thread.

    python docs/thread_000.py LOGS > docs/thread-000.md

LOGS is the folder that holds `tpu-v3-8192-JAX` and `tpu-v3-8192-TF`. A sentence that the logs do not bear stops it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from beatnote.explain.cycles import ASYNCHRONOUS, INSIDE
from beatnote.explain.mlperf import Quartiles, Side
from beatnote.explain.waterfall import Part
from beatnote.report.quantities import decimal
from beatnote.report.sentences_results import epochs_text, four_digits, part_rows, quartiles_text, value_text
from beatnote.results import ResultsComparison, ResultSet, compare_results

NAMES = {"transformer": "Transformer", "resnet": "ResNet-50", "bert": "BERT"}
"""Benchmark -> what it is called."""

Found = dict[str, ResultsComparison]
"""Benchmark -> JAX compared with TensorFlow."""


class ClaimError(ValueError):
    """A sentence of the page that the logs do not bear."""


def page(logs: Path) -> str:
    """Return the page.

    Raises:
        ClaimError: the logs say something else.
    """
    found = {name: compare_results(*(logs / f"tpu-v3-8192-{side}" / name for side in ("JAX", "TF"))) for name in NAMES}
    blocks = [block for section in SECTIONS for block in section(found).strip().split("\n\n")]
    return "\n\n".join(map(_wrapped, blocks)) + "\n"


def _head(found: Found) -> str:
    for comparison in found.values():
        _claim(sum(part.s for part in comparison.gap.parts) == comparison.gap.s, "parts sum to the gap")
    scores = [
        f"| {NAMES[name]} | {_score(c.a)} | {_score(c.b)} | {_signed(c.gap.s)} s | {_signed(c.gap.low_s)} to "
        f"{_signed(c.gap.high_s)} s |"
        for name, c in found.items()
    ]
    parts = [
        f"| {part.name} | {' | '.join(_cell(c, part.name) for c in found.values())} |"
        for part in found["transformer"].gap.parts
    ]
    gaps = " | ".join(f"{_signed(c.gap.s)} s" for c in found.values())
    return f"""
# JAX and TensorFlow in MLPerf v0.7: the four causes, checked

<!-- Written by docs/thread_000.py from the published logs; a test keeps it true. -->

In a public thread someone asks why JAX and TensorFlow finish MLPerf v0.7 at different times if both use XLA. A
maintainer answers that the programs were made very similar, and gives four other causes. Here is what the logs that
MLCommons published say of each: Google's submissions on TPU v3-8192. Every figure is computed from them, as
`beatnote compare` does; how is in [mlperf.md](mlperf.md). Scores are means of the n runs that count, with the range of
these.

{_table("benchmark", "JAX", "TensorFlow", "TensorFlow − JAX", "95 % interval", rows=scores)}

The parts of each gap, TensorFlow minus JAX, with 95 % intervals over the repeated runs:

{_table("part", *NAMES.values(), rows=[*parts, f"| **gap** | {gaps} |"])}

The parts sum to the gap exactly (shown rounded). On each side are ten runs of Transformer and of BERT and five of
ResNet-50: so few runs make the intervals rough.
"""


def _startup(found: Found) -> str:
    for name in ("transformer", "resnet"):
        part = _part(found[name], "start-up")
        _claim(part.s > 0 and not part.within_noise, "TensorFlow starts up for longer")
    a, b = found["bert"].a.side, found["bert"].b.side
    late = a.first_epochs / a.cycle_epochs
    _claim(late > 1 and b.first_epochs == b.cycle_epochs, "JAX evaluates BERT late")
    bound = _median(b.excess) - _median(a.excess)
    return f"""
## 1. "Differences in startup overhead"

**Confirmed for Transformer and ResNet-50; not decided for BERT.** What the first cycle takes beyond the steady cost,
medians with quartiles over runs:

{_by_side("first-cycle excess", found, lambda side: quartiles_text(side.excess))}

It makes {_cell(found["transformer"], "start-up")} of the gap in Transformer and
{_cell(found["resnet"], "start-up")} in ResNet-50. The excess is all that is special to the first cycle, be it start-up
of the program, of the input or of the first evaluation. In BERT, JAX's first result comes after {late:g} cycles' worth
of training with one evaluation, so its excess lacks {late - 1:g} evaluations and is a lower bound of its start-up: by
the medians TensorFlow starts up for at most {decimal(bound, 2)} s longer, and not for longer at all if an evaluation
takes more than {decimal(bound / (late - 1), 2)} s.

Before the clock, where the rules leave compilation out, the difference is far larger, and in no score:

{_by_side("initialisation", found, lambda side: quartiles_text(side.init))}
"""


def _evaluation(found: Found) -> str:
    a, b = found["transformer"].a.side, found["transformer"].b.side
    _claim(a.logged == INSIDE and b.scoring is not None, "only TensorFlow logs evaluations")
    ours, theirs, evaluation, scoring = map(_median, (a.cycle, b.cycle, b.evaluation, b.scoring))
    training = theirs - evaluation - scoring
    _claim(ours - training > evaluation + scoring, "JAX's cycle is not the shorter one")
    return f"""
## 2. "Different evaluation approaches"

**The cost is confirmed; the saving cannot be seen.** From the end of evaluation to its result, where by the
maintainer's account all sentences are brought to one machine and BLEU is computed there, TensorFlow's Transformer takes
{quartiles_text(b.scoring)} in each cycle, {decimal(100 * scoring / theirs, 0)} % of the median cycle of
{quartiles_text(b.cycle)}. Evaluation itself takes {quartiles_text(b.evaluation)}.

JAX logs no `eval_start`, so what its distributed BLEU takes is not in its logs. Its cycle as a whole is not shorter:
{quartiles_text(a.cycle)}. If JAX trained an epoch as fast as TensorFlow does, in {decimal(training, 2)} s, its
evaluation and scoring would take {decimal(ours - training, 2)} s against TensorFlow's
{decimal(evaluation + scoring, 2)} s (differences of medians). If instead a few hundred milliseconds are saved there,
the rest of JAX's cycle costs as much more, and {decimal(ours - theirs, 2)} s on top.
"""


def _epochs(found: Found) -> str:
    transformer, resnet, bert = (_part(comparison, "epochs") for comparison in found.values())
    _claim(transformer.s > 0 and not transformer.within_noise, "JAX needs fewer epochs of Transformer")
    _claim(resnet.s < 0 and not resnet.within_noise, "JAX needs more epochs of ResNet-50")
    _claim(bert.within_noise is True, "both need as many steps of BERT")
    _claim(not found["bert"].settings, "no hyperparameter of BERT differs")
    settings = [
        f"| {NAMES[name]} | `{setting.name}` | {value_text(setting.a)} | {value_text(setting.b)} |"
        for name, comparison in found.items()
        for setting in comparison.settings
    ]
    return f"""
## 3. "Differences in hyperparameters"

**The epochs are confirmed: fewer for Transformer, more for ResNet-50, as many for BERT. That hyperparameters are the
reason, logs cannot show.** Epochs to the target, as the logs count them (those of BERT are steps), in all runs:

{_by_side("epochs to the target", found, epochs_text)}

They make {_cell(found["transformer"], "epochs")} of the gap in Transformer, the largest part;
{_cell(found["resnet"], "epochs")} in ResNet-50, where JAX needs one evaluation cycle of four epochs more; and
{_cell(found["bert"], "epochs")} in BERT, where one JAX run in ten took a cycle more. These hyperparameters are logged
by both with different values; of BERT there are none:

{_table("benchmark", "hyperparameter", "JAX", "TensorFlow", rows=settings)}

The logs hold no run of one side with the other's values, and the maintainer himself thinks of tiny numerical
differences. The shorter sequences of TensorFlow's Transformer may also make its epochs cheaper.
"""


def _device(found: Found) -> str:
    a, b = found["bert"].a.side, found["bert"].b.side
    _claim(a.logged == ASYNCHRONOUS and b.logged == INSIDE, "BERT's cycles cannot be split")
    for comparison in found.values():
        cost = _part(comparison, "epoch cost")
        _claim(cost.s < 0 and not cost.within_noise, "TensorFlow's epochs cost less")
    more = 100 * (_median(a.cycle) / _median(b.cycle) - 1)
    return f"""
## 4. "Remaining device-side differences", about 1 % of BERT

**The direction is confirmed; the size is neither confirmed nor contradicted.** TensorFlow's epochs cost less in all
three benchmarks, by more than noise:

{_by_side("steady cycle", found, lambda side: quartiles_text(side.cycle))}

In BERT that is {_cell(found["bert"], "epoch cost")} of the gap: by the medians JAX's cycle is {decimal(more, 1)} %
longer. That is device, host and evaluation together. JAX evaluates while it trains (each evaluation begins before the
result of the one before is there, and blocks end long before their results), TensorFlow inside its blocks, without an
`eval_start`. So neither side's cycle can be split, and 1 % on the device fits as well as more or less would.
"""


def _foot(found: Found) -> str:
    _claim(found["resnet"].gap.within_noise is True, "the gap of ResNet-50 is within noise")
    return """
## Altogether

JAX's lead in Transformer is epochs and start-up, against a steady state in which TensorFlow is the faster one. In
ResNet-50 start-up favours JAX, the epochs and their cost TensorFlow, and the gap is within noise. In BERT what a cycle
costs decides. How much of a cycle is the device's is not in these logs, so neither is whether XLA makes more of one
program than of the other.
"""


SECTIONS: tuple[Callable[[Found], str], ...] = (_head, _startup, _evaluation, _epochs, _device, _foot)


def _wrapped(block: str) -> str:
    if block.startswith(("|", "#", "<!--")):
        return block
    return fill(" ".join(block.split()), 118, break_long_words=False, break_on_hyphens=False)


def _table(*headings: str, rows: list[str]) -> str:
    return "\n".join([f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}", *rows])


def _by_side(heading: str, found: Found, write: Callable[[Side], str]) -> str:
    rows = [f"| {NAMES[name]} | {write(c.a.side)} | {write(c.b.side)} |" for name, c in found.items()]
    return _table(heading, "JAX", "TensorFlow", rows=rows)


def _score(one: ResultSet) -> str:
    times = [one.side.reached[place].total_s or 0.0 for place in one.side.score.counted]
    spread = f"{four_digits(min(times)).removesuffix(' s')} to {four_digits(max(times))}"
    return f"{four_digits(one.side.score.s or 0.0)} ({spread}, n = {len(times)})"


def _part(comparison: ResultsComparison, name: str) -> Part:
    return next(part for part in comparison.gap.parts if part.name == name)


def _cell(comparison: ResultsComparison, name: str) -> str:
    row = next(row for row in part_rows(comparison) if row.name == name)
    return f"{row.number} s ({row.interval}{', within noise' if row.noise else ''})"


def _signed(s: float | None) -> str:
    return decimal(s or 0.0, 2, signed=True)


def _median(found: Quartiles | None) -> float:
    _claim(found is not None, "a median")
    return found.median_s if found is not None else 0.0


def _claim(holds: bool, what: str) -> None:
    if not holds:
        raise ClaimError(f"the logs do not bear this out: {what}")


if __name__ == "__main__":
    sys.stdout.write(page(Path(sys.argv[1])))
