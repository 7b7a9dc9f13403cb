"""What roles look like: a data frame, a picture next to their signatures, an interactive page, a table in notebooks."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vnestruct.drawing import pictures
from vnestruct.embedding.frames import frame_type
from vnestruct.errors import ParameterError
from vnestruct.explore.page import inline_page
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.notebook import html_table
from vnestruct.store.signatures import DECIMALS
from vnestruct.types import FilePath


class RoleViews:
    """The views of a fitted `RoleClusterer`; those that need the graph take it if the roles came from signatures."""

    def summary(self: Any, graph: Any = None) -> Any:
        """Return a data frame with one row per role: name, description, size, typical nodes; else its centre.

        Examples
        --------
        >>> from vnestruct import RoleClusterer
        >>> edges = [("a", "b")] + [(hub, f"{hub}{i}") for hub in "ab" for i in range(9)]
        >>> frame = RoleClusterer().fit(edges).summary()
        >>> frame[["role", "name", "nodes", "degree"]].values.tolist()
        [[0, 'pendant nodes', 18, 1.0], [1, 'hubs', 2, 10.0]]
        """
        rows = role_rows(self, graph)
        return frame_type(None, "auto", "summary")({name: [row[name] for row in rows] for name in rows[0]})

    def plot(self: Any, graph: Any = None, *, title: str | None = None, seed: int = 0) -> Any:
        """Return a Matplotlib figure of the graph next to its signatures, as `draw_roles` draws them."""
        network = _graph(self, graph, "plot")
        pictures.check_igraph()
        figure = pictures.notebook_figure(12.0, _height(self))
        _paint(figure, network, self, title, seed)
        return figure

    def show(self: Any, graph: Any = None, *, labels: Mapping[Any, Any] | None = None, title: str = "") -> Any:
        """Return the interactive page of `vnestruct.explore.write_page`, which notebooks show inline."""
        return inline_page(_graph(self, graph, "show"), self, labels=labels, title=title)

    def _repr_mimebundle_(self: Any, **options: Any) -> dict[str, str]:
        if not hasattr(self, "labels_"):
            # The diagram of an estimator that scikit-learn draws.
            return dict(super()._repr_mimebundle_(**options))  # type: ignore[misc]
        rows = role_rows(self, None)
        table = html_table(([cell_text(value) for value in row.values()] for row in rows), list(rows[0]))
        return {"text/plain": repr(self), "text/html": table}


def _height(model: Any) -> float:
    return 5.9 + 0.22 * float(model.n_roles_)  # inches; the legend has one line per role


def _graph(model: Any, graph: Any, caller: str) -> Graph:
    network = model.graph_ if graph is None else as_graph(graph)
    if network is None:
        raise ParameterError(f"these roles were found from signatures alone; pass the graph as well: {caller}(graph)")
    if network.n_nodes != len(model.labels_):
        raise ParameterError(f"these are the roles of {len(model.labels_)} nodes, the graph has {network.n_nodes}")
    return network


def role_rows(model: Any, graph: Any) -> list[dict[str, Any]]:
    """Return the columns of `RoleViews.summary` for each role."""
    check_is_fitted(model, "labels_")
    if graph is not None or model.graph_ is not None or model._roles is not None:
        return [asdict(role) for role in model.describe(graph)]
    rows = []
    for role, centre in enumerate(model.centres_):
        members = np.flatnonzero(model.labels_ == role)
        away = np.round(((model.signatures_[members] - centre) ** 2).sum(axis=1), DECIMALS)
        row = {"role": role, "nodes": members.size, "share": members.size / len(model.labels_)}
        row["examples"] = model.nodes_[members[np.argsort(away, kind="stable")[:3]]].tolist()
        rows.append(row | dict(zip(model.columns_, centre.tolist(), strict=True)))
    return rows


def cell_text(value: Any) -> str:
    """Return an entry of a summary as a table shows it."""
    if isinstance(value, float):
        return f"{value:.3g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def draw_roles(path: FilePath, model: Any, graph: Any = None, *, title: str | None = None, seed: int = 0) -> str:
    """Draw a graph next to the first two principal components of its signatures, and colour both by role.

    `path` is a ``.png``, ``.svg`` or ``.pdf`` file; `graph` is needed for roles that were found from signatures; `seed`
    is that of igraph's layout. Colours are safe for people with colour-vision deficiencies, and every role has its own
    marker. Of a large graph (above 5,000 nodes or 120,000 edges) the picture shows the surroundings of the largest
    hubs; the projection always shows all nodes. The result is one sentence on what part of the graph is shown.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer, draw_roles
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_roles(pathlib.Path(folder, "roles.svg"), RoleClusterer().fit(barbell(5, 3)))
    'The graph: 13 nodes, 24 edges'
    """
    pictures.check_graph_picture(path)
    with pictures.saved_figure(path, 12.0, _height(model)) as figure:
        return _paint(figure, _graph(model, graph, "draw_roles"), model, title, seed)


def _paint(figure: Any, network: Graph, model: Any, title: str | None, seed: int) -> str:
    legend = {
        role.role: f"{role.nodes:,} nodes ({role.share:.1%}): {role.description}" for role in model.describe(network)
    }
    return pictures.draw_graph_and_plane(figure, network, model.labels_, model.signatures_, legend, title, seed)
