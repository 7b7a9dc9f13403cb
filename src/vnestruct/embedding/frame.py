"""The embedding as a data frame, one row a node."""

from __future__ import annotations

from typing import Any

from vnestruct.embedding.embed import embed
from vnestruct.embedding.parameters import settings_from
from vnestruct.errors import MissingExtraError, ParameterError
from vnestruct.graph import GraphSet
from vnestruct.io import as_graph


def embedding_frame(g: Any, radius: int = 2, *, nodes: Any | None = None, library: str = "auto", **options: Any) -> Any:
    """Embed a graph into a data frame with the columns ``node, h1, ..., hR``.

    Parameters
    ----------
    g : graph
        As for `embed`.
    radius : int, default 2
        Largest number of hops.
    nodes : iterable of labels, optional
        The nodes wanted, in this order.
    library : {"auto", "pandas", "polars"}, default "auto"
        Which kind of frame; "auto" follows the input if it is a frame, else takes pandas, else polars.
    **options
        Everything else that `embed` takes.

    Returns
    -------
    pandas.DataFrame or polars.DataFrame

    Examples
    --------
    >>> import vnestruct
    >>> frame = vnestruct.embedding_frame([("a", "b"), ("b", "c")], radius=1)
    >>> list(frame["node"]), list(frame.columns)
    (['a', 'b', 'c'], ['node', 'h1'])
    """
    if library not in ("auto", "pandas", "polars"):
        raise ParameterError(f"library must be 'auto', 'pandas' or 'polars', not {library!r}")
    columns = settings_from(radius, options).columns
    graph = g.graph if isinstance(g, GraphSet) else as_graph(g)
    values = embed(graph, radius, nodes=nodes, **options)
    labels = graph.nodes if nodes is None else graph.nodes[graph.positions(nodes)]
    data = {"node": labels.tolist()} | {name: values[:, i] for i, name in enumerate(columns)}
    return _frame_type(g, library)(data)


def _frame_type(g: Any, library: str) -> Any:
    origin = type(g).__module__.partition(".")[0]
    wanted = [library] if library != "auto" else [origin] if origin in ("pandas", "polars") else ["pandas", "polars"]
    for name in wanted:
        try:
            return __import__(name).DataFrame
        except ImportError:
            continue
    raise MissingExtraError(f"embedding_frame needs {' or '.join(wanted)}: pip install {wanted[0]}")
