"""The `beatnote` command: its subcommands, and the one place where errors become a line and an exit code.

Exit codes: 0 done, 1 done and not as `--expect` said, 2 not done.
"""

from __future__ import annotations

import sys

import typer

from beatnote.cli.compare import compare
from beatnote.cli.show import show

app = typer.Typer(
    name="beatnote",
    help="Take two training runs and say why one is slower, with evidence, and what to change.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(compare)
app.command()(show)


@app.callback()
def root() -> None:
    """Take two training runs and say why one is slower, with evidence, and what to change."""


def main() -> None:
    """Run the command line and exit."""
    try:
        app()
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (ValueError, LookupError, ImportError, RuntimeError, OSError, MemoryError) as error:
        if not _is_ours(error):
            raise
        _fail(str(error) or type(error).__name__, 2)


def _is_ours(error: BaseException) -> bool:
    """Whether an error was raised to be read: ours are, and those of the system and of memory."""
    return type(error).__module__.startswith("beatnote.") or isinstance(error, OSError | MemoryError)


def _fail(message: str, code: int) -> None:
    print(f"beatnote: {message}", file=sys.stderr)
    sys.exit(code)
