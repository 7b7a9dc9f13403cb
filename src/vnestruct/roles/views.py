"""What roles look like: a data frame, a picture next to their signatures, an interactive page, a table in notebooks."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator

from vnestruct.drawing import pictures
from vnestruct.drawing.layout import ALL_NODES, choose_excerpt, component_names, principal_components
from vnestruct.embedding.embed_graph import frame_type
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.notebook import html_table
from vnestruct.roles.distinct import distinct_signatures, signatures_of
from vnestruct.roles.quality import EdgeLoss, RoleQuality, role_quality
from vnestruct.roles.summary import RoleSummary, checked_roles, nearest_members, summarise_roles
from vnestruct.types import FilePath, OffsetArray, ValueArray

WIDTH = 12.0  # width of a picture in inches


class RoleViews(BaseEstimator):  # type: ignore[misc]
    """The views of a fitted `RoleClusterer`; those that need the graph take it if the roles came from signatures."""

    _quality: tuple[Graph | None, RoleQuality] | None

    def summary(self, graph: Any = None) -> Any:
        """Return a data frame with one row per role: its size, typical nodes and mean signature.

        With the graph there are also a name, a sentence on what distinguishes the role, with the evidence for it, its
        stability, and medians of degree and clustering coefficient. `quality` has the scores of all roles together.

        Examples
        --------
        >>> from vnestruct import RoleClusterer
        >>> frame = RoleClusterer(2, radius=1).fit([("hub", leaf) for leaf in "abc"]).summary()
        >>> frame[["role", "size", "degree", "h1"]].round(3).values.tolist()
        [[0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 3.0, 0.203]]
        """
        rows = role_rows(self, self.graph_ if graph is None else as_graph(graph))
        return frame_type(None, "auto", "summary")({name: [row[name] for row in rows] for name in rows[0]})

    def quality(self, graph: Any = None) -> RoleQuality:
        """Return how stable and how well separated the roles are, next to a split by degree into as many.

        The scores are computed once, and depend only on the graph, the parameters and `random_state`.

        Examples
        --------
        >>> from vnestruct import RoleClusterer
        >>> from vnestruct.graph.synthetic import star
        >>> quality = RoleClusterer(2).fit(star(30)).quality()
        >>> quality.stability, quality.role_stability, quality.degree_stability
        (1.0, (1.0, 1.0), 1.0)
        """
        network = self.graph_ if graph is None else as_graph(graph)
        if self._quality is None or self._quality[0] is not network:
            scaled = self.signatures_ / self.scales_
            loss = self._loss if network is self.graph_ else self._checked_loss(network, scaled)
            self._quality = (network, role_quality(self.labels_, scaled, network, loss, self.method, self.random_state))
        return self._quality[1]

    def _edge_loss(self, graph: Graph) -> EdgeLoss:
        radius = self.radius if self.preset is None else 1
        return EdgeLoss(graph, self._scaled_rows, radius, self.method, self.random_state)

    def _scaled_rows(self, graph: Graph, nodes: OffsetArray) -> ValueArray:
        """Compute the signatures of some nodes as `fit` does for all."""
        # The preset "noisy" is as cheap for all nodes.
        is_whole = self.preset not in (None, "profile")
        values, _ = self._role_signature(graph, **({} if is_whole else {"nodes": graph.nodes[nodes]}))
        return cast(ValueArray, (values[nodes] if is_whole else values) / self.scales_)

    def _checked_loss(self, graph: Graph, scaled: ValueArray) -> EdgeLoss | None:
        """Return edge losses of a graph if it has the fitted signatures, at least some nodes of it."""
        some = np.linspace(0, max(graph.n_nodes - 1, 0), 8).astype(np.int64)
        try:
            same = len(scaled) == graph.n_nodes and np.allclose(self._scaled_rows(graph, some), scaled[some], atol=1e-6)
        except ValueError:
            return None
        return self._edge_loss(graph) if same else None

    def plot(self, graph: Any = None, *, title: str | None = None, seed: int = 0) -> Any:
        """Return a Matplotlib figure of the graph next to its signatures, as `draw_roles` draws them."""
        network = self._graph(graph, "plot")
        pictures.check_igraph()
        figure = pictures.notebook_figure(WIDTH, picture_height(self.n_roles_))
        paint_roles(figure, network, self.labels_, self.signatures_, title, seed)
        return figure

    def show(self, graph: Any = None, *, labels: Mapping[Any, Any] | None = None, title: str = "") -> Any:
        """Return the interactive page of `vnestruct.explore.write_page`, which notebooks show inline."""
        from vnestruct.explore.page import inline_page

        return inline_page(self._graph(graph, "show"), self, labels=labels, title=title)

    def _repr_html_(self) -> str:
        if not hasattr(self, "labels_"):
            return str(super()._repr_html_())
        rows = role_rows(self, self.graph_)
        left_out = () if self.graph_ is None else ("description", "evidence", *self.columns_)
        header = [name for name in rows[0] if name not in left_out]
        return html_table(([cell_text(row[name]) for name in header] for row in rows), header)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        if not hasattr(self, "labels_"):
            # The diagram of an estimator that scikit-learn draws.
            return dict(super()._repr_mimebundle_(**options))
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _graph(self, graph: Any, caller: str) -> Any:
        network = self.graph_ if graph is None else as_graph(graph)
        if network is None:
            problem = "these roles were found from signatures alone; pass the graph as well"
            raise ParameterError(f"{problem}: {caller}(graph)")
        return network


def role_rows(model: Any, graph: Any) -> list[dict[str, Any]]:
    """Return the columns of `RoleViews.summary` for each role."""
    names = ("name", "sentence", "stability", "degree", "clustering", "neighbour_degree", "description", "evidence")
    summaries = [] if graph is None else summarise_roles(graph, model)
    rows = []
    for role in range(model.n_roles_):
        members = np.flatnonzero(model.labels_ == role)
        mean = model.signatures_[members].mean(axis=0)
        row = {"role": role, "size": members.size, "share": members.size / len(model.labels_)}
        row |= {name: getattr(summary, name) for summary in summaries[role : role + 1] for name in names}
        row["examples"] = model.nodes_[nearest_members(members, model.signatures_, mean, 3)].tolist()
        rows.append(row | dict(zip(model.columns_, mean.tolist(), strict=True)))
    return rows


def cell_text(value: Any) -> str:
    """Return an entry of a summary as a table shows it."""
    if isinstance(value, float):
        return f"{value:.3g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def draw_roles(
    path: FilePath, graph: Any, roles: Any, signatures: Any, *, title: str | None = None,
    summaries: Sequence[RoleSummary] | None = None, seed: int = 0,
) -> str:  # fmt: skip
    """Draw a graph next to the first two principal components of its signatures, and colour both by role.

    Colours are safe for people with colour-vision deficiencies, and every role has its own marker. The layout is
    igraph's. Of a large graph (above 5,000 nodes or 120,000 edges) the picture shows the surroundings of the largest
    hubs, and says so; the projection always shows all nodes.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    graph : graph
        Anything `vnestruct.as_graph` takes.
    roles : array of int, shape (n,)
        Role of each node.
    signatures : array of float, shape (n, d)
        Signatures of the nodes.
    title : str, optional
        Title of the picture.
    summaries : sequence of RoleSummary, optional
        What the legend says about each role; computed by default.
    seed : int, default 0
        Seed of the layout.

    Returns
    -------
    str
        One sentence on what part of the graph is shown.

    Raises
    ------
    MissingExtraError
        If Matplotlib or igraph is not installed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer, draw_roles
    >>> graph = barbell(5, 3)
    >>> model = RoleClusterer(n_roles=3).fit(graph)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_roles(pathlib.Path(folder, "roles.svg"), graph, model.labels_, model.signatures_)
    'The graph: 13 nodes, 24 edges'
    """
    pictures.check_graph_picture(path)
    height = picture_height(np.unique(roles).size if summaries is None else len(summaries))
    with pictures.saved_figure(path, WIDTH, height) as figure:
        return paint_roles(figure, graph, roles, signatures, title, seed, summaries)


def picture_height(n_roles: int) -> float:
    """Return the height of a picture in inches: the legend has one line per role."""
    return 5.9 + 0.22 * n_roles


def paint_roles(
    figure: Any, graph: Any, roles: Any, signatures: Any, title: str | None, seed: int, summaries: Any = None
) -> str:
    """Draw what `draw_roles` draws on an empty Matplotlib figure."""
    network = as_graph(graph)
    numbers = checked_roles(roles, network.n_nodes)
    matrix = signatures_of(network, signatures)
    entries = summarise_roles(network, numbers, matrix) if summaries is None else list(summaries)
    shown = choose_excerpt(network, numbers, whole=ALL_NODES, seed=seed)
    caption = f"The graph: {network.n_nodes:,} nodes, {network.n_edges:,} edges"
    if shown.size < network.n_nodes:
        caption = f"{shown.size:,} of {network.n_nodes:,} nodes: the surroundings of the largest hubs of each role"
    left, right = figure.subplots(1, 2)
    pictures.draw_graph(left, network, shown, numbers, seed)
    left.set_title(caption, fontsize=10.5, color="0.25")
    if matrix.shape[1] == 1:
        # A single number has no second dimension: the degree gives it one.
        points = np.column_stack([matrix[:, 0], network.degrees])
        right.set(xlabel="the signature, a single number", ylabel="degree")
        right.set_yscale("symlog", linthresh=1.0)
    else:
        points, shares = principal_components(matrix)
        right.set(**dict(zip(("xlabel", "ylabel"), component_names(shares), strict=True)))
    # Nodes in one place are one mark, larger for more of them.
    marks = distinct_signatures(np.column_stack([points, numbers]))
    base = float(np.clip(9_000.0 / max(len(marks.points), 1), 9.0, 70.0))
    areas = base * (1.0 + 0.5 * np.log(marks.counts))
    pictures.draw_points(right, marks.points[:, :2], marks.points[:, 2].astype(np.int64), areas)
    pictures.add_grid(right)
    right.margins(0.06)
    right.set_title(f"Signatures of all {network.n_nodes:,} nodes", fontsize=10.5, color="0.25")
    if title:
        figure.suptitle(title, fontsize=13)
    legend = {e.role: f"role {e.role}, {e.size:,} nodes ({e.share:.0%}): {e.name}" for e in entries}
    pictures.add_legend(figure, legend)
    return caption
