"""Matrix-like input: entries (row, column, value), where a symmetric matrix holds every edge twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.build import graph_from_ids
from vnestruct.graph.graph import Graph
from vnestruct.graph.labels import LabelArray
from vnestruct.types import NodeId

# Weights that differ by rounding alone are one weight, not two to be added.
_SYMMETRY_TOLERANCE = 1e-9


def graph_from_matrix(matrix: Any, directed: bool | None, weighted: bool = True) -> Graph:
    """Build a graph from a SciPy sparse matrix or array.

    Parameters
    ----------
    matrix : sparse matrix or array
        Square; entry (u, v) is the weight from u to v, explicit zeros are no edges. Values that are all 1 or
        boolean make an unweighted graph.
    directed : bool or None
        Whether entries are arcs. None is taken for False.
    weighted : bool
        Whether values other than 1 are kept as weights.

    Returns
    -------
    Graph
        Of a symmetric matrix read as undirected, each pair of entries is one edge; otherwise each entry is.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> graph_from_matrix(coo_array([[0, 1, 0], [1, 0, 2], [0, 2, 0]]), None)
    Graph(3 nodes, 2 edges, weighted)
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ParameterError(
            f"the sparse matrix has shape {matrix.shape}; an adjacency matrix is square "
            "(for a bipartite graph pass the edges: numpy.transpose(matrix.nonzero()), with distinct labels)"
        )
    if matrix.dtype.kind not in "biuf":
        raise ParameterError(f"the sparse matrix holds {matrix.dtype}; edge weights must be real numbers")
    matrix = matrix.tocsr()
    if not (matrix.has_canonical_format and np.all(matrix.data)):
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    if matrix.dtype.kind == "b" or not weighted or np.all(matrix.data == 1):
        matrix = type(matrix)((np.ones(matrix.nnz, np.int8), matrix.indices, matrix.indptr), shape=matrix.shape)
        values = None
    else:
        values = matrix.data
    rows = np.repeat(np.arange(matrix.shape[0], dtype=NodeId), np.diff(matrix.indptr))
    columns = matrix.indices
    if not directed and is_symmetric(matrix):
        upper = rows <= columns
        rows, columns, values = rows[upper], columns[upper], None if values is None else values[upper]
    return graph_from_ids(rows, columns, values, n_nodes=matrix.shape[0], directed=bool(directed))


def is_symmetric(matrix: Any) -> bool:
    """Tell whether a canonical CSR matrix equals its transpose, up to rounding of the values."""
    transposed = matrix.T.tocsr()
    return (
        np.array_equal(matrix.indptr, transposed.indptr)
        and np.array_equal(matrix.indices, transposed.indices)
        and np.allclose(matrix.data, transposed.data, rtol=_SYMMETRY_TOLERANCE, atol=0)
    )


def graph_from_arcs(
    rows: npt.NDArray[Any],
    columns: npt.NDArray[Any],
    values: npt.NDArray[Any] | None,
    n_nodes: int,
    nodes: LabelArray | None,
    directed: bool | None,
) -> Graph:
    """Build a graph from arcs that may list every edge in both directions.

    Parameters
    ----------
    rows, columns : array of int
        Ids of the two ends of each arc.
    values : array of float or None
        Weights.
    n_nodes : int
        Number of nodes.
    nodes : ndarray or None
        Node labels.
    directed : bool or None
        Whether the graph is directed; None: as the arcs say, undirected if and only if they are symmetric.

    Returns
    -------
    Graph
    """
    from scipy.sparse import coo_array

    if not directed:
        data = np.ones(rows.size) if values is None else values
        matrix = coo_array((data, (rows, columns)), shape=(n_nodes, n_nodes)).tocsr()
        symmetric = is_symmetric(matrix)
        directed = not symmetric if directed is None else False
        if symmetric:
            # Of two loop entries neither is the other's mirror image, but loops are dropped anyway.
            upper = rows <= columns
            rows, columns, values = rows[upper], columns[upper], None if values is None else values[upper]
    return graph_from_ids(rows, columns, values, n_nodes=n_nodes, nodes=nodes, directed=directed)
