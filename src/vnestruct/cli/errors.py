"""Every failure of a command: one line on standard error, and the exit code that goes with it."""

import ast
import errno
import functools
import os
import re
import shlex
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn, TypeVar, get_type_hints

import typer
from typer.models import OptionInfo

from vnestruct.cli.interrupts import INTERRUPTED, run_interruptible
from vnestruct.errors import EngineError, VNEstructError

OK, FAILURE, BAD_INPUT = 0, 1, 2  # exit codes

Command = TypeVar("Command", bound=Callable[..., Any])

_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space and run the same command again"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "change its permissions or choose another place"),
    **dict.fromkeys((errno.EROFS, errno.ENOTDIR, errno.EEXIST), "choose another place"),
    errno.ENOENT: "create the folder first",
    errno.EISDIR: "name a file in it",
}

_MACHINE_FAILED = {
    errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE,
}  # fmt: skip
"""Reasons why a file cannot be read that no other input corrects."""

_current: dict[str, tuple[str, str]] = {}  # options of the command that runs, of which there is one per process


def guarded(command: Command) -> Command:
    """Wrap a command so that whatever goes wrong in it ends as one line and an exit code."""
    options = option_names(command)

    @functools.wraps(command)
    def guard(**values: Any) -> None:
        _current.clear()
        _current.update(options)
        last_line = functools.partial(_interrupted, values)
        try:
            run_interruptible(functools.partial(command, **values), last_line)
            sys.stdout.flush()
        except typer.Exit:
            raise
        except KeyboardInterrupt:
            _fail(last_line(), INTERRUPTED)
        except Exception as error:
            if os.environ.get("VNESTRUCT_DEBUG") == "1":
                traceback.print_exc()
            _fail(message_of(error), exit_code_of(error))

    return guard  # type: ignore[return-value]


def _interrupted(values: Mapping[str, Any]) -> str:
    """Return what Ctrl-C ends with: what was kept, and how to continue."""
    if "checkpoint" not in values:
        return "interrupted"
    folder = values["checkpoint"]
    if folder is None:
        return "interrupted; nothing was kept: with --checkpoint DIR the same command resumes"
    from vnestruct.store import Checkpoint

    n_rows = Checkpoint.count_rows(folder)
    return f"interrupted; {n_rows:,} finished rows are kept in {folder}, to resume run: {command_line()}"


def command_line(without: str | None = None) -> str:
    """Return the command that runs now, ready to be pasted into a shell, without a given option and its value."""
    words = sys.argv[1:]
    if without in words:
        place = words.index(without)
        words = words[:place] + words[place + 2 :]
    return shlex.join(["vnestruct", *(word for word in words if not word.startswith(f"{without}="))])


def _fail(message: str, code: int) -> NoReturn:
    complain(message)
    discard_standard_output()
    raise typer.Exit(code) from None


def complain(message: str) -> None:
    """Write one line to standard error, however many the message has."""
    with suppress(OSError):
        sys.stderr.write(f"vnestruct: {' '.join(message.split())}\n")
        sys.stderr.flush()


def exit_code_of(error: BaseException) -> int:
    """Return 2 if the user can correct the input, 1 if the machine failed."""
    # Writers name the file that could not be written; the error of the system is the cause.
    is_disk = type(error) is VNEstructError and isinstance(error.__cause__, OSError)
    if is_disk or isinstance(error, EngineError) or machine_failure(error) is not None:
        return FAILURE
    return BAD_INPUT if isinstance(error, VNEstructError) else FAILURE


def message_of(error: BaseException) -> str:
    """Say what is wrong and what to do about it, in the words of the command line."""
    if isinstance(error, VNEstructError):
        text, failure = in_options(error), machine_failure(error)
        # A file that the disk does not give looks damaged to some libraries.
        reason = "" if failure is None else os.strerror(failure.errno or 0)
        return text if reason in text else f"{text} ({reason}); check the disk and try again"
    if isinstance(error, BrokenPipeError):
        return "the output was closed before everything was written; the reading program ended early"
    if isinstance(error, OSError) and error.strerror:
        where = "standard output" if error.filename is None else os.fsdecode(error.filename)
        return f"{where}: {error.strerror}; {_REMEDIES.get(error.errno or 0, 'check the disk and try again')}"
    if type(error) is OSError and str(error):
        # As Arrow raises it, whose files have no error number.
        return f"{error}; check the disk and try again"
    if isinstance(error, MemoryError):
        return f"not enough memory ({error or 'allocation failed'}); use fewer --jobs or a larger machine"
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"internal error, please report it: {reason} (VNESTRUCT_DEBUG=1 shows where)"


def machine_failure(error: BaseException | None) -> OSError | None:
    """Return the failure of the machine behind an error, which no other input would correct, if there is one."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _MACHINE_FAILED:
            return error
        error = error.__cause__ or error.__context__
    return None


def option_names(command: Callable[..., Any]) -> dict[str, tuple[str, str]]:
    """Return the option of each parameter of a command, and the one that negates it if there is one."""
    names = {}
    for name, hint in get_type_hints(command, include_extras=True).items():
        for declared in getattr(hint, "__metadata__", ()):
            if isinstance(declared, OptionInfo):
                # Typer keeps the first name of an annotation where the default of other options is.
                given = declared.default if isinstance(declared.default, str) else f"--{name.replace('_', '-')}"
                positive, _, negative = given.partition("/")
                names[name] = (positive, negative)
    return names


def in_options(message: str | Exception | Warning, options: Mapping[str, tuple[str, str]] = _current) -> str:
    """Write a message with the parameters in backticks, such as `weight=0`, as options of the command that runs."""

    def option(code: re.Match[str]) -> str:
        positive, negative = options.get(code[1], ("", ""))
        with suppress(ValueError, SyntaxError):
            value = ast.literal_eval(code[2] or "...")
            if value is True or value is ...:
                return positive or code[0]
            if value is False:
                return negative or code[0]
            return f"{positive} {shlex.quote(str(value))}" if positive else code[0]
        return code[0]

    return re.sub(r"`(\w+)(?:=([^`]+))?`", option, str(message))


def discard_standard_output() -> None:
    """Drop what standard output will not take: Python would try again at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
