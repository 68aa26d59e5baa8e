"""The words `compare` and `show` for operands of every kind: each kind has a room of its own, chosen here.

May import: every room below report and cli.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from beatnote.hlo.module import Module
from beatnote.operands import OperandError, is_results
from beatnote.trial import ROUNDS, Progress

if TYPE_CHECKING:
    from beatnote.comparison import Comparison
    from beatnote.description import Description
    from beatnote.results import ResultsComparison, ResultsDescription


@overload
def compare(
    a: Module,
    b: Module,
    *,
    run: bool = True,
    map: Mapping[str, str] | Literal["auto"] | None = None,
    steps: int = ROUNDS,
    targets: Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison: ...


@overload
def compare(
    a: str | Path | Module,
    b: str | Path | Module,
    *,
    run: bool = True,
    map: Mapping[str, str] | Literal["auto"] | None = None,
    steps: int = ROUNDS,
    targets: Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison | ResultsComparison: ...


def compare(
    a: str | Path | Module,
    b: str | Path | Module,
    *,
    run: bool = True,
    map: Mapping[str, str] | Literal["auto"] | None = None,
    steps: int = ROUNDS,
    targets: Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison | ResultsComparison:
    """Compare two operands: two programs (see `comparison.compare`), or two sets of MLPerf results.

    Args:
        a: `framework:model[/forward]`, a file of HLO text, an XLA dump (`dump/::name`), a module; or MLPerf logs: a
            file, a folder of results, `submission::system/benchmark`.
        b: another of the same kind.
        run: of programs: execute and time them.
        map: of programs: parameters that belong together.
        steps: of programs: how many rounds of steps to time, at most.
        targets: of programs: chips to compile both for, such as `tpu:v4:2x2x1`.
        progress: told what is being done.

    Raises:
        OperandError, DumpError, HloSyntaxError, LookupError, MissingFrameworkError, LogError: one cannot be opened, or
            they are not of a kind.
        ParameterMismatch, ResultsError: they have nothing to compare.
    """
    kinds = [is_results(operand) for operand in (a, b)]
    if not any(kinds):
        from beatnote.comparison import compare as compare_programs  # noqa: PLC0415 - what logs do not need

        return compare_programs(a, b, run=run, map=map, steps=steps, targets=targets, progress=progress)
    if isinstance(a, Module) or isinstance(b, Module) or not all(kinds):
        names = [operand.name if isinstance(operand, Module) else str(operand) for operand in (a, b)]
        logs, other = names if kinds[0] else reversed(names)
        raise OperandError(f"{logs} holds MLPerf logs and {other} does not: only two of a kind can be compared")
    if targets:
        raise OperandError("MLPerf logs hold no program to compile for a target")
    from beatnote.results import compare_results  # noqa: PLC0415 - what programs do not need

    if progress is not None:
        progress("reading logs")
    return compare_results(a, b)


def describe(
    operand: str | Path | Module, *, steps: int = 30, chips: Sequence[str] = ()
) -> Description | ResultsDescription:
    """Describe an operand of any kind.

    Args:
        operand: see `compare`.
        steps: how many steady steps to record of a model.
        chips: of programs: chips to give the roofline time on, see `description.describe`.

    Raises:
        OperandError, DumpError, HloSyntaxError, LookupError, MissingFrameworkError, LogError: it cannot be opened.
    """
    if not isinstance(operand, Module) and is_results(operand):
        if chips:
            raise OperandError("MLPerf logs hold no program to price on a chip")
        from beatnote.results import describe_results  # noqa: PLC0415 - what programs do not need

        return describe_results(operand)
    from beatnote.description import describe as describe_programs  # noqa: PLC0415 - what logs do not need

    return describe_programs(operand, steps=steps, chips=chips)
