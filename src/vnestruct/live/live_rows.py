"""The arrays of a live graph, and their growth: kernels stop where they lack room, and go on with more of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.kernels import live
from vnestruct.types import IdArray, OffsetArray, ValueArray

_SIZES = 40
"""Sizes of blocks in the pool: more than any row needs."""


class LiveRows:
    """Neighbours and sums of the nodes 0, 1, ... of a changing graph."""

    def __init__(self, weighted: bool) -> None:
        types = (np.int64, np.int8, np.int64, np.int64, np.int64, np.uint8, np.int32)
        nodes = [np.empty(0, kind) for kind in types]
        pool, table, weights = np.empty(64, np.int32), np.full((64, 2), -1, np.int64), np.zeros(64 if weighted else 0)
        counts = np.array([0] * live.FREE + [-1] * _SIZES)
        self.state = live.LiveState._make([*nodes, pool, table, weights, counts])

    @property
    def n_edges(self) -> int:
        """Number of edges, however often they occur."""
        return int(self.state.counts[live.EDGES])

    def reserve(self, n_nodes: int) -> None:
        """Make room for so many nodes."""
        state = self.state
        more = n_nodes + n_nodes // 4 - state.degree.size
        if n_nodes > state.degree.size:
            grown = [
                np.concatenate([array, np.full(more, -1 if array is state.size else 0, array.dtype)])
                for array in state[:7]
            ]
            self.state = live.LiveState._make([*grown, *state[7:]])

    def change(self, ends: IdArray, signs: npt.NDArray[np.int8], weights: ValueArray) -> int:
        """Add and remove edges; return how many are done, fewer than all if an edge to remove is not there."""
        done: int = 0
        while True:
            done, why = live.apply_changes(self.state, ends, signs, weights, done)
            state = self.state
            if why == live.TABLE_FULL:
                n_slots = 2 * state.table.shape[0]
                table, kept = np.full((n_slots, 2), -1, np.int64), np.zeros(n_slots if state.weights.size else 0)
                self.state = state._replace(table=table, weights=kept)
                live.rehash(state, self.state)
            elif why == live.POOL_FULL:
                longest = int(state.degree[ends[:, done]].max())
                pool = np.empty(state.pool.size * 5 // 4 + 8 * longest + 64, np.int32)
                pool[: state.pool.size] = state.pool
                self.state = state._replace(pool=pool)
            else:
                return done

    def sums(self, rows: npt.NDArray[np.integer]) -> list[OffsetArray]:
        """Return what `closed_form.radius_one` needs of some nodes."""
        return [array[rows] for array in (self.state.degree, self.state.triangles, self.state.squares)]

    def take_changed(self) -> IdArray:
        """Return the nodes whose sums have changed since the last call."""
        counts = self.state.counts
        rows: IdArray = np.sort(self.state.changed[: counts[live.N_CHANGED]])
        self.state.is_changed[rows] = 0
        counts[live.N_CHANGED] = 0
        return rows
