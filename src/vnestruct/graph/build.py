"""From columns of edges to a clean graph: self-loops dropped, parallel edges merged, arcs sorted."""

from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.graph import OUT, Graph
from vnestruct.graph.labels import LabelArray, as_label_column, checked_labels, numbered, plain_label
from vnestruct.graph.report import CleaningReport
from vnestruct.graph.sides import ColumnNames, Sides, sides_of_columns, split_columns
from vnestruct.graph.validate import MAX_NODES, as_integers, first_true, is_weight, rows_of
from vnestruct.types import Array, ArrayLike, NodeId, Value, ValueArray

_FEW_ENTRIES = 1 << 10  # entries that are sorted before SciPy has made its matrices


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
    pairs, first = [np.column_stack([source, target])], checked_labels(nodes)
    del source, target
    return graph_from_columns(pairs, values, column_names, nodes=first, directed=directed, bipartite=bipartite)


def graph_from_columns(
    blocks: list[LabelArray], weight: ValueArray | None = None, column_names: ColumnNames = None, *,
    nodes: LabelArray | None = None, words: LabelArray | None = None, directed: bool = False,
    bipartite: bool | None = None,
) -> Graph:  # fmt: skip
    """Build a graph as `graph_from_pairs` from arrays of two columns, which are forgotten to save memory.

    If there are `words`, the integers of the arrays stand for places in them.
    """
    first = [] if nodes is None else [nodes]
    column = np.concatenate([*first, *(block.ravel() for block in blocks)])
    blocks.clear()
    ids, labels = numbered(column)
    del column
    ids = ids[0 if nodes is None else nodes.size :].reshape(-1, 2)
    labels = labels if words is None else as_label_column(words[labels])
    sides = None
    if nodes is None:
        if bipartite:
            ids, labels = split_columns(ids, labels, column_names)
        if bipartite is not False:
            sides = sides_of_columns(ids[:, 0], ids[:, 1], labels.size, column_names)
    return _built(ids[:, 0], ids[:, 1], weight, labels.size, labels, directed, sides)


def graph_from_ids(
    source_ids: ArrayLike, target_ids: ArrayLike, weight: ArrayLike | None = None, *, n_nodes: int,
    nodes: Any | None = None, directed: bool = False, sides: Sides | None = None,
) -> Graph:  # fmt: skip
    """Build a graph from ids 0..n_nodes-1 of the two ends of each edge; `nodes` are labels other than the ids."""
    if not isinstance(n_nodes, int | np.integer) or not 0 <= n_nodes <= MAX_NODES:
        raise ParameterError(f"n_nodes is {n_nodes!r}; it must be an integer from 0 to {MAX_NODES}")
    source, target = as_integers(source_ids, "source_ids"), as_integers(target_ids, "target_ids")
    for name, ids in (("source_ids", source), ("target_ids", target)):
        if (place := first_true((ids < 0) | (ids >= n_nodes))) is not None:
            raise ParameterError(f"{name}[{place}] is {ids[place]}; ids range from 0 to n_nodes - 1 = {n_nodes - 1}")
    if source.size != target.size:
        raise ParameterError(f"source_ids has {source.size} entries, but target_ids has {target.size}")
    labels = checked_labels(nodes, int(n_nodes), f"n_nodes is {n_nodes}")
    values = None if weight is None else checked_weights(weight, source, target, labels)
    return _built(source, target, values, int(n_nodes), labels, directed, sides)


def checked_weights(weight: Any, source: Array, target: Array, labels: LabelArray | None = None) -> ValueArray:
    """Return weights as numbers; an error names the edge, by its labels, that has another one."""

    def edge(place: int) -> str:
        ends = [column[place] if labels is None else labels[column[place]] for column in (source, target)]
        return "the weight of edge ({!r}, {!r})".format(*map(plain_label, ends))

    try:
        given = np.asarray(weight if hasattr(weight, "__array__") else list(weight))
    except TypeError:
        raise ParameterError(f"weight is {weight!r}; it must hold one number for each edge") from None
    except ValueError:
        given = np.fromiter(weight, dtype=object)
    if given.shape != source.shape:
        raise ParameterError(f"weight has shape {given.shape}; it must hold one number for each of {source.size} edges")
    values: ValueArray = np.empty(given.size, Value)
    if given.dtype.kind in "biuf":
        values = given.astype(Value, copy=False)
    else:
        for row, value in enumerate(weight):
            try:
                if isinstance(value, str | bytes):
                    raise TypeError
                values[row] = float(value)
            except (TypeError, ValueError):
                raise ParameterError(f"{edge(row)} is {value!r}, which is not a number") from None
    if (place := first_true(~is_weight(values))) is not None:
        raise ParameterError(f"{edge(place)} is {values[place]}; weights must be finite and not negative")
    return values


