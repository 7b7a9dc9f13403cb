"""Memory to stay within: what fits, what goes to files, and what must be refused before the work begins."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vnestruct.errors import TooLargeError
from vnestruct.types import IdArray

PROGRAM_BYTES = 250 << 20
"""The interpreter, its libraries and compiled kernels."""

_ARC_BYTES = 48
"""Bytes an arc takes while a slice of the graph is rewritten."""

_SLICE_ARCS = (1 << 16, 1 << 21)


@dataclass(frozen=True)
class Budget:
    """A limit in bytes, and a folder on disk for what does not fit.

    The limit counts memory of the process's own. Pages of mapped files come on top only while nobody else needs them:
    the system takes them back at any time.
    """

    limit: int
    folder: Path
    _numbers: itertools.count[int] = field(default_factory=itertools.count, compare=False)

    def room(self, taken: int, what: str) -> int:
        """Return the bytes left when `taken` are; refuse if there are none.

        Raises
        ------
        TooLargeError
            Naming what is needed.
        """
        left = self.limit - PROGRAM_BYTES - taken
        if left < _ARC_BYTES * _SLICE_ARCS[0]:
            need = PROGRAM_BYTES + taken + _ARC_BYTES * _SLICE_ARCS[0]
            raise TooLargeError(
                f"{what} needs {need / 1e6:,.0f} MB of memory, more than the {self.limit / 1e6:,.0f} MB allowed; "
                "allow more, or use fewer threads (n_jobs)"
            )
        return left

    def slice_arcs(self, room: int) -> int:
        """Return how many arcs to rewrite at a time."""
        low, high = _SLICE_ARCS
        return int(min(max(room // _ARC_BYTES, low), high))

    def zeros(self, length: int, room: int) -> IdArray:
        """Return int32 zeros: in memory if they take at most `room` bytes, else in a file."""
        if 4 * length <= room or not length:
            return np.zeros(length, np.int32)
        path = self.folder / f"counts-{next(self._numbers)}"
        counts = np.asarray(np.memmap(path, np.int32, "w+", shape=(length,)))
        # The mapping keeps the content; without a name it is gone with the process, however that ends.
        path.unlink()
        return counts
