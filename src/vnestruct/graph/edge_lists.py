"""Edges in objects of Python, NumPy and SciPy: arrays, pairs and triples, dicts of neighbours, sparse matrices."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph.build import checked_weights, graph_from_ids
from vnestruct.graph.frames import frame_columns, is_frame
from vnestruct.graph.graph import Graph
from vnestruct.graph.labels import LabelArray, Sides, as_label_column, numbered
from vnestruct.graph.validate import first_true
from vnestruct.types import Array, ValueArray

EdgeColumns = tuple[Any, Any, Any]  # one end of each edge, the other end, and the weights or None
_EXACT_FLOAT = 2.0**53
_SYMMETRY_TOLERANCE = 1e-9  # weights that differ by rounding alone are one weight, not two to be added


def labelled_edges(edges: Any, weighted: bool) -> tuple[LabelArray, LabelArray, ValueArray | None]:
    """Return the columns of a frame, an array or an iterable as labels and checked weights."""
    if is_frame(edges):
        source, target, weight, _ = frame_columns(edges, weight=None if weighted else False)
    elif isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
        raise ParameterError(f"edges must be pairs of labels such as [(u, v)], not {edges!r}")
    else:
        source, target, weight = edge_columns(edges, weighted)
    source, target = as_label_column(source), as_label_column(target)
    return source, target, None if weight is None else checked_weights(weight, source, target)


def edge_columns(edges: Any, weighted: bool) -> EdgeColumns:
    """Return the columns of an edge array, or of pairs (u, v) or triples (u, v, weight).

    The weight of a triple may be in a dict, as in networkx.
    """
    if hasattr(edges, "__array__"):
        array = as_numpy(edges)
        if array.ndim != 1:
            return _array_columns(array, weighted)
        edges = array.tolist()
    rows = list(edges)
    if not rows:
        return [], [], None
    lengths = [len(row) if isinstance(row, (tuple, list, np.ndarray)) else 0 for row in rows]
    odd = (place for place, length in enumerate(lengths) if length not in (2, 3) or length != lengths[0])
    if (place := next(odd, None)) is not None:
        hint = "; pass scipy.sparse.coo_array(a) for an adjacency matrix" if set(lengths) == {len(rows)} else ""
        wrong = f"edge {place} is {short_repr(rows[place])}; edges are (u, v), or all of them (u, v, weight){hint}"
        raise ParameterError(wrong)
    source, target, *rest = zip(*rows, strict=True)
    if all(isinstance(label, float) for column in (source, target) for label in column):
        _whole_labels(np.column_stack([source, target]))
    weight: Any = rest[0] if rest and weighted else None
    if weight is not None and all(isinstance(value, Mapping) for value in weight):
        weight = fill_missing([attributes.get("weight") for attributes in weight])
    return source, target, weight


def _array_columns(array: Array, weighted: bool) -> EdgeColumns:
    """Return the columns of an edge array, (m, 2) or (m, 3) with weights; whole floats become integer labels."""
    if array.size == 0:
        return [], [], None
    shape, hint = array.shape, ""
    if array.ndim == 2 and shape[0] == shape[1] != 2:
        hint = "; for an adjacency matrix pass scipy.sparse.coo_array(a), for three weighted edges a list of triples"
    elif array.ndim == 2 and shape[0] == 2 and (shape[1] > 3 or (shape[1] == 3 and array.dtype.kind in "iu")):
        hint = "; if it holds its edges in columns, pass a.T"
    if hint or array.ndim != 2 or shape[1] not in (2, 3):
        raise ParameterError(f"an array of shape {shape} is not an edge array, of shape (m, 2) or (m, 3){hint}")
    weight = array[:, 2] if shape[1] == 3 and weighted else None
    if weight is not None and array.dtype.kind in "US":
        # NumPy turned the weights into text together with the labels.
        try:
            weight = weight.astype(np.float64)
        except ValueError as error:
            raise ParameterError(f"the third column of the edge array must hold weights: {error}") from None
    ends = _whole_labels(array[:, :2]) if array.dtype.kind == "f" else array
    return ends[:, 0], ends[:, 1], weight


def _whole_labels(ends: Array) -> Array:
    # A label that is missing or infinite is reported with the others of its kind.
    if not np.isfinite(ends).all():
        return ends
    if (place := first_true((ends != np.floor(ends)).any(axis=1))) is not None:
        wrong = f"the row {ends[place].tolist()} holds fractions, so these are no edges: convert node labels to "
        raise NotAGraphError(wrong + "integers or to text; signatures go to RoleClusterer and similar_nodes")
    if (place := first_true(np.abs(ends).max(axis=1) >= _EXACT_FLOAT)) is not None:
        wrong = f"edge {place} has a label above 2**53, which floating-point numbers cannot represent exactly; "
        raise ParameterError(wrong + "pass integer labels and weights in separate columns, as in a data frame")
    return ends.astype(np.int64)


def fill_missing(weights: Sequence[Any]) -> list[Any] | None:
    """Return weights with 1 in place of None, or None if there are no others."""
    given = any(value is not None for value in weights)
    return [1 if value is None else value for value in weights] if given else None


def as_numpy(array: Any) -> Array:
    """Return an array or tensor as a NumPy array, from any device."""
    return np.asarray(array.detach().cpu() if hasattr(array, "detach") else array)


def graph_from_neighbours(adjacency: Mapping[Any, Any], directed: bool, weighted: bool) -> Graph:
    """Build a graph from a dict of neighbour lists, or of dicts from neighbour to weight or to attributes."""
    # Its keys come first in the node order. Unless directed, an edge may be listed at one end or at both.
    edges: list[tuple[Any, Any, Any]] = []
    for node, neighbours in adjacency.items():
        if isinstance(neighbours, str | bytes) or not isinstance(neighbours, Iterable):
            of_edges = isinstance(node, tuple) and len(node) == 2
            hint = "; for a dict of edges pass [(u, v, w) for (u, v), w in d.items()]" if of_edges else ""
            wrong = f"a dict is read as {{node: [neighbours]}}, but {node!r} maps to {short_repr(neighbours)}{hint}"
            raise NotAGraphError(wrong)
        pairs = neighbours.items() if isinstance(neighbours, Mapping) else ((end, None) for end in neighbours)
        edges += ((node, end, given.get("weight") if isinstance(given, Mapping) else given) for end, given in pairs)
    source, target, weight = zip(*edges, strict=True) if edges else ((), (), ())
    ids, labels = numbered(as_label_column([*adjacency, *source, *target]))
    filled = fill_missing(weight) if weighted else None
    rows, columns = ids[len(adjacency) :].reshape(2, -1)
    values = None if filled is None else checked_weights(filled, rows, columns, labels)
    return graph_from_arcs(rows, columns, values, labels.size, labels, directed)


def graph_from_matrix(matrix: Any, directed: bool, bipartite: bool | None, weighted: bool) -> Graph:
    """Build a graph from a SciPy sparse matrix: entry (u, v) is the weight from u to v, 0 is no edge."""
    if len(matrix.shape) != 2:
        raise ParameterError(f"the sparse matrix has shape {matrix.shape}; a matrix of edges has two dimensions")
    if matrix.dtype.kind not in "biuf":
        raise ParameterError(f"the sparse matrix holds {matrix.dtype}; edge weights must be real numbers")
    entries = matrix.tocsr().copy()
    entries.sum_duplicates()
    return graph_from_entries(entries.tocoo(), directed, bipartite, weighted and matrix.dtype.kind != "b")


def graph_from_entries(
    matrix: Any, directed: bool | None, bipartite: bool | None, weighted: bool, nodes: LabelArray | None = None,
    first_label: int = 0,
) -> Graph:  # fmt: skip
    """Build a graph from a COO matrix, unweighted if all values are 1; entries other than 0 are edges of their own.

    If it is not square, or `bipartite`, its rows are side 0 and its columns, which are the nodes after them, side 1.
    """
    n_rows, n_columns = matrix.shape
    kept = matrix.data != 0
    rows, columns, values = matrix.row[kept], matrix.col[kept], matrix.data[kept]
    values = values if weighted and not np.all(values == 1) else None
    if not bipartite and n_rows == n_columns:
        labels = np.arange(first_label, first_label + n_rows) if nodes is None else nodes
        return graph_from_arcs(rows, columns, values, n_rows, labels, directed)
    sides = Sides(np.repeat(np.array([0, 1], np.uint8), matrix.shape))
    n_nodes, heads = n_rows + n_columns, columns.astype(np.int64) + n_rows
    labels = np.arange(first_label, first_label + n_nodes)
    return graph_from_ids(rows, heads, values, n_nodes=n_nodes, nodes=labels, directed=bool(directed), sides=sides)


def graph_from_arcs(
    rows: Array, columns: Array, values: Array | None, n_nodes: int, nodes: LabelArray | None, directed: bool | None
) -> Graph:
    """Build a graph from arcs that may list edges both ways; if `directed` is None, symmetric arcs are undirected."""
    from scipy.sparse import coo_array

    if not directed:
        data = np.ones(rows.size) if values is None else values
        matrix = coo_array((data, (rows, columns)), shape=(n_nodes, n_nodes)).tocsr()
        other = matrix.T.tocsr()
        same = np.array_equal(matrix.indptr, other.indptr) and np.array_equal(matrix.indices, other.indices)
        if same and np.allclose(matrix.data, other.data, rtol=_SYMMETRY_TOLERANCE, atol=0):
            # Of two loop entries neither is the other's mirror image, but loops are dropped anyway.
            upper = rows <= columns
            rows, columns, values = rows[upper], columns[upper], None if values is None else values[upper]
        elif directed is None:
            directed = True
    return graph_from_ids(rows, columns, values, n_nodes=n_nodes, nodes=nodes, directed=bool(directed))


def short_repr(value: Any) -> str:
    """Return the ``repr`` of a value, cut when long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
