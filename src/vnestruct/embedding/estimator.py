"""`VNEstruct`: the embedding as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.embedding.embed_graph import READING, embed, graph_of
from vnestruct.embedding.parameters import Settings, settings_from
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.types import ValueArray


class AnyInput(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer of something else than a matrix of numbers."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        tags.requires_fit = True
        return tags


@dataclass(eq=False, repr=False)
class GraphTransformer(AnyInput):
    """What transformers of graphs share: how they read and compute, and rows that carry the names of the nodes."""

    _: KW_ONLY
    weighted: bool = False
    direction: str = "all"
    engine: str = "threads"
    address: str | None = None
    n_jobs: int | None = None
    max_memory: int | str | None = None
    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | None = None
    bipartite: bool | None = None

    def _graph(self, X: Any) -> Graph:
        return graph_of(X, self.weighted, **{name: getattr(self, name) for name in READING})

    def _with_names(self, nodes: LabelArray, values: ValueArray) -> Any:
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        if chosen == "pandas":
            # scikit-learn would number the rows; ours have names.
            import pandas as pd

            index = pd.Index(nodes, name="node", tupleize_cols=False)
            frame = pd.DataFrame(values, index=index, columns=self.get_feature_names_out())
            if hasattr(values, "audit"):
                frame.attrs["audit"] = values.audit
            return frame
        return values


@dataclass(eq=False, repr=False)
class VNEstruct(GraphTransformer):
    """Structural node embedding by the Von Neumann entropies of ego networks.

    The embedding is inductive: there is nothing to learn, so `transform` takes any graph, seen before or not. The
    parameters are those of `embed`. For models of nodes, such as a classifier under cross-validation, set `graph`: then
    `fit` and `transform` take node ids.

    Parameters
    ----------
    radius : int, optional
        Largest number of hops, as for `embed`.
    kind, weighted, direction, aggregate, engine, address, n_jobs, max_memory, checkpoint, tol
        As for `embed`.
    source, target, weight, bipartite
        How graphs are read, as for `embed`.
    approximate, random_state
        As for `embed`: arrays have the attribute `audit`, pandas frames ``attrs["audit"]``.
    graph : graph, optional
        The graph whose node ids `fit` and `transform` take; by default they take graphs.

    Attributes
    ----------
    nodes_ : ndarray
        Node labels of the fitted graph: row i of its embedding belongs to ``nodes_[i]``. Of several graphs, their
        nodes are numbered one after the other.

    Examples
    --------
    >>> from vnestruct import VNEstruct
    >>> star = [("hub", leaf) for leaf in "abc"]
    >>> model = VNEstruct(radius=1)
    >>> model.fit_transform(star).round(3).ravel().tolist()
    [0.203, 0.0, 0.0, 0.0]
    >>> model.nodes_.tolist(), model.get_feature_names_out().tolist()
    (['hub', 'a', 'b', 'c'], ['h1'])
    >>> VNEstruct(radius=1, graph=star).fit_transform(["b", "hub"]).round(3).ravel().tolist()
    [0.0, 0.203]
    """

    radius: int | None = None
    _: KW_ONLY
    kind: str | Iterable[str] = "approx"
    aggregate: str | Iterable[str] = ()
    checkpoint: str | PathLike[str] | None = None
    tol: float = 1e-9
    approximate: float | str | None = None
    random_state: int = 0
    graph: Any | None = None

    def fit(self, X: Any, y: Any = None) -> VNEstruct:
        """Check the parameters and remember the nodes of the graph `X`, or the node ids `X`; `y` is ignored."""
        graph, self.nodes_ = self._read(X)
        self._columns = self._settings().on(graph).columns
        return self

    def transform(self, X: Any) -> Any:
        """Return one row of entropies per node of the graph `X`, in node order, or per node id in `X`."""
        check_is_fitted(self, "nodes_")
        return self._embed(*self._read(X))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit to the graph `X` and return its embedding, reading the graph once."""
        graph, self.nodes_ = self._read(X)
        self._columns = self._settings().on(graph).columns
        return self._embed(graph, self.nodes_)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the columns: ``h1``, ``h2``, ..."""
        return np.asarray(getattr(self, "_columns", self._settings().columns), dtype=object)

    def _read(self, X: Any) -> tuple[Graph, LabelArray]:
        """Return the graph, and the labels of the nodes to embed."""
        self._settings()
        if self.graph is None:
            graph = self._graph(X)
            return graph, graph.nodes
        if getattr(X, "ndim", 1) == 2:
            if X.shape[1] != 1:
                raise ParameterError(f"with graph set, X holds node ids in one column, not in {X.shape[1]}")
            X = np.asarray(X)[:, 0]
        graph, nodes = self._graph(self.graph), as_label_column(X)
        graph.positions(nodes)
        return graph, nodes

    def _settings(self) -> Settings:
        return settings_from(self.radius, vars(self))

    def _embed(self, graph: Graph, nodes: LabelArray) -> Any:
        read = {"graph", *READING}
        options = {name: value for name, value in self.get_params(deep=False).items() if name not in read}
        return self._with_names(nodes, embed(graph, nodes=None if self.graph is None else nodes, **options))
