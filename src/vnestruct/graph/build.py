"""From columns of edges to a clean graph: self-loops dropped, parallel edges merged, arcs sorted, directed or not."""

from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.graph import IN, OUT, CleaningReport, Graph
from vnestruct.graph.labels import (
    ColumnNames,
    LabelArray,
    Sides,
    as_label_column,
    checked_labels,
    numbered,
    plain_label,
    sides_of_columns,
    split_columns,
)
from vnestruct.graph.validate import MAX_NODES, as_numbers, first_true, is_weight, reverse_entries, rows_of
from vnestruct.types import Array, ArrayLike, NodeId, Value, ValueArray


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
    source, target = as_numbers(source_ids, "source_ids"), as_numbers(target_ids, "target_ids")
    for name, ids in (("source_ids", source), ("target_ids", target)):
        if (place := first_true((ids < 0) | (ids >= n_nodes))) is not None:
            raise ParameterError(f"{name}[{place}] is {ids[place]}; ids range from 0 to n_nodes - 1 = {n_nodes - 1}")
    if source.size != target.size:
        raise ParameterError(f"source_ids has {source.size} entries, but target_ids has {target.size}")
    labels = checked_labels(nodes, int(n_nodes), f"n_nodes is {n_nodes}")
    values = None if weight is None else checked_weights(weight, source, target, labels)
    return _built(source, target, values, int(n_nodes), labels, directed, sides)


def redirected(graph: Graph, directed: bool | None) -> Graph:
    """Return the graph with every edge as two arcs of its weight, or with those of mutual arcs added, or unchanged."""
    if directed is None or directed == graph.directed:
        return graph
    if directed:
        return graph.replaced(directions=np.full(graph.indices.size, OUT | IN, dtype=np.uint8))
    weights = graph.weights
    if weights is not None:
        weights = weights + weights[reverse_entries(graph.indptr, graph.indices)]
    return graph.replaced(weights=weights, directions=None)


def bipartite_as_told(graph: Graph, bipartite: bool | None) -> Graph:
    """Return the graph without its sides if they are switched off; refuse one without sides that should have them."""
    if bipartite and graph.sides is None and graph.n_edges:
        wrong = "nothing says which nodes are on which side; give the edges as two columns, or the nodes of a networkx "
        wrong += "graph the attribute 'bipartite' and of an igraph graph 'type', 0 or 1 so that every edge joins both "
        raise ParameterError(wrong + "sides, or leave out `bipartite`")
    return graph.replaced(sides=None) if bipartite is False and graph.sides is not None else graph


def checked_weights(weight: Any, source: Array, target: Array, labels: LabelArray | None = None) -> ValueArray:
    """Return weights as numbers; an error names the edge, by its labels, that has another one."""

    def edge(place: int) -> str:
        ends = [column[place] if labels is None else labels[column[place]] for column in (source, target)]
        return "the weight of edge ({!r}, {!r})".format(*map(plain_label, ends))

    try:
        rows = weight if hasattr(weight, "__array__") else list(weight)
        given = np.asarray(rows)
    except TypeError:
        raise ParameterError(f"weight is {weight!r}; it must hold one number for each edge") from None
    except ValueError:
        given = np.fromiter(rows, object)
    if given.shape != source.shape:
        raise ParameterError(f"weight has shape {given.shape}; it must hold one number for each of {source.size} edges")
    if given.dtype.kind not in "biuf":
        given = np.empty(given.size)
        for row, value in enumerate(rows):
            try:
                if isinstance(value, str | bytes):
                    raise TypeError
                given[row] = float(value)
            except (TypeError, ValueError):
                raise ParameterError(f"{edge(row)} is {value!r}, which is not a number") from None
    values: ValueArray = given.astype(Value, copy=False)
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
    if not directed:
        tail, head = np.minimum(tail, head), np.maximum(tail, head)
    n_kept = tail.size
    arcs = _sorted_arcs(tail, head, values, n_nodes)
    del tail, head, kept
    if directed:
        exists = (arcs > 0).astype(np.uint8)
        both = exists * OUT + exists.T.tocsr() * IN
        weights, directions = np.zeros(both.nnz), both.data
        weights[directions & OUT > 0] = arcs.data
    else:
        both = arcs + arcs.T.tocsr()
        weights, directions = both.data, None
    isolated = int(np.count_nonzero(both.indptr[1:] == both.indptr[:-1]))
    report = CleaningReport(n_edges, n_loops, n_kept - arcs.nnz, n_zero, isolated)
    sides = sides if both.nnz else None  # without edges there is nothing to tell them by
    kept_weights = None if values is None else weights
    return Graph._trusted(both.indptr, both.indices, kept_weights, labels, directions, report, sides)


def _sorted_arcs(rows: Array, columns: Array, values: ValueArray | None, n_nodes: int) -> Any:
    """Return a matrix with its entries in order, the values at the same place added up as they are given."""
    from scipy.sparse import coo_array, csr_array

    shape = (n_nodes, n_nodes)
    entries = coo_array((np.ones(rows.size, bool) if values is None else values, (rows, columns)), shape=shape)
    entries.has_canonical_format = True  # or SciPy would add them up in an order of its own
    matrix = entries.tocsc().tocsr()
    rows, columns, data = rows_of(matrix.indptr), matrix.indices, matrix.data
    first = np.ones(data.size, bool)
    np.logical_or(rows[1:] != rows[:-1], columns[1:] != columns[:-1], out=first[1:])
    if first.all():
        return matrix
    if values is None:
        data = data[first]
    else:
        with np.errstate(over="ignore"):
            data = np.add.reduceat(data, np.flatnonzero(first))
        if not np.isfinite(data.max()):
            raise ParameterError("the weights of parallel edges add up to infinity; scale the weights down")
    offsets = np.searchsorted(rows[first], np.arange(n_nodes + 1, dtype=NodeId)).astype(NodeId)
    return csr_array((data, columns[first], offsets), shape)
