"""Holding back start-up logs: the chatter goes, what went wrong and what Python writes stays."""

from __future__ import annotations

import subprocess
import sys

from beatnote.record.quiet import without_chatter

LOG = b"""\
WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1796069276.928206    5326 port.cc:153] oneDNN custom operations are on.
2026-11-30 20:00:00.1: a line of another form
To enable the following instructions: AVX2, rebuild with the appropriate compiler flags.
W1130 20:13:16.953644    5843 module.cc:767] something minor
E1130 20:13:16.953645    5843 module.cc:768] something wrong
Inside: I am not a log line
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_informations_and_warnings_go():
    assert without_chatter(LOG).splitlines() == [
        b"2026-11-30 20:00:00.1: a line of another form",
        b"E1130 20:13:16.953645    5843 module.cc:768] something wrong",
        b"Inside: I am not a log line",
    ]


def test_python_goes_on_writing():
    # GIVEN a program that logs natively, prints, and makes a log handler while the native log is held back
    finished = run(
        "import logging, os, sys\n"
        "from beatnote.record.quiet import quiet_native_log\n"
        "stderr = sys.stderr\n"
        "with quiet_native_log():\n"
        "    os.write(2, b'I0000 00:00:1 1 a.cc:1] chatter\\nF0000 00:00:1 1 a.cc:1] failure\\n')\n"
        "    print('progress', file=sys.stderr, flush=True)\n"
        "    logging.basicConfig(format='%(message)s')\n"
        "assert sys.stderr is stderr\n"
        "logging.warning('afterwards')\n"
    )
    # WHEN it runs THEN all but the chatter is on standard error: Python's at once, the native log when it is let go
    assert finished.stderr.splitlines() == ["progress", "F0000 00:00:1 1 a.cc:1] failure", "afterwards"]
    assert finished.returncode == 0


def test_an_error_inside_lets_the_log_go():
    # GIVEN a program that fails while its native log is held back
    finished = run(
        "import os\n"
        "from beatnote.record.quiet import quiet_native_log\n"
        "with quiet_native_log():\n"
        "    os.write(2, b'the reason\\n')\n"
        "    raise SystemExit('failed')\n"
    )
    # WHEN it ends THEN the log and the error are there
    assert finished.stderr.splitlines() == ["the reason", "failed"]


def test_without_standard_error():
    # GIVEN a program whose standard error is closed WHEN its native log is held back THEN it runs all the same
    finished = run(
        "import os\n"
        "os.close(2)\n"
        "from beatnote.record.quiet import quiet_native_log\n"
        "with quiet_native_log():\n"
        "    print('ran')\n"
    )
    assert finished.stdout == "ran\n"


def test_importing_tensorflow_says_nothing():
    # GIVEN a fresh Python WHEN TensorFlow is imported for a recording THEN its start-up log is nowhere
    finished = run("from beatnote.record.tensorflow import import_tensorflow as t; print(t().constant(1).numpy())")
    assert (finished.stdout, finished.stderr) == ("1\n", "")
