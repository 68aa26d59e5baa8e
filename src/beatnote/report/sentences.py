"""What a comparison says, in sentences: the same in the terminal and in HTML.

Pure functions from a finished comparison to plain text. No sentence claims more than was proven or executed.
"""

from __future__ import annotations

import re

from beatnote.comparison import Comparison, Programs
from beatnote.proof.differences import RULES
from beatnote.proof.verdict import Condition
from beatnote.report.foreign import middle_out, printable
from beatnote.report.quantities import Unit, counted, listed, short, unit_for
from beatnote.trial import Milliseconds, SideTime, Time, TimePart

PROVEN = ("identical", "equal", "equal-if")
"""The verdicts that rest on a proof."""

CLASS_SENTENCES: dict[str, str] = {
    "reordering": "Reordering: sums and products are re-associated or distributed, so the last digits may differ.",
    "stability": (
        "Stability: a difference is taken before a product on one side and after it on the other, or exp and log "
        "are split over sums and products (a shifted softmax), so digits may cancel, overflow or underflow on one "
        "side only."
    ),
    "precision": (
        "Precision: conversions between floating-point types count as exact and a constant stands for the fraction "
        "it is rounded from, so the two may differ by what the narrower type rounds away."
    ),
}
"""Class of reasoning -> what it means for the numbers."""

FINDING_KINDS: dict[str, str] = {
    "arithmetic": "another formula",
    "conditional": "the same under a condition that does not hold",
    "missing-rule": "no proof, and no numbers that differ",
}
"""Kind of a residual finding -> what it means."""

_MODEL = re.compile(r"[a-z][a-z0-9_]*:[\w.\-]+(/[\w.\-]*)?")
_OBSTACLE = re.compile(r"no proof: |not executed: |(?=[AB] (?:leaves out|has instructions))")
_LABEL_WIDTH = 60
_SPELT_OUT = 3
_DEAD_SHOWN = 4
_SPELT_WIDTH = 160


# Which programs


def labels(comparison: Comparison) -> tuple[str, str]:
    """Return what to call both sides in a sentence: a file by its name, unless both have the same."""
    full = [label(side.operand, short_path=False) for side in (comparison.a, comparison.b)]
    brief = [label(side.operand) for side in (comparison.a, comparison.b)]
    first, second = brief if brief[0] != brief[1] else full
    return first, second


def label(operand: str, *, short_path: bool = True) -> str:
    """Return what to call an operand in a sentence: a file by its name, unless its whole path is asked for."""
    path, colons, module = operand.partition("::")
    if short_path and not _MODEL.fullmatch(operand):
        operand = re.split(r"[/\\]", path.rstrip("/\\"))[-1] + colons + module
    return middle_out(printable(operand), _LABEL_WIDTH)


# The verdict


def verdict_sentence(comparison: Comparison) -> str:
    """Return the verdict on the whole in one sentence."""
    programs = comparison.programs
    a, b = labels(comparison)
    if programs.verdict == "identical":
        count = counted(programs.instructions.a, "instruction")
        return f"Identical: {a} and {b} are the same program up to names, order and metadata ({count})."
    if programs.verdict in ("equal", "equal-if"):
        where = f" wherever {_stated(programs.conditions)}" if programs.verdict == "equal-if" else ""
        return f"Proven: {a} and {b} compute the same function over the reals{where} ({_sizes(programs)})."
    if programs.verdict == "agrees":
        return f"Not proven{_but_proven(programs)}; {_agreement(programs)}."
    if programs.verdict == "different":
        return f"Different: {a} and {b} do not compute the same; {_difference(programs)}."
    return f"Unknown: {a} and {b} are neither proven the same nor executed{_but_proven(programs)}, {_cause(programs)}."


def executed_sentence(programs: Programs) -> str:
    """Return what running both programs showed; '' when they were not run."""
    executed = programs.executed
    if executed is None:
        return ""
    ran = f"Both programs executed on {counted(executed.inputs, 'sample input')}"
    if len(programs.outputs) > 1:
        return f"{ran}; differences are the largest over all of them, and relative to the output's largest element."
    if None in executed.max_abs_diff:
        return f"{ran}: the output differs in type, shape, or where it is NaN or infinite."
    largest, relative = (
        max(filter(None, executed.max_abs_diff), default=0),
        max(filter(None, executed.max_rel_diff), default=0),
    )
    if not largest:
        return f"{ran}: no difference at all."
    return f"{ran}: the largest difference is {short(largest)}, {short(relative)} of the output's largest element."


