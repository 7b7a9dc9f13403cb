"""How a command ends: every failure is one line on standard error and an exit code; Ctrl-C ends it within a second.

A compiler, a kernel or a sort cannot be interrupted, and libraries in C do not expect an exception from a signal. So
the command runs in a thread, and the main thread waits for it or for Ctrl-C; then it removes unfinished files and ends
the process. Everything else on disk is whole.
"""

import ast
import errno
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

from vnestruct.errors import EngineError, VNEstructError
from vnestruct.files.atomic import abandon_files

OK, FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130  # exit codes

_POLL_SECONDS = 0.1  # another thread may take the signal without waking this one
_SHOW_CURSOR = "\x1b[?25h"

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

current_options: dict[str, tuple[str, str]] = {}
"""The option of each parameter of the command that runs, and the one that negates it if there is one."""


def options_of(command: Any) -> dict[str, tuple[str, str]]:
    """Return the options of a command of Typer, as `current_options` has them."""
    return {
        one.name: (one.opts[0], *one.secondary_opts, "")[:2]
        for one in command.params
        if one.param_type_name == "option"
    }


def complain(message: str) -> None:
    """Write one line to standard error, however many the message has."""
    with suppress(OSError):
        sys.stderr.write(f"vnestruct: {' '.join(message.split())}\n")
        sys.stderr.flush()


def exit_code_of(error: BaseException) -> int:
    """Return 2 if the user can correct the input, 1 if the machine failed."""
    if not isinstance(error, VNEstructError) or isinstance(error, EngineError) or machine_failure(error):
        return FAILURE
    # Writers name the file that could not be written; the error of the system is the cause.
    return FAILURE if type(error) is VNEstructError and isinstance(error.__cause__, OSError) else BAD_INPUT


def message_of(error: BaseException) -> str:
    """Say what is wrong and what to do about it, in the words of the command line."""
    if isinstance(error, VNEstructError):
        text, failure = in_options(error), machine_failure(error)
        # A file that the disk does not give looks damaged to some libraries.
        reason = "" if failure is None else os.strerror(failure.errno or 0)
        return text if reason in text else f"{text} ({reason}); check the disk and try again"
    if isinstance(error, BrokenPipeError):
        return "the output was closed before everything was written; the reading program ended early"
    if isinstance(error, OSError) and (error.strerror or type(error) is OSError):
        # Arrow raises errors without a number, whose text says where.
        where = "standard output" if error.filename is None else os.fsdecode(error.filename)
        what = f"{where}: {error.strerror}" if error.strerror else str(error)
        return f"{what}; {_REMEDIES.get(error.errno or 0, 'check the disk and try again')}"
    if isinstance(error, MemoryError):
        return f"not enough memory ({error or 'allocation failed'}); use fewer --jobs or a larger machine"
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"internal error, please report it: {reason} (VNESTRUCT_DEBUG=1 shows where)"


def machine_failure(error: BaseException | None) -> OSError | None:
    """Return the failure of the machine behind an error, which no other input would correct, if there is one."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _MACHINE_FAILED:
            return error
        error = error.__cause__ or error.__context__
    return None


def in_options(message: object, options: Mapping[str, tuple[str, str]] = current_options) -> str:
    """Write a message with the parameters in backticks, such as `weight=0`, as options of the command that runs."""

    def option(code: re.Match[str]) -> str:
        positive, negative = options.get(code[1], ("", ""))
        with suppress(ValueError, SyntaxError):
            value = ast.literal_eval(code[2] or "True")
            if isinstance(value, bool):
                return (positive if value else negative) or code[0]
            return f"{positive} {shlex.quote(str(value))}" if positive else code[0]
        return code[0]

    return re.sub(r"`(\w+)(?:=([^`]+))?`", option, str(message))


def command_line(without: str = "") -> str:
    """Return the command that runs now, ready to be pasted into a shell, without a given option and its value."""
    words = " ".join(["vnestruct", *map(shlex.quote, sys.argv[1:])])
    return re.sub(rf" {without}[ =]\S+", "", words) if without else words


def discard_standard_output() -> None:
    """Drop what standard output will not take: Python would try again at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def run_interruptible(command: Callable[[], None], last_line: Callable[[], str]) -> None:
    """Run a command; on Ctrl-C, show a last line and end the process."""
    outcome: Future[None] = Future()

    def work() -> None:
        try:
            command()
            outcome.set_result(None)
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=work, name="vnestruct-command", daemon=True).start()
    try:
        while not wait([outcome], _POLL_SECONDS).done:
            pass
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        abandon_files()
        with suppress(OSError, ValueError):
            cursor = f"{_SHOW_CURSOR}\n" if sys.stderr.isatty() else ""
            sys.stderr.write(f"{cursor}vnestruct: {last_line()}\n")
            sys.stderr.flush()
        os._exit(INTERRUPTED)
    outcome.result()
