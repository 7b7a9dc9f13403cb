"""Node vectors X' = [X || H]: types and attributes of the nodes, then their entropies."""

from typing import Any, Self

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.embedding import embed
from vnestruct.errors import ParameterError
from vnestruct.graph import GraphSet
from vnestruct.types import OffsetArray, ValueArray

DEGREE_BINS = 64

_LEARNED = ("vocabularies", "n_attributes", "degree_cap", "n_entropies")


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
        self.degree_bins = whole_number("degree_bins", degree_bins, 1)
        self.n_jobs = n_jobs

    def fit(self, collection: GraphSet, entropies: ValueArray | None = None) -> Self:
        """Learn node types, means and deviations."""
        types, attributes = collection.node_types, collection.node_attributes
        self.vocabularies: list[list[Any]] = [] if types is None else [np.unique(c).tolist() for c in types.T]
        self.n_attributes = 0 if attributes is None else attributes.shape[1]
        self.degree_cap = None
        if not self.vocabularies and not self.n_attributes:
            degrees = collection.graph.degrees
            self.degree_cap = min(self.degree_bins, int(degrees.max()) if degrees.size else 0)
        numbers = with_attributes(collection, self.entropies(collection) if entropies is None else entropies)
        self.mean = numbers.mean(axis=0) if len(numbers) else np.zeros(numbers.shape[1])
        deviation = numbers.std(axis=0) if len(numbers) else np.ones(numbers.shape[1])
        self.deviation = np.where(deviation > 1e-9, deviation, 1.0)
        self.n_entropies = numbers.shape[1] - self.n_attributes
        return self

    def transform(self, collection: GraphSet) -> ValueArray:
        """Return one row per node."""
        types = self.one_hot(collection)
        numbers = with_attributes(collection, self.entropies(collection))
        return np.hstack([types, (numbers - self.mean) / self.deviation])

    def coded(self, collection: GraphSet) -> list[tuple[OffsetArray, int]]:
        """Return, by column of types or for degrees, each node's code, -1 if not known from `fit`, and their number."""
        self._check(collection)
        coded = []
        columns = () if collection.node_types is None else collection.node_types.T
        for vocabulary, column in zip(self.vocabularies, columns, strict=True):
            known = np.array(vocabulary)
            place = np.minimum(np.searchsorted(known, column), max(known.size - 1, 0))
            codes = np.where(known[place] == column, place, -1) if known.size else np.full(column.size, -1)
            coded.append((codes, known.size))
        if self.degree_cap is not None:
            coded.append((np.minimum(collection.graph.degrees, self.degree_cap), self.degree_cap + 1))
        return coded

    def one_hot(self, collection: GraphSet) -> ValueArray:
        """Return only the columns of types or degrees."""
        blocks = [np.zeros((collection.graph.n_nodes, 0))]
        for codes, size in self.coded(collection):
            block = np.zeros((codes.size, size))
            rows = np.flatnonzero(codes >= 0)
            block[rows, codes[rows]] = 1.0
            blocks.append(block)
        return np.hstack(blocks)

    def type_codes(self, collection: GraphSet) -> OffsetArray:
        """Return one number per node for all its types or its degree, -1 if a type did not occur in `fit`."""
        codes = np.zeros(collection.graph.n_nodes, dtype=np.int64)
        for place, size in self.coded(collection):
            codes = np.where((codes < 0) | (place < 0), -1, codes * size + place)
        return codes

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        many = len(self.vocabularies) > 1
        names = [f"type{place if many else ''} {v}" for place, known in enumerate(self.vocabularies) for v in known]
        if self.degree_cap is not None:
            names += [f"degree {degree}" for degree in range(self.degree_cap + 1)]
        names += [f"attribute {place}" for place in range(self.n_attributes)]
        per_kind = max(self.radius, 1)
        kinds = [self.kind] if isinstance(self.kind, str) else list(self.kind)
        suffixes = [f"_{kind}" for kind in kinds] if len(kinds) > 1 else [""]
        return names + [f"h{place % per_kind + 1}{suffixes[place // per_kind]}" for place in range(self.n_entropies)]

    def columns_up_to(self, radius: int) -> OffsetArray:
        """Return the columns without the entropies of larger radii."""
        # Entropies are the last columns, kind by kind.
        n_columns = len(self.names)
        place = np.arange(n_columns) - (n_columns - self.n_entropies)
        return np.flatnonzero((place < 0) | (place % max(self.radius, 1) < radius))

    def state(self) -> dict[str, Any]:
        """Return everything learned as JSON values, exact to the last bit."""
        kind = self.kind if isinstance(self.kind, str) else list(self.kind)
        learned = {name: getattr(self, name) for name in ("degree_bins", *_LEARNED)}
        numbers = {"mean": self.mean.tolist(), "deviation": self.deviation.tolist()}
        return {"radius": self.radius, "kind": kind} | learned | numbers

    @classmethod
    def from_state(cls, state: dict[str, Any], n_jobs: int | None = None) -> Self:
        """Return the fitted features that `state` describes."""
        features = cls(state["radius"], state["kind"], state["degree_bins"], n_jobs)
        for name in _LEARNED:
            setattr(features, name, state[name])
        features.mean = np.array(state["mean"], dtype=float)
        features.deviation = np.array(state["deviation"], dtype=float)
        return features

    def entropies(self, collection: GraphSet) -> ValueArray:
        """Return the unscaled entropies of all nodes; no columns for radius 0."""
        if self.radius == 0 or collection.graph.n_nodes == 0:
            kinds = 1 if isinstance(self.kind, str) else len(self.kind)
            return np.zeros((collection.graph.n_nodes, self.radius * kinds))
        return embed(collection, self.radius, kind=self.kind, n_jobs=self.n_jobs)

    def _check(self, collection: GraphSet) -> None:
        columns = () if collection.node_types is None else collection.node_types.T
        attributes = 0 if collection.node_attributes is None else collection.node_attributes.shape[1]
        if len(columns) != len(self.vocabularies) or attributes != self.n_attributes:
            wrong = f"nodes have {len(columns)} types and {attributes} attributes, but the model was fitted on nodes "
            remedy = "pass graphs with the same columns"
            raise ParameterError(f"{wrong}with {len(self.vocabularies)} and {self.n_attributes}; {remedy}")
        for vocabulary, column in zip(self.vocabularies, columns, strict=True):
            is_text = bool(vocabulary) and isinstance(vocabulary[0], str)
            if is_text != (column.dtype.kind == "U"):
                fitted, given = ("texts", "integers") if is_text else ("integers", "texts")
                raise ParameterError(f"node types are {given}, but the model was fitted on {fitted}; pass {fitted}")


def with_attributes(collection: GraphSet, entropies: ValueArray) -> ValueArray:
    """Return numeric attributes and entropies of all nodes, unscaled."""
    own = collection.node_attributes
    return entropies if own is None else np.hstack([own, entropies])