def _stated(conditions: tuple[Condition, ...]) -> str:
    texts = [printable(condition.text) for condition in conditions]
    if len(texts) <= _SPELT_OUT and sum(map(len, texts)) <= _SPELT_WIDTH:
        return listed(texts)
    return f"{counted(len(texts), 'condition')} hold" + ("s" if len(texts) == 1 else "")


def _sizes(programs: Programs) -> str:
    instructions, terms = programs.instructions, programs.normalised
    before = f"{counted(instructions.a, 'instruction')} against {instructions.b:,}"
    if terms.a == terms.b:
        return f"{before}, {counted(terms.a, 'term')} each after normalisation"
    return f"{before}, {counted(terms.a, 'term')} against {terms.b:,} after normalisation"


def _but_proven(programs: Programs) -> str:
    proven = sum(output.verdict in PROVEN for output in programs.outputs)
    if not proven:
        return ""
    return f" ({proven:,} of {counted(len(programs.outputs), 'output')} {'is' if proven == 1 else 'are'})"


def _agreement(programs: Programs) -> str:
    executed = programs.executed
    if executed is None:
        return "executed, every output within tolerance"
    largest = max((rel for rel in executed.max_rel_diff if rel is not None), default=0.0)
    return (
        f"executed on {counted(executed.inputs, 'input')}, every output within tolerance "
        f"(largest relative difference {short(largest)})"
    )


def _difference(programs: Programs) -> str:
    differing = [k for k, output in enumerate(programs.outputs) if output.verdict == "different"]
    which = f"output {programs.outputs[differing[0]].index}" if len(differing) == 1 else f"{len(differing):,}"
    subject = (
        f"{which} of {len(programs.outputs):,} outputs differ{'s' if len(differing) == 1 else ''}"
        if len(programs.outputs) > 1
        else "the output differs"
    )
    executed = programs.executed
    if executed is None:
        return f"executed, {subject} beyond tolerance"
    ran = f"executed on {counted(executed.inputs, 'input')}"
    sizes = [(executed.max_rel_diff[k], executed.max_abs_diff[k]) for k in differing]
    known = [(rel, size) for rel, size in sizes if rel is not None and size is not None]
    if not known:
        return f"{ran}, {subject} in type, shape, or where it is NaN or infinite"
    rel, size = max(known)
    return f"{ran}, {subject} by up to {short(size)}, {short(rel)} of its largest element"


def _cause(programs: Programs) -> str:
    """Say why nothing is known, from the notes or from conditions that do not hold."""
    failed = [c for output in programs.outputs for c in output.conditions if c.held is False]
    if failed:
        return f"because the proof needs {_stated(tuple(dict.fromkeys(failed)))}, which sample inputs break"
    reasons = [printable(_OBSTACLE.sub("", note)) for note in programs.notes if _OBSTACLE.match(note)]
    if reasons:
        return f"because {'; '.join(reasons)}"
    if programs.residual:
        return f"because the proof stops at {counted(len(programs.residual), 'place')} and the programs were not run"
    return "because the proof does not reach every output and the programs were not run"


# The reasoning


def class_sentences(programs: Programs) -> tuple[str, ...]:
    """Return what each class of reasoning in the proof means for the numbers; none where nothing is proven."""
    if not any(output.verdict in ("equal", "equal-if") for output in programs.outputs):
        return ()
    if not programs.classes:
        return ("The proof re-associates no sums, shifts no exponentials and takes no conversion for exact.",)
    return tuple(
        CLASS_SENTENCES.get(name, f"The proof uses reasoning of the class {name}.") for name in programs.classes
    )


def condition_sentence(condition: Condition) -> str:
    """Return whether a condition held."""
    if condition.held is None:
        return "not checked"
    return "held on every sample input" if condition.held else "does not hold on every sample input"


