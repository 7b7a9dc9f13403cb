"""Every failure of a command: one line on standard error, and the exit code that goes with it."""

from __future__ import annotations

import errno
import functools
import os
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

import typer

from vnestruct.cli.interrupts import INTERRUPTED, ending_soon
from vnestruct.errors import EngineError, VNEstructError

OK = 0
FAILURE = 1
BAD_INPUT = 2

Command = TypeVar("Command", bound=Callable[..., Any])

# The library speaks of its parameters; here they are options. A word in quotes is the user's own.
_PARAMETER = re.compile(
    r"(?<!['\"\w-])(source|target|weight|weighted|directed|format|kind|radius|direction|aggregate|engine|n_jobs)"
    r"=(True\b|\.\.\.|'[^']*'|\w+)?"
)
_REMEDIES = {
    errno.ENOSPC: "free some space and run the same command again",
    errno.EDQUOT: "free some space and run the same command again",
    errno.EACCES: "change its permissions or choose another place",
    errno.EPERM: "change its permissions or choose another place",
    errno.EROFS: "choose another place",
    errno.ENOENT: "create the folder first",
    errno.ENOTDIR: "choose another place",
    errno.EEXIST: "choose another place",
    errno.EISDIR: "name a file in it",
}


def guarded(command: Command) -> Command:
    """Wrap a command so that whatever goes wrong in it ends as one line and an exit code."""

    @functools.wraps(command)
    def guard(*arguments: Any, **options: Any) -> None:
        try:
            with ending_soon():
                command(*arguments, **options)
                sys.stdout.flush()
        except typer.Exit:
            raise
        except KeyboardInterrupt as interrupt:
            fail(" ".join(map(str, interrupt.args)) or "interrupted", INTERRUPTED)
        except Exception as error:
            if os.environ.get("VNESTRUCT_DEBUG") == "1":
                traceback.print_exc()
            fail(message_of(error), exit_code_of(error))

    return guard  # type: ignore[return-value]


def fail(message: str, code: int) -> NoReturn:
    """Say why in one line and leave with an exit code."""
    complain(message)
    discard_standard_output()
    raise typer.Exit(code) from None


def complain(message: str) -> None:
    """Write one line to standard error, however many the message has."""
    with suppress(OSError):
        sys.stderr.write(f"vnestruct: {' '.join(message.split())}\n")
        sys.stderr.flush()


def exit_code_of(error: BaseException) -> int:
    """Return 2 if the user can mend the input, 1 if the machine let us down."""
    # Writers say which file could not be written, and are caused by what the system said.
    is_disk = type(error) is VNEstructError and isinstance(error.__cause__, OSError)
    if is_disk or isinstance(error, EngineError):
        return FAILURE
    return BAD_INPUT if isinstance(error, VNEstructError) else FAILURE


def message_of(error: BaseException) -> str:
    """Say what is wrong and what to do about it, in the words of the command line."""
    if isinstance(error, VNEstructError):
        return in_options(str(error))
    if isinstance(error, BrokenPipeError):
        return "the output was closed before everything was written; the reading program ended early"
    if isinstance(error, OSError) and error.strerror:
        where = "standard output" if error.filename is None else os.fsdecode(error.filename)
        remedy = _REMEDIES.get(error.errno or 0, "check the disk and try again")
        return f"{where}: {error.strerror}; {remedy}"
    if isinstance(error, MemoryError):
        return f"not enough memory ({error or 'allocation failed'}); use fewer --jobs or a larger machine"
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"internal error, please report it: {reason} (VNESTRUCT_DEBUG=1 shows where)"


def in_options(message: str) -> str:
    """Turn parameters of the library into options of the command line.

    Examples
    --------
    >>> in_options("ignore weights with weight=0 or say format= and kind='approx', not weighted=True")
    'ignore weights with --weight 0 or say --format and --kind approx, not --weighted'
    """

    def option(match: re.Match[str]) -> str:
        name, value = match.groups(default="")
        flag = f"--{'jobs' if name == 'n_jobs' else name}"
        return flag if value in ("", "True", "...") else f"{flag} {value.strip(chr(39))}"

    return re.sub(r"(?<!['\"\w-])n_jobs\b", "--jobs", _PARAMETER.sub(option, message))


def discard_standard_output() -> None:
    """Drop what standard output will not take: Python would try again at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
