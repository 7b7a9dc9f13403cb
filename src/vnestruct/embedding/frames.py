"""Signatures as a data frame, or as attributes of the nodes of another library's graph."""

from contextlib import suppress
from typing import Any

from vnestruct.embedding.embed_graph import READING, embed, graph_and_settings
from vnestruct.embedding.parameters import settings_from
from vnestruct.errors import MissingExtraError, NotAGraphError, one_of
from vnestruct.io import as_graph


def embedding_frame(
    g: Any, radius: int | None = None, *, nodes: Any | None = None, library: str = "auto", **options: Any
) -> Any:
    """Embed a graph into a data frame with the columns ``node, h1, ..., hR``.

    Parameters
    ----------
    g, radius, nodes
        As for `embed`.
    library : {"auto", "pandas", "polars"}, default "auto"
        Which kind of frame; "auto" follows the input if it is a frame, else takes pandas, else polars.
    **options
        Everything else that `embed` takes.

    Returns
    -------
    pandas.DataFrame or polars.DataFrame
        Of estimates, ``frame.attrs["audit"]`` has the audit if it is a pandas frame.

    Examples
    --------
    >>> import vnestruct
    >>> frame = vnestruct.embedding_frame([("a", "b"), ("b", "c")], radius=1)
    >>> list(frame["node"]), list(frame.columns)
    (['a', 'b', 'c'], ['node', 'h1'])
    """
    one_of("library", library, ("auto", "pandas", "polars"))
    graph, settings = graph_and_settings(g, radius, options)
    how = {name: value for name, value in options.items() if name not in READING}
    values = embed(graph, radius, nodes=nodes, **how)
    labels = graph.nodes if nodes is None else graph.nodes[graph.positions(nodes)]
    data = {"node": labels.tolist()} | {name: values[:, i] for i, name in enumerate(settings.columns)}
    frame = frame_type(g, library, "embedding_frame")(data)
    if hasattr(values, "audit") and hasattr(frame, "attrs"):
        frame.attrs["audit"] = values.audit
    return frame


def annotate(g: Any, radius: int | None = None, *, prefix: str = "", **options: Any) -> Any:
    """Set the signature of every node as attributes of a networkx or igraph graph, in place.

    Parameters
    ----------
    g : networkx or igraph graph
        The graph, which is also returned.
    radius : int, optional
        Largest number of hops, as for `embed`.
    prefix : str, default ""
        Put before the names ``h1``, ``h2``, ...
    **options
        What else `embed` takes (not `nodes`).

    Examples
    --------
    >>> import networkx as nx, vnestruct
    >>> star = vnestruct.annotate(nx.star_graph(3), radius=1)
    >>> round(star.nodes[0]["h1"], 3)
    0.203
    """
    library = {base.__module__.partition(".")[0] for base in type(g).__mro__}
    graph = as_graph(g, **{name: options[name] for name in ("weight", "bipartite") if name in options})
    columns = settings_from(radius, options).on(graph).columns
    if not library & {"networkx", "igraph"}:
        wrong = f"annotate sets node attributes of networkx and igraph graphs, not of {type(g).__name__}"
        raise NotAGraphError(f"{wrong}; embedding_frame gives the signatures of any graph with their node labels")
    named = dict(zip((prefix + column for column in columns), embed(g, radius, **options).T.tolist(), strict=True))
    for name, values in named.items():
        if "igraph" in library:
            g.vs[name] = values
        else:
            for node, value in zip(list(g.nodes), values, strict=True):
                g.nodes[node][name] = value
    return g


def frame_type(g: Any, library: str, caller: str) -> Any:
    """Return the class of data frames to give a caller: of a library, else of the one that `g` is from, else any."""
    origin = type(g).__module__.partition(".")[0]
    wanted = [library] if library != "auto" else [origin] if origin in ("pandas", "polars") else ["pandas", "polars"]
    for name in wanted:
        with suppress(ImportError):
            return __import__(name).DataFrame
    raise MissingExtraError(f"{caller} needs {' or '.join(wanted)}: pip install {wanted[0]}")
