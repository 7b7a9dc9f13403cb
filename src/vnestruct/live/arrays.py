"""What grows with a live graph: the arrays of its kernels, and the numbers of its labels."""

from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import UnknownNodeError
from vnestruct.graph.labels import LabelArray, as_label_column, check_label
from vnestruct.kernels import live
from vnestruct.types import IdArray, OffsetArray, ValueArray

_SIZES = 40  # sizes of blocks in the pool: more than any row needs
_PER_NODE = 7  # arrays of `LiveState` with an entry for each node, which come first


class LiveArrays:
    """A growing graph with the exact state of radius 1, for nodes numbered 0, 1, ...

    `state` is what kernels take, a tuple of arrays; growing replaces arrays, so it is taken anew after each change.

    - ``degree``, ``triangles``, ``squares``: for each node its degree d, twice its triangles t, and S, the sum of
      (1 + c)**2 over its edges, where c is the number of common neighbours of the two ends. The entropies of its 1-ball
      follow from these: m = d + t edges, trace 2 m, sum of squared degrees d**2 + S, largest eigenvalue d + 1.
    - ``start``, ``size``, ``pool``: the neighbours of node u are ``pool[start[u] : start[u] + degree[u]]``, in no
      order; its block has room for ``1 << size[u]``.
    - ``table``, ``weights``: a hash table of edges, open addressing; a slot has both ends, the number of times that the
      edge was added, and its c; ``weights`` has the weight of each slot, if there are weights.
    - ``is_changed``, ``changed``, ``counts``: the nodes whose sums have changed since `take_changed`; the number of
      edges, of used entries of the pool and of changed nodes, and the first free block of each size.
    """

    def __init__(self, *, weighted: bool = False) -> None:
        self.state = live.LiveState(
            start=np.empty(0, np.int64), size=np.empty(0, np.int8), degree=np.empty(0, np.int64),
            triangles=np.empty(0, np.int64), squares=np.empty(0, np.int64), is_changed=np.empty(0, np.uint8),
            changed=np.empty(0, np.int32), pool=np.empty(64, np.int32), table=np.full((64, 2), -1, np.int64),
            weights=np.zeros(64 if weighted else 0), counts=np.array([0] * live.FREE + [-1] * _SIZES),
        )  # fmt: skip

    @property
    def n_edges(self) -> int:
        """Number of pairs of adjacent nodes."""
        return int(self.state.counts[live.EDGES])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.state)

    def reserve(self, n_nodes: int) -> None:
        """Make room for so many nodes."""
        room = self.state.degree.size
        if n_nodes > room:
            more = n_nodes + n_nodes // 4 - room
            grown = [np.concatenate([array, np.zeros(more, array.dtype)]) for array in self.state[:_PER_NODE]]
            self.state = live.LiveState(*grown, *self.state[_PER_NODE:])

    def change(self, ends: IdArray, sign: npt.ArrayLike, weights: ValueArray) -> int:
        """Add (sign 1) and remove (-1) edges in order; return how many are done: all, or those before a missing one."""
        signs = np.ascontiguousarray(np.broadcast_to(sign, weights.shape), np.int8)
        ends, weights = np.ascontiguousarray(ends), np.ascontiguousarray(weights)
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
                more = state.pool.size // 4 + 8 * int(state.degree[ends[done]].max()) + 64
                self.state = state._replace(pool=np.concatenate([state.pool, np.empty(more, np.int32)]))
            else:
                return done

    def take_changed(self) -> IdArray:
        """Return the nodes whose sums have changed since the last call."""
        counts = self.state.counts
        rows: IdArray = np.sort(self.state.changed[: counts[live.N_CHANGED]])
        self.state.is_changed[rows] = counts[live.N_CHANGED] = 0
        return rows

    def rows(self, n_nodes: int) -> tuple[OffsetArray, IdArray, ValueArray]:
        """Return (indptr, indices, weights) of the first nodes, rows ascending; weights are empty if there are none."""
        return live.rows_of(self.state, n_nodes)  # type: ignore[no-any-return]


class NodeNumbers:
    """The labels of a growing graph and their numbers 0, 1, ... by first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._labels: list[Any] = []

    def __len__(self) -> int:
        return len(self._labels)

    def labels(self, numbers: npt.NDArray[np.integer] | None = None) -> LabelArray:
        """Return the labels with these numbers, or all."""
        return as_label_column(self._labels if numbers is None else [self._labels[i] for i in numbers.tolist()])

    def number(self, labels: LabelArray, *, new: bool = True) -> IdArray:
        """Return the number of each label; an unknown one gets the next number, or is refused."""
        wanted, numbers = labels.tolist(), self._numbers
        with suppress(KeyError, TypeError):
            # The usual case: all are known.
            return np.fromiter(map(numbers.__getitem__, wanted), np.int32, len(wanted))
        try:
            unknown = list(dict.fromkeys(label for label in wanted if label not in numbers))
        except TypeError:
            for label in wanted:
                check_label(label)
            raise
        if not new:
            raise UnknownNodeError(f"node {unknown[0]!r} is not in the graph")
        for label in unknown:
            check_label(label)
        numbers.update(zip(unknown, count(len(numbers)), strict=False))
        self._labels += unknown
        return self.number(labels)
