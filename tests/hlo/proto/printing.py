"""What XLA prints of a text or a proto, every constant in full, and the proto of the text.

XLA ends the process on some wrong inputs, so it prints in a child process; run as a script, this file is that child.
"""

from __future__ import annotations

import base64
import importlib
import json
import subprocess
import sys
from collections.abc import Sequence

Printed = tuple[bytes, str]
"""A serialized HloModuleProto and the text that XLA prints of it."""


def printed_by_xla(inputs: Sequence[str | bytes]) -> list[Printed | str]:
    """Return what XLA prints of each text or proto, or the message of its error; 'crash' where it ends its process."""
    found: list[Printed | str] = []
    while len(found) < len(inputs):
        rest = [one if isinstance(one, str) else [base64.b64encode(one).decode()] for one in inputs[len(found) :]]
        child = subprocess.run(
            [sys.executable, __file__], input=json.dumps(rest), capture_output=True, text=True, check=False
        )
        for line in child.stdout.splitlines():
            one = json.loads(line)
            found.append(one if isinstance(one, str) else (base64.b64decode(one[0]), one[1]))
        if len(found) < len(inputs):
            assert child.returncode != 0, child.stderr
            found.append("crash")
    return found


def _print(one: str | list[str]) -> str | list[str]:
    hlo = importlib.import_module("jaxlib._hlo")
    options = hlo.HloPrintOptions()
    options.print_large_constants = True
    try:
        if isinstance(one, str):
            proto = hlo.hlo_module_from_text(one).as_serialized_hlo_module_proto()
        else:
            proto = base64.b64decode(one[0])
        text = hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string(options)
    except Exception as error:
        return str(error)
    return [base64.b64encode(proto).decode(), text]


if __name__ == "__main__":
    for item in json.loads(sys.stdin.read()):
        print(json.dumps(_print(item)), flush=True)
