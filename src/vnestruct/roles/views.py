"""What fitted roles look like: a data frame, a picture, an interactive page, and a table in notebooks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from vnestruct.drawing.pictures import check_igraph, notebook_figure
from vnestruct.embedding.labelled import frame_type
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.notebook import html_table
from vnestruct.roles.quality import EdgeLoss, RoleQuality, role_quality
from vnestruct.roles.role_picture import WIDTH, paint_roles, picture_height
from vnestruct.roles.summary import nearest_members, summarise_roles
from vnestruct.types import OffsetArray, ValueArray


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
            found = role_quality(self.labels_, scaled, network, loss, self.method, self.random_state)
            self._quality = (network, found)
        return self._quality[1]

    def _edge_loss(self, graph: Graph) -> EdgeLoss:
        radius = self.radius if self.preset is None else 1
        return EdgeLoss(graph, self._scaled_rows, radius, self.method, self.random_state)

    def _scaled_rows(self, graph: Graph, nodes: OffsetArray) -> ValueArray:
        """Compute the signatures of some nodes as `fit` does for all."""
        # The preset "noisy" is as cheap for all nodes.
        is_whole = self.preset not in (None, "profile")
        values, _ = self._role_signature(graph, **({} if is_whole else {"nodes": graph.nodes[nodes]}))
        rows: ValueArray = (values[nodes] if is_whole else values) / self.scales_
        return rows

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
        check_igraph()
        figure = notebook_figure(WIDTH, picture_height(self.n_roles_))
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
