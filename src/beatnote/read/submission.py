"""Where MLPerf logs lie: a file, a folder of results, or a submission with its systems.

A submission (mlcommons/policies, submission rules) holds `systems/SYSTEM.json` and
`results/SYSTEM/BENCHMARK/result_0.txt` and so on. Others keep `system.json` beside the benchmarks' folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from beatnote.read.mllog import LogError, is_log, read_log
from beatnote.runs.mlperf import Results, System

_RESULT = re.compile(r"result_\d+\.(?:txt|log|out)")
_TEXT = (".txt", ".log", ".out")
_FIELDS = {
    "name": "system_name",
    "framework": "framework",
    "submitter": "submitter",
    "accelerator": "accelerator_model_name",
}
MAX_DEPTH = 6
MAX_FOLDERS = 5_000
"""How deep and how wide a tree is searched: a submission is smaller, a home directory is not."""
MAX_SYSTEM_BYTES = 1 << 20
_SHOWN = 8


def holds_logs(path: Path) -> bool:
    """Tell whether a file is an MLPerf log, or a folder holds one, without reading more than it must."""
    try:
        return is_log(path) if path.is_file() else path.is_dir() and _first_way(path) is not None
    except OSError:
        return False


def list_results(path: Path) -> list[Results]:
    """List the sets of logs in a folder, each without its logs; of a file the file alone.

    Raises:
        LogError: there are none.
        OSError: it cannot be read.
    """
    if path.is_file():
        return [Results(str(path), "", _system(path.parent), ())]
    way = _first_way(path)
    if way is None:
        raise LogError(f"{path} holds no MLPerf logs: expected files such as result_0.txt")
    folders = list(_folders(path, way))
    root = Path(os.path.commonpath(folders)) if len(folders) > 1 else path
    return [Results(str(folder), folder.relative_to(root).as_posix(), _system(folder), ()) for folder in folders]


def read_results(path: Path, name: str = "") -> Results:
    """Read the logs of one benchmark.

    Args:
        path: a file, a folder of results, or a folder of such folders.
        name: which of them, as `list_results` names it; '' where there is one.

    Raises:
        LogError: there are no logs, or several sets of them and none is picked.
        OSError: one cannot be read.
    """
    found = list_results(path)
    fitting = [one for one in found if name == one.name or (name and one.name.endswith(f"/{name}"))]
    if not name and len(found) == 1:
        fitting = found
    if len(fitting) != 1:
        names = [one.name for one in fitting or found]
        shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        what = "no results" if name and not fitting else f"{len(names)} sets of results"
        raise LogError(f"{path} holds {what}{f' {name!r}' if name else ''}: pick one with {path}::NAME from {shown}")
    return with_logs(fitting[0])


def with_logs(results: Results) -> Results:
    """Read the logs of a set that `list_results` found.

    Raises:
        LogError: a file holds no log lines.
        OSError: one cannot be read.
    """
    return msgspec.structs.replace(results, logs=tuple(map(read_log, _logs(Path(results.path)))))


_Way = Callable[[os.DirEntry[str]], bool]


def _is_named(entry: os.DirEntry[str]) -> bool:
    """Tell a log by its name, which is what counts in a submission."""
    return _RESULT.fullmatch(entry.name) is not None and entry.is_file()


def _is_written(entry: os.DirEntry[str]) -> bool:
    """Tell a log by what is in it."""
    return entry.name.endswith(_TEXT) and entry.is_file() and is_log(Path(entry.path))


def _first_way(root: Path) -> _Way | None:
    """Return how to tell the logs of a folder: by name where any has one, else by what is in them; None without any."""
    return next((way for way in (_is_named, _is_written) if next(_folders(root, way), None) is not None), None)


def _folders(root: Path, way: _Way) -> Iterator[Path]:
    """Yield the folders that hold logs, in order."""
    left = MAX_FOLDERS
    waiting = [(root, 0)]
    while waiting and left:
        folder, depth = waiting.pop()
        left -= 1
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
        except OSError:
            if folder == root:
                raise
            continue  # one folder that may not be read does not hide the others
        if any(map(way, entries)):
            yield folder
        if depth < MAX_DEPTH:
            deeper = [e for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)]
            waiting.extend((Path(entry.path), depth + 1) for entry in deeper)


def _logs(path: Path) -> list[Path]:
    """Return the logs at a path; in a folder with files named as results, those alone."""
    if path.is_file():
        return [path]
    entries = list(os.scandir(path))
    logs = [entry for entry in entries if _is_named(entry)] or [entry for entry in entries if _is_written(entry)]
    return sorted((Path(entry.path) for entry in logs), key=_by_number)


def _by_number(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]


def _system(folder: Path) -> System | None:
    """Find the description of the system that a folder of results belongs to."""
    folder = folder.resolve()
    for above in (folder, *folder.parents[:3]):
        for candidate in (above / "system.json", above.parent.parent / "systems" / f"{above.name}.json"):
            if candidate.is_file():
                return _described(candidate)
    return None


def _described(path: Path) -> System | None:
    try:
        if path.stat().st_size > MAX_SYSTEM_BYTES:
            return None
        found = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    return System(**{name: str(found.get(key) or "").strip() for name, key in _FIELDS.items()})
