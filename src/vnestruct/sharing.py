"""Ranges of rows that threads can work on side by side, for kernels without the GIL."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from vnestruct.types import Array, OffsetArray

_Array = TypeVar("_Array", bound=Array)
_Result = TypeVar("_Result")
_MIN_ITEMS = 1 << 15  # items of a piece at least: a tenth of a millisecond, about as long as it takes to hand it over


class Parallel(NamedTuple):
    """How many threads share the rows, and what runs a function on them, as `map` does."""

    number: int = 1
    run: Callable[..., Iterable[Any]] = map

    def for_rows(self, offsets: OffsetArray, function: Callable[[int, int], _Result]) -> list[_Result]:
        """Call a function for ranges (first, last) that cover all rows, with about as many arcs each."""
        arcs = np.linspace(0, offsets[-1], self.number + 1)[1:-1]
        edges = np.unique(np.append(np.searchsorted(offsets, arcs), [0, offsets.size - 1]))
        if offsets.size == 1:
            edges = np.zeros(2, np.int64)
        return self.map(function, edges[:-1].tolist(), edges[1:].tolist())

    def for_items(self, number: int, function: Callable[[int, int], object]) -> None:
        """Call a function for ranges (first, last) that cover `number` items."""
        edges = np.linspace(0, number, min(self.number, 1 + number // _MIN_ITEMS) + 1, dtype=np.int64)
        self.map(function, edges[:-1].tolist(), edges[1:].tolist())

    def take(self, values: _Array, places: Array) -> _Array:
        """Return the rows of `values` at some places, as indexing does."""
        found = np.empty((places.size, *values.shape[1:]), values.dtype)
        # With a mode that checks nothing, no copy is made first; NumPy releases the GIL.
        self.for_items(places.size, lambda first, last: values.take(places[first:last], 0, found[first:last], "clip"))
        return cast(_Array, found)

    def map(self, function: Callable[..., _Result], *arguments: Iterable[Any]) -> list[_Result]:
        """Call a function as `map` does, and return the results."""
        return list(self.run(function, *arguments))


SERIAL = Parallel()
