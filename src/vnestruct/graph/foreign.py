"""Graphs of other libraries: anything that holds edges becomes a `Graph`.

Libraries are recognised by the modules of an object's classes, so none of them is imported here.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vnestruct.errors import Message, NotAGraphError, Parameter, ParameterError
from vnestruct.graph import edge_lists
from vnestruct.graph.build import graph_from_ids, graph_from_pairs
from vnestruct.graph.edit import bipartite_as_told, redirected, with_stated_sides, without_weights
from vnestruct.graph.frames import frame_columns, is_frame
from vnestruct.graph.graph import Graph
from vnestruct.graph.graphset import GraphSet
from vnestruct.types import Array

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
            raise ParameterError(Message(Parameter(name), f" is {given!r}; it must be True, False or None"))
    bipartite = None if bipartite is None else bool(bipartite)
    return bipartite_as_told(_from_any(obj, source, target, weight, directed, bipartite), bipartite)


def _from_any(obj: Any, source: Any, target: Any, weight: Any, directed: bool | None, bipartite: bool | None) -> Graph:
    modules, libraries = _origin(obj)
    if holds_graphs(obj):
        wrong = f"a {type(obj).__name__} of {len(obj)} graphs is not one graph; embed, VNEstruct and RoleClusterer "
        raise NotAGraphError(wrong + "take it as it is, and GraphSet.from_graphs joins the graphs")
    if is_frame(obj) and not isinstance(obj, Mapping):
        columns = frame_columns(obj, source, target, weight)
        graph = graph_from_pairs(*columns, directed=bool(directed), bipartite=bipartite)
        # Nodes of sides that were asked for are called after columns, too.
        labels = chain(columns[0], columns[1]) if bipartite else graph.nodes.tolist()
        if graph.nodes.dtype == object and "" in labels:
            raise ParameterError("a node label is an empty text; name the node or delete the row")
        return graph
    for name, value in (("source", source), ("target", target)):
        if value is not None:
            kind = type(obj).__name__
            raise ParameterError(Message(Parameter(name, value), f" names a column, but a {kind} has no columns"))
    if "networkx" in libraries and hasattr(obj, "is_directed"):
        return redirected(_from_networkx(obj, weight), directed)
    if "igraph" in libraries and hasattr(obj, "get_edgelist"):
        return redirected(_from_igraph(obj, weight), directed)
    if "torch_geometric" in libraries:
        return _from_torch_geometric(obj, weight, directed)
    if weight is not None and weight is not False:
        wrong = f" names a column or attribute, but a {type(obj).__name__} has none; "
        raise ParameterError(Message(Parameter("weight", weight), wrong, "weights are the third column or the values"))
    return _from_plain(obj, modules, directed, bipartite, weighted=weight is not False)


def holds_graphs(obj: Any) -> bool:
    """Return whether an object holds graphs, not edges: a list or tuple, or a PyTorch Geometric data set."""
    if isinstance(obj, list | tuple):
        return bool(obj) and all(map(_is_graph, obj))
    return "torch_geometric.data.dataset" in _origin(obj)[0]


def _is_graph(obj: Any) -> bool:
    modules, libraries = _origin(obj)
    known = libraries & {"networkx", "igraph", "torch_geometric"} or any(m.startswith("scipy.sparse") for m in modules)
    return bool(known) or isinstance(obj, Graph) or is_frame(obj) or getattr(obj, "ndim", 0) == 2


def _origin(obj: Any) -> tuple[set[str], set[str]]:
    """Return the modules and the libraries that an object's classes are from."""
    modules = {kind.__module__ for kind in type(obj).__mro__}
    return modules, {module.partition(".")[0] for module in modules}


def _from_plain(obj: Any, modules: set[str], directed: bool | None, bipartite: bool | None, weighted: bool) -> Graph:
    if isinstance(obj, Graph):
        return redirected(obj if weighted else without_weights(obj), directed)
    if isinstance(obj, GraphSet):
        raise NotAGraphError("a GraphSet holds several graphs; pass one of them, such as graphs[0]")
    if any(module.startswith("scipy.sparse") for module in modules):
        return edge_lists.graph_from_matrix(obj, bool(directed), bipartite, weighted)
    if isinstance(obj, np.ndarray) or (hasattr(obj, "__array__") and not isinstance(obj, np.generic)):
        columns = edge_lists.array_columns(as_numpy(obj), weighted)
        return graph_from_pairs(*columns, directed=bool(directed), bipartite=bipartite)
    if isinstance(obj, Mapping):
        return edge_lists.graph_from_neighbours(obj, bool(directed), weighted)
    if isinstance(obj, Iterable) and not isinstance(obj, str | bytes | bytearray):
        columns = edge_lists.edge_columns(obj, weighted)
        return graph_from_pairs(*columns, directed=bool(directed), bipartite=bipartite)
    hint = "; to read a file use read_graph(path)" if isinstance(obj, str | bytes) else ""
    kind = type(obj).__name__
    raise NotAGraphError(f"{edge_lists.short_repr(obj)} of type {kind} is not a graph; accepted are {_ACCEPTED}{hint}")


def _from_networkx(graph: Any, weight: Any) -> Graph:
    triples = list(graph.edges(data="weight" if weight in (None, False) else weight))
    source, target, weights = zip(*triples, strict=True) if triples else ((), (), ())
    values = _attribute(weights, weight)
    built = graph_from_pairs(source, target, values, nodes=list(graph.nodes), directed=graph.is_directed())
    return with_stated_sides(built, [side for _, side in graph.nodes(data="bipartite")])


def _from_igraph(graph: Any, weight: Any) -> Graph:
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    name = "weight" if weight in (None, False) else weight
    weights = graph.es[name] if name in graph.es.attributes() else [None] * len(edges)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    values, n_nodes, directed = _attribute(weights, weight), graph.vcount(), graph.is_directed()
    built = graph_from_ids(edges[:, 0], edges[:, 1], values, n_nodes=n_nodes, nodes=labels, directed=directed)
    return with_stated_sides(built, graph.vs["type"] if "type" in graph.vs.attributes() else ())


def _attribute(weights: Sequence[Any], weight: Any) -> list[Any] | None:
    """Return the weights of the edges, 1 where they are missing, or None if no edge has one."""
    if weight is False:
        return None
    values = edge_lists.fill_missing(weights)
    if values is None and weight is not None and weights:
        raise ParameterError(f"no edge has the attribute {weight!r} that weight names")
    return values


def _from_torch_geometric(data: Any, weight: Any, directed: bool | None) -> Graph:
    edge_index = getattr(data, "edge_index", None)
    if edge_index is None or isinstance(edge_index, Mapping) or hasattr(data, "edge_types"):
        wrong = f"the {type(data).__name__} has no edge_index; "
        raise NotAGraphError(wrong + "pass a Data object, such as data.to_homogeneous() of heterogeneous data")
    arcs = as_numpy(edge_index)
    if arcs.ndim != 2 or arcs.shape[0] != 2:
        raise ParameterError(f"edge_index has shape {arcs.shape}; PyTorch Geometric's is (2, E)")
    values = None
    for name in ("edge_weight", "edge_attr") if weight is None else (weight,):
        held = None if name is False else getattr(data, name, None)
        if held is not None and as_numpy(held).ndim == 1:
            values = as_numpy(held)
            break
    if values is None and weight is not None and weight is not False:
        raise ParameterError(f"the Data object has no one-dimensional {weight!r} to take weights from")
    n_nodes = data.num_nodes
    if n_nodes is None:
        n_nodes = int(arcs.max()) + 1 if arcs.size else 0
    return edge_lists.graph_from_arcs(arcs[0], arcs[1], values, int(n_nodes), None, directed)


def as_numpy(array: Any) -> Array:
    """Return an array or tensor as a NumPy array, from any device."""
    if hasattr(array, "detach"):
        array = array.detach().cpu()
    return np.asarray(array)
