"""Graphs of other libraries: anything that holds edges becomes a `Graph`.

Libraries are recognised by the modules of an object's classes, so none of them is imported here.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import edge_lists
from vnestruct.graph.build import bipartite_as_told, graph_from_ids, graph_from_pairs, redirected
from vnestruct.graph.frames import frame_columns, is_frame
from vnestruct.graph.graph import Graph
from vnestruct.graph.graphset import GraphSet
from vnestruct.graph.labels import checked_sides

_ACCEPTED = (
    "an edge array of shape (m, 2) or (m, 3), an iterable of pairs or triples, a dict of neighbour lists, "
    "a SciPy sparse matrix, a networkx or igraph graph, a PyTorch Geometric Data object, or a data frame"
)


def graph_from_object(
    obj: Any, *, source: Any = None, target: Any = None, weight: Any = None, directed: bool | None = None,
    bipartite: bool | None = None,
) -> Graph:  # fmt: skip
    """Build a graph from an object of another library; `vnestruct.as_graph` describes objects and parameters."""
    for name, given in (("directed", directed), ("bipartite", bipartite)):
        if given not in (None, True, False):
            raise ParameterError(f"`{name}` is {given!r}; it must be True, False or None")
    bipartite = None if bipartite is None else bool(bipartite)
    return bipartite_as_told(_from_any(obj, source, target, weight, directed, bipartite), bipartite)


def _from_any(obj: Any, source: Any, target: Any, weight: Any, directed: bool | None, bipartite: bool | None) -> Graph:
    library, kind = library_of(obj), type(obj).__name__
    if isinstance(obj, GraphSet) or holds_graphs(obj):
        wrong = f"a {kind} of {len(obj)} graphs is not one graph; pass one of them, or all to embed, VNEstruct or "
        raise NotAGraphError(wrong + "RoleClusterer, which take a collection as it is")
    told: Any = {"directed": bool(directed), "bipartite": bipartite}
    if is_frame(obj):
        return graph_from_pairs(*frame_columns(obj, source, target, weight), **told)
    for name, value in (("source", source), ("target", target)):
        if value is not None:
            raise ParameterError(f"`{name}={value!r}` names a column, but a {kind} has no columns")
    if library == "networkx" and hasattr(obj, "is_directed"):
        return redirected(_from_networkx(obj, weight), directed)
    if library == "igraph" and hasattr(obj, "get_edgelist"):
        return redirected(_from_igraph(obj, weight), directed)
    if library == "torch_geometric":
        return _from_torch_geometric(obj, weight, directed)
    weighted = weight is not False
    if weight is not None and weighted:
        wrong = f"`weight={weight!r}` names a column or attribute, but a {kind} has none; "
        raise ParameterError(wrong + "weights are the third column or the values")
    if isinstance(obj, Graph):
        return redirected(obj if weighted else obj.replaced(weights=None), directed)
    if library == "scipy":
        return edge_lists.graph_from_matrix(obj, bool(directed), bipartite, weighted)
    if isinstance(obj, Mapping):
        return edge_lists.graph_from_neighbours(obj, bool(directed), weighted)
    if isinstance(obj, Iterable) and not isinstance(obj, str | bytes | bytearray):
        return graph_from_pairs(*edge_lists.edge_columns(obj, weighted), **told)
    hint = "; to read a file use read_graph(path)" if isinstance(obj, str | bytes) else ""
    raise NotAGraphError(f"{edge_lists.short_repr(obj)} of type {kind} is not a graph; accepted are {_ACCEPTED}{hint}")


def holds_graphs(obj: Any) -> bool:
    """Return whether an object holds graphs, not edges: a list or tuple, or a PyTorch Geometric data set."""
    if isinstance(obj, list | tuple):
        return bool(obj) and all(map(_is_graph, obj))
    return any(kind.__module__ == "torch_geometric.data.dataset" for kind in type(obj).__mro__)


def _is_graph(obj: Any) -> bool:
    return bool(library_of(obj)) or isinstance(obj, Graph) or is_frame(obj) or getattr(obj, "ndim", 0) == 2


def library_of(obj: Any) -> str:
    """Return which library of graphs or matrices an object is of, empty if none."""
    names = {kind.__module__.partition(".")[0] for kind in type(obj).__mro__}
    return next((name for name in ("networkx", "igraph", "torch_geometric", "scipy") if name in names), "")


def _from_networkx(graph: Any, weight: Any) -> Graph:
    triples = list(graph.edges(data="weight" if weight in (None, False) else weight))
    source, target, weights = zip(*triples, strict=True) if triples else ((), (), ())
    values = _attribute(weights, weight)
    built = graph_from_pairs(source, target, values, nodes=list(graph.nodes), directed=graph.is_directed())
    return _with_stated_sides(built, [side for _, side in graph.nodes(data="bipartite")])


def _from_igraph(graph: Any, weight: Any) -> Graph:
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    name = "weight" if weight in (None, False) else weight
    weights = graph.es[name] if name in graph.es.attributes() else [None] * len(edges)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    values, n_nodes, directed = _attribute(weights, weight), graph.vcount(), graph.is_directed()
    built = graph_from_ids(edges[:, 0], edges[:, 1], values, n_nodes=n_nodes, nodes=labels, directed=directed)
    return _with_stated_sides(built, graph.vs["type"] if "type" in graph.vs.attributes() else ())


def _with_stated_sides(graph: Graph, stated: Sequence[Any]) -> Graph:
    """Return a graph with the sides that its library states, if every node has 0 or 1 and every edge joins both."""
    with suppress(ValueError):
        return graph.replaced(sides=checked_sides(stated, None, graph.indptr, graph.indices) if graph.n_edges else None)
    return graph


def _attribute(weights: Sequence[Any], weight: Any) -> list[Any] | None:
    """Return the weights of the edges, 1 where they are missing, or None if no edge has one."""
    values = None if weight is False else edge_lists.fill_missing(weights)
    if values is None and weight not in (None, False) and weights:
        raise ParameterError(f"no edge has the attribute {weight!r} that `weight` names")
    return values


def _from_torch_geometric(data: Any, weight: Any, directed: bool | None) -> Graph:
    edge_index = getattr(data, "edge_index", None)
    if edge_index is None or isinstance(edge_index, Mapping) or hasattr(data, "edge_types"):
        wrong = f"the {type(data).__name__} has no edge_index; "
        raise NotAGraphError(wrong + "pass a Data object, such as data.to_homogeneous() of heterogeneous data")
    arcs = edge_lists.as_numpy(edge_index)
    if arcs.ndim != 2 or arcs.shape[0] != 2:
        raise ParameterError(f"edge_index has shape {arcs.shape}; PyTorch Geometric's is (2, E)")
    names = ("edge_weight", "edge_attr") if weight is None else () if weight is False else (weight,)
    held = [edge_lists.as_numpy(value) for name in names if (value := getattr(data, name, None)) is not None]
    values = next((array for array in held if array.ndim == 1), None)
    if values is None and weight not in (None, False):
        raise ParameterError(f"the Data object has no one-dimensional {weight!r} to take weights from")
    n_nodes = data.num_nodes if data.num_nodes is not None else arcs.max(initial=-1) + 1
    return edge_lists.graph_from_arcs(arcs[0], arcs[1], values, int(n_nodes), None, directed)
