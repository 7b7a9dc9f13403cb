"""Ctrl-C ends the program within a second, whatever it is doing.

A compiler, a kernel or a sort cannot be interrupted, and libraries in C do not expect an exception from a signal. So
the command runs in a thread, and the main thread waits for it or for Ctrl-C; then it removes unfinished files and ends
the process. Everything else on disk is whole.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress

from vnestruct.files.atomic import abandon_files

INTERRUPTED = 130

_POLL_SECONDS = 0.1  # another thread may take the signal without waking this one
_SHOW_CURSOR = "\x1b[?25h"


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
