"""`RoleClusterer`: structurally similar nodes share a role, as a scikit-learn clusterer."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.embedding.embed_graph import compared_nodes
from vnestruct.embedding.named_kinds import is_role_signature
from vnestruct.embedding.parameters import settings_from
from vnestruct.errors import ParameterError, whole_number
from vnestruct.explore.page import inline_page
from vnestruct.graph import Graph
from vnestruct.roles import views
from vnestruct.roles.cluster import cut, distinct_signatures, exceptional_rows, unit_of
from vnestruct.roles.describe import RoleSummary, describe_roles
from vnestruct.roles.labels import load_roles, save_roles
from vnestruct.roles.quality import RoleQuality, role_quality
from vnestruct.store.signatures import DECIMALS, checked_signatures, given_signatures, labelled_signatures, rounded
from vnestruct.store.tables import Embedding
from vnestruct.types import Array, BoolArray, FilePath, OffsetArray, ValueArray

_ISOLATED = -1  # group of nodes without links; others are in that of their side


@dataclass(eq=False, repr=False)
class RoleClusterer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Discover structural roles: cluster the nodes of a graph by their signatures.

    By default nodes are described by kind "roles", five columns that mean the same on every graph. Roles are halved
    step by step, each time the one whose halves explain most, and the first number of roles that explains enough and
    separates nodes well is taken. Rare kinds of nodes count more than their share; up to 12 different signatures are a
    role each. Nodes without links have a role of their own, and so have the two sides of a bipartite graph. The result
    depends neither on the order of the nodes nor on the number of threads, and nothing is random.

    Parameters
    ----------
    n_roles : int or "auto", default "auto"
        Number of all roles, those of isolated nodes and of both sides included.
    kind : str or list of str, default "roles"
        What describes a node, as for `vnestruct.embed`. The constants of the clustering are meant for kind "roles".
        Other signatures are first divided by one number, so that their root mean square distance from their mean is
        1.5.
    random_state : int, default 0
        Seed of the edges that `quality` removes. All other parameters are those of `vnestruct.embed`.

    Attributes
    ----------
    labels_ : ndarray of int64
        Role of each node, of those of its side the one with the nearest centre: 0, 1, ... by descending size.
    nodes_, signatures_, columns_ : ndarray, ndarray of float64, list of str
        Node labels, the signatures that were clustered, row by row, and the names of their columns.
    n_roles_, centres_, groups_ : int, ndarray of float64, ndarray of int64
        Number of roles, the centre of each, and its side: 0 or 1 (0 without sides), -1 for isolated nodes.
    scale_, graph_ : float, Graph or None
        What signatures are divided by, 1 for kind "roles"; the graph, None if there were only signatures or a file.
    summaries_, described_ : list of RoleSummary, Graph or None
        What `describe` has found last, and the graph that it was told.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer
    >>> roles = RoleClusterer().fit(barbell(4, 3))
    >>> roles.labels_.tolist()
    [0, 0, 0, 2, 1, 3, 1, 2, 0, 0, 0]
    >>> roles.names_
    ['clique members', 'links in chains with busy neighbours', 'gateways', 'link in a chain with quiet neighbours']
    """

    n_roles: int | str = "auto"
    _: KW_ONLY
    kind: str | Iterable[str] = "roles"
    radius: int | None = None
    weighted: bool = False
    direction: str = "all"
    aggregate: str | Iterable[str] = ()
    n_jobs: int | None = None
    random_state: int = 0
    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | None = None
    bipartite: bool | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the roles of the nodes of `X`; `y` is ignored.

        `X` is anything `vnestruct.embed` takes (several graphs share their roles), or signatures: a matrix of
        floating-point numbers, a data frame of them, or what `vnestruct.read_embedding` returns.
        """
        given, graph = self.signatures_of(X)
        return self.fit_signatures(given.values, given.nodes, given.columns, graph=graph)

    def fit_signatures(
        self, signatures: Any, nodes: Any = None, columns: Iterable[str] | None = None, *, graph: Graph | None = None
    ) -> Self:
        """Find roles from signatures, one row per node; say labels, names of columns and their graph if known."""
        n_roles = self.check_parameters()
        matrix, labels = labelled_signatures(signatures, nodes)
        self.graph_: Graph | None = graph
        self.nodes_: Array = np.arange(len(matrix)) if labels is None else labels
        self.signatures_: ValueArray = matrix
        self.columns_: list[str] = list(columns or ()) or [f"x{i}" for i in range(1, matrix.shape[1] + 1)]
        self.scale_: float = 1.0 if is_role_signature(self.columns_) else unit_of(matrix)
        rows, groups = self._scaled(matrix), self._groups_of(matrix, graph, self.columns_[-1] == "repeats")
        present = np.unique(groups)
        divided = cut([distinct_signatures(rows[groups == group]) for group in present], n_roles)
        self.centres_: ValueArray = np.vstack(divided) * self.scale_
        self.groups_: OffsetArray = np.repeat(present, [len(centres) for centres in divided])
        # By size, and equally large ones by their centres.
        sizes = np.bincount(self._nearest(rows, groups), minlength=len(self.centres_))
        order = np.lexsort((*np.round(self.centres_, DECIMALS).T[::-1], -sizes))[: np.count_nonzero(sizes)]
        self.centres_, self.groups_ = self.centres_[order], self.groups_[order]
        self.labels_: OffsetArray = self._nearest(rows, groups)
        self.n_roles_ = self._n_features_out = len(self.centres_)
        self.described_: Graph | None = None
        self.summaries_: list[RoleSummary] = []
        return self

    def predict(self, X: Any) -> OffsetArray:
        """Return the role with the nearest centre for each node, so the fitted graph gets its ``labels_`` back."""
        check_is_fitted(self, "labels_")
        given, graph = self.signatures_of(X, self._has_sides)
        return self.predict_signatures(given.values, given.columns, graph=graph)

    def predict_signatures(
        self, signatures: Any, columns: Iterable[str] | None = None, *, graph: Graph | None = None
    ) -> OffsetArray:
        """Return the role of each signature, the rows of a graph with sides if the roles are those of one."""
        matrix = self._checked(signatures, columns)
        return self._nearest(self._scaled(matrix), self._groups_of(matrix, graph, self._has_sides))

    def transform(self, X: Any) -> ValueArray:
        """Return the distance of each node from the centre of each role, in units of `scale_`."""
        check_is_fitted(self, "labels_")
        given, _ = self.signatures_of(X, self._has_sides)
        rows = self._scaled(self._checked(given.values, given.columns))
        return cdist(rows, self.centres_ / self.scale_)  # type: ignore[no-any-return]

    def describe(self, graph: Any = None) -> list[RoleSummary]:
        """Return name, description and measurements of each role, for which signatures alone need their graph."""
        check_is_fitted(self, "labels_")
        if graph is not None or self.graph_ is not None or not self.summaries_:
            network = views.graph_of(self, graph)
            if network is not self.described_:
                self.described_, self.summaries_ = network, describe_roles(network, self)
        return self.summaries_

    @property
    def names_(self) -> list[str]:
        """Name of each role."""
        return [role.name for role in self.describe()]

    @property
    def exceptional_(self) -> BoolArray:
        """Whether the nearest other node is more than 1 nat away (`scale_` nats, for other kinds than "roles")."""
        check_is_fitted(self, "labels_")
        rows, groups = self._scaled(self.signatures_), self.groups_[self.labels_]
        found = np.zeros(len(groups), bool)
        for group in np.unique(groups[groups != _ISOLATED]):
            found[groups == group] = exceptional_rows(distinct_signatures(rows[groups == group]))
        return found

    @property
    def has_descriptions(self) -> bool:
        """Whether roles can be described without being told the graph."""
        check_is_fitted(self, "labels_")
        return self.graph_ is not None or bool(self.summaries_)

    def summary(self, graph: Any = None) -> Any:
        """Return a data frame with one row per role: name, description, size, typical nodes; else its centre.

        Examples
        --------
        >>> from vnestruct import RoleClusterer
        >>> edges = [("a", "b")] + [(hub, f"{hub}{i}") for hub in "ab" for i in range(9)]
        >>> frame = RoleClusterer().fit(edges).summary()
        >>> frame[["role", "name", "nodes", "degree"]].values.tolist()
        [[0, 'pendant nodes', 18, 1.0], [1, 'hubs', 2, 10.0]]
        """
        return views.summary_frame(self, graph)

    def plot(self, graph: Any = None, *, title: str | None = None, seed: int = 0) -> Any:
        """Return a Matplotlib figure of the graph next to its signatures, as `draw_roles` draws them."""
        return views.role_figure(self, graph, title, seed)

    def show(self, graph: Any = None, *, labels: Mapping[Any, Any] | None = None, title: str = "") -> Any:
        """Return the interactive page of `vnestruct.explore.write_page`, which notebooks show inline."""
        return inline_page(views.graph_of(self, graph), self, labels=labels, title=title)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        # Before `fit`, the diagram of an estimator that scikit-learn draws.
        return views.notebook_views(self) if hasattr(self, "labels_") else super()._repr_mimebundle_(**options)

    def quality(self, graph: Any = None) -> RoleQuality:
        """Return how stable and how well separated the roles are, next to a split by degree into as many.

        The roles are found again a few times after a loss of 5% of the edges, which `random_state` chooses.

        Examples
        --------
        >>> from vnestruct import RoleClusterer
        >>> from vnestruct.graph.synthetic import star
        >>> quality = RoleClusterer().fit(star(30)).quality()
        >>> quality.stability, quality.role_stability, quality.degree_stability
        (1.0, (1.0, 1.0), 1.0)
        """
        check_is_fitted(self, "labels_")
        return role_quality(self, None if graph is None and self.graph_ is None else views.graph_of(self, graph))

    def save(self, path: FilePath) -> None:
        """Write the fitted roles to a file: arrays and JSON with checksums, no pickle."""
        check_is_fitted(self, "labels_")
        save_roles(self, path)

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read what `save` wrote; all fitted attributes but the graph come back bit for bit."""
        return load_roles(cls, path)

    def check_parameters(self) -> int | None:
        """Raise `ParameterError` for the first parameter that is not valid; return the number of roles, if given."""
        whole_number("random_state", self.random_state, 0)
        settings_from(self.radius, self._options())
        if isinstance(self.n_roles, str) and self.n_roles == "auto":
            return None
        return whole_number("n_roles", self.n_roles, 1, "or 'auto'")

    def _options(self) -> dict[str, Any]:
        """Return the parameters that `embed` has, too."""
        return {name: value for name, value in self.get_params().items() if name not in ("n_roles", "random_state")}

    def signatures_of(self, X: Any, has_sides: bool | None = None) -> tuple[Embedding, Graph | None]:
        """Return the signatures of `X`, and its graph if it is one, whose sides must be as said, if they are."""
        if (given := given_signatures(X)) is not None:
            return given, None
        self.check_parameters()
        graph, values, columns = compared_nodes(X, **self._options())
        if has_sides is not None and has_sides != (graph.sides is not None):
            which = "bipartite, and this graph is not" if has_sides else "not bipartite, and this graph is"
            raise ParameterError(f"the roles' graph is {which}; set `bipartite=True` for both, or `bipartite=False`")
        return Embedding(graph.nodes, values, tuple(columns)), graph

    def _checked(self, signatures: Any, columns: Iterable[str] | None) -> ValueArray:
        """Return signatures like the fitted ones."""
        check_is_fitted(self, "labels_")
        matrix = checked_signatures(signatures)
        fitted, wrong = self.columns_, ""
        if columns is not None and fitted[0] != "x1" and list(columns) != fitted:
            wrong = f"are {', '.join(columns)}, and the roles were found from {', '.join(fitted)}"
        elif matrix.shape[1] != len(fitted):
            wrong = f"have {matrix.shape[1]} columns, and the roles were found from {len(fitted)}"
        if wrong:
            raise ParameterError(f"these signatures {wrong}; compute both with the same parameters")
        return matrix

    def _scaled(self, matrix: ValueArray) -> ValueArray:
        return rounded(matrix / self.scale_)

    def _groups_of(self, matrix: ValueArray, graph: Graph | None, has_sides: bool) -> OffsetArray:
        """Return the group of each row, whose roles are its own: a side, or the nodes without links."""
        groups = np.zeros(len(matrix), np.int64)
        if graph is not None and graph.sides is not None:
            groups[:] = graph.sides
        elif has_sides:
            wrong = "the roles are those of a bipartite graph, and signatures do not say which side a node is on"
            raise ParameterError(f"{wrong}; pass the graph, with `graph=...`")
        if is_role_signature(self.columns_):
            # ln n is 0 only for a node by itself.
            groups[matrix[:, 0] == 0.0] = _ISOLATED
        return groups

    def _nearest(self, rows: ValueArray, groups: OffsetArray) -> OffsetArray:
        """Return the role of each row: the nearest of its group; of all, if its group has none."""
        squares = cdist(rows, self.centres_ / self.scale_, "sqeuclidean")
        own = groups[:, None] == self.groups_
        squares[~own & own.any(axis=1)[:, None]] = np.inf
        return squares.argmin(axis=1)  # type: ignore[no-any-return]

    @property
    def _has_sides(self) -> bool:
        return self.columns_[-1] == "repeats" or bool((self.groups_ == 1).any())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags
