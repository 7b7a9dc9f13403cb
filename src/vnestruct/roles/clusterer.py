"""`RoleClusterer`: structurally similar nodes share a role, as a scikit-learn clusterer."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Self, cast

import numpy as np
from scipy.spatial import cKDTree
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.checks import one_of, whole_number
from vnestruct.embedding.embed_graph import graph_of
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.model_file import decode_value, encode_value, load_model, save_model
from vnestruct.graph import Graph
from vnestruct.graph.labels import as_label_column
from vnestruct.roles import distinct
from vnestruct.roles.partition import METHODS, find_roles, weighted_means
from vnestruct.roles.signature import PRECOMPUTED, role_signature
from vnestruct.roles.views import RoleViews
from vnestruct.store.tables import Embedding
from vnestruct.types import Array, FilePath, OffsetArray, ValueArray

_FORMAT_VERSION = 1
_SAVED_ARRAYS = ("labels", "centroids", "scales", "signatures")
_SAVED_PARAMETERS = (
    "n_roles", "method", "radius", "kind", "preset", "weighted", "direction", "aggregate", "scaling", "max_roles",
    "random_state", "source", "target", "weight",
)  # fmt: skip


@dataclass(eq=False, repr=False)
class RoleClusterer(ClusterMixin, RoleViews):  # type: ignore[misc]
    """Discover structural roles: cluster the nodes of a graph by their signatures.

    Nodes with equal signatures (after rounding to 8 decimals) are clustered as one weighted point. This gives the same
    roles as clustering every node and makes hierarchical methods work on large graphs. Above 10,000 distinct signatures
    (5,000 for ``average``) the points are first merged into half as many small k-means clusters. The result depends
    neither on the number of threads nor on the order of the nodes, except for the edges that "auto" removes at random.

    Parameters
    ----------
    n_roles : int or "auto", default "auto"
        Number of roles. "auto" takes the smallest number from 3 to `max_roles` whose mean silhouette is at most 5%
        farther from 1 than the best (on a sample of 5,000 nodes if there are more distinct signatures than that). If
        there are several such numbers, it takes the smallest whose stability (`quality`) is at most 0.05 lower than the
        best. It takes 1 if all signatures are equal. It takes 2, which mostly separate large nodes from small ones, if
        their silhouette is larger by 0.1, or the largest and these are two kinds of nodes: the spread of each is at
        most a tenth of the distance between them. A number that leaves more than 90% of the nodes in one role is taken
        only if the roles are different kinds in this sense; otherwise the other nodes are mere outliers. If the largest
        number tried is taken, a warning is logged.
    method : {"ward", "single", "average", "kmeans"}, default "ward"
        How to cluster.
    radius : int, default 2
        Largest number of hops of the signature.
    kind : str or list of str, default "approx"
        Which entropies, as for `vnestruct.embed`; "precomputed" if `fit` and `predict` get signatures instead of
        graphs.
    preset : str, optional
        A named signature (`vnestruct.roles.preset_signature`) instead of the entropies of `vnestruct.embed`: "noisy"
        for graphs with missing or spurious edges, "profile" for the entropy profile (`vnestruct.profile`).
    weighted, direction, aggregate, n_jobs, source, target, weight
        As for `vnestruct.embed`.
    scaling : {"none", "standard"}, default "none"
        "standard" divides every column by its standard deviation over the fitted nodes.
    max_roles : int, default 10
        Largest number of roles that "auto" tries.
    random_state : int, default 0
        Seed of k-means and of the sample for the silhouette.

    Attributes
    ----------
    labels_ : ndarray of int64
        Role of each node: 0, 1, ... by descending size; equally large roles by ascending centroid.
    n_roles_ : int
        Number of roles.
    nodes_ : ndarray
        Node labels: ``labels_[i]`` is the role of ``nodes_[i]``.
    signatures_ : ndarray of float64, shape (n, d)
        The signatures that were clustered.
    columns_ : list of str
        Names of their columns.
    centroids_ : ndarray of float64, shape (n_roles_, d)
        Mean signature of each role.
    scales_ : ndarray of float64, shape (d,)
        What each column is divided by before distances are measured.
    silhouettes_ : dict of int to float
        Mean silhouette of each number of roles tried; empty if the number was given.
    graph_ : Graph or None
        The graph, None if signatures were fitted or the roles were loaded from a file.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer
    >>> RoleClusterer(n_roles=3, radius=1).fit_predict(barbell(4, 3)).tolist()
    [0, 0, 0, 2, 1, 1, 1, 2, 0, 0, 0]
    """

    n_roles: int | str = "auto"
    method: str = "ward"
    _: KW_ONLY
    radius: int = 2
    kind: str | Iterable[str] = "approx"
    preset: str | None = None
    weighted: bool = False
    direction: str = "all"
    aggregate: str | Iterable[str] = ()
    scaling: str = "none"
    max_roles: int = 10
    n_jobs: int | None = None
    random_state: int = 0
    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the roles of the nodes of a graph.

        Parameters
        ----------
        X : graph or signatures
            Anything `vnestruct.embed` takes; several graphs share their roles. Or signatures: a matrix of
            floating-point numbers, a data frame of them, or what `vnestruct.read_embedding` returns. With
            ``kind="precomputed"`` every matrix is one of signatures.
        y : ignored
            For scikit-learn.
        """
        self.check_parameters()
        given, graph = self._signatures_of(X)
        return self.fit_signatures(given.values, given.nodes, given.columns, graph=graph)

    def fit_signatures(
        self, signatures: Any, nodes: Any = None, columns: Iterable[str] | None = None, *, graph: Graph | None = None
    ) -> Self:
        """Find roles from existing signatures, such as those of `vnestruct.embed`.

        Parameters
        ----------
        signatures : array of float, shape (n, d)
            One row per node.
        nodes : sequence, optional
            Node labels; 0..n-1 by default.
        columns : iterable of str, optional
            Names of the columns.
        graph : Graph, optional
            The graph they were computed from with the parameters of this clusterer.
        """
        self.check_parameters()
        matrix, labels = distinct.labelled_signatures(signatures, nodes)
        # Equal signatures are one point with the weight of its nodes.
        unique = distinct.distinct_signatures(matrix)
        points, counts = unique.points, unique.counts
        scales = self.scales_ = distinct.column_scales(points, counts, self.scaling)
        loss = None if graph is None else self._edge_loss(graph)
        how = (self.n_roles, self.method, self.max_roles, self.random_state)
        stability = None if loss is None else partial(loss.stability, index=unique.index)
        roles, scores = find_roles(points / scales, counts, *how, stability)

        # The same per node.
        self.graph_: Graph | None = graph
        self.nodes_: Array = np.arange(len(matrix)) if labels is None else labels
        self.signatures_: ValueArray = matrix
        given = () if columns is None else columns
        self.columns_: list[str] = list(given) or [f"x{i}" for i in range(1, matrix.shape[1] + 1)]
        self.labels_: OffsetArray = roles[unique.index]
        self.centroids_: ValueArray = weighted_means(points, counts.astype(np.float64), roles)
        self.n_roles_ = len(self.centroids_)
        self.silhouettes_: dict[int, float] = scores
        self._loss, self._quality = loss, None
        return self

    def predict(self, X: Any) -> OffsetArray:
        """Return the role of each node of another graph, in the order of ``as_graph(X).nodes``.

        A fitted signature keeps its role; any other gets the role with the nearest centroid, measured between scaled
        columns. So the fitted graph gets its own ``labels_`` back.
        """
        check_is_fitted(self, "labels_")
        return self.predict_signatures(self._signatures_of(X)[0].values)

    def predict_signatures(self, signatures: Any) -> OffsetArray:
        """Return the role of each signature; `predict` says how."""
        check_is_fitted(self, "labels_")
        rows = distinct.rounded(distinct.checked_signatures(signatures))
        if rows.shape[1] != self.signatures_.shape[1]:
            wrong = f"these signatures have {rows.shape[1]} columns and the roles were found from "
            raise ParameterError(f"{wrong}{self.signatures_.shape[1]}; compute both with the same parameters")
        unique = distinct.distinct_signatures(self.signatures_)
        distances, nearest = cKDTree(unique.points).query(rows)
        fitted = np.empty(len(unique.points), np.int64)
        fitted[unique.index] = self.labels_
        others = cKDTree(self.centroids_ / self.scales_).query(rows / self.scales_)[1]
        return cast(OffsetArray, np.where(distances == 0.0, fitted[nearest], others))

    def save(self, path: FilePath) -> None:
        """Write the fitted roles to a file: arrays and JSON in a zip archive, no pickle."""
        check_is_fitted(self, "labels_")
        arrays: dict[str, Array] = {name: getattr(self, f"{name}_") for name in _SAVED_ARRAYS}
        notes: dict[str, Any] = {
            "parameters": {name: encode_value(getattr(self, name)) for name in _SAVED_PARAMETERS},
            "columns": self.columns_,
            "silhouettes": list(self.silhouettes_.items()),
        }
        if self.nodes_.dtype == np.int64:
            arrays["nodes"] = self.nodes_
        else:
            notes["nodes"] = encode_value(self.nodes_.tolist())
        save_model(path, "roles", _FORMAT_VERSION, notes, arrays)

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read what `save` wrote; all fitted attributes come back bit for bit.

        Raises
        ------
        GraphFormatError
            If the file is not one, or was written by a later version.
        """
        notes, arrays = load_model(path, "roles", _FORMAT_VERSION)
        try:
            parameters = notes["parameters"]
            # Files of earlier versions do not have the last ones.
            given = [*_SAVED_PARAMETERS[:-3], *(name for name in _SAVED_PARAMETERS[-3:] if name in parameters)]
            model = cls(**{name: decode_value(parameters[name]) for name in given})
            for name in _SAVED_ARRAYS:
                setattr(model, f"{name}_", arrays[name])
            model.nodes_ = as_label_column(decode_value(notes["nodes"])) if "nodes" in notes else arrays["nodes"]
            model.n_roles_ = len(model.centroids_)
            model.columns_, model.graph_ = notes["columns"], None
            model._loss = model._quality = None
            model.silhouettes_ = {int(n_roles): score for n_roles, score in notes["silhouettes"]}
        except (KeyError, TypeError, ValueError) as error:
            raise GraphFormatError(f"not a readable roles file: {error}", path) from error
        return model

    def _signatures_of(self, X: Any) -> tuple[Embedding, Graph | None]:
        """Return signatures, and the graph they are those of if there is one."""
        if isinstance(self.kind, str) and self.kind == PRECOMPUTED:
            return Embedding(None, distinct.checked_signatures(X), None), None
        if (given := distinct.given_signatures(X)) is not None:
            return given, None
        graph = graph_of(X, self.weighted, source=self.source, target=self.target, weight=self.weight)
        values, columns = self._role_signature(graph)
        return Embedding(graph.nodes, values, tuple(columns)), graph

    def _role_signature(self, graph: Graph, **more: Any) -> tuple[ValueArray, list[str]]:
        names = ("radius", "kind", "preset", "weighted", "direction", "aggregate", "n_jobs")
        return role_signature(graph, **{name: getattr(self, name) for name in names}, **more)

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first parameter of the clustering that is not valid."""
        one_of("method", self.method, METHODS)
        one_of("scaling", self.scaling, distinct.SCALINGS)
        whole_number("max_roles", self.max_roles, 2)
        whole_number("random_state", self.random_state, 0)
        if not (isinstance(self.n_roles, str) and self.n_roles == "auto"):
            whole_number("n_roles", self.n_roles, 1, "or 'auto'")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The input is a graph, not a matrix of samples.
        tags.input_tags.two_d_array = self.kind == PRECOMPUTED
        tags.no_validation = True
        return tags
