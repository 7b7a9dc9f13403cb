"""A collection of graphs as one disjoint union, so that a whole data set is one call of the same kernels."""

from collections.abc import Iterable, Iterator
from typing import Any, Self, cast

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.graph import Graph, read_only
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
        bounds = np.asarray(offsets)
        if bounds.ndim != 1 or bounds.size == 0 or bounds.dtype.kind not in "iu":
            raise ParameterError("offsets must be a 1-D array of integers, one more than there are graphs")
        if bounds[0] != 0 or bounds[-1] != graph.n_nodes or (bounds[1:] < bounds[:-1]).any():
            wrong = f"offsets must rise from 0 to the number of nodes, {graph.n_nodes}; "
            raise ParameterError(wrong + f"they go from {bounds[0]} to {bounds[-1]}")
        self._graph = graph
        self._offsets: OffsetArray = read_only(bounds.astype(Offset))
        crossing = np.flatnonzero(self.membership[graph.indices] != np.repeat(self.membership, graph.degrees))
        if crossing.size:
            raise ParameterError(f"{crossing.size // 2} edges join two graphs of the set; there must be none")
        self._labels: Array | None = None
        if labels is not None:
            names = np.array(labels if isinstance(labels, np.ndarray) else list(labels))
            if names.shape != (len(self),):
                raise ParameterError(f"labels has shape {names.shape}; it must hold one label per graph, {len(self)}")
            self._labels = read_only(names)
        self._attributes: ValueArray | None = None
        if node_attributes is not None:
            given = _attribute_matrix(node_attributes, graph.n_nodes, "node_attributes")
            if not np.isfinite(given).all():
                row, column = np.argwhere(~np.isfinite(given))[0]
                raise ParameterError(f"node_attributes[{row}, {column}] is {given[row, column]}; it must be finite")
            self._attributes = read_only(given)
        self._node_labels = list(node_labels) if node_labels is not None else [None] * len(self)
        self._node_types = None if node_types is None else _type_columns(node_types, graph.n_nodes)
        self.name = name

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
        from vnestruct.graph.foreign import graph_from_object

        members = [graph if isinstance(graph, Graph) else graph_from_object(graph) for graph in graphs]
        for place, graph in enumerate(members):
            if graph.directed != members[0].directed:
                kinds = ("directed", "undirected") if graph.directed else ("undirected", "directed")
                raise ParameterError(f"graph {place} is {kinds[0]} but graph 0 is {kinds[1]}; pass all of one kind")
        offsets = np.cumsum([0, *(graph.n_nodes for graph in members)], dtype=Offset)
        node_labels = [graph._labels for graph in members]
        if node_attributes is not None and not isinstance(node_attributes, np.ndarray):
            node_attributes = _stack(list(node_attributes), members)
        union = _union(members, offsets)
        return cls(union, offsets, labels, node_attributes, node_labels=node_labels, node_types=node_types)

    @property
    def graph(self) -> Graph:
        """The disjoint union, its nodes labelled 0..n-1."""
        return self._graph

    @property
    def offsets(self) -> OffsetArray:
        """First node of each graph in the union, and the number of nodes."""
        return self._offsets

    @property
    def labels(self) -> Array | None:
        """One label per graph, or None."""
        return self._labels

    @property
    def node_attributes(self) -> ValueArray | None:
        """Attributes of all nodes, float64 of shape (n, d), or None."""
        return self._attributes

    @property
    def node_types(self) -> Array | None:
        """Types of each node, shape (n, k), or None."""
        return self._node_types

    @property
    def membership(self) -> IdArray:
        """For each node of the union the graph it belongs to."""
        return np.repeat(np.arange(len(self), dtype=NodeId), np.diff(self._offsets))

    def slice(self, index: int) -> slice:
        """Return the rows that a graph has in anything per node of the union."""
        index = self._place(index)
        return slice(int(self._offsets[index]), int(self._offsets[index + 1]))

    def subset(self, indices: Iterable[int]) -> "GraphSet":
        """Return the set of some of the graphs in the given order, with their labels, attributes and types."""
        places = np.array([self._place(int(index)) for index in indices], dtype=Offset)
        sizes, whole = np.diff(self._offsets)[places], self._graph
        rows = ragged_ranges(self._offsets[places], sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(Offset)
        degrees = whole.degrees[rows]
        entries = ragged_ranges(whole.indptr[rows], degrees)
        indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(Offset)
        shift = np.repeat(np.repeat(offsets[:-1] - self._offsets[places], sizes), degrees)
        targets = (whole.indices[entries] + shift).astype(NodeId)
        weights, directions = (None if a is None else a[entries] for a in (whole.weights, whole.directions))
        union = Graph._trusted(indptr, targets, weights, None, directions)
        labels = None if self._labels is None else self._labels[places]
        attributes, types = (None if a is None else a[rows] for a in (self._attributes, self._node_types))
        names = [self._node_labels[place] for place in places]
        return GraphSet(union, offsets, labels, attributes, node_labels=names, node_types=types, name=self.name)

    def __len__(self) -> int:
        return self._offsets.size - 1

    def __iter__(self) -> Iterator[Graph]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Graph:
        rows = self.slice(index)
        indptr = self._graph.indptr[rows.start : rows.stop + 1]
        entries = slice(int(indptr[0]), int(indptr[-1]))
        indices = self._graph.indices[entries] - NodeId(rows.start)
        weights = None if self._graph.weights is None else self._graph.weights[entries]
        directions = None if self._graph.directions is None else self._graph.directions[entries]
        return Graph._trusted(indptr - indptr[0], indices, weights, self._node_labels[int(index)], directions)

    def __repr__(self) -> str:
        return f"GraphSet({len(self)} graphs, {self._graph.n_nodes} nodes, {self._graph.n_edges} edges)"

    def _place(self, index: int) -> int:
        if not isinstance(index, int | np.integer):
            raise ParameterError(f"a graph is indexed by an integer, not {index!r}; subset() takes several")
        if not -len(self) <= index < len(self):
            raise IndexError(f"graph {index} of a set of {len(self)}")
        return int(index) % len(self)


def ragged_ranges(starts: ArrayLike, lengths: ArrayLike) -> OffsetArray:
    """Return the concatenated ranges that begin at `starts` and have the given `lengths`."""
    first, counts = np.asarray(starts, dtype=Offset), np.asarray(lengths, dtype=Offset)
    before = np.cumsum(counts) - counts
    return cast(OffsetArray, np.arange(counts.sum(), dtype=Offset) + np.repeat(first - before, counts))


def _type_columns(values: ArrayLike, n_rows: int) -> Array:
    given = np.array(values)
    given = given[:, np.newaxis] if given.ndim == 1 else given
    if given.ndim != 2 or given.shape[0] != n_rows:
        raise ParameterError(f"node_types has shape {given.shape}; it needs one row per node, {n_rows}")
    if given.dtype.kind not in "iuUb":
        raise ParameterError(f"node_types has dtype {given.dtype}; types must be integers or texts")
    return read_only(given)


def _union(members: list[Graph], offsets: OffsetArray) -> Graph:
    if offsets[-1] > np.iinfo(NodeId).max:
        raise ParameterError(f"the graphs have {offsets[-1]} nodes in all; split them into several sets")
    starts = np.cumsum([0, *(graph.indices.size for graph in members)], dtype=Offset)
    indptr = np.concatenate(
        [starts[:1], *(graph.indptr[1:] + start for graph, start in zip(members, starts, strict=False))]
    )
    indices = np.concatenate(
        [starts[:0], *(graph.indices + first for graph, first in zip(members, offsets, strict=False))]
    )
    weights = directions = None
    if any(graph.weights is not None for graph in members):
        weights = np.concatenate([_weights(graph) for graph in members])
    if members and members[0].directions is not None:
        directions = np.concatenate([graph.directions for graph in members])
    return Graph._trusted(indptr, indices, weights, None, directions)


def _weights(graph: Graph) -> Any:
    if graph.weights is not None:
        return graph.weights
    return np.ones(graph.indices.size) if graph.directions is None else graph.directions & 1


def _attribute_matrix(attributes: Any, n_rows: int, name: str) -> ValueArray:
    try:
        given = np.array(attributes, dtype=Value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must be numbers: {error}") from None
    given = given[:, np.newaxis] if given.ndim == 1 else given
    if given.ndim != 2 or given.shape[0] != n_rows:
        raise ParameterError(f"{name} has shape {given.shape}; it needs one row per node, {n_rows}")
    return given


def _stack(arrays: list[Any], members: list[Graph]) -> ValueArray:
    if len(arrays) != len(members):
        raise ParameterError(f"node_attributes has {len(arrays)} arrays for {len(members)} graphs")
    columns: list[ValueArray] = []
    for place, (array, graph) in enumerate(zip(arrays, members, strict=True)):
        given = _attribute_matrix(array, graph.n_nodes, f"node_attributes of graph {place}")
        if columns and given.shape[1] != columns[0].shape[1]:
            wrong = f"graph {place} has {given.shape[1]} node attributes, but graph 0 has {columns[0].shape[1]}"
            raise ParameterError(wrong)
        columns.append(given)
    return np.concatenate(columns) if columns else np.empty((0, 0), dtype=Value)
