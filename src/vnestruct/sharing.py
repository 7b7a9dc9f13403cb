"""Ranges of rows that threads can work on side by side, for kernels without the GIL."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from vnestruct.types import Array, OffsetArray

_Array = TypeVar("_Array", bound=Array)
_Result = TypeVar("_Result")
_LEAST_ITEMS = 1 << 15  # items of a piece at least: a tenth of a millisecond, about as long as it takes to hand it over


class Share(NamedTuple):
    """How many threads share the rows, and what runs a function on them, as `map` does."""

    number: int = 1
    map: Callable[..., Iterable[Any]] = map

    def rows(self, offsets: OffsetArray, function: Callable[[int, int], _Result]) -> list[_Result]:
        """Call a function for ranges (first, last) that cover all rows, with about as many arcs each."""
        edges = np.array([0, offsets.size - 1])
        if self.number > 1:
            arcs = np.linspace(0, offsets[-1], self.number + 1)
            edges = np.unique(np.append(np.searchsorted(offsets, arcs[:-1]), edges))
        return self.calls(function, edges[:-1].tolist(), edges[1:].tolist())

    def items(self, number: int, function: Callable[[int, int], object]) -> None:
        """Call a function for ranges (first, last) that cover `number` items."""
        n_pieces = min(self.number, 1 + number // _LEAST_ITEMS)
        edges = np.linspace(0, number, n_pieces + 1, dtype=np.int64)
        self.calls(function, edges[:-1].tolist(), edges[1:].tolist())

    def taken(self, values: _Array, places: Array) -> _Array:
        """Return the rows of `values` at some places, as indexing does."""
        found = np.empty((places.size, *values.shape[1:]), values.dtype)
        # With a mode that checks nothing, no copy is made first; NumPy releases the GIL.
        self.items(places.size, lambda first, last: values.take(places[first:last], 0, found[first:last], "clip"))
        return cast(_Array, found)

    def calls(self, function: Callable[..., _Result], *arguments: Iterable[Any]) -> list[_Result]:
        """Call a function as `map` does, and return the results."""
        return list(self.map(function, *arguments))


ALONE = Share()
