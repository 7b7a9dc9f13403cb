"""Signatures as node attributes of the graph they came from."""

from __future__ import annotations

from typing import Any

from vnestruct.embedding.embed import embed
from vnestruct.embedding.parameters import settings_from
from vnestruct.errors import NotAGraphError


def annotate(g: Any, radius: int = 2, *, prefix: str = "", **options: Any) -> Any:
    """Set the signature of every node as attributes of a networkx or igraph graph, in place.

    Parameters
    ----------
    g : networkx or igraph graph
        The graph.
    radius : int, default 2
        Largest number of hops.
    prefix : str, default ""
        Put before the names ``h1``, ``h2``, ...
    **options
        What else `embed` takes (not `nodes`).

    Returns
    -------
    The same graph.

    Examples
    --------
    >>> import networkx as nx, vnestruct
    >>> star = vnestruct.annotate(nx.star_graph(3), radius=1)
    >>> round(star.nodes[0]["h1"], 3)
    0.203
    """
    library = {base.__module__.partition(".")[0] for base in type(g).__mro__}
    columns = settings_from(radius, options).columns
    if "networkx" in library:
        values = embed(g, radius, **options).tolist()
        for node, row in zip(list(g.nodes), values, strict=True):
            g.nodes[node].update({prefix + name: value for name, value in zip(columns, row, strict=True)})
    elif "igraph" in library:
        values = embed(g, radius, **options)
        for i, name in enumerate(columns):
            g.vs[prefix + name] = values[:, i].tolist()
    else:
        raise NotAGraphError(
            f"annotate sets node attributes of networkx and igraph graphs, not of {type(g).__name__}; "
            "embedding_frame gives the signatures of any graph with their node labels"
        )
    return g
