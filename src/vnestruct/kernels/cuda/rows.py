"""A graph in ranks on a device: ranking, and what planning asks of the rows, with the same results as on the CPU."""

from contextlib import suppress
from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import DeviceMemoryError, downloaded, fitting, import_cupy
from vnestruct.kernels.machine import mix
from vnestruct.kernels.workspace import RankedGraph
from vnestruct.types import Array, IdArray, OffsetArray, ValueArray


class DeviceRows:
    """The rows of a graph in ranks, on a device and on the host (`rows`); `rank` and `node` translate.

    A `DeviceMemoryError` says that the device does not hold them. Methods return None if there is no memory for more.
    """

    def __init__(self, indptr: OffsetArray, indices: IdArray) -> None:
        self._known: dict[int, tuple[Array, Any]] = {}  # by id, which no other array can get: they are held here
        with fitting("the graph") as cupy:
            offsets, others = cupy.asarray(indptr), cupy.asarray(indices)
            rank, node = rank_by_degree(cupy, cupy.diff(offsets))
            n_nodes = np.int64(rank.size)
            # Owner and neighbour in one number: one sort orders all rows.
            keys = rank[owners_of(cupy, offsets, others)].astype(np.int64) * n_nodes + rank[others]
            keys.sort()
            starts = cupy.arange(n_nodes + 1, dtype=np.int64)
            self._indptr = cupy.searchsorted(keys, starts * n_nodes)
            self._indices = (keys % n_nodes).astype(np.int32)
            split = (cupy.searchsorted(keys, starts[:-1] * (n_nodes + 1)) - self._indptr[:-1]).astype(np.int32)
            self.rank, self.node = self.download(rank), self.download(node)
            indptr, indices, split = map(self.download, (self._indptr, self._indices, split))
            self.rows = RankedGraph(indptr, indices, split, None, None)

    def download(self, array: Any) -> Any:
        """Copy an array to the host, read-only, and remember the copy."""
        copy = downloaded(array)
        copy.flags.writeable = False
        self._known[id(copy)] = copy, array
        return copy

    def upload(self, array: Any) -> Any:
        """Copy an array to the current device, unless it came from there."""
        cupy = import_cupy()
        _, kept = self._known.get(id(array), (None, None))
        return cupy.asarray(array) if kept is None or kept.device.id != cupy.cuda.Device().id else kept

    def twins(self, leaves: bool) -> tuple[IdArray, IdArray] | None:
        """Return (leader, copies) of each node, or None if hashes collide; only with `leaves`, leaves have leaders."""
        with suppress(DeviceMemoryError), fitting("the plan") as cupy:
            indptr, indices, n_nodes = self._indptr, self._indices, self._indptr.size - 1
            own, degrees = cupy.arange(n_nodes, dtype=np.int32), cupy.diff(indptr)
            words = mix.py_func(own.astype(np.uint64))
            opened = self._sums(words)
            leader = own
            for keys in (opened + words, opened):
                # The sort is stable: of nodes with the same key, the smallest comes first.
                order = cupy.argsort(keys)
                first = order[cupy.searchsorted(keys[order], keys)].astype(np.int32)
                leader = cupy.where((first < own) & (degrees > 1 - leaves), first, leader)
            # Rows of one length are those of twins if all entries but the leader are neighbours of the leader.
            owner = owners_of(cupy, indptr, indices)
            ahead = leader[owner].astype(np.int64)
            keys, wanted, joined = owner * n_nodes + indices, ahead * n_nodes + indices, indices == ahead
            same = joined | (keys[cupy.minimum(cupy.searchsorted(keys, wanted), keys.size - 1)] == wanted)
            if not bool(same.all() & (degrees[leader] == degrees).all()):
                return None
            copies, sign = cupy.zeros(n_nodes, np.int32), cupy.ones(n_nodes, np.int32)
            cupy.add.at(copies, leader, np.int32(1))
            sign[indices[joined]] = -1
            return self.download(leader), self.download(copies * sign)
        return None

    def ball_costs(self, copies: IdArray | None, radius: int) -> ValueArray | None:
        """Return what `reductions.ball_costs` does: its sums, too, are exact or far above the limit."""
        with suppress(DeviceMemoryError), fitting("the plan") as cupy:
            leads = cupy.diff(self._indptr) >= 0 if copies is None else self.upload(copies) != 0
            costs = self._sums(leads.astype(np.int64)) * leads
            limit = costs.sum()
            for _ in range(radius - 1):
                costs = cupy.minimum(self._sums(costs), limit) * leads
            return np.asarray(downloaded(costs.astype(np.float64)))
        return None

    def _sums(self, values: Any) -> Any:
        """Return the sum of integers over the neighbours of each node; running sums may overflow."""
        cupy = import_cupy()
        running = cupy.zeros(self._indices.size + 1, values.dtype)
        cupy.cumsum(values[self._indices], out=running[1:])
        return cupy.diff(running[self._indptr])


def rank_by_degree(cupy: Any, degrees: Any) -> tuple[Any, Any]:
    """Return the rank of every node by descending degree, and the node of every rank."""
    node = cupy.argsort(-degrees).astype(np.int32)  # the sort is stable: ties go to the smaller id
    rank = cupy.empty(node.size, np.int32)
    rank[node] = cupy.arange(node.size, dtype=np.int32)
    return rank, node


def owners_of(cupy: Any, indptr: Any, indices: Any) -> Any:
    """Return the node at which each arc starts."""
    return cupy.searchsorted(indptr[1:], cupy.arange(indices.size, dtype=np.int64), side="right")
