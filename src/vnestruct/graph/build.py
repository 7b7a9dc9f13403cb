"""From columns of edges to a clean graph: self-loops dropped, parallel edges merged, arcs sorted.

Edges are pairs of a smaller and a larger id. Two stable counting sorts, by larger and then by smaller id, both group
parallel edges, in the order they were read, and order the rows of the upper triangle. Columns are freed as soon as the
next ones are built, so that memory stays below about three times the result.
"""

import ctypes
from contextlib import suppress
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.factorize import factorize
from vnestruct.graph.graph import IN, OUT, CleaningReport, Graph
from vnestruct.graph.labels import LabelArray, as_label_column, checked_labels
from vnestruct.graph.sides import ColumnNames, Sides, sides_of_columns, split_columns
from vnestruct.graph.validate import as_integers, first_true
from vnestruct.types import Array, ArrayLike, BoolArray, FlagArray, IdArray, NodeId, OffsetArray, Value, ValueArray

_CHUNK = 1 << 20  # rows handled at once, so that temporary arrays stay small compared to the columns
_FEW_PAIRS = 1 << 9  # pairs that are sorted before SciPy has made its matrices
_KEPT_BYTES = 16 << 20


def graph_from_pairs(
    source: Any, target: Any, weight: Any = None, column_names: ColumnNames = None, *, nodes: Any = None,
    directed: bool = False, bipartite: bool | None = None,
) -> Graph:  # fmt: skip
    """Build a graph from the labels of the two ends of each edge, any hashable objects.

    Labels of `nodes` come first in the node order, with edges or not; the others follow by first appearance. Weights
    are not negative, those of parallel edges add up, and an edge of weight 0 is dropped. Columns that share no label
    are the sides of the graph, unless `nodes` are given or `bipartite` is False; if it is True, equal labels in the two
    columns are different nodes.

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
    if bipartite and nodes is None:
        source_ids, target_ids, labels = split_columns(source_ids, target_ids, labels, column_names)
    told = nodes is None and bipartite is not False
    sides = sides_of_columns(source_ids, target_ids, labels.size, column_names) if told else None
    edges = EdgePairs(source_ids, target_ids, values, labels.size, directed)
    del source_ids, target_ids
    return edges.graph(labels, sides)


def graph_from_ids(
    source_ids: ArrayLike, target_ids: ArrayLike, weight: ArrayLike | None = None, *, n_nodes: int,
    nodes: Any | None = None, directed: bool = False, sides: Sides | None = None,
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
    return EdgePairs(source, target, values, n_nodes, directed).graph(labels, sides)


def _ids(ids: ArrayLike, name: str, n_nodes: int) -> Array:
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


class EdgePairs:
    """Edges between 0..n_nodes-1 as pairs, without self-loops and edges of weight 0; builds one graph."""

    def __init__(self, source: Array, target: Array, values: ValueArray | None, n_nodes: int, directed: bool) -> None:
        self._n_nodes, self._directed = n_nodes, directed
        smaller, larger = np.empty(source.size, dtype=NodeId), np.empty(source.size, dtype=NodeId)
        kept = None if values is None else np.empty(source.size, dtype=Value)
        n_kept, n_zero, n_loops = 0, 0, source.size
        # In a directed graph all arcs to larger ids come first, so that sorting leaves those of a pair in two groups.
        for compare in (np.less, np.greater) if directed else (np.not_equal,):
            self._n_forward = n_kept
            for start in range(0, source.size, _CHUNK):
                rows = slice(start, start + _CHUNK)
                tail, head = source[rows], target[rows]
                keep = compare(tail, head)
                n_loops -= int(np.count_nonzero(keep))
                if values is not None:
                    n_zero += int(np.count_nonzero(keep & (values[rows] == 0)))
                    keep &= values[rows] > 0
                tail, head = tail[keep], head[keep]
                stop = n_kept + tail.size
                np.minimum(tail, head, out=smaller[n_kept:stop], casting="same_kind")
                np.maximum(tail, head, out=larger[n_kept:stop], casting="same_kind")
                if values is not None and kept is not None:
                    kept[n_kept:stop] = values[rows][keep]
                n_kept = stop
        self._ends = (smaller[:n_kept], larger[:n_kept])
        self._values: ValueArray | None = None if kept is None else kept[:n_kept]
        self._counts = {"edges_read": source.size, "self_loops_dropped": n_loops, "zero_weight_dropped": n_zero}

    def graph(self, labels: LabelArray | None, sides: Sides | None = None) -> Graph:
        """Return the graph of the edges, its labels 0..n-1 if None; the pairs are used up."""
        places = self._sort()
        values, backward = None if self._values is None else self._values[places], places >= self._n_forward
        del places, self._values
        first = self._first_of_group()
        if self._directed:
            first[1:] |= backward[1:] != backward[:-1]
        n_merged = int(np.count_nonzero(~first))
        if n_merged:
            self._keep(first)
            backward = backward[first] if self._directed else backward
            if values is not None:
                # The weights of parallel edges are added up in the order they were read.
                with np.errstate(over="ignore"):
                    values = np.add.reduceat(values, np.flatnonzero(first))
                if not np.isfinite(values.max()):
                    raise ParameterError("the weights of parallel edges add up to infinity; scale the weights down")
        del first
        directions: FlagArray | None = None
        if self._directed:
            indptr, indices, directions, weights = self._directed_csr(backward, values)
        else:
            indptr, indices, weights = self._symmetric_csr(values)
        isolated = int(np.count_nonzero(indptr[1:] == indptr[:-1]))
        report = CleaningReport(parallel_merged=n_merged, isolated_nodes=isolated, **self._counts)
        # Without edges there is nothing to tell sides by.
        sides = sides if indices.size else None
        return Graph._trusted(indptr, indices, weights, labels, directions, report, sides)

    def _sort(self) -> Array:
        """Sort the pairs into rows of their smaller ends, parallel edges as read; return where each pair was."""
        n_pairs = self._ends[0].size
        if n_pairs < _FEW_PAIRS:
            self._starts, self._larger, order = _sort_few(*self._ends, self._n_nodes)
            return order
        from scipy.sparse import coo_array

        # A plain graph has no use for the places, but SciPy carries something.
        plain = self._values is None and not self._directed
        places = np.ones(n_pairs, dtype=np.int8) if plain else np.arange(n_pairs, dtype=np.min_scalar_type(-n_pairs))
        pairs = coo_array((places, self._ends), shape=(self._n_nodes, self._n_nodes))
        del self._ends, places
        pairs.has_canonical_format = True  # or SciPy would sort, and add up places
        columns = pairs.tocsc()
        del pairs
        rows = columns.tocsr()
        self._starts, self._larger = rows.indptr, rows.indices
        return rows.data  # type: ignore[no-any-return]

    def _first_of_group(self) -> BoolArray:
        """Return for each pair whether it differs from the one before it."""
        first = np.ones(self._larger.size, dtype=bool)
        np.not_equal(self._larger[1:], self._larger[:-1], out=first[1:])
        first[self._starts[:-1][np.diff(self._starts) > 0]] = True
        return first

    def _keep(self, kept: BoolArray) -> None:
        self._starts -= np.searchsorted(np.flatnonzero(~kept), self._starts)
        self._larger = self._larger[kept]

    def _directed_csr(
        self, backward: BoolArray, weights: ValueArray | None
    ) -> tuple[OffsetArray, IdArray, FlagArray, ValueArray | None]:
        """Join the arcs into pairs that know which of their two arcs exist."""
        first = self._first_of_group()
        self._keep(first)
        n_pairs = self._larger.size
        slot_type = np.min_scalar_type(-2 * n_pairs - 1)
        pair_of: Array = np.cumsum(first, dtype=slot_type) - 1
        # Below n_pairs the upper triangle, from there on its mirror image.
        flags = np.zeros(2 * n_pairs, dtype=np.uint8)
        flags[pair_of[~backward]] |= OUT
        flags[pair_of[backward]] |= IN
        flags[n_pairs:] = flags[:n_pairs] >> 1 | (flags[:n_pairs] & OUT) << 1
        values = None
        if weights is not None:
            values = np.zeros(2 * n_pairs, dtype=Value)
            values[pair_of[~backward]] = weights[~backward]
            values[n_pairs + pair_of[backward]] = weights[backward]
        del pair_of, first
        # From 1, because SciPy leaves out zeros.
        indptr, indices, slots = self._symmetric_csr(np.arange(1, n_pairs + 1, dtype=slot_type), mirror_shift=n_pairs)
        slots -= 1
        return indptr, indices, flags[slots], None if values is None else values[slots]

    def _symmetric_csr(self, data: Array | None, mirror_shift: int = 0) -> tuple[OffsetArray, IdArray, Any]:
        """Return the symmetric CSR of the sorted pairs with their data, of which there may be none."""
        if self._larger.size < _FEW_PAIRS:
            smaller = np.repeat(np.arange(self._n_nodes), np.diff(self._starts))
            tails, heads = np.append(smaller, self._larger), np.append(self._larger, smaller)
            starts, heads, order = _sort_few(tails, heads, self._n_nodes)
            return starts, heads, None if data is None else np.append(data, data + mirror_shift)[order]
        from scipy.sparse import csr_array

        carried = np.ones(self._larger.size, dtype=np.int8) if data is None else data
        upper = csr_array((carried, self._larger, self._starts), shape=(self._n_nodes, self._n_nodes))
        del self._larger, self._starts
        lower = upper.T.tocsr()
        if mirror_shift:
            lower.data += mirror_shift
        both = upper + lower
        return both.indptr.astype(np.int64), both.indices, None if data is None else both.data


def _sort_few(tails: Array, heads: Array, n_nodes: int) -> tuple[OffsetArray, Array, OffsetArray]:
    """Return row offsets, heads in the order of their rows, and that order."""
    order = np.lexsort((heads, tails))
    return np.append(0, np.cumsum(np.bincount(tails, minlength=n_nodes))), heads[order], order


def return_freed_memory() -> None:
    """Return freed memory to the system, where the C library would keep a tenth of what was needed."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
    # Once it has freed a piece of this size, the C library keeps twice as much. Calls that follow would else wait for
    # the system to clear the memory of each array, which takes a third of the time of radius 1.
    np.empty(_KEPT_BYTES, np.uint8)
