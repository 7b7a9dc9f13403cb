"""Node vectors X' = [X || H]: types and attributes of the nodes, then their entropies."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from vnestruct.embedding import embed
from vnestruct.embedding.parameters import checked_settings
from vnestruct.errors import ParameterError, whole_number
from vnestruct.graph import GraphSet
from vnestruct.types import Array, OffsetArray, ValueArray

DEGREE_BINS = 64

_DECIMALS = 8
_LEARNED = ("layout", "vocabularies", "n_attributes", "degree_cap", "mean", "deviation")


class NodeFeatures:
    """Turn the nodes of collections into vectors, in the same way for every collection once fitted.

    The columns are: one-hot node types (all zeros for a type that did not occur in `fit`); numeric node attributes; if
    nodes have neither, the one-hot degree, with large degrees in one bin; then the entropies. Attributes and entropies
    are scaled to mean 0 and deviation 1 on the fitted collection.

    Parameters
    ----------
    radius : int, default 2
        Largest radius of the entropies; 0 leaves them out.
    kind, n_jobs
        As for `vnestruct.embed`.
    degree_bins : int, default 64
        Largest degree with its own bin.

    Examples
    --------
    >>> from vnestruct.datasets import as_collection
    >>> path, star = [(0, 1), (1, 2)], [(0, 1), (0, 2), (0, 3)]
    >>> NodeFeatures(radius=1).fit(as_collection([path, star])).names
    ['degree 0', 'degree 1', 'degree 2', 'degree 3', 'h1']
    """

    def __init__(
        self, radius: int = 2, kind: Any = "approx", degree_bins: int = DEGREE_BINS, n_jobs: int | None = None
    ) -> None:
        self.radius = whole_number("radius", radius, 0, "(0 leaves the entropies out)")
        self.kind = kind
        # Column by column, each for every radius in turn.
        self.entropy_names = checked_settings(radius, kind).columns if radius else []
        self.degree_bins = whole_number("degree_bins", degree_bins, 1)
        self.n_jobs = n_jobs

    def fit(self, collection: GraphSet) -> Self:
        """Learn node types, means and deviations."""
        return self.fit_nodes(self.with_entropies(collection))

    def transform(self, collection: GraphSet) -> ValueArray:
        """Return one row per node."""
        return self.rows(self.with_entropies(collection))

    def with_entropies(self, collection: GraphSet) -> GraphSet:
        """Return the collection with the entropies as its last node attributes."""
        shape = (collection.graph.n_nodes, len(self.entropy_names))
        rows = embed(collection, self.radius, kind=self.kind, n_jobs=self.n_jobs) if all(shape) else np.zeros(shape)
        # Entropies of equal balls differ by rounding errors, which must not distinguish them.
        rows = np.round(rows, _DECIMALS) + 0.0
        own = collection.node_attributes
        numbers = rows if own is None else np.hstack([own, rows])
        types = collection.node_types
        return GraphSet(collection.graph, collection.offsets, collection.labels, numbers, node_types=types)

    def fit_nodes(self, nodes: GraphSet) -> Self:
        """Learn from what `with_entropies` returned."""
        numbers = numbers_of(nodes)
        self.layout = self._layout(nodes)
        self.n_attributes = numbers.shape[1] - len(self.entropy_names)
        self.degree_cap: int | None = None
        if nodes.node_types is None and not self.n_attributes:
            self.degree_cap = min(self.degree_bins, int(nodes.graph.degrees.max(initial=0)))
            self.vocabularies: list[list[Any]] = [list(range(self.degree_cap + 1))]
        else:
            self.vocabularies = [np.unique(column).tolist() for column in self._columns(nodes)]
        some = numbers if len(numbers) else np.zeros((1, numbers.shape[1]))
        deviation = some.std(axis=0)
        self.mean = some.mean(axis=0).tolist()
        self.deviation = np.where(deviation > 1e-9, deviation, 1.0).tolist()
        return self

    def rows(self, nodes: GraphSet) -> ValueArray:
        """Return one row per node of what `with_entropies` returned."""
        return np.hstack([self.one_hot(nodes).toarray(), (numbers_of(nodes) - self.mean) / self.deviation])

    def codes(self, nodes: GraphSet) -> list[OffsetArray]:
        """Return, for each column of types or for degrees, each node's place in the vocabulary, -1 if not in it."""
        if (given := self._layout(nodes)) != self.layout:
            wrong = f"nodes have {given}, but the model was fitted on nodes with {self.layout}; "
            raise ParameterError(wrong + "pass graphs with the same columns")
        pairs = zip(self.vocabularies, self._columns(nodes), strict=True)
        return [np.where(np.isin(column, known), np.searchsorted(known, column), -1) for known, column in pairs]

    def one_hot(self, nodes: GraphSet) -> Any:
        """Return the columns of types or degrees as a sparse matrix."""
        pairs = zip(self.codes(nodes), self.vocabularies, strict=True)
        blocks = [one_hot(codes, len(known)) for codes, known in pairs]
        return sparse.hstack([sparse.csr_array((nodes.graph.n_nodes, 0)), *blocks], format="csr")

    def type_codes(self, nodes: GraphSet) -> OffsetArray:
        """Return one number per node for all its types or its degree, -1 if a type did not occur in `fit`."""
        codes = np.zeros(nodes.graph.n_nodes, dtype=np.int64)
        for place, known in zip(self.codes(nodes), self.vocabularies, strict=True):
            codes = np.where((codes < 0) | (place < 0), -1, codes * len(known) + place)
        return codes

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        many = len(self.vocabularies) > 1
        names = []
        for place, known in enumerate(self.vocabularies):
            what = f"type{place if many else ''}" if self.degree_cap is None else "degree"
            names += [f"{what} {value}" for value in known]
        names += [f"attribute {place}" for place in range(self.n_attributes)]
        return names + self.entropy_names

    def columns_up_to(self, radius: int) -> OffsetArray:
        """Return the columns without the entropies of larger radii."""
        n_columns = len(self.names)
        place = np.arange(n_columns) - (n_columns - len(self.entropy_names))
        return np.flatnonzero((place < 0) | (place % max(self.radius, 1) < radius))

    def state(self) -> dict[str, Any]:
        """Return everything learned as JSON values, exact to the last bit."""
        return {name: getattr(self, name) for name in _LEARNED}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set everything learned to what `state` returned."""
        for name in _LEARNED:
            setattr(self, name, state[name])
        if len(self.mean) != self.n_attributes + len(self.entropy_names) or len(self.deviation) != len(self.mean):
            raise ValueError("means and deviations do not belong to the columns")
        return self

    def _columns(self, nodes: GraphSet) -> list[Array]:
        if self.degree_cap is not None:
            return [np.minimum(nodes.graph.degrees, self.degree_cap)]
        return [] if nodes.node_types is None else list(nodes.node_types.T)

    def _layout(self, nodes: GraphSet) -> str:
        types = nodes.node_types
        kind = "text" if types is not None and types.dtype.kind == "U" else "integer"
        n_attributes = numbers_of(nodes).shape[1] - len(self.entropy_names)
        return f"{0 if types is None else types.shape[1]} {kind} types and {n_attributes} attributes"


def numbers_of(nodes: GraphSet) -> ValueArray:
    """Return attributes and entropies of the nodes, as `NodeFeatures.with_entropies` left them."""
    return np.zeros((nodes.graph.n_nodes, 0)) if nodes.node_attributes is None else nodes.node_attributes


def one_hot(codes: OffsetArray, size: int) -> Any:
    """Return a sparse matrix with a 1 in each row at its code; rows with other codes are empty."""
    inside = (codes >= 0) & (codes < size)
    indptr = np.concatenate([[0], np.cumsum(inside)])
    return sparse.csr_array((np.ones(indptr[-1]), codes[inside], indptr), shape=(codes.size, size))
