"""Plain Python and NumPy input: edge arrays, iterables of pairs or triples, dicts of neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph.build import graph_from_pairs
from vnestruct.graph.factorize import factorize
from vnestruct.graph.graph import Graph
from vnestruct.graph.labels import as_label_column
from vnestruct.graph.matrices import graph_from_arcs

_EXACT_FLOAT = 2.0**53


def graph_from_array(array: npt.NDArray[Any], directed: bool = False, weighted: bool = True) -> Graph:
    """Build a graph from an edge array, (m, 2) of labels or (m, 3) with weights.

    Parameters
    ----------
    array : ndarray
        One edge per row. Labels in a floating-point array become integers if all of them are whole.
    directed : bool
        Whether edges point from the first to the second column.
    weighted : bool
        Whether a third column is kept as weights.

    Examples
    --------
    >>> import numpy as np
    >>> graph_from_array(np.array([[3, 5], [5, 9]])).nodes
    array([3, 5, 9])
    """
    if array.size == 0:
        return graph_from_pairs([], [], directed=directed)
    if array.ndim == 1:
        return graph_from_edges(array.tolist(), directed, weighted)
    shape = array.shape
    if array.ndim != 2:
        raise ParameterError(f"an array of shape {shape} is not an edge array; those have shape (m, 2) or (m, 3)")
    if shape[0] == shape[1] and shape[0] != 2:
        raise ParameterError(
            f"a square array of shape {shape} may be an adjacency matrix; pass scipy.sparse.coo_array(a) for "
            "that, or a list of triples for three weighted edges"
        )
    if shape[0] == 2 and (shape[1] > 3 or (shape[1] == 3 and array.dtype.kind in "iu")):
        raise ParameterError(f"an array of shape {shape} holds its edges in columns; pass a.T, one edge per row")
    if shape[1] not in (2, 3):
        raise ParameterError(f"an array of shape {shape} is not an edge array; those have shape (m, 2) or (m, 3)")
    weight = array[:, 2] if shape[1] == 3 and weighted else None
    if weight is not None and array.dtype.kind in "US":
        # NumPy turned the weights into text together with the labels.
        weight = _numbers(weight)
    ends = array[:, :2]
    if array.dtype.kind == "f":
        ends = _whole_labels(ends)
    return graph_from_pairs(ends[:, 0], ends[:, 1], weight, directed=directed)


def _whole_labels(ends: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not np.all(ends == np.floor(ends)):
        return ends
    if np.abs(ends).max() >= _EXACT_FLOAT:
        place = int(np.argmax(np.abs(ends).max(axis=1) >= _EXACT_FLOAT))
        raise ParameterError(
            f"edge {place} has a label above 2**53, which floating-point numbers cannot represent exactly; "
            "pass integer labels and weights in separate columns, as a data frame or a list of triples"
        )
    return ends.astype(np.int64)


def _numbers(texts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    try:
        return texts.astype(np.float64)
    except ValueError as error:
        raise ParameterError(f"the third column of the edge array must hold weights: {error}") from None


def graph_from_edges(edges: Iterable[Any], directed: bool = False, weighted: bool = True) -> Graph:
    """Build a graph from an iterable of pairs or triples.

    Parameters
    ----------
    edges : iterable
        All pairs ``(u, v)`` or all triples ``(u, v, weight)``, with any hashable labels. The third item may
        also be a dict of attributes, as networkx gives it, whose ``"weight"`` counts (1 where it is missing).
    directed, weighted : bool
        Whether edges point from their first to their second item, and whether weights are kept.

    Examples
    --------
    >>> graph_from_edges([("a", "b", 2.5), ("b", "c", 1)])
    Graph(3 nodes, 2 edges, weighted)
    """
    rows = list(edges)
    if not rows:
        return graph_from_pairs([], [], directed=directed)
    if not all(issubclass(kind, tuple | list | np.ndarray) for kind in set(map(type, rows))):
        place = next(i for i, row in enumerate(rows) if not isinstance(row, tuple | list | np.ndarray))
        raise ParameterError(f"edge {place} is {_short(rows[place])}; an edge is (u, v) or (u, v, weight)")
    lengths = set(map(len, rows))
    if len(lengths) > 1 or not lengths <= {2, 3}:
        raise _ragged(rows)
    source, target, *rest = zip(*rows, strict=True)
    weight: Any = rest[0] if rest and weighted else None
    if weight is not None and all(isinstance(value, Mapping) for value in weight):
        values = [attributes.get("weight") for attributes in weight]
        weight = fill_missing(values) if any(value is not None for value in values) else None
    return graph_from_pairs(source, target, weight, directed=directed)


def _ragged(rows: list[Any]) -> ParameterError:
    first = len(rows[0])
    if first in (2, 3):
        place = next(i for i, row in enumerate(rows) if len(row) != first)
        return ParameterError(
            f"edge {place} is {_short(rows[place])} with {len(rows[place])} items, but edge 0 has {first}; "
            "give all edges as (u, v) or all as (u, v, weight)"
        )
    hint = "; pass scipy.sparse.coo_array(a) for an adjacency matrix" if first == len(rows) else ""
    return ParameterError(f"edge 0 is {_short(rows[0])}; an edge is (u, v) or (u, v, weight){hint}")


def fill_missing(weights: Iterable[Any]) -> list[Any]:
    """Return weights with 1 in place of None."""
    return [1 if value is None else value for value in weights]


def graph_from_neighbours(adjacency: Mapping[Any, Any], directed: bool | None = None, weighted: bool = True) -> Graph:
    """Build a graph from a dict of neighbour lists, or of dicts from neighbour to weight.

    Parameters
    ----------
    adjacency : mapping
        ``{node: [neighbours]}``, ``{node: {neighbour: weight}}`` or
        ``{node: {neighbour: {"weight": weight}}}``. Keys come first in the node order.
    directed : bool, optional
        Whether a neighbour is the end of an arc. By default not: an edge may be listed at one end or at both.
    weighted : bool
        Whether weights are kept.

    Examples
    --------
    >>> graph_from_neighbours({"a": ["b", "c"], "b": ["a"], "c": ["a"]})
    Graph(3 nodes, 2 edges)
    """
    source: list[Any] = []
    target: list[Any] = []
    weight: list[Any] = []
    for node, neighbours in adjacency.items():
        if isinstance(neighbours, str | bytes) or not isinstance(neighbours, Iterable):
            hint = ""
            if isinstance(node, tuple) and len(node) == 2:
                hint = "; for a dict of edges pass [(u, v, w) for (u, v), w in d.items()]"
            raise NotAGraphError(
                f"a dict is read as {{node: [neighbours]}}, but {node!r} maps to {_short(neighbours)}{hint}"
            )
        ends = list(neighbours)
        source.extend([node] * len(ends))
        target.extend(ends)
        given = [neighbours[end] for end in ends] if isinstance(neighbours, Mapping) else [None] * len(ends)
        weight.extend(value.get("weight") if isinstance(value, Mapping) else value for value in given)
    rows, columns, labels = factorize(
        as_label_column(source), as_label_column(target), as_label_column(list(adjacency))
    )
    values = None
    if weighted and any(value is not None for value in weight):
        # Building once by label reports an unusable weight by the labels of its edge.
        values = np.array(fill_missing(weight))
        if values.dtype.kind not in "iuf" or not np.all(np.isfinite(values) & (values >= 0)):
            graph_from_pairs(source, target, fill_missing(weight))
    return graph_from_arcs(rows, columns, values, labels.size, labels, bool(directed))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
