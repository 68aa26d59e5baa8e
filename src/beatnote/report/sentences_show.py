"""What a description says, in sentences: the same in the terminal and in HTML.

Pure functions from a finished description to plain text; those on a comparison are in `sentences`.
"""

from __future__ import annotations

from beatnote.description import Description, Program, Recording
from beatnote.explain.split import Spread, spread
from beatnote.report.foreign import printable
from beatnote.report.quantities import counted, unit_for
from beatnote.report.sentences import label


def heading_sentence(description: Description) -> str:
    """Return in one sentence what the operand is."""
    name = label(description.operand)
    if description.kind == "dump":
        return f"{name} is an XLA dump of {counted(len(description.modules), 'program')}."
    count = len(description.programs)
    what = f"{name} is an HLO program" if count == 1 else f"{name} holds {counted(count, 'HLO program')}"
    if description.framework is None:
        return f"{what}."
    made = f"{what} made by {printable(description.framework)}"
    if description.recording is not None:
        return f"{made}."
    whose = "its" if count == 1 else "the first one's"
    return f"{made}, to judge by {whose} name."


def program_sentence(program: Program) -> str:
    """Return how large a program is."""
    return (
        f"{printable(program.name) or 'A fragment without a name'}: "
        f"{counted(program.instructions, 'instruction')} in {counted(program.computations, 'computation')}"
    )


def phases_s(recording: Recording) -> tuple[tuple[str, float], ...]:
    """Return the phases by what they are called, in seconds, in order."""
    phases = recording.phases
    return (
        ("tracing", phases.tracing_s),
        ("lowering", phases.lowering_s),
        ("compiling", phases.compiling_s),
        ("first step", phases.first_step_s),
    )


def step_sentence(recording: Recording) -> str:
    """Return how long a step takes, with quartiles."""
    steps = step_spread(recording)
    return f"A step takes {step_time(steps)} ({step_quartiles(steps)})."


def step_spread(recording: Recording) -> Spread:
    """Return the steps in brief."""
    return spread([ms / 1e3 for ms in recording.step_ms])


def step_time(steps: Spread) -> str:
    """Write the median of steps."""
    return unit_for(steps.median_ms).time(steps.median_ms, steps.high_ms - steps.low_ms)


def step_quartiles(steps: Spread) -> str:
    """Write the spread of steps."""
    return f"quartiles {unit_for(steps.median_ms).interval(steps.low_ms, steps.high_ms)}, n = {steps.n:,}"
