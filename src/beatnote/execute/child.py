"""A function called in a process of its own, so that what kills or hangs it there is one line here.

XLA ends its process when one of its checks fails, and programs come from strangers. What is sent and what comes back
are pickles between this process and a child of its own.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, TypeVar

T = TypeVar("T")

SILENCE_S = 300.0
"""A child that says nothing for this long is ended."""

_START = "import sys; sys.path.extend({paths!r}); from beatnote.execute.child import serve; serve()"
_CHECK = re.compile(r"Check failed: .*|terminate called .*|MemoryError.*")


class ChildError(RuntimeError):
    """A child process that died or was ended before it was done; the message is one line."""


def call_in_child(
    function: Callable[..., T],
    *arguments: Any,
    what: str,
    tell: Callable[[str], object],
    silence_s: float = SILENCE_S,
) -> T:
    """Call a function of a module's top level in a new process.

    Args:
        function: its last argument is a `tell` of its own, whose texts are passed on.
        arguments: the others; they are pickled.
        what: is run, for messages.
        tell: told what the child tells.
        silence_s: end the child when it has told nothing for this long.

    Raises:
        ChildError: the process died, or was ended because it said nothing.
        Exception: whatever the function raised.
    """
    paths = [path for path in sys.path if path]
    with tempfile.TemporaryFile() as errors:
        command = [sys.executable, "-P", "-c", _START.format(paths=paths)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as child:
            try:
                return _conversation(child, (function, arguments), what, tell, silence_s, errors)
            finally:
                child.kill()


def _conversation(
    child: subprocess.Popen[bytes],
    request: tuple[Any, ...],
    what: str,
    tell: Callable[[str], object],
    silence_s: float,
    errors: IO[bytes],
) -> Any:
    assert child.stdin is not None
    assert child.stdout is not None
    replies: SimpleQueue[tuple[str, Any] | None] = SimpleQueue()
    Thread(target=_listen, args=(child.stdout, replies), daemon=True).start()
    try:
        pickle.dump(request, child.stdin)
        child.stdin.flush()
    except BrokenPipeError:
        pass  # it is dead, which the listener finds out too
    while True:
        try:
            reply = replies.get(timeout=silence_s)
        except Empty:
            raise ChildError(f"{what} was ended after {silence_s:.0f} s without a sign of life") from None
        if reply is None:
            raise ChildError(f"{what} {_death(child.wait(), errors)}")
        kind, content = reply
        if kind == "done":
            return content
        if kind == "error":
            raise content
        tell(content)


def _listen(pipe: IO[bytes], replies: SimpleQueue[tuple[str, Any] | None]) -> None:
    try:
        while True:
            replies.put(pickle.load(pipe))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        replies.put(None)


def _death(code: int, errors: IO[bytes]) -> str:
    """Say how a process ended, with the line of its last words that says why."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read(1 << 20).decode("utf-8", errors="replace").splitlines()]
    words = [found.group() for line in lines if (found := _CHECK.search(line))] or [line for line in lines if line][-1:]
    ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    if -code == signal.SIGKILL:
        ended += ", which is what a system short of memory sends"
    return f"{ended}: {words[0][:200]}" if words else ended


def serve() -> None:
    """Be the child: read one request from standard input, and write what comes of it to standard output."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no reply

    def say(kind: str, content: Any) -> None:
        pickle.dump((kind, content), replies)
        replies.flush()

    function, arguments = pickle.load(sys.stdin.buffer)
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        say("done", function(*arguments, lambda text: say("tell", text)))
    except Exception as error:
        say("error", error if _can_be_sent(error) else ChildError(_in_one_line(error)))


def _can_be_sent(error: Exception) -> bool:
    """Whether an error can be made again from its pickle: one whose class asks for more than a message cannot."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return False
    return True


def _in_one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def _end_with_parent() -> None:
    """Wait for the end of standard input, which the parent holds open as long as it lives."""
    sys.stdin.buffer.read()
    os._exit(1)
