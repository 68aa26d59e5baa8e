"""MLPerf results compared and described: sets of training logs in, their scores and the gap between them out.

May import: read, runs, explain, operands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from beatnote.explain.cycles import STATUS, Run, run_of
from beatnote.explain.mlperf import Setting, Side, differing, one_sided, side_of
from beatnote.explain.mlperf_gap import gap
from beatnote.explain.waterfall import Part
from beatnote.operands import split_pick
from beatnote.read.submission import list_results, read_results, with_logs
from beatnote.runs.mlperf import Lines, Results, System

COMPARISON_SCHEMA = "beatnote.comparison/1"
DESCRIPTION_SCHEMA = "beatnote.description/1"
KIND = "mlperf"


class ResultsError(ValueError):
    """Two sets of results that cannot be compared; the message says why."""


class FileLines(msgspec.Struct, frozen=True):
    """What the lines of one file were."""

    file: str
    lines: Lines


class ResultSet(msgspec.Struct, frozen=True):
    """The logs of one benchmark on one system.

    Attributes:
        operand: as the user gave it.
        name: what picks it from a submission; '' where there is nothing to pick.
        path: the folder or file.
        system: None where no description was found.
        side: what the logs say.
        files: the lines of each file.
    """

    operand: str
    name: str
    path: str
    system: System | None
    side: Side
    files: tuple[FileLines, ...]

    @property
    def framework(self) -> str | None:
        """What it was trained with, as the submitter says; None where that is not known."""
        return (self.system.framework if self.system else "") or None

    def to_dict(self) -> dict[str, Any]:
        """Return what the logs say as plain lists, dicts and numbers."""
        side = self.side
        times = ("cycle", "excess", "evaluation", "scoring", "tail", "init")
        return {
            "path": self.path,
            "benchmark": side.benchmark,
            "system": msgspec.to_builtins(self.system),
            "score": msgspec.to_builtins(side.score),
            "epochs": [{"epochs": epochs, "runs": runs} for epochs, runs in side.epochs.items()],
            "counted_in": side.counted_in,
            "cycle_epochs": side.cycle_epochs,
            "first_epochs": side.first_epochs,
            **{name: msgspec.to_builtins(getattr(side, name)) for name in times},
            "evaluation_logged": side.logged,
            "settings": side.settings,
            "runs": [_run_facts(run) for run in side.runs],
            "files": msgspec.to_builtins(self.files),
        }


class ResultsComparison(msgspec.Struct, frozen=True):
    """Two sets of results compared.

    Attributes:
        a: the first.
        b: the second.
        gap: B's score minus A's, and its parts.
        settings: hyperparameters that both log with different values.
        settings_a: hyperparameters that only A logs.
        settings_b: hyperparameters that only B logs.
    """

    a: ResultSet
    b: ResultSet
    gap: Part
    settings: tuple[Setting, ...]
    settings_a: tuple[str, ...]
    settings_b: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts under the schema `beatnote.comparison/1`, as plain lists, dicts and numbers."""
        return {
            "schema": COMPARISON_SCHEMA,
            "a": _head(self.a),
            "b": _head(self.b),
            "programs": None,
            "time": None,
            "mlperf": {
                "a": self.a.to_dict(),
                "b": self.b.to_dict(),
                "settings": msgspec.to_builtins(self.settings),
                "settings_a": list(self.settings_a),
                "settings_b": list(self.settings_b),
            },
            "waterfall": _part_facts(self.gap),
        }


class ResultsDescription(msgspec.Struct, frozen=True):
    """MLPerf results described: one set, or all that a submission holds.

    Attributes:
        operand: as the user gave it.
        sets: by name.
    """

    operand: str
    sets: tuple[ResultSet, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts under the schema `beatnote.description/1`."""
        return {
            "schema": DESCRIPTION_SCHEMA,
            "operand": self.operand,
            "kind": KIND,
            "framework": self.sets[0].framework if len(self.sets) == 1 else None,
            "versions": {},
            "programs": [],
            "mlperf": [{"name": one.name, **one.to_dict()} for one in self.sets],
        }


def compare_results(a: str | Path, b: str | Path) -> ResultsComparison:
    """Compare two sets of results.

    Args:
        a: a log, a folder of them, or `submission::system/benchmark`.
        b: another.

    Raises:
        LogError: one is not a set of logs, or several.
        ResultsError: they are of different benchmarks, or none of one's runs reached the target.
        OSError: a log cannot be read.
    """
    first, second = (_opened(operand) for operand in (a, b))
    names = [one.side.benchmark for one in (first, second)]
    if all(names) and names[0] != names[1]:
        raise ResultsError(f"A is {names[0]} and B is {names[1]}: only results of the same benchmark can be compared")
    for label, one in (("A", first), ("B", second)):
        if not one.side.reached:
            raise ResultsError(f"{label}, {one.operand}, has no run that reached the target: {_endings(one.side.runs)}")
    x, y = first.side, second.side
    return ResultsComparison(first, second, gap(x, y), differing(x, y), *one_sided(x, y))


def describe_results(operand: str | Path) -> ResultsDescription:
    """Describe results: one set, or each of a submission's.

    Raises:
        LogError: there are none.
        OSError: a log cannot be read.
    """
    path, name = split_pick(operand)
    if name:
        return ResultsDescription(str(operand), (_opened(operand),))
    found = sorted(list_results(path), key=lambda one: one.name)
    return ResultsDescription(str(operand), tuple(_summed(str(operand), with_logs(one)) for one in found))


def _opened(operand: str | Path) -> ResultSet:
    return _summed(str(operand), read_results(*split_pick(operand)))


def _summed(operand: str, found: Results) -> ResultSet:
    runs: list[Run] = []
    for log in found.logs:
        file = Path(log.path).name
        for number, events in enumerate(log.runs, 1):
            runs.append(run_of(events, file if number == 1 else f"{file}, run {number}"))
    files = tuple(FileLines(Path(log.path).name, log.lines) for log in found.logs)
    return ResultSet(operand, found.name, found.path, found.system, side_of(runs), files)


def _endings(runs: tuple[Run, ...]) -> str:
    return "; ".join(f"{run.name} {STATUS[run.status]}" for run in runs[:3]) + ("; …" if len(runs) > 3 else "")


def _head(one: ResultSet) -> dict[str, Any]:
    """Return what every side of a comparison has, whatever its kind."""
    name = one.side.benchmark
    return {"operand": one.operand, "kind": KIND, "framework": one.framework, "versions": {}, "name": name}


def _run_facts(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "status": run.status,
        "total_s": run.total_s,
        "init_s": run.init_s,
        "tail_s": run.tail_s,
        "epochs": run.epochs,
        "quality": run.quality,
        "cycles": msgspec.to_builtins(run.cycles),
    }


def _part_facts(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "s": part.s,
        "low_s": part.low_s,
        "high_s": part.high_s,
        "within_noise": part.within_noise,
        "parts": [_part_facts(inner) for inner in part.parts],
    }