def _built(
    tail: Array, head: Array, values: ValueArray | None, n_nodes: int, labels: LabelArray | None, directed: bool,
    sides: Sides | None,
) -> Graph:  # fmt: skip
    n_edges, kept = tail.size, tail != head
    n_loops, n_zero = n_edges - int(np.count_nonzero(kept)), 0
    if values is not None:
        n_zero = int(np.count_nonzero(kept & (values == 0)))
        kept &= values > 0
        values = values[kept]
    tail, head = tail[kept].astype(NodeId, copy=False), head[kept].astype(NodeId, copy=False)
    backward = tail > head
    smaller, larger = np.minimum(tail, head), np.maximum(tail, head)
    del tail, head, kept
    if directed:
        # All arcs to larger ids first, so that sorting leaves those of a pair in two groups.
        turned = np.argsort(backward, kind="stable")
        smaller, larger, backward = smaller[turned], larger[turned], backward[turned]
        values = None if values is None else values[turned]
    n_arcs, plain = smaller.size, values is None and not directed
    places: Array = np.ones(n_arcs, bool) if plain else np.arange(n_arcs, dtype=np.min_scalar_type(-n_arcs))
    offsets, larger, places = _sorted(smaller, larger, places, n_nodes)
    smaller = rows_of(offsets)
    pair_starts = np.ones(n_arcs, bool)
    np.logical_or(smaller[1:] != smaller[:-1], larger[1:] != larger[:-1], out=pair_starts[1:])
    first = pair_starts
    if directed:
        backward = backward[places]
        first = pair_starts | np.append(True, backward[1:] != backward[:-1])[:n_arcs]
    n_merged = n_arcs - int(np.count_nonzero(first))
    values = None if values is None else values[places]
    if n_merged and values is not None:
        # The weights of parallel edges are added up in the order they were read.
        with np.errstate(over="ignore"):
            values = np.add.reduceat(values, np.flatnonzero(first))
        if not np.isfinite(values.max()):
            raise ParameterError("the weights of parallel edges add up to infinity; scale the weights down")
    if n_merged or directed:
        smaller, larger = smaller[pair_starts], larger[pair_starts]
    directions = None
    if not directed:
        data = np.ones(smaller.size, bool) if values is None else values
        indptr, indices, data = _both_ways(smaller, larger, data, data, n_nodes)
        values = None if values is None else data
    else:
        # Of each pair, one slot in the row of its smaller node and one in that of the larger.
        n_pairs = smaller.size
        pair, backward = np.cumsum(pair_starts[first]) - 1, backward[first]
        flags, weights = np.zeros((2, n_pairs), np.uint8), np.zeros((2, n_pairs))
        flags[0, pair[~backward]] = flags[1, pair[backward]] = OUT
        flags |= flags[::-1] << 1
        if values is not None:
            weights[0, pair[~backward]], weights[1, pair[backward]] = values[~backward], values[backward]
        slots = np.arange(1, 2 * n_pairs + 1).reshape(2, -1)
        indptr, indices, places = _both_ways(smaller, larger, slots[0], slots[1], n_nodes)
        directions, values = flags.ravel()[places - 1], None if values is None else weights.ravel()[places - 1]
    isolated = int(np.count_nonzero(indptr[1:] == indptr[:-1]))
    report = CleaningReport(n_edges, n_loops, n_merged, n_zero, isolated)
    # Without edges there is nothing to tell sides by.
    return Graph._trusted(indptr, indices, values, labels, directions, report, sides if indices.size else None)


def _both_ways(smaller: Array, larger: Array, up: Array, down: Array, n_nodes: int) -> tuple[Array, Array, Array]:
    """Return the rows of sorted pairs in both directions, as `_sorted`; no data are zero."""
    if smaller.size < _FEW_ENTRIES:
        ends = np.concatenate([smaller, larger]), np.concatenate([larger, smaller])
        return _sorted(*ends, np.concatenate([up, down]), n_nodes)
    from scipy.sparse import csr_array

    offsets = np.searchsorted(smaller, np.arange(n_nodes + 1, dtype=NodeId)).astype(NodeId)
    upper, lower = (csr_array((data, larger, offsets), shape=(n_nodes, n_nodes)) for data in (up, down))
    both = upper + lower.T.tocsr()
    return both.indptr, both.indices, both.data


def _sorted(rows: Array, columns: Array, data: Array, n_nodes: int) -> tuple[Array, Array, Array]:
    """Return row offsets, and the columns and data sorted by row and column, those of equal pairs as given."""
    if rows.size < _FEW_ENTRIES:
        order = np.lexsort((columns, rows))
        return np.append(0, np.cumsum(np.bincount(rows, minlength=n_nodes))), columns[order], data[order]
    from scipy.sparse import coo_array

    entries = coo_array((data, (rows, columns)), shape=(n_nodes, n_nodes))
    del rows, columns, data
    entries.has_canonical_format = True  # or SciPy would add up what is equal
    entries = entries.tocsc()
    entries = entries.tocsr()
    return entries.indptr, entries.indices, entries.data
