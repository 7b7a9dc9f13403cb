"""What roles look like: a data frame, a picture next to their signatures, an interactive page, a table in notebooks."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.distance import cdist

from vnestruct.drawing import pictures
from vnestruct.embedding.frames import frame_type
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.notebook import html_table
from vnestruct.store.signatures import DECIMALS
from vnestruct.types import FilePath, OffsetArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_WIDTH = 12.0  # of pictures, in inches


def role_rows(model: "RoleClusterer", graph: Any) -> list[dict[str, Any]]:
    """Return what is known of each role, by column: of signatures without their graph, the centre."""
    if graph is not None or model.has_descriptions:
        return [asdict(role) for role in model.describe(graph)]
    rows = []
    for role, centre in enumerate(model.centres_):
        members = nearest_members(model, role)
        row = {"role": role, "nodes": members.size, "share": members.size / len(model.labels_)}
        row["examples"] = model.nodes_[members[:3]].tolist()
        rows.append(row | dict(zip(model.columns_, centre.tolist(), strict=True)))
    return rows


def nearest_members(model: "RoleClusterer", role: int) -> OffsetArray:
    """Return the nodes of a role, the nearest to its centre first, equally near ones in node order."""
    members = np.flatnonzero(model.labels_ == role)
    away = cdist(model.signatures_[members], model.centres_[role : role + 1], "sqeuclidean")[:, 0]
    return members[np.argsort(np.round(away, DECIMALS), kind="stable")]


def summary_frame(model: "RoleClusterer", graph: Any) -> Any:
    """Return the rows of roles as a data frame."""
    rows = role_rows(model, graph)
    return frame_type(None, "auto", "summary")({name: [row[name] for row in rows] for name in rows[0]})


def notebook_views(model: "RoleClusterer") -> dict[str, str]:
    """Return the rows of roles as notebooks show them."""
    rows = role_rows(model, None)
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return {"text/plain": repr(model), "text/html": html_table(cells, list(rows[0]))}


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def graph_of(model: "RoleClusterer", graph: Any) -> Graph:
    """Return the graph of fitted roles: the one given, which must have as many nodes, or that they were found in."""
    network = model.graph_ if graph is None else as_graph(graph)
    if network is None:
        raise ParameterError("these roles were found from signatures alone; pass their graph, with `graph=...`")
    if network.n_nodes != len(model.labels_):
        raise ParameterError(f"these are the roles of {len(model.labels_)} nodes, the graph has {network.n_nodes}")
    return network


def role_figure(model: "RoleClusterer", graph: Any, title: str | None, seed: int) -> Any:
    """Return what `draw_roles` draws as a figure."""
    network = graph_of(model, graph)
    pictures.check_igraph()
    figure = pictures.notebook_figure(_WIDTH, _height(model))
    _paint(figure, network, model, title, seed)
    return figure


def draw_roles(
    path: FilePath, model: "RoleClusterer", graph: Any = None, *, title: str | None = None, seed: int = 0
) -> str:
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
    with pictures.saved_figure(path, _WIDTH, _height(model)) as figure:
        return _paint(figure, graph_of(model, graph), model, title, seed)


def _height(model: "RoleClusterer") -> float:
    return 5.9 + 0.22 * model.n_roles_  # inches; the legend has one line per role


def _paint(figure: Any, network: Graph, model: "RoleClusterer", title: str | None, seed: int) -> str:
    roles = model.describe(network)
    legend = {role.role: f"{role.nodes:,} nodes ({role.share:.1%}): {role.description}" for role in roles}
    return pictures.draw_graph_and_plane(figure, network, model.labels_, model.signatures_, legend, title, seed)