def rule_reason(name: str, programs: Programs) -> str:
    """Return why a rule's instructions do not matter; of dead code also what it is."""
    reason = RULES.get(name, "")
    names = [printable(scope) for scope in dict.fromkeys((*programs.dead.a, *programs.dead.b))]
    if name != "dead-code" or not names:
        return reason
    more = ", …" if len(names) > _DEAD_SHOWN else ""
    return f"{reason}: {', '.join(names[:_DEAD_SHOWN])}{more}"


# The time


def time_unit(time: Time) -> Unit:
    """Return the unit that all times of a comparison are given in."""
    return unit_for(max(shown_ms(time.a, time).median, shown_ms(time.b, time).median))


def in_frameworks(time: Time) -> bool:
    """Say whether both sides ran in their frameworks, not only under the common runtime."""
    return time.a.step_ms is not None and time.b.step_ms is not None


def shown_ms(side: SideTime, time: Time) -> Milliseconds:
    """Return the time of a side that the gap is taken of: in its framework, or alone where one side has none."""
    return side.step_ms if in_frameworks(time) and side.step_ms is not None else side.alone_ms


def shown_parts(time: Time) -> tuple[TimePart, ...]:
    """Return the parts worth showing: all, or the program alone where no framework ran and it is the whole gap."""
    if not in_frameworks(time):
        alone = tuple(part for part in time.parts if part.name == "program" and part.ms == time.gap_ms)
        return alone or time.parts
    return time.parts


def step_sentence(time: Time) -> str:
    """Return how long a step takes on both sides, with quartiles."""
    unit = time_unit(time)
    sides = [
        f"{name} takes {unit.time(ms.median, ms.high - ms.low)} "
        f"(quartiles {unit.interval(ms.low, ms.high)}, n = {ms.n:,})"
        for name, ms in (("A", shown_ms(time.a, time)), ("B", shown_ms(time.b, time)))
    ]
    where = "A step in its framework: " if in_frameworks(time) else "A step of the program alone, under jaxlib: "
    return f"{where}{sides[0]}, {sides[1]}."


def gap_sentence(time: Time) -> str:
    """Return how large the gap is, and whose; a gap within noise is called that."""
    unit = time_unit(time)
    width = time.gap_high_ms - time.gap_low_ms
    alone = "" if in_frameworks(time) else ", each program alone under jaxlib"
    if time.within_noise:
        gap = unit.time(time.gap_ms, width, signed=True)
        interval = unit.interval(time.gap_low_ms, time.gap_high_ms, signed=True)
        noise = f"B minus A is {gap}, within noise (95 % interval {interval})"
        return f"No measurable gap{alone}: {noise}.{_hidden(time, unit)}"
    amount = unit.time(abs(time.gap_ms), width)
    ends = sorted((abs(time.gap_low_ms), abs(time.gap_high_ms)))
    more = "more" if time.gap_ms > 0 else "less"
    sentence = f"B takes {amount} a step {more} than A{alone} (95 % interval {unit.interval(*ends)})"
    if not in_frameworks(time) and len(shown_parts(time)) == 1:
        return f"{sentence}; no framework ran, so all of it is the program."
    return f"{sentence}: {_shares(time, unit)}."


def _shares(time: Time, unit: Unit) -> str:
    parts = shown_parts(time)
    measured = [_share(part, unit) for part in sorted(parts, key=lambda p: -abs(p.ms)) if not part.within_noise]
    noise = [part.name for part in parts if part.within_noise]
    if not measured:
        return "no part of it stands out from noise"
    rest = f"; {listed(noise)} {'is' if len(noise) == 1 else 'are'} within noise" if noise else ""
    return f"{listed(measured)}{rest}"


def _share(part: TimePart, unit: Unit) -> str:
    width = part.high_ms - part.low_ms
    return (
        f"{part.name} {unit.time(part.ms, width, signed=True)} "
        f"({unit.interval(part.low_ms, part.high_ms, signed=True)})"
    )


def _hidden(time: Time, unit: Unit) -> str:
    """Name parts that can be measured although they cancel out."""
    measured = [_share(part, unit) for part in shown_parts(time) if not part.within_noise]
    return f" Parts that can be measured: {listed(measured)}." if measured else ""


def untimed_sentence(programs: Programs) -> str:
    """Return why there is no time."""
    for note in programs.notes:
        if note.startswith("not executed: "):
            return f"Not timed: {printable(note.removeprefix('not executed: ')).rstrip('.')}."
    return "Not timed: the programs were not executed."
