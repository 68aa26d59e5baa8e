"""A program as lines of marked-up text, each with the number of its value and whether anything depends on it.

Everything that comes from the program is escaped here, by `Markup.format`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

import msgspec
from markupsafe import Markup, escape

from beatnote.hlo.calls import called_computations
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ArrayShape
from beatnote.proof.translate import live_names
from beatnote.report.foreign import beginning, ending, printable, scope

Places = Mapping[tuple[str, str], int]
"""(computation, instruction) -> number of its value."""

CHUNK = 100
"""Lines that are laid out together, once they come into view."""

WRAPPED = 4000
"""Up to how many instructions long lines are wrapped at first; beyond, every line is of one height, and known."""

_SHOWN = 200
_TITLE = 4000
_SCOPE = 44
_UNBROKEN = 48
_NO_BREAK = "\N{NO-BREAK SPACE}"
_INLINED = ("call", "fusion")

_LINE = Markup('{}<span class="n">{}</span> = {} <span class="o">{}</span>({}){}{}')
_ROOT = Markup('<span class="r">ROOT </span>')
_SHAPE = Markup('<span class="s">{}</span>')
_LAYOUT = Markup('<span class="y">{}</span>')
_LITERAL = Markup('<span class="l">{}</span>')
_LONG = Markup('<span title="{}">{}</span>')
_ATTRIBUTE = Markup(', <span class="{}">{}{}{}</span>')
_METADATA = Markup('{}<span class="m" title="{}">{}</span>')
_BRACES = re.compile(r"(\{[^{}]*\})")


class Line(msgspec.Struct, frozen=True):
    """One instruction.

    Attributes:
        value: what its value is called on this page; None where the other side does not compute it.
        state: "matched", "alone" (the other side does not compute its value), "dead", or "" where values are not told.
        text: as HTML.
    """

    value: int | None
    state: str
    text: Markup


class Section(msgspec.Struct, frozen=True):
    """One computation.

    Attributes:
        name: as HTML text, shortened.
        role: "entry", "inlined" (called by name), "part" (of a loop, a reduction and the like) or "unused".
        lines: of its instructions, in order.
    """

    name: str
    role: str
    lines: tuple[Line, ...]

    @property
    def size(self) -> int:
        """How many instructions it has."""
        return len(self.lines)

    @property
    def chunks(self) -> tuple[tuple[Line, ...], ...]:
        """The lines, `CHUNK` at a time."""
        return tuple(self.lines[k : k + CHUNK] for k in range(0, len(self.lines), CHUNK))


class Listing(msgspec.Struct, frozen=True):
    """One program: its computations, the entry first."""

    sections: tuple[Section, ...]

    def count(self, state: str) -> int:
        """Count the lines in a state."""
        return sum(line.state == state for section in self.sections for line in section.lines)


def wraps(modules: Iterable[Module]) -> bool:
    """Say whether programs that share a page are short enough for long lines to be wrapped at first."""
    return sum(module.instruction_count for module in modules) <= WRAPPED


def listing(module: Module) -> Listing:
    """List one program by itself: nothing is said of its values but which are dead."""
    return _listing(module, {}, {}, told=False)


def listings(modules: tuple[Module, Module], places: tuple[Places, Places]) -> tuple[Listing, Listing]:
    """List both programs, values numbered in the order in which A computes them."""
    numbers: dict[int, int] = {}
    told = any(places)
    first, second = (_listing(module, known, numbers, told=told) for module, known in zip(modules, places, strict=True))
    return first, second


def _listing(module: Module, places: Places, numbers: dict[int, int], *, told: bool) -> Listing:
    roles = _roles(module)
    ordered = sorted(module.computations, key=lambda computation: computation.name != module.entry_name)
    sections: list[Section] = []
    for computation in ordered:
        role = roles.get(computation.name, "unused")
        compared = told and (
            role in ("entry", "inlined") or any((computation.name, i.name) in places for i in computation.instructions)
        )
        lines = tuple(_lines(computation, places, numbers, used=role != "unused", compared=compared))
        sections.append(Section(beginning(printable(computation.name), _SHOWN), role, lines))
    return Listing(tuple(sections))


def _roles(module: Module) -> dict[str, str]:
    """Say of each computation that the outputs depend on how it is reached."""
    if module.entry_name not in {computation.name for computation in module.computations}:
        return {computation.name: "inlined" for computation in module.computations}
    known = {computation.name: computation for computation in module.computations}
    roles = {module.entry_name: "entry"}
    stack = [module.entry_name]
    while stack:
        caller = known[stack.pop()]
        live = live_names(caller)
        for instruction in caller.instructions:
            for name in called_computations(instruction) if instruction.name in live else ():
                inlined = instruction.opcode in _INLINED and roles[caller.name] != "part"
                if name in known and (name not in roles or (inlined and roles[name] == "part")):
                    roles[name] = "inlined" if inlined else "part"
                    stack.append(name)
    return roles


def _lines(
    computation: Computation, places: Places, numbers: dict[int, int], *, used: bool, compared: bool
) -> Iterator[Line]:
    live = live_names(computation) if used else frozenset[str]()
    for instruction in computation.instructions:
        number = places.get((computation.name, instruction.name))
        text = _text(instruction, is_root=instruction.name == computation.root)
        if instruction.name not in live:
            yield Line(None, "dead", text)
        elif number is not None:
            yield Line(numbers.setdefault(number, len(numbers) + 1), "matched", text)
        else:
            yield Line(None, "alone" if compared and isinstance(instruction.shape, ArrayShape) else "", text)


def _text(instruction: Instruction, *, is_root: bool) -> Markup:
    attributes = dict(instruction.attributes)
    metadata = attributes.pop("metadata", "")
    return _LINE.format(
        _ROOT if is_root else "",
        printable(instruction.name),
        shape_markup(str(instruction.shape)),
        instruction.opcode,
        _inside(instruction),
        Markup("").join(_attribute(name, value) for name, value in attributes.items()),
        _metadata(instruction, metadata) if metadata else "",
    )


def shape_markup(shape: str) -> Markup:
    """Mark up a shape, its layouts dimmed."""
    parts = _BRACES.split(printable(shape))
    return _SHAPE.format(Markup("").join(_LAYOUT.format(p) if p.startswith("{") else escape(p) for p in parts))


def _inside(instruction: Instruction) -> Markup | str:
    if instruction.literal is None:
        return printable(", ".join(instruction.operands))
    return _LITERAL.format(_shortened(instruction.literal))


def _attribute(name: str, value: str) -> Markup:
    kind = "a" if len(name) + len(value) <= _UNBROKEN else "a long"
    return _ATTRIBUTE.format(kind, printable(name), "=" if value else "", _shortened(value))


def _metadata(instruction: Instruction, metadata: str) -> Markup:
    shown = _scope(instruction)
    return _METADATA.format(_NO_BREAK if shown == "…" else " ", _title(metadata), shown)


def _shortened(text: str) -> Markup | str:
    if len(text) <= _SHOWN:
        return printable(text)
    return _LONG.format(_title(text), f"{printable(text[:_SHOWN])}… {len(text) - _SHOWN:,} more characters")


def _title(text: str) -> str:
    return beginning("\n".join(map(printable, text.split("\n"))), _TITLE)


def _scope(instruction: Instruction) -> str:
    """Return the model's words for an instruction: the end of its scope, or else the line of the source."""
    metadata = instruction.metadata
    words = [word for word, _ in groupby(scope(metadata.get("op_name", "")).split("/"))]
    if words == [""]:
        source = re.split(r"[/\\]", metadata.get("source_file", ""))[-1]
        return ending(printable(f"// {source}:{metadata.get('source_line', '?')}"), _SCOPE) if source else "…"
    if words == [instruction.name.rpartition(".")[0]]:
        return "…"
    shown = words[-1]
    for word in reversed(words[:-1]):
        if len(word) + len(shown) + 3 > _SCOPE:
            shown = f"…/{shown}"
            break
        shown = f"{word}/{shown}"
    return f"// {ending(shown, _SCOPE)}"
