"""What XLA's own parser reads in a text, in plain data, and the same of ours.

XLA ends the process on some wrong texts, so it reads in a child process; run as a script, this file is that child.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

Reading = dict[str, list[tuple[str, str, str, list[str], dict[str, str]]]]
"""Computation → its instructions: name, opcode, shape without layout, operands, called computations."""

CALLS = ("to_apply", "calls", "condition", "body", "true_computation", "false_computation", "branch_computations")


def read_by_xla(texts: Sequence[str]) -> list[Reading | str]:
    """One reading a text; or the message of XLA's error; 'crash' where XLA ends its process."""
    found: list[Reading | str] = []
    while len(found) < len(texts):
        child = subprocess.run(
            [sys.executable, __file__],
            input=json.dumps(list(texts[len(found) :])),
            capture_output=True,
            text=True,
            check=False,
        )
        found.extend(json.loads(line) for line in child.stdout.splitlines())
        if len(found) < len(texts):
            assert child.returncode != 0, child.stderr
            found.append("crash")
    return found


def read_by_us(module: Any) -> Reading:
    """The same of a parsed module."""
    return {
        computation.name: [
            [
                instruction.name,
                instruction.opcode,
                shape_text(str(instruction.shape)),
                list(instruction.operands),
                {key: called(value) for key, value in instruction.attributes.items() if key in CALLS},
            ]
            for instruction in computation.instructions
        ]
        for computation in module.computations
    }  # type: ignore[return-value]


def comparable(reading: Reading) -> Any:
    """A reading without what XLA changes itself.

    It numbers anew names that stand in two computations, names nested instructions in its own way, prints
    async-start and its like by what they wrap, and makes dimensions of constants static.
    """
    plain = {}
    for computation, instructions in reading.items():
        place = {name: number for number, (name, *_) in enumerate(instructions)}
        plain[computation] = [
            (
                re.sub(r"(\.(\d+|anon|inline\d+))+$", "", name),
                shape.replace("<=", "" if opcode == "constant" else "<="),
                [place[operand] for operand in operands],
            )
            + (() if opcode.endswith(("-start", "-update", "-done")) else (opcode, sorted(calls.items())))
            for name, opcode, shape, operands, calls in instructions
        ]
    return plain


def shape_text(text: str) -> str:
    """A shape without layouts, blanks and comments."""
    return re.sub(r"\{[^{}]*\}|/\*.*?\*/|\s", "", text)


def called(value: str) -> str:
    """Names of computations without `%` and blanks."""
    return re.sub(r"[%\s]", "", value)


def _xla_reading(text: str) -> Any:
    try:
        module = importlib.import_module("jaxlib._hlo").hlo_module_from_text(text)
    except Exception as error:
        return str(error)
    return {
        computation.name: [_xla_instruction(instruction) for instruction in computation.instructions()]
        for computation in module.computations()
    }


def _xla_instruction(instruction: Any) -> Any:
    text = instruction.to_string()
    found = re.match(r"(?:ROOT )?%?(\S+) = (\((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*\)|\S+) ([\w\-]+)\(", text)
    assert found, text
    calls = {
        key: called(value) for key, value in re.findall(rf", ({'|'.join(CALLS)})=(%[^\s,]+|\{{%[^{{}}]*\}})", text)
    }
    return [found[1], found[3], shape_text(found[2]), [operand.name for operand in instruction.operands()], calls]


if __name__ == "__main__":
    for one in json.loads(sys.stdin.read()):
        print(json.dumps(_xla_reading(one)), flush=True)
