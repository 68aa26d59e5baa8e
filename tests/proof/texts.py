"""HLO text for tests, written shortly: a signature and a body become a module."""

from __future__ import annotations

from beatnote.hlo.module import Module
from beatnote.hlo.text import parse

REDUCERS = """
sum_f32 {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
}

max_f32 {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] maximum(x, y)
}

min_f32 {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] minimum(x, y)
}

second_f32 {
  x = f32[] parameter(0)
  ROOT y = f32[] parameter(1)
}
"""


def module(parameters: str, body: str) -> Module:
    """Make a module.

    Args:
        parameters: `x: f32[3], i: s32[]`.
        body: one instruction a line, the last one the result.
    """
    lines: list[str] = []
    depth, start = 0, 0
    parts: list[str] = []
    for place, character in enumerate(parameters + ","):
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            parts.append(parameters[start:place])
            start = place + 1
    for number, part in enumerate(part for part in parts if part.strip()):
        name, _, shape = part.partition(":")
        lines.append(f"{name.strip()} = {shape.strip()} parameter({number})")
    lines += [line.strip() for line in body.strip().splitlines() if line.strip()]
    lines[-1] = f"ROOT {lines[-1]}"
    return parse(f"HloModule test\n{REDUCERS}\nENTRY main {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
