"""Ctrl-C ends the program within a second, whatever it is doing.

Python hands a signal to the main thread between two of its instructions. A compiler, a kernel or a sort may keep that
thread away for much longer, so a second thread hears of the signal directly and ends the process after a grace.
Everything on disk appears whole or not at all, so nothing is damaged by that.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

GRACE_SECONDS = 0.6
"""Time for an orderly end: workers stop, temporary files go."""

INTERRUPTED = 130

_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def ending_soon(last_words: str | None = None) -> Iterator[None]:
    """Make Ctrl-C in the block raise `KeyboardInterrupt` with `last_words`, or end the process if that takes long.

    Parameters
    ----------
    last_words : str, optional
        One line for the user: what was kept and how to go on. Default: "interrupted".
    """
    last_words = last_words or "interrupted"
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "pthread_sigmask"):  # which Windows lacks
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reading, over, last_words), name="vnestruct-watch", daemon=True)
    # The signal must reach the main thread, which may be waiting; this one is told through the pipe.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        watcher.start()
        before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(*(interrupt.args or (last_words,))) from None
    finally:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        over.set()
        os.write(writing, b"\0")
        watcher.join()
        os.close(writing)
        os.close(reading)


def _watch(reading: int, over: threading.Event, last_words: str) -> None:
    while True:
        told = os.read(reading, 1)
        if told == bytes([signal.SIGINT]):
            if not over.wait(GRACE_SECONDS):
                with suppress(OSError, ValueError):
                    sys.stderr.write(_SHOW_CURSOR + "\n" if sys.stderr.isatty() else "")
                    sys.stderr.write(f"vnestruct: {last_words}\n")
                    sys.stderr.flush()
                os._exit(INTERRUPTED)
            return
        if over.is_set():
            return
