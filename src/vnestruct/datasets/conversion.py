"""Sets of graphs from other libraries, with classes, and types and attributes of nodes."""

from typing import Any

from vnestruct.errors import NotAGraphError
from vnestruct.graph import GraphSet
from vnestruct.graph.edge_lists import as_numpy
from vnestruct.graph.foreign import library_of


def as_collection(graphs: Any, labels: Any | None = None, *, node_type: str = "label") -> GraphSet:
    """Turn several graphs into a `GraphSet`.

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
    if isinstance(graphs, GraphSet):
        if labels is None:
            return graphs
        given, own = graphs.node_types, graphs.node_attributes
        return GraphSet(graphs.graph, graphs.offsets, labels, own, node_types=given, name=graphs.name)
    if isinstance(graphs, str | bytes):
        raise NotAGraphError(f"{graphs!r} is a name; load it with vnestruct.datasets.load")
    try:
        members = list(graphs)
    except TypeError:
        kinds = "a GraphSet, a list of graphs or a PyTorch Geometric data set"
        raise NotAGraphError(f"a {type(graphs).__name__} is not a collection; pass {kinds}") from None
    libraries = set(map(library_of, members))
    attributes: list[Any] | None = None
    types: list[Any] | None = None
    if "torch_geometric" in libraries:
        if all(getattr(member, "x", None) is not None for member in members):
            attributes = [as_numpy(member.x) for member in members]
        if labels is None and all(getattr(member, "y", None) is not None for member in members):
            labels = [as_numpy(member.y).ravel()[0] for member in members]
    if "networkx" in libraries:
        values = [value for member in members for _, value in member.nodes(data=node_type)]
        if values and all(value is not None for value in values):
            types = values if all(isinstance(value, int) for value in values) else list(map(str, values))
    return GraphSet.from_graphs(members, labels, attributes, types)
