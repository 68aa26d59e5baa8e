"""The command run in a process of its own, and a program to run it on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SAME = """HloModule same
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = f32[4] negate(x)
}
"""


def beatnote(*arguments: str, cwd: Path, blocked: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, some packages made impossible to import."""
    code = (
        "import sys\n"
        f"blocked = {blocked!r}\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in blocked:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from beatnote.cli.main import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
