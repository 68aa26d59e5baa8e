"""From the events of one file, as they stand in it, to those of each run: in order of time, each once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from beatnote.runs.mlperf import RESULTS, Event, Lines

ONCE = ("init_start", "init_stop", "run_start", "run_stop", "run_final")
"""Keys that a run logs once, whatever else they say."""

_MARKS = ("block_", "epoch_", "eval_")
_SHOWN = 5
_RANKS = frozenset({"rank", "worker", "process", "instance", "local_rank"})


@dataclass
class Tally:
    """Counts that grow while a file is read; see `Lines`."""

    total: int = 0
    other: int = 0
    unreadable_at: list[int] = field(default_factory=list)
    truncated: bool = False
    events: int = 0
    duplicated: int = 0
    repeated: int = 0
    out_of_order: int = 0
    undated: int = 0

    def lines(self) -> Lines:
        """Return the counts."""
        return Lines(
            self.total,
            self.events,
            self.other,
            len(self.unreadable_at),
            tuple(self.unreadable_at[:_SHOWN]),
            self.truncated,
            self.duplicated,
            self.repeated,
            self.out_of_order,
            self.undated,
        )


def runs_of(events: Sequence[Event], tally: Tally) -> tuple[tuple[Event, ...], ...]:
    """Put the events of a file in order, once each, and part the runs that it holds.

    Args:
        events: as they stand in the file.
        tally: counts what is out of order and what is left out.
    """
    seen: set[str] = set()
    whole: list[Event] = []
    latest = 0.0
    for event in events:
        text = _text([event.key, event.time_s, event.value, event.metadata])
        if text in seen:
            tally.duplicated += 1
            continue
        seen.add(text)
        whole.append(event)
        if event.time_s is None:
            tally.undated += 1
            continue
        tally.out_of_order += event.time_s < latest
        latest = max(latest, event.time_s)
    whole.sort(key=lambda event: event.time_s or 0.0)
    runs = tuple(_once(run, tally) for run in _parted(whole))
    tally.events = sum(map(len, runs))
    return runs


def _parted(events: list[Event]) -> list[list[Event]]:
    """Part runs that follow each other: a `run_start` after a result or a `run_stop` begins another.

    Ranks that write to one file start together, so theirs are not parted. What stands between the last mark of one
    run and the start of the next prepares the next.
    """
    cuts: list[int] = []
    ended = False
    prepared: int | None = None
    for index, event in enumerate(events):
        if event.key == "run_start":
            if ended:
                cuts.append(index if prepared is None else prepared)
            ended, prepared = False, None
        elif event.key.startswith((*_MARKS, "run_")):
            ended, prepared = ended or event.key in (*RESULTS, "run_stop"), None
        elif ended and prepared is None:
            prepared = index
    bounds = [0, *cuts, len(events)]
    undated = [event for event in events if event.time_s is None]  # first in order, and true of every run
    parted = [events[low:high] for low, high in pairwise(bounds)]
    return [parted[0], *([*undated, *run] for run in parted[1:])]


def _once(run: list[Event], tally: Tally) -> tuple[Event, ...]:
    """Leave out what another rank logged too: of the same event the first counts.

    The clock may be stopped as soon as any part of the system has reached the target (training rules, run results).
    """
    seen: set[str] = set()
    kept: list[Event] = []
    for event in run:
        metadata = {k: v for k, v in event.metadata.items() if k not in _RANKS}
        if event.key in ONCE:
            same = event.key
        elif metadata and event.key.startswith(_MARKS):
            same = _text([event.key, metadata])
        else:
            same = _text([event.key, event.value, metadata, event.time_s if _is_mark(event) else None])
        if same in seen:
            tally.repeated += 1
            continue
        seen.add(same)
        kept.append(event)
    return tuple(kept)


def _is_mark(event: Event) -> bool:
    """Tell whether an event says when something happened, and nothing that tells it from the next of its kind."""
    return event.key.startswith(_MARKS) or event.value is None


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
