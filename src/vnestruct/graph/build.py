"""From columns of edges to a clean graph: self-loops dropped, parallel edges merged, arcs sorted.

An edge is one int64 key, ``smaller * n + larger`` (and one more bit for its direction), so that sorting one
array both groups parallel edges and orders the rows. The keys are filled chunk by chunk and freed as soon as
the upper triangle is built, so that memory stays below about three times the result.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.factorize import factorize
from vnestruct.graph.graph import IN, OUT, CleaningReport, Graph
from vnestruct.graph.labels import LabelArray, as_label_column, checked_labels
from vnestruct.graph.validate import as_integers, first_true
from vnestruct.types import Array, FlagArray, IdArray, NodeId, OffsetArray, Value, ValueArray

_CHUNK = 1 << 20  # rows handled at once, so that temporary arrays stay small compared to the columns
_INT32_MAX = np.iinfo(np.int32).max


def graph_from_pairs(
    source: Any, target: Any, weight: Any = None, *, nodes: Any = None, directed: bool = False
) -> Graph:
    """Build a graph from the labels of the two ends of each edge, any hashable objects.

    Labels of `nodes` come first in the node order, with edges or not; the others follow by first appearance. Weights
    are not negative, those of parallel edges add up, and an edge of weight 0 is dropped.

    Examples
    --------
    >>> graph = graph_from_pairs(["b", "a", "a"], ["a", "c", "a"])
    >>> graph.nodes
    array(['b', 'a', 'c'], dtype=object)
    >>> print(graph.report)
    Read 3 edges; dropped 1 self-loop.
    """
    source, target = as_label_column(source), as_label_column(target)
    if source.size != target.size:
        raise ParameterError(f"source has {source.size} labels, but target has {target.size}")
    values = None if weight is None else checked_weights(weight, source, target)
    source_ids, target_ids, labels = factorize(source, target, checked_labels(nodes))
    del source, target
    edges = EdgeKeys(source_ids, target_ids, values, labels.size, directed)
    del source_ids, target_ids
    return edges.graph(labels)


def graph_from_ids(
    source_ids: npt.ArrayLike, target_ids: npt.ArrayLike, weight: npt.ArrayLike | None = None, *, n_nodes: int,
    nodes: Any | None = None, directed: bool = False,
) -> Graph:  # fmt: skip
    """Build a graph from ids 0..n_nodes-1 of the two ends of each edge; `nodes` are labels other than the ids."""
    if not isinstance(n_nodes, int | np.integer) or not 0 <= n_nodes <= np.iinfo(NodeId).max:
        raise ParameterError(f"n_nodes is {n_nodes!r}; it must be an integer from 0 to {np.iinfo(NodeId).max}")
    n_nodes = int(n_nodes)
    source, target = _ids(source_ids, "source_ids", n_nodes), _ids(target_ids, "target_ids", n_nodes)
    if source.size != target.size:
        raise ParameterError(f"source_ids has {source.size} entries, but target_ids has {target.size}")
    labels = checked_labels(nodes, n_nodes, f"n_nodes is {n_nodes}")
    values = None if weight is None else checked_weights(weight, source, target, labels)
    return EdgeKeys(source, target, values, n_nodes, directed).graph(labels)


def _ids(ids: npt.ArrayLike, name: str, n_nodes: int) -> Array:
    given = as_integers(ids, name)
    if given.size and not (given.min() >= 0 and given.max() < n_nodes):
        place = int(np.argmax((given < 0) | (given >= n_nodes)))
        raise ParameterError(f"{name}[{place}] is {given[place]}; ids range from 0 to n_nodes - 1 = {n_nodes - 1}")
    return given


def checked_weights(weight: Any, source: Array, target: Array, labels: LabelArray | None = None) -> ValueArray:
    """Return weights as numbers; an error names the edge, by its labels, that has another one."""

    def edge(place: int) -> str:
        ends = [column[place] if labels is None else labels[column[place]] for column in (source, target)]
        return "({!r}, {!r})".format(*(end.item() if isinstance(end, np.generic) else end for end in ends))

    if not isinstance(weight, np.ndarray):
        try:
            weight = np.asarray(weight) if hasattr(weight, "__array__") else list(weight)
        except TypeError:
            raise ParameterError(f"weight is {weight!r}; it must hold one number for each edge") from None
    given: Array
    try:
        given = np.asarray(weight)
    except ValueError:
        given = np.fromiter(weight, dtype=object)
    if given.ndim != 1 or given.size != source.size:
        raise ParameterError(f"weight has shape {given.shape}; it must hold one number for each of {source.size} edges")
    if given.dtype.kind not in "biuf":
        given = np.array([_number(value, place, edge) for place, value in enumerate(weight)], dtype=Value)
    values: ValueArray = given.astype(Value, copy=False)
    if (place := first_true(~(np.isfinite(values) & (values >= 0)))) is not None:
        wrong = f"the weight of edge {edge(place)} is {values[place]}; weights must be finite and not negative"
        raise ParameterError(wrong)
    return values


def _number(value: Any, place: int, edge: Any) -> float:
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"the weight of edge {edge(place)} is {value!r}, which is not a number") from None


class EdgeKeys:
    """Edges between 0..n_nodes-1 as sortable keys, without self-loops and edges of weight 0; builds one graph."""

    def __init__(self, source: Array, target: Array, values: ValueArray | None, n_nodes: int, directed: bool) -> None:
        self._n_nodes, self._directed = n_nodes, directed
        keys = np.empty(source.size, dtype=np.int64)
        kept = None if values is None else np.empty(source.size, dtype=Value)
        n_kept = n_loops = n_zero = 0
        for start in range(0, source.size, _CHUNK):
            rows = slice(start, start + _CHUNK)
            tail, head = source[rows].astype(np.int64), target[rows].astype(np.int64)
            keep = tail != head
            n_loops += tail.size - int(np.count_nonzero(keep))
            if values is not None:
                n_zero += int(np.count_nonzero(keep & (values[rows] == 0)))
                keep &= values[rows] > 0
            part = np.minimum(tail, head) * n_nodes + np.maximum(tail, head)
            if directed:
                part = 2 * part + (tail > head)
            stop = n_kept + int(np.count_nonzero(keep))
            keys[n_kept:stop] = part[keep]
            if values is not None and kept is not None:
                kept[n_kept:stop] = values[rows][keep]
            n_kept = stop
        self._keys: OffsetArray = keys[:n_kept]
        self._values: ValueArray | None = None if kept is None else kept[:n_kept]
        self._counts = {"edges_read": source.size, "self_loops_dropped": n_loops, "zero_weight_dropped": n_zero}

    def graph(self, labels: LabelArray | None) -> Graph:
        """Return the graph of the edges, its labels 0..n-1 if None; the keys are used up."""
        n_read = self._keys.size
        self._sort()
        self._merge()
        n_merged = n_read - self._keys.size
        directions: FlagArray | None = None
        if self._directed:
            indptr, indices, directions, weights = self._directed_csr()
        else:
            data, self._values = self._values, None
            indptr, indices, weights = self._symmetric_csr(data)
        isolated = int(np.count_nonzero(indptr[1:] == indptr[:-1]))
        report = CleaningReport(parallel_merged=n_merged, isolated_nodes=isolated, **self._counts)
        return Graph._trusted(indptr, indices, weights, labels, directions, report)

    def _sort(self) -> None:
        if self._values is None:
            _sort_in_place(self._keys)
            return
        order = np.argsort(self._keys)
        self._keys = self._keys[order]
        # Parallel weights are added in the order they were read, so that their sum does not depend on the edges
        # between them. A stable sort of everything would be far slower.
        same = self._keys[1:] == self._keys[:-1]
        if same.any():
            places = np.flatnonzero(np.append(same, False) | np.append(False, same))
            order[places] = order[places][np.lexsort((order[places], self._keys[places]))]
        self._values = self._values[order]

    def _merge(self) -> None:
        first = _first_of_group(self._keys)
        if first.all():
            return
        self._keys = self._keys[first]
        if self._values is not None:
            with np.errstate(over="ignore"):
                self._values = np.add.reduceat(self._values, np.flatnonzero(first))
            if not np.isfinite(self._values.max()):
                raise ParameterError("the weights of parallel edges add up to infinity; scale the weights down")

    def _directed_csr(self) -> tuple[OffsetArray, IdArray, FlagArray, ValueArray | None]:
        """Join the arcs into pairs that know which of their two arcs exist."""
        backward = (self._keys & 1).astype(bool)
        self._keys >>= 1
        first = _first_of_group(self._keys)
        self._keys = self._keys[first]
        n_pairs = self._keys.size
        slot_type = np.int32 if 2 * n_pairs < _INT32_MAX else np.int64
        pair_of: Array = np.cumsum(first, dtype=slot_type) - 1
        # Below n_pairs the upper triangle, from there on its mirror image.
        flags = np.zeros(2 * n_pairs, dtype=np.uint8)
        flags[pair_of[~backward]] |= OUT
        flags[pair_of[backward]] |= IN
        flags[n_pairs:] = flags[:n_pairs] >> 1 | (flags[:n_pairs] & OUT) << 1
        values = None
        if self._values is not None:
            values = np.zeros(2 * n_pairs, dtype=Value)
            values[pair_of[~backward]] = self._values[~backward]
            values[n_pairs + pair_of[backward]] = self._values[backward]
            self._values = None
        del pair_of, backward, first
        slots: Array = np.arange(n_pairs, dtype=slot_type)
        indptr, indices, slots = self._symmetric_csr(slots, mirror_shift=n_pairs)
        return indptr, indices, flags[slots], None if values is None else values[slots]

    def _symmetric_csr(self, data: Array | None, mirror_shift: int = 0) -> tuple[OffsetArray, IdArray, Any]:
        """Return the symmetric CSR of the sorted pairs with their data, of which there may be none."""
        from scipy.sparse import csr_array

        # SciPy widens the indices to the type of the offsets: keep those narrow where they fit.
        n_nodes, n_pairs = self._n_nodes, self._keys.size
        starts = np.searchsorted(self._keys, np.arange(n_nodes + 1) * n_nodes)
        starts = starts.astype(np.int32 if 2 * n_pairs < _INT32_MAX else np.int64)
        columns = np.empty(n_pairs, dtype=NodeId)
        np.remainder(self._keys, n_nodes, out=columns, casting="unsafe")
        self._keys = self._keys[:0].copy()
        carried = np.ones(n_pairs, dtype=np.int8) if data is None else data
        upper = csr_array((carried, columns, starts), shape=(n_nodes, n_nodes))
        lower = upper.T.tocsr()
        if mirror_shift:
            lower.data += mirror_shift
        # Of each row, the neighbours of smaller id come first: nothing is left to sort or to compare.
        indptr = upper.indptr.astype(np.int64) + lower.indptr
        is_lower = _row_heads(indptr, np.diff(lower.indptr))
        indices = _merged(is_lower, lower.indices, upper.indices, NodeId)
        return indptr, indices, None if data is None else _merged(is_lower, lower.data, upper.data, data.dtype)


def _sort_in_place(keys: OffsetArray) -> None:
    """Sort, on two threads if there are many: NumPy needs no GIL for it."""
    if keys.size < _CHUNK:
        keys.sort()
        return
    middle = keys.size // 2
    keys.partition(middle)
    with ThreadPoolExecutor(1) as pool:
        half = pool.submit(keys[:middle].sort)
        keys[middle:].sort()
        half.result()


def _row_heads(indptr: OffsetArray, lengths: Array) -> npt.NDArray[np.bool_]:
    """Return for all entries of a CSR whether they are among the first `lengths` of their row."""
    rows = np.flatnonzero(lengths)
    turns = np.zeros(int(indptr[-1]) + 1, dtype=np.int8)
    turns[indptr[rows]] = 1
    turns[indptr[rows] + lengths[rows]] -= 1
    return np.cumsum(turns[:-1], dtype=np.int8, out=turns[:-1]).view(np.bool_)


def _merged(first: npt.NDArray[np.bool_], some: Array, others: Array, dtype: Any) -> Array:
    """Return two arrays in one: the entries of `some` where `first` is true, else those of `others`."""
    merged = np.empty(first.size, dtype=dtype)
    merged[first] = some
    merged[~first] = others
    return merged


def _first_of_group(keys: OffsetArray) -> npt.NDArray[np.bool_]:
    first = np.ones(keys.size, dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first
