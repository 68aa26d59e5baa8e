"""Print how fast HLO text is parsed here and by jaxlib's C++ parser: the same files, in the same run.

    python benchmarks/parse.py [--repeats N] [FILE ...]

Without files it takes the modules of the published corpus in `../shared/data/hlo` beside the checkout. Repeats of the
two parsers alternate, so that a machine that slows down slows both, and ours starts each without what it remembers of
shapes. Both are timed from text in memory to a module; freeing the module is left out for both. A ratio above 1 means
that ours is faster; it is of medians, and the slowest and the fastest repeat stand in parentheses.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from beatnote.hlo.shape_text import plain_array, plain_layout
from beatnote.hlo.text import HloSyntaxError, parse

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "hlo"
FOLDERS = ("seeds", "models", "xla-benchmarks")


def main() -> int:
    """Measure every file and print one row for each; return the exit code."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path, metavar="FILE", help="HLO text; default: the corpus")
    options.add_argument("--repeats", type=int, default=15, help="how often each parser reads each file (default 15)")
    chosen = options.parse_args()
    files: list[Path] = chosen.files or sorted(file for folder in FOLDERS for file in (CORPUS / folder).glob("*.hlo"))
    if not files:
        return _fail(f"no files given, and no published modules in {CORPUS}: name HLO text files")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    try:
        read_by_xla: Callable[[str], Any] = importlib.import_module("jaxlib._hlo").hlo_module_from_text
    except ImportError:
        return _fail("jaxlib is not installed, so there is nothing to compare with: install beatnote[jax]")
    width = max(len(file.name) for file in files)
    print(f"thousand instructions a second: median (slowest to fastest) of {chosen.repeats} interleaved repeats\n")
    print(f"{'file':{width}}  instructions  {'beatnote':>17}  {'jaxlib':>17}  ratio")
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
            count = sum(one.instruction_count for one in parse(text, name=str(file)))
        except (OSError, UnicodeDecodeError, HloSyntaxError) as error:
            return _fail(f"cannot read {file}: {error}")
        try:
            read_by_xla(text)
        except Exception as error:  # jaxlib's own error type differs between versions
            reason = next((line for line in str(error).splitlines() if "error:" in line), str(error).partition("\n")[0])
            print(f"{file.name:{width}}  {count:12}  jaxlib cannot read it: {reason}", flush=True)
            continue
        ours, theirs = _interleaved(read_by_xla, text, chosen.repeats)
        ratio = median(theirs) / median(ours)
        row = f"{file.name:{width}}  {count:12}  {_rates(count, ours):>17}  {_rates(count, theirs):>17}  {ratio:5.2f}"
        print(row, flush=True)
    return 0


def _interleaved(read_by_xla: Callable[[str], Any], text: str, repeats: int) -> tuple[list[float], list[float]]:
    """Seconds of every repeat of ours and theirs, taken in turn."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(repeats):
        plain_array.cache_clear()
        plain_layout.cache_clear()
        for read, seconds in ((parse, ours), (read_by_xla, theirs)):
            start = perf_counter()
            module = read(text)
            seconds.append(perf_counter() - start)
            del module
    return ours, theirs


def _rates(count: int, seconds: list[float]) -> str:
    """Thousands a second: `median (slowest to fastest)`."""
    middle, low, high = (count / 1000 / s for s in (median(seconds), max(seconds), min(seconds)))
    return f"{middle:.0f} ({low:.0f} to {high:.0f})"


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
