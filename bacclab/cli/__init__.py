"""The command line: `program` is the command `bacclab`, `main` what it does with its words."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer import TyperException

__all__ = ["main", "program"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code.

    0: done; 2: a user's mistake, told in one or two plain lines on stderr; 1: a fault of the program; 130: Ctrl-C.

    >>> main(["--version"])
    bacclab ...
    0
    """
    from bacclab.cli.output import ReaderGone, steady_streams

    steady_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    try:
        code = _run(words)
        sys.stdout.flush()
    except (ReaderGone, BrokenPipeError):
        _close_quietly()
        return 0
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:  # noqa: BLE001 - the last resort: any other exception is a fault of the program
        return _explain(error, debug=debug)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # polars raises it for a fault of its own, above Exception
            raise
        return _explain(error, debug=debug)
    return _interrupted() if code == 130 else code


def program() -> int:
    """The command line as a process of its own: `main`, and a quick end."""
    code = main()
    gc.freeze()  # nothing that is left need be looked through for cycles: saves a quarter of a second after a run
    return code


def _run(words: list[str]) -> int:
    import typer

    from bacclab.cli.app import app, global_options_first
    from bacclab.cli.extra import call_command, foreign

    ordered = global_options_first(words)
    try:
        if (name := foreign(app, ordered)) is not None and (code := call_command(name, ordered)) is not None:
            return code
        code = app(ordered, prog_name="bacclab", standalone_mode=False)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _interrupted() -> int:
    print("\nbacclab: interrupted", file=sys.stderr)  # noqa: T201
    return 130


def _explain(error: BaseException, *, debug: bool) -> int:
    """Tell the user what went wrong: a mistake of theirs in its own words, a fault of ours with a way to see more."""
    import typer

    from bacclab.errors import BacclabError

    if debug:
        traceback.print_exception(error)
    if isinstance(error, BacclabError):
        lines, code = [error.message, *([error.hint] if error.hint else [])], error.exit_code
    elif isinstance(error, typer.TyperException):
        # The text of the library ends in advice of its own for some mistakes.
        text = error.format_message().replace("Value error, ", "")
        if text.startswith("Usage: "):  # nothing was asked for: this is the help, and no mistake needs to be told
            print(text, file=sys.stderr)  # noqa: T201
            return 2
        lines, code = [text, _where_to_look(error)], 2
    elif isinstance(error, MemoryError):
        lines, code = ["there is not enough memory for this"], 2
    elif isinstance(error, OSError):
        where = f"{error.filename}" if error.filename is not None else "what was to be written"
        lines, code = [f"{where}: {error.strerror or error}"], 2
        _close_quietly()  # what waits in a stream for a full disk would be tried again at the end
    else:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        advice = [] if debug else ["use --debug for the traceback"]
        lines, code = [f"internal fault: {text}", *advice], 1
    try:
        print(f"bacclab: {lines[0]}", *(f"  {line}" for line in lines[1:]), sep="\n", file=sys.stderr)  # noqa: T201
    except OSError:
        _close_quietly()
    return code


def _where_to_look(error: TyperException) -> str:
    """The help to read after a mistake in words: that of the command where it was made, or that of all of them."""
    context = getattr(error, "ctx", None)
    if context is None or context.parent is None:
        return "`bacclab --help` lists the commands and options"
    return f"`{context.command_path} --help` lists its options, with an example"


def _close_quietly() -> None:
    """Our output can be written no more (no reader, a full disk): let the interpreter flush into nothing."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nothing, stream.fileno())
    os.close(nothing)
