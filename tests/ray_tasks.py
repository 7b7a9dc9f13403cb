"""Tasks for the Ray engine; they are pickled by value, since workers cannot import the tests."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np

from vnestruct.errors import TooLargeError


class Squares:
    """Rows are the squares of the positions, next to the process that computed them."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.ballast = np.arange(200_000)

    def scratch(self):
        return {"blocks": 0}

    def __call__(self, block, scratch, cancel):
        time.sleep(self.seconds)
        scratch["blocks"] += 1
        # Arrays from the object store are read-only views.
        assert not self.ballast.flags.writeable
        numbers = np.arange(block.start, block.stop, dtype=np.float64)
        return np.column_stack([numbers**2, np.full(len(block), os.getpid()), np.full(len(block), scratch["blocks"])])

    def describe(self, block):
        return f"nodes {block.start} to {block.stop - 1}"


class Deadly(Squares):
    """The block of position 21 kills its process, `times` times."""

    def __init__(self, folder: Path, times: int) -> None:
        super().__init__()
        self.folder, self.times = folder, times

    def __call__(self, block, scratch, cancel):
        if block.start <= 21 < block.stop:
            died = len(list(self.folder.iterdir()))
            if died < self.times:
                (self.folder / str(died)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(block, scratch, cancel)


class Failing(Squares):
    """The block of position 21 fails."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def __call__(self, block, scratch, cancel):
        if block.start <= 21 < block.stop:
            raise self.error
        return super().__call__(block, scratch, cancel)


class Unready(Squares):
    """No worker can create its workspace."""

    def scratch(self):
        raise TooLargeError("the workspace is too large")
