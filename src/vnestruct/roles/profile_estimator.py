"""`EntropyProfile`: the entropy profile as a scikit-learn transformer, scaled and compared with landmarks."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_is_fitted

from vnestruct.checks import whole_number
from vnestruct.embedding.entropy_profile import STEPS, profile, profile_columns
from vnestruct.embedding.estimator import GraphTransformer
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.roles.distinct import distinct_signatures
from vnestruct.roles.partition import micro_clusters, sampled, weighted_means
from vnestruct.types import Array, ValueArray

_SAMPLE = 20_000  # nodes that landmarks are found from, if the graph has more
_PAIRS = 10_000  # pairs of rows whose median distance is the width of a landmark


@dataclass(eq=False, repr=False)
class EntropyProfile(GraphTransformer):
    """The entropy profile of every node, scaled, with similarities to landmarks appended.

    Fitted without labels, on one graph; then any graph can be transformed. Columns of `vnestruct.profile` are centred
    and divided by one number, the root of the mean variance of the entropies of the 1-ball, so that distances keep
    their proportions. Landmarks are the centres of small clusters of the fitted rows. The similarity of a row to one
    of them is exp(-d^2 / (2 s^2)): d is their distance and s the median distance of two random rows.

    Parameters
    ----------
    steps : int, default 2
        How many steps away the 1-balls may be, as for `vnestruct.profile`.
    scale : bool, default True
        Centre and scale the columns; otherwise they stay in nats.
    landmarks : int, default 64
        Number of landmarks, fewer if the graph has fewer distinct rows. 0 leaves them out: linear classifiers gain from
        them, distances and clusters do not need them.
    weighted, direction, engine, address, n_jobs, max_memory, source, target, weight
        As for `vnestruct.profile`.
    random_state : int, default 0
        Seeds the sample of nodes (of a large graph) and of distances. The result does not depend on the order of the
        nodes or the number of threads.

    Attributes
    ----------
    nodes_ : ndarray
        Node labels of the fitted graph.
    mean_ : ndarray of float64, shape (d,)
        What is subtracted from each column.
    scale_ : float
        What all columns are then divided by.
    landmarks_ : ndarray of float64, shape (number of landmarks, d)
        Landmarks, as scaled rows.
    width_ : float
        The distance s of the similarity.

    Examples
    --------
    >>> from vnestruct import EntropyProfile
    >>> from vnestruct.graph.synthetic import barbell, star
    >>> model = EntropyProfile(steps=1, landmarks=3)
    >>> model.fit_transform(barbell(5, 3)).shape, model.transform(star(4)).shape
    ((13, 18), (5, 18))
    >>> model.get_feature_names_out()[-4:].tolist()
    ['h1_std', 'landmark1', 'landmark2', 'landmark3']
    """

    steps: int = STEPS
    _: KW_ONLY
    scale: bool = True
    landmarks: int = 64
    random_state: int = 0

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find scale and landmarks from the nodes of the graph `X`; `y` is ignored."""
        self._fit(self._graph(X))
        return self

    def transform(self, X: Any) -> Any:
        """Return one row per node of the graph `X`, in the order of ``as_graph(X).nodes``."""
        check_is_fitted(self, "nodes_")
        graph = self._graph(X)
        return self._with_names(graph.nodes, self._transformed(self._profile(graph)))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit to the graph `X` and return its rows, computing its profile once."""
        values = self._fit(self._graph(X))
        return self._with_names(self.nodes_, self._transformed(values))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns: those of `profile_columns`, then ``landmark1``, ``landmark2``, ..."""
        check_is_fitted(self, "nodes_")
        names = [f"landmark{i}" for i in range(1, len(self.landmarks_) + 1)]
        return np.asarray(profile_columns(self.steps, self.direction) + names, dtype=object)

    def _profile(self, graph: Graph) -> ValueArray:
        names = ("steps", "weighted", "direction", "engine", "address", "n_jobs", "max_memory")
        return profile(graph, **{name: getattr(self, name) for name in names})

    def _fit(self, graph: Graph) -> ValueArray:
        """Find scale and landmarks; return the profile."""
        values = self._profile(graph)
        n_landmarks = whole_number("landmarks", self.landmarks, 0)
        seed = whole_number("random_state", self.random_state, 0)
        if graph.n_nodes == 0:
            raise ParameterError("the graph has no nodes, so there is nothing to fit; check how it was built")
        n_base = len(profile_columns(0, self.direction))
        self.nodes_: Array = graph.nodes
        self.mean_: ValueArray = values.mean(axis=0) if self.scale else np.zeros(values.shape[1])
        spread = float(np.sqrt(values[:, :n_base].var(axis=0).mean())) if self.scale else 1.0
        self.scale_ = spread if spread > 1e-12 else 1.0

        # Equal rows are one point, so that nothing depends on the order of the nodes.
        distinct = distinct_signatures((values - self.mean_) / self.scale_)
        counts = sampled(distinct.counts, _SAMPLE, seed) if graph.n_nodes > _SAMPLE else distinct.counts
        points, weights = distinct.points[counts > 0], counts[counts > 0].astype(np.float64)
        self.landmarks_: ValueArray = np.empty((0, values.shape[1]))
        if n_landmarks:
            self.landmarks_ = weighted_means(points, weights, micro_clusters(points, weights, n_landmarks))
        one, other = np.random.default_rng(seed).choice(len(points), (2, _PAIRS), p=weights / weights.sum())
        distances = np.sqrt(((points[one] - points[other]) ** 2).sum(axis=1))
        # The median distance of two random rows; if that is 0, of two that differ; 1 if all rows are equal.
        medians = [float(np.median(some)) for some in (distances, distances[distances > 0.0]) if some.size]
        self.width_ = next((median for median in medians if median > 0.0), 1.0)
        return values

    def _transformed(self, values: ValueArray) -> ValueArray:
        rows = (values - self.mean_) / self.scale_
        similarities = np.exp(cdist(rows, self.landmarks_, "sqeuclidean") / (-2.0 * self.width_**2))
        return np.hstack([rows, similarities])
