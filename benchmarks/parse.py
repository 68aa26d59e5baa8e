"""Print how fast HLO is read here and by jaxlib's C++: as text and as proto, the same programs, in the same run.

    python benchmarks/parse.py [--repeats N] [FILE ...]

Without files it takes the modules of the published corpus in `../shared/data/hlo` beside the checkout. The proto is the
one that jaxlib makes of the text. Repeats of all readers alternate, so that a machine that slows down slows all, and
ours starts each without what it remembers of shapes. All are timed from memory to a module; freeing the module is left
out. Attributes of protos are written when they are first asked for: `written` is reading a proto and writing them all.
A ratio above 1 means that ours is faster than jaxlib's reader of the same form; it is of medians, and the slowest and
the fastest repeat stand in parentheses.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from beatnote.hlo.module import Module
from beatnote.hlo.proto import read_proto
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
        xla = importlib.import_module("jaxlib._hlo")
    except ImportError:
        return _fail("jaxlib is not installed, so there is nothing to compare with: install beatnote[jax]")
    width = max(len(file.name) for file in files)
    print(f"thousand instructions a second: median (slowest to fastest) of {chosen.repeats} interleaved repeats\n")
    heads = "".join(f"  {head:>17}" for head in ("text", "jaxlib's"))
    more = "".join(f"  {head:>17}" for head in ("proto", "jaxlib's"))
    print(f"{'file':{width}}  instructions{heads}  ratio{more}  ratio  {'written':>17}")
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
            count = sum(one.instruction_count for one in parse(text, name=str(file)))
        except (OSError, UnicodeDecodeError, HloSyntaxError) as error:
            return _fail(f"cannot read {file}: {error}")
        try:
            proto: bytes = xla.hlo_module_from_text(text).as_serialized_hlo_module_proto()
        except Exception as error:  # jaxlib's own error type differs between versions
            reason = next((line for line in str(error).splitlines() if "error:" in line), str(error).partition("\n")[0])
            print(f"{file.name:{width}}  {count:12}  jaxlib cannot read it: {reason}", flush=True)
            continue
        readers: dict[str, Callable[[], Any]] = {
            "text": lambda text=text: parse(text),
            "jaxlib text": lambda text=text: xla.hlo_module_from_text(text),
            "proto": lambda proto=proto: read_proto(proto),
            "jaxlib proto": lambda proto=proto: xla.HloModule.from_serialized_hlo_module_proto(proto),
            "written": lambda proto=proto: _written(read_proto(proto)),
        }
        seconds = _interleaved(readers, chosen.repeats)
        rates = {name: f"{_rates(count, some):>17}" for name, some in seconds.items()}
        ratios = {form: median(seconds[f"jaxlib {form}"]) / median(seconds[form]) for form in ("text", "proto")}
        cells = [f"{file.name:{width}}", f"{count:12}"]
        for form, ratio in ratios.items():
            cells += [rates[form], rates[f"jaxlib {form}"], f"{ratio:5.2f}"]
        print("  ".join([*cells, rates["written"]]), flush=True)
    return 0


def _written(module: Module) -> Module:
    for instruction in module.instructions():
        _ = instruction.attributes_text
    return module


def _interleaved(readers: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, list[float]]:
    """Seconds of every repeat of each reader, taken in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(repeats):
        plain_array.cache_clear()
        plain_layout.cache_clear()
        for name, read in readers.items():
            start = perf_counter()
            module = read()
            seconds[name].append(perf_counter() - start)
            del module
    return seconds


def _rates(count: int, seconds: list[float]) -> str:
    """Thousands a second: `median (slowest to fastest)`."""
    middle, low, high = (count / 1000 / s for s in (median(seconds), max(seconds), min(seconds)))
    return f"{middle:.0f} ({low:.0f} to {high:.0f})"


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
