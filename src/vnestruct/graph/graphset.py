"""A collection of graphs as one disjoint union, so that a whole data set is one call of the same kernels."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np

from vnestruct import graph as graph_package
from vnestruct.errors import ParameterError
from vnestruct.graph.graph import OUT, Graph
from vnestruct.graph.validate import MAX_NODES, as_numbers, first_true, read_only, rows_of
from vnestruct.types import Array, ArrayLike, IdArray, NodeId, Offset, OffsetArray, Value, ValueArray


class GraphSet:
    """Several graphs in one: a disjoint union with the offset of each graph.

    Parameters
    ----------
    graph : Graph
        The union; the nodes of one graph are consecutive, and no edge joins two graphs.
    offsets : array of int
        Graph i has the nodes ``offsets[i]`` to ``offsets[i + 1] - 1`` of the union.
    labels : sequence, optional
        One label per graph, such as its class.
    node_attributes : array of float, shape (n,) or (n, d), optional
        Attributes of the nodes of the union.
    node_labels : sequence, optional
        For each graph its node labels, None for 0..n-1.
    node_types : array, shape (n,) or (n, k), optional
        Type of each node of the union, such as an atom's element, as integer or text; k columns if nodes have k types.
    name : str, default ""
        Name of the set.

    Attributes
    ----------
    graph : Graph
        The disjoint union, its nodes labelled 0..n-1.
    offsets : array of int64
        First node of each graph in the union, and the number of nodes.
    labels, node_attributes, node_types : array or None
        As given, float64 of shape (n, d) and of shape (n, k).

    Examples
    --------
    >>> graphs = GraphSet.from_graphs([[("a", "b")], [(0, 1), (1, 2)]], labels=["edge", "path"])
    >>> graphs
    GraphSet(2 graphs, 5 nodes, 3 edges)
    >>> graphs.offsets, graphs[0].nodes
    (array([0, 2, 5]), array(['a', 'b'], dtype=object))
    """

    def __init__(
        self, graph: Graph, offsets: Any, labels: Any = None, node_attributes: Any = None, *, node_labels: Any = None,
        node_types: ArrayLike | None = None, name: str = "",
    ) -> None:  # fmt: skip
        bounds = as_numbers(offsets, "offsets")
        if bounds[:1].tolist() != [0] or bounds[-1] != graph.n_nodes or (bounds[1:] < bounds[:-1]).any():
            raise ParameterError(f"offsets are {bounds}; they must rise from 0 to the number of nodes, {graph.n_nodes}")
        self.graph, self.name = graph, name
        self.offsets: OffsetArray = read_only(bounds, Offset)
        n_crossing = np.count_nonzero(self.membership[graph.indices] != self.membership[graph.sources])
        if n_crossing:
            raise ParameterError(f"{n_crossing // 2} edges join two graphs of the set; there must be none")
        self.labels: Array | None = None
        if labels is not None:
            self.labels = read_only(np.array(labels if isinstance(labels, np.ndarray) else list(labels)))
            if self.labels.shape != (len(self),):
                wrong = f"labels has shape {self.labels.shape}; it must hold one label per graph, {len(self)}"
                raise ParameterError(wrong)
        self.node_attributes: ValueArray | None = _columns(node_attributes, graph.n_nodes, "node_attributes", Value)
        self.node_types = _columns(node_types, graph.n_nodes, "node_types")
        if self.node_types is not None and self.node_types.dtype.kind not in "iuUb":
            raise ParameterError(f"node_types has dtype {self.node_types.dtype}; types must be integers or texts")
        self._node_labels = [None] * len(self) if node_labels is None else list(node_labels)

    @classmethod
    def from_graphs(
        cls, graphs: Iterable[Any], labels: Any = None, node_attributes: Any = None, node_types: Any = None
    ) -> Self:
        """Join graphs into a set.

        Parameters
        ----------
        graphs : iterable
            Graphs, or anything that can be read as one: edge lists, networkx graphs, sparse matrices.
            Either all directed or none; if any is weighted, the edges of the others weigh 1.
        labels : sequence, optional
            One label per graph.
        node_attributes : list of arrays or one array, optional
            Per graph an array with one row per node, or one array for all nodes together.
        node_types : array, optional
            Types of all nodes together.
        """
        members = [graph if isinstance(graph, Graph) else graph_package.graph_from_object(graph) for graph in graphs]
        for place, graph in enumerate(members):
            if graph.directed != members[0].directed:
                kinds = ("directed", "undirected") if graph.directed else ("undirected", "directed")
                raise ParameterError(f"graph {place} is {kinds[0]} but graph 0 is {kinds[1]}; pass all of one kind")
        if node_attributes is not None and not isinstance(node_attributes, np.ndarray):
            parts = list(node_attributes)
            if len(parts) != len(members):
                raise ParameterError(f"node_attributes has {len(parts)} arrays for {len(members)} graphs")
            whose = [f"node_attributes of graph {place}" for place in range(len(members))]
            parts = [_columns(*part, Value) for part in zip(parts, map(len, members), whose, strict=True)]
            widths = [part.shape[1] for part in parts]
            if (odd := first_true(np.not_equal(widths, widths[:1]))) is not None:
                raise ParameterError(f"{whose[odd]} have {widths[odd]} columns, but those of graph 0 have {widths[0]}")
            node_attributes = np.concatenate(parts) if parts else None
        union, offsets = _union(members)
        node_labels = [graph._labels for graph in members]
        return cls(union, offsets, labels, node_attributes, node_labels=node_labels, node_types=node_types)

    @property
    def membership(self) -> IdArray:
        """For each node of the union the graph it belongs to."""
        return rows_of(self.offsets)

    def slice(self, index: int) -> slice:
        """Return the rows that a graph has in anything per node of the union."""
        if not isinstance(index, int | np.integer):
            raise ParameterError(f"a graph is indexed by an integer, not {index!r}; subset() takes several")
        if not -len(self) <= index < len(self):
            raise IndexError(f"graph {index} of a set of {len(self)}")
        first = index % len(self)
        return slice(int(self.offsets[first]), int(self.offsets[first + 1]))

    def subset(self, indices: Iterable[int]) -> "GraphSet":
        """Return the set of some of the graphs in the given order, with their labels, attributes and types."""
        places = [int(index) for index in indices]
        union, offsets = _union([self[place] for place in places])
        nodes = np.arange(self.graph.n_nodes)
        rows = np.concatenate([nodes[:0], *(nodes[self.slice(place)] for place in places)])
        labels = None if self.labels is None else self.labels[places]
        attributes, types = (None if a is None else a[rows] for a in (self.node_attributes, self.node_types))
        names = [self._node_labels[place] for place in places]
        return GraphSet(union, offsets, labels, attributes, node_labels=names, node_types=types, name=self.name)

    def __len__(self) -> int:
        return self.offsets.size - 1

    def __iter__(self) -> Iterator[Graph]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Graph:
        rows, whole = self.slice(index), self.graph
        indptr = whole.indptr[rows.start : rows.stop + 1]
        entries = slice(int(indptr[0]), int(indptr[-1]))
        weights, directions = (None if part is None else part[entries] for part in (whole.weights, whole.directions))
        indices = whole.indices[entries] - NodeId(rows.start)
        return Graph._trusted(indptr - indptr[0], indices, weights, self._node_labels[int(index)], directions)

    def __repr__(self) -> str:
        return f"GraphSet({len(self)} graphs, {self.graph.n_nodes} nodes, {self.graph.n_edges} edges)"


def _union(members: list[Graph]) -> tuple[Graph, OffsetArray]:
    """Return the disjoint union of graphs, and the first node of each in it."""
    offsets = np.cumsum([0, *(graph.n_nodes for graph in members)], dtype=Offset)
    if offsets[-1] > MAX_NODES:
        raise ParameterError(f"the graphs have {offsets[-1]} nodes in all; split them into several sets")
    degrees = np.concatenate([offsets[:1], *(graph.degrees for graph in members)])
    indices = [offsets[:0], *(graph.indices + first for graph, first in zip(members, offsets, strict=False))]
    weights = directions = None
    if any(graph.weights is not None for graph in members):
        weights = np.concatenate([_weights(graph) for graph in members])
    if members and members[0].directions is not None:
        directions = np.concatenate([graph.directions for graph in members])
    return Graph._trusted(np.cumsum(degrees), np.concatenate(indices), weights, None, directions), offsets


def _weights(graph: Graph) -> Any:
    if graph.weights is not None:
        return graph.weights
    return np.ones(graph.indices.size) if graph.directions is None else graph.directions & OUT


def _columns(values: Any, n_rows: int, name: str, dtype: Any = None) -> Any:
    """Return what is given of each node as a matrix with one row per node, without missing numbers."""
    if values is None:
        return None
    try:
        given = np.array(values, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must be numbers: {error}") from None
    given = given[:, np.newaxis] if given.ndim == 1 else given
    if given.ndim != 2 or given.shape[0] != n_rows:
        raise ParameterError(f"{name} has shape {given.shape}; it needs one row per node, {n_rows}")
    if dtype is not None and not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise ParameterError(f"{name}[{row}, {column}] is {given[row, column]}; it must be finite")
    return read_only(given)
