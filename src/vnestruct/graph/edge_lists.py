"""Edges in objects of Python, NumPy and SciPy: arrays, pairs and triples, dicts of neighbours, sparse matrices."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph.build import graph_from_ids, graph_from_pairs
from vnestruct.graph.factorize import factorize
from vnestruct.graph.graph import Graph
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.graph.sides import Sides
from vnestruct.graph.validate import first_true
from vnestruct.types import Array, NodeId

EdgeColumns = tuple[Any, Any, Any]  # one end of each edge, the other end, and the weights or None
_EXACT_FLOAT = 2.0**53
_SYMMETRY_TOLERANCE = 1e-9  # weights that differ by rounding alone are one weight, not two to be added


def array_columns(array: Array, weighted: bool) -> EdgeColumns:
    """Return the columns of an edge array, (m, 2) or (m, 3) with weights; whole floats become integer labels."""
    if array.size == 0:
        return [], [], None
    if array.ndim == 1:
        return edge_columns(array.tolist(), weighted)
    shape = array.shape
    if array.ndim == 2 and shape[0] == shape[1] != 2:
        wrong = f"a square array of shape {shape} may be an adjacency matrix; pass scipy.sparse.coo_array(a) for that, "
        raise ParameterError(wrong + "or a list of triples for three weighted edges")
    if array.ndim == 2 and shape[0] == 2 and (shape[1] > 3 or (shape[1] == 3 and array.dtype.kind in "iu")):
        raise ParameterError(f"an array of shape {shape} holds its edges in columns; pass a.T, one edge per row")
    if array.ndim != 2 or shape[1] not in (2, 3):
        raise ParameterError(f"an array of shape {shape} is not an edge array; those have shape (m, 2) or (m, 3)")
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
    if (fraction := first_true((ends != np.floor(ends)).any(axis=1))) is not None:
        row = ends[fraction].tolist()
        wrong = f"the row {row} holds fractions, so these are no edges: convert node labels to integers or to text; "
        raise NotAGraphError(wrong + "signatures go to RoleClusterer and similar_nodes as they are")
    if (place := first_true(np.abs(ends).max(axis=1) >= _EXACT_FLOAT)) is not None:
        wrong = f"edge {place} has a label above 2**53, which floating-point numbers cannot represent exactly; "
        remedy = "pass integer labels and weights in separate columns, as a data frame or a list of triples"
        raise ParameterError(wrong + remedy)
    return ends.astype(np.int64)


def edge_columns(edges: Iterable[Any], weighted: bool) -> EdgeColumns:
    """Return the columns of pairs (u, v) or triples (u, v, weight); the weight may be in a dict, as in networkx."""
    rows = list(edges)
    if not rows:
        return [], [], None
    if not all(issubclass(kind, tuple | list | np.ndarray) for kind in set(map(type, rows))):
        place = next(i for i, row in enumerate(rows) if not isinstance(row, tuple | list | np.ndarray))
        raise ParameterError(f"edge {place} is {short_repr(rows[place])}; an edge is (u, v) or (u, v, weight)")
    length = len(rows[0])
    if length not in (2, 3):
        hint = "; pass scipy.sparse.coo_array(a) for an adjacency matrix" if length == len(rows) else ""
        raise ParameterError(f"edge 0 is {short_repr(rows[0])}; an edge is (u, v) or (u, v, weight){hint}")
    if len(set(map(len, rows))) > 1:
        place = next(i for i, row in enumerate(rows) if len(row) != length)
        wrong = f"edge {place} is {short_repr(rows[place])} with {len(rows[place])} items, but edge 0 has {length}; "
        raise ParameterError(wrong + "give all edges as (u, v) or all as (u, v, weight)")
    source, target, *rest = zip(*rows, strict=True)
    if isinstance(source[0], float) and all(isinstance(label, float) for label in (*source, *target)):
        _whole_labels(np.column_stack([source, target]))
    weight: Any = rest[0] if rest and weighted else None
    if weight is not None and all(isinstance(value, Mapping) for value in weight):
        weight = fill_missing([attributes.get("weight") for attributes in weight])
    return source, target, weight


def fill_missing(weights: Sequence[Any]) -> list[Any] | None:
    """Return weights with 1 in place of None, or None if there are no others."""
    given = any(value is not None for value in weights)
    return [1 if value is None else value for value in weights] if given else None


def graph_from_neighbours(adjacency: Mapping[Any, Any], directed: bool, weighted: bool) -> Graph:
    """Build a graph from a dict of neighbour lists, or of dicts from neighbour to weight or to attributes."""
    # Its keys come first in the node order. Unless directed, an edge may be listed at one end or at both.
    source: list[Any] = []
    target: list[Any] = []
    weight: list[Any] = []
    for node, neighbours in adjacency.items():
        if isinstance(neighbours, str | bytes) or not isinstance(neighbours, Iterable):
            of_edges = isinstance(node, tuple) and len(node) == 2
            hint = "; for a dict of edges pass [(u, v, w) for (u, v), w in d.items()]" if of_edges else ""
            wrong = f"a dict is read as {{node: [neighbours]}}, but {node!r} maps to {short_repr(neighbours)}{hint}"
            raise NotAGraphError(wrong)
        ends = list(neighbours)
        source.extend([node] * len(ends))
        target.extend(ends)
        given = [neighbours[end] for end in ends] if isinstance(neighbours, Mapping) else [None] * len(ends)
        weight.extend(value.get("weight") if isinstance(value, Mapping) else value for value in given)
    rows, columns, labels = factorize(*map(as_label_column, (source, target, list(adjacency))))
    filled, values = fill_missing(weight) if weighted else None, None
    if filled is not None:
        values = np.array(filled)
        if values.dtype.kind not in "iuf" or not np.all(np.isfinite(values) & (values >= 0)):
            # Building once by label reports an unusable weight by the labels of its edge.
            graph_from_pairs(source, target, filled)
    return graph_from_arcs(rows, columns, values, labels.size, labels, directed)


def graph_from_matrix(matrix: Any, directed: bool, bipartite: bool | None, weighted: bool) -> Graph:
    """Build a graph from a SciPy sparse matrix: entry (u, v) is the weight from u to v, 0 is no edge."""
    # Values that are all 1 or boolean make an unweighted graph. Unless directed, two equal entries are one edge.
    if len(matrix.shape) != 2:
        raise ParameterError(f"the sparse matrix has shape {matrix.shape}; a matrix of edges has two dimensions")
    if matrix.dtype.kind not in "biuf":
        raise ParameterError(f"the sparse matrix holds {matrix.dtype}; edge weights must be real numbers")
    matrix = matrix.tocsr()
    if not (matrix.has_canonical_format and np.all(matrix.data)):
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    values = matrix.data
    if matrix.dtype.kind == "b" or not weighted or np.all(matrix.data == 1):
        matrix = type(matrix)((np.ones(matrix.nnz, np.int8), matrix.indices, matrix.indptr), shape=matrix.shape)
        values = None
    rows = np.repeat(np.arange(matrix.shape[0], dtype=NodeId), np.diff(matrix.indptr))
    columns = matrix.indices
    if bipartite or matrix.shape[0] != matrix.shape[1]:
        return graph_from_sides(rows, columns, values, matrix.shape, directed)
    if not directed and _is_symmetric(matrix):
        rows, columns, values = _upper(rows, columns, values)
    return graph_from_ids(rows, columns, values, n_nodes=matrix.shape[0], directed=directed)


def graph_from_sides(
    rows: Array, columns: Array, values: Array | None, shape: tuple[int, int], directed: bool, first_label: int = 0
) -> Graph:
    """Build a graph whose nodes are the rows of a matrix, side 0, and then its columns, side 1."""
    sides = Sides(np.repeat(np.array([0, 1], np.uint8), shape))
    labels = None if first_label == 0 else np.arange(first_label, first_label + sides.of_nodes.size)
    ends = rows, columns.astype(np.int64) + shape[0]
    return graph_from_ids(*ends, values, n_nodes=sum(shape), nodes=labels, directed=directed, sides=sides)


def _upper(rows: Array, columns: Array, values: Array | None) -> EdgeColumns:
    # Of two loop entries neither is the other's mirror image, but loops are dropped anyway.
    upper = rows <= columns
    return rows[upper], columns[upper], None if values is None else values[upper]


def _is_symmetric(matrix: Any) -> bool:
    """Return whether a canonical CSR matrix equals its transpose, up to rounding of the values."""
    other = matrix.T.tocsr()
    if not (np.array_equal(matrix.indptr, other.indptr) and np.array_equal(matrix.indices, other.indices)):
        return False
    return np.allclose(matrix.data, other.data, rtol=_SYMMETRY_TOLERANCE, atol=0)


def graph_from_arcs(
    rows: Array, columns: Array, values: Array | None, n_nodes: int, nodes: LabelArray | None, directed: bool | None
) -> Graph:
    """Build a graph from arcs that may list edges both ways; if `directed` is None, symmetric arcs are undirected."""
    from scipy.sparse import coo_array

    if not directed:
        data = np.ones(rows.size) if values is None else values
        if _is_symmetric(coo_array((data, (rows, columns)), shape=(n_nodes, n_nodes)).tocsr()):
            rows, columns, values = _upper(rows, columns, values)
        elif directed is None:
            directed = True
    return graph_from_ids(rows, columns, values, n_nodes=n_nodes, nodes=nodes, directed=bool(directed))


def short_repr(value: Any) -> str:
    """Return the ``repr`` of a value, cut when long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
