"""Where MLPerf logs lie: a file, a folder of results, or a submission with its systems.

A submission (mlcommons/policies, submission rules) holds `systems/SYSTEM.json` and
`results/SYSTEM/BENCHMARK/result_0.txt` and so on. Others keep `system.json` beside the benchmarks' folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
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
        return is_log(path) if path.is_file() else path.is_dir() and next(_folders(path), None) is not None
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
    found = [
        Results(str(folder), "" if folder == path else folder.relative_to(path).as_posix(), _system(folder), ())
        for folder in _folders(path)
    ]
    if not found:
        raise LogError(f"{path} holds no MLPerf logs: expected files such as result_0.txt")
    shared = os.path.commonpath([one.name for one in found]) if len(found) > 1 else ""
    return [msgspec.structs.replace(one, name=one.name.removeprefix(f"{shared}/")) for one in found]


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
    return msgspec.structs.replace(fitting[0], logs=tuple(map(read_log, _logs(Path(fitting[0].path)))))


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders that hold logs, in order."""
    left = MAX_FOLDERS
    waiting = [(root, 0)]
    while waiting and left:
        folder, depth = waiting.pop()
        left -= 1
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
        if any(_is_result(entry) for entry in entries):
            yield folder
        if depth < MAX_DEPTH:
            deeper = [e for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)]
            waiting.extend((Path(entry.path), depth + 1) for entry in deeper)


def _is_result(entry: os.DirEntry[str]) -> bool:
    """Tell a log by its name, which decides in a submission; by its content where the name leaves it open."""
    if not entry.name.endswith(_TEXT) or not entry.is_file():
        return False
    return _RESULT.fullmatch(entry.name) is not None or is_log(Path(entry.path))


def _logs(path: Path) -> list[Path]:
    """Return the logs at a path; in a folder with files named as results, those alone."""
    if path.is_file():
        return [path]
    entries = [entry for entry in os.scandir(path) if _is_result(entry)]
    named = [entry for entry in entries if _RESULT.fullmatch(entry.name)]
    return sorted((Path(entry.path) for entry in named or entries), key=_by_number)


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
