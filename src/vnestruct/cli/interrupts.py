"""Ctrl-C ends the program within a second, whatever it is doing.

Python hands a signal to the main thread between two of its instructions. A compiler, a kernel or a sort may keep that
thread away for much longer, so a second thread hears of the signal directly and ends the process after a grace.
Everything on disk appears whole or not at all, so nothing is damaged by that.

Numba calls back into Python while it prepares a call, and crashes if an exception comes out of that. There the signal
waits until Numba is done.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

GRACE_SECONDS = 0.4
"""Time for an orderly end: workers stop, temporary files go."""

INTERRUPTED = 130

_RETRY_SECONDS = 0.02
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
    handler = _Handler()
    watcher = threading.Thread(target=_watch, args=(reading, handler, last_words), name="vnestruct-watch", daemon=True)
    # The signal must reach the main thread, which may be waiting; this one is told through the pipe.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        watcher.start()
        before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        handled_before = signal.getsignal(signal.SIGINT)
        # A program in the background may have been told to ignore the signal, and others have their own way.
        is_ours = handled_before is signal.default_int_handler or isinstance(handled_before, _Handler)
        if is_ours:
            signal.signal(signal.SIGINT, handler)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(*(interrupt.args or (last_words,))) from None
    finally:
        handler.over.set()
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        os.write(writing, b"\0")
        watcher.join()
        if is_ours:
            signal.signal(signal.SIGINT, handled_before)
        os.close(writing)
        os.close(reading)


class _Handler:
    """Raises `KeyboardInterrupt` in the main thread, but not through the machinery of Numba."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.is_waiting = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.over.is_set():
            return
        while frame is not None:
            if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
                self.is_waiting = True
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def wait(self) -> bool:
        """Let the main thread end for a while, asking it again where it could not listen; tell whether it did."""
        main = threading.main_thread().ident
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            if self.over.wait(_RETRY_SECONDS):
                return True
            if self.is_waiting and main is not None:
                self.is_waiting = False
                signal.pthread_kill(main, signal.SIGINT)
        return self.over.is_set()


def _watch(reading: int, handler: _Handler, last_words: str) -> None:
    while True:
        told = os.read(reading, 1)
        if told == bytes([signal.SIGINT]):
            if not handler.wait():
                with suppress(OSError, ValueError):
                    sys.stderr.write(_SHOW_CURSOR + "\n" if sys.stderr.isatty() else "")
                    sys.stderr.write(f"vnestruct: {last_words}\n")
                    sys.stderr.flush()
                os._exit(INTERRUPTED)
            return
        if handler.over.is_set():
            return
