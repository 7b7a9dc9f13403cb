"""A collection of graphs with classes, node and edge types, and numeric node attributes."""

from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import Graph, GraphSet
from vnestruct.graph.foreign import as_numpy
from vnestruct.types import Array, ArrayLike, NodeId, Offset, OffsetArray


class Collection(GraphSet):
    """A `GraphSet` whose nodes and edges may have types, such as atoms and bonds.

    Parameters
    ----------
    graph, offsets, labels, node_attributes
        See `GraphSet`: the disjoint union, the first node and the class of each graph, numbers per node.
    node_types : array, shape (n,) or (n, k), optional
        Type of each node, as integer or text; k columns if every node has k types.
    edge_types : array, shape (number of entries of graph.indices,), optional
        Type of each edge, once for each direction.
    name : str, default ""
        Name of the collection.

    Examples
    --------
    >>> from vnestruct.datasets import as_collection
    >>> molecules = as_collection([[("a", "b")], [(0, 1), (1, 2)]], labels=["no", "yes"])
    >>> molecules
    Collection(2 graphs, 5 nodes, 3 edges)
    >>> molecules.subset([1]).labels
    array(['yes'], dtype='<U3')
    """

    def __init__(
        self, graph: Graph, offsets: ArrayLike, labels: ArrayLike | None = None, node_attributes: Any | None = None, *,
        node_types: ArrayLike | None = None, edge_types: ArrayLike | None = None, name: str = "",
    ) -> None:  # fmt: skip
        super().__init__(graph, offsets, labels, node_attributes)
        self.name = name
        self._node_types = _types("node_types", node_types, graph.n_nodes)
        self._edge_types = _types("edge_types", edge_types, graph.indices.size)

    @property
    def node_types(self) -> Array | None:
        """Types of each node, shape (n, k), or None."""
        return self._node_types

    @property
    def edge_types(self) -> Array | None:
        """Types of each entry of ``graph.indices``, shape (entries, k), or None."""
        return self._edge_types

    def subset(self, indices: Iterable[int]) -> "Collection":
        """Return a collection of some of the graphs, in the given order."""
        places = np.array([self._place(int(index)) for index in indices], dtype=Offset)
        sizes = np.diff(self.offsets)[places]
        rows = ragged_ranges(self.offsets[places], sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(Offset)
        degrees = self.graph.degrees[rows]
        entries = ragged_ranges(self.graph.indptr[rows], degrees)
        indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(Offset)
        shift = np.repeat(offsets[:-1] - self.offsets[places], sizes)
        targets = (self.graph.indices[entries] + np.repeat(shift, degrees)).astype(NodeId)
        weights, directions = _taken(self.graph.weights, entries), _taken(self.graph.directions, entries)
        union = Graph._trusted(indptr, targets, weights, None, directions)
        types = {"node_types": _taken(self._node_types, rows), "edge_types": _taken(self._edge_types, entries)}
        labels, attributes = _taken(self.labels, places), _taken(self.node_attributes, rows)
        return Collection(union, offsets, labels, attributes, **types, name=self.name)

    def __repr__(self) -> str:
        return super().__repr__().replace("GraphSet", "Collection", 1)


def as_collection(graphs: Any, labels: Any | None = None, *, node_type: str = "label") -> Collection:
    """Turn several graphs into a `Collection`.

    Parameters
    ----------
    graphs : GraphSet, PyTorch Geometric data set, or iterable of graphs
        ``x`` and ``y`` of a PyTorch Geometric data set become node attributes and labels. The node attribute
        `node_type` of networkx graphs becomes the node type, if all nodes have it.
    labels : sequence, optional
        One label per graph; by default the labels in `graphs`, if there are any.
    node_type : str, default "label"
        Node attribute of networkx graphs with the node type.

    Examples
    --------
    >>> import networkx
    >>> water = networkx.Graph([(0, 1), (0, 2)])
    >>> networkx.set_node_attributes(water, {0: "O", 1: "H", 2: "H"}, "label")
    >>> as_collection([water], labels=["drink"]).node_types.ravel()
    array(['O', 'H', 'H'], dtype='<U1')
    """
    if isinstance(graphs, Collection) and labels is None:
        return graphs
    if isinstance(graphs, GraphSet):
        own = graphs.labels if labels is None else labels
        kept = {name: getattr(graphs, name) for name in ("node_types", "edge_types", "name") if hasattr(graphs, name)}
        return Collection(graphs.graph, graphs.offsets, own, graphs.node_attributes, **kept)
    if isinstance(graphs, str | bytes):
        raise NotAGraphError(f"{graphs!r} is a name; load it with vnestruct.datasets.load")
    try:
        members = list(graphs)
    except TypeError:
        kinds = "a GraphSet, a list of graphs or a PyTorch Geometric data set"
        raise NotAGraphError(f"a {type(graphs).__name__} is not a collection; pass {kinds}") from None
    libraries = {kind.__module__.partition(".")[0] for member in members for kind in type(member).__mro__}
    attributes: list[Any] | None = None
    types: list[Any] | None = None
    if "torch_geometric" in libraries:
        if members and all(getattr(member, "x", None) is not None for member in members):
            attributes = [as_numpy(member.x) for member in members]
        if labels is None and all(getattr(member, "y", None) is not None for member in members):
            labels = [as_numpy(member.y).ravel()[0] for member in members]
    if "networkx" in libraries:
        given = [value for member in members for _, value in member.nodes(data=node_type)]
        if given and all(value is not None for value in given):
            types = given if all(isinstance(value, int) for value in given) else [str(value) for value in given]
    joined = GraphSet.from_graphs(members, labels, attributes)
    return Collection(joined.graph, joined.offsets, joined.labels, joined.node_attributes, node_types=types)


def ragged_ranges(starts: ArrayLike, lengths: ArrayLike) -> OffsetArray:
    """Return the concatenated ranges that begin at `starts` and have the given `lengths`."""
    first, counts = np.asarray(starts, dtype=Offset), np.asarray(lengths, dtype=Offset)
    before = np.cumsum(counts) - counts
    return cast(OffsetArray, np.arange(counts.sum(), dtype=Offset) + np.repeat(first - before, counts))


def _taken(values: Array | None, places: OffsetArray) -> Any:
    return None if values is None else values[places]


def _types(name: str, values: Any, length: int) -> Array | None:
    if values is None:
        return None
    given = np.array(values)
    given = given[:, np.newaxis] if given.ndim == 1 else given
    if given.ndim != 2 or given.shape[0] != length:
        raise ParameterError(f"{name} has shape {given.shape}; it needs {length} rows")
    if given.dtype.kind not in "iuUb":
        raise ParameterError(f"{name} has dtype {given.dtype}; types must be integers or texts")
    given.flags.writeable = False
    return given
