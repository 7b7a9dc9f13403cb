"""A graph in ranks on a device: ranking, and what planning asks of the rows, to the same results as on the CPU."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import DeviceMemoryError, downloaded, fitting, import_cupy
from vnestruct.kernels.workspace import RankedGraph
from vnestruct.types import Array, IdArray, OffsetArray, ValueArray


class DeviceRows:
    """The rows of a graph in ranks, here (`rows`) and on a device; `rank` and `node` translate as in a plan.

    A `DeviceMemoryError` says that the device does not hold them. Where it has no memory for an answer, that is None.
    """

    def __init__(self, indptr: OffsetArray, indices: IdArray) -> None:
        self._known: dict[int, tuple[Array, Any]] = {}
        with fitting("the graph") as cupy:
            offsets, others = cupy.asarray(indptr), cupy.asarray(indices)
            rank, node = rank_by_degree(cupy, cupy.diff(offsets))
            n_nodes = np.int64(rank.size)
            # Owner and neighbour in one number: one sort orders all rows.
            keys = rank[owners_of(offsets, others)].astype(np.int64) * n_nodes + rank[others]
            keys.sort()
            starts = cupy.arange(n_nodes + 1, dtype=np.int64)
            self._indptr = cupy.searchsorted(keys, starts * n_nodes)
            self._indices = (keys % n_nodes).astype(np.int32)
            split = (cupy.searchsorted(keys, starts[:-1] * (n_nodes + 1)) - self._indptr[:-1]).astype(np.int32)
            self.rank, self.node = downloaded(rank), downloaded(node)
            self.rows = RankedGraph(*map(self.download, (self._indptr, self._indices, split)), None, None)

    def download(self, array: Any) -> Any:
        """Copy an array to the host, read-only, and keep it on the device as well."""
        copy = downloaded(array)
        copy.flags.writeable = False
        self._known[id(copy)] = copy, array
        return copy

    def upload(self, array: Array) -> Any:
        """Return what was downloaded as `array`, if it is on the current device, or else a copy of that."""
        cupy = import_cupy()
        known, kept = self._known.get(id(array), (None, None))
        return kept if known is array and kept.device.id == cupy.cuda.Device().id else cupy.asarray(array)

    def twins(self, leaves: bool) -> tuple[IdArray, IdArray] | None:
        """Return (leader of each node, copies of each node as in `RankedGraph`); None also where hashes collide.

        Unless `leaves` are to have leaders, each leads itself.
        """
        with self._planning() as cupy:
            indptr, indices, n_nodes = self._indptr, self._indices, self._indptr.size - 1
            own, degrees = cupy.arange(n_nodes, dtype=np.int32), cupy.diff(indptr)
            words = self._words(own)
            opened = self._sums(words)
            # Of equal neighbourhoods the smallest rank comes first. No node has twins of both kinds.
            firsts = (cupy.unique(keys, return_index=True, return_inverse=True) for keys in (opened, opened + words))
            leader, closed = (first[place].astype(np.int32) for _, first, place in firsts)
            leader = cupy.where(leader < own, leader, closed)
            leader = cupy.where(degrees > (0 if leaves else 1), leader, own)
            # All neighbours but the leader must be neighbours of the leader: rows of the same length are then the same.
            owner = owners_of(indptr, indices)
            arcs = cupy.flatnonzero((leader != own)[owner])
            ahead, others = leader[owner[arcs]], indices[arcs]
            keys, wanted = owner * n_nodes + indices, ahead.astype(np.int64) * n_nodes + others
            joined = others == ahead
            same = joined | (keys[cupy.minimum(cupy.searchsorted(keys, wanted), keys.size - 1)] == wanted)
            if not bool(same.all() & (degrees[leader] == degrees).all()):
                return None
            copies, sign = cupy.zeros(n_nodes, np.int32), cupy.ones(n_nodes, np.int32)
            cupy.add.at(copies, leader, np.int32(1))
            sign[others[joined]] = -1
            return self.download(leader), self.download(copies * sign)

    def components(self) -> tuple[IdArray, OffsetArray] | None:
        """Return (component of each node, size of each), as `reductions.label_components` does."""
        with self._planning() as cupy:
            owner, others = owners_of(self._indptr, self._indices), self._indices
            of = own = cupy.arange(self._indptr.size - 1, dtype=np.int32)
            while owner.size:
                # Each tree joins the smallest of its neighbours; then all its nodes learn of their root.
                root = of.copy()
                cupy.minimum.at(root, of[owner], of[others])
                while bool((root != (of := root[root])).any()):
                    root = of
                apart = cupy.flatnonzero(of[owner] != of[others])
                owner, others = owner[apart], others[apart]
            number = cupy.cumsum(of == own) - 1
            size = cupy.zeros(int(number[-1]) + 1, np.uint64)
            cupy.add.at(size, number[of], np.uint64(1))
            return self.download(number[of].astype(np.int32)), self.download(size.view(np.int64))

    def ball_costs(self, copies: IdArray | None, radius: int) -> ValueArray | None:
        """Return the costs of all balls, as `reductions.ball_costs` does: sums of integers are exact here and there."""
        with self._planning() as cupy:
            n_nodes = self._indptr.size - 1
            leads = cupy.ones(n_nodes, np.int64) if copies is None else (self.upload(copies) != 0).astype(np.int64)
            costs = self._sums(leads) * leads
            limit = costs.sum()
            for _ in range(radius - 1):
                costs = cupy.minimum(self._sums(costs), limit) * leads
            return downloaded(costs.astype(np.float64))

    @contextmanager
    def _planning(self) -> Iterator[Any]:
        with suppress(DeviceMemoryError), fitting("the plan") as cupy, self._indptr.device:
            yield cupy

    def _sums(self, values: Any) -> Any:
        """Return the sum of integers over the neighbours of each node, whatever running sums overflow."""
        cupy = import_cupy()
        running = cupy.zeros(self._indices.size + 1, values.dtype)
        cupy.cumsum(values[self._indices], out=running[1:])
        return cupy.diff(running[self._indptr])

    @staticmethod
    def _words(nodes: Any) -> Any:
        """Return a random word for each node, as `machine.mix` does."""
        z = nodes.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def rank_by_degree(cupy: Any, degrees: Any) -> tuple[Any, Any]:
    """Return the rank of every node by descending degree, and the node of every rank."""
    n_nodes = np.int64(degrees.size)
    # One key per node, so that ties go to the smaller id whatever the sort.
    keys = (degrees.max() - degrees) * n_nodes + cupy.arange(n_nodes, dtype=np.int64)
    keys.sort()
    node = (keys % n_nodes).astype(np.int32)
    rank = cupy.empty(int(n_nodes), np.int32)
    rank[node] = cupy.arange(n_nodes, dtype=np.int32)
    return rank, node


def owners_of(indptr: Any, indices: Any) -> Any:
    """Return the node at which each arc starts."""
    cupy = import_cupy()
    return cupy.searchsorted(indptr[1:], cupy.arange(indices.size, dtype=np.int64), side="right")
