"""Ctrl-C ends the program within a second, whatever it is doing.

Python delivers a signal to the main thread between two of its instructions. A compiler, a kernel or a sort may occupy
that thread for much longer, so a second thread receives the signal directly and ends the process after a grace period.
Everything on disk appears whole or not at all, so this damages nothing.

Numba calls back into Python while it prepares a call, and crashes if that raises an exception. There the signal waits
until Numba is done.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

GRACE_SECONDS = 0.4  # time for an orderly end: workers stop, temporary files are removed
INTERRUPTED = 130

_RETRY_SECONDS = 0.02
_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def interruptible(last_line: Callable[[], str] = lambda: "interrupted") -> Iterator[None]:
    """Make Ctrl-C raise `KeyboardInterrupt`, or end the process if that takes too long, after showing `last_line`."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "pthread_sigmask"):  # which Windows lacks
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    handler = _Handler()
    watcher = threading.Thread(target=_watch, args=(reading, handler, last_line), name="vnestruct-watch", daemon=True)
    # The signal must reach the main thread, which may be waiting; the watcher reads it from the pipe.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        watcher.start()
        before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        handled_before = signal.getsignal(signal.SIGINT)
        # A background program may have been started to ignore the signal, and other handlers are not ours to replace.
        is_ours = handled_before is signal.default_int_handler or isinstance(handled_before, _Handler)
        if is_ours:
            signal.signal(signal.SIGINT, handler)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(*(interrupt.args or (last_line(),))) from None
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
    """Raises `KeyboardInterrupt` in the main thread, but not inside Numba."""

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
        """Give the main thread time to end, repeating a signal that had to wait; return whether it has ended."""
        main = threading.main_thread().ident
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            if self.over.wait(_RETRY_SECONDS):
                return True
            if self.is_waiting and main is not None:
                self.is_waiting = False
                signal.pthread_kill(main, signal.SIGINT)
        return self.over.is_set()


def _watch(reading: int, handler: _Handler, last_line: Callable[[], str]) -> None:
    while True:
        if os.read(reading, 1) == bytes([signal.SIGINT]):
            if not handler.wait():
                with suppress(OSError, ValueError):
                    sys.stderr.write(_SHOW_CURSOR + "\n" if sys.stderr.isatty() else "")
                    sys.stderr.write(f"vnestruct: {last_line()}\n")
                    sys.stderr.flush()
                os._exit(INTERRUPTED)
            return
        if handler.over.is_set():
            return
