"""`GraphSignature`: one row of numbers per graph, from the distribution of its node vectors [X || H]."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self, cast

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.datasets import as_collection
from vnestruct.errors import whole_number
from vnestruct.graph import Graph, GraphSet
from vnestruct.kernels.machine import mix
from vnestruct.setmodel.features import NodeFeatures, numbers_of, one_hot
from vnestruct.types import Array, OffsetArray, ValueArray

_STEP = 0.02  # entropies closer than this count as one value in the vocabulary
_SHIFT = 20  # bits of one rounded entropy in a word
QUANTILES: Sequence[float] = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(eq=False, repr=False)
class SignatureParameters:
    """The parameters of `GraphSignature`, which `SignatureClassifier` has too."""

    radius: int = 2
    _: KW_ONLY
    kind: Any = "approx"
    bins: int = 8
    max_words: int = 1000
    depth: int = 0
    n_jobs: int | None = None

    def make_features(self) -> NodeFeatures:
        """Check all parameters and return unfitted node features."""
        for name, least in (("radius", 1), ("bins", 1), ("max_words", 0), ("depth", 0)):
            whole_number(name, getattr(self, name), least)
        return NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs)


@dataclass(eq=False, repr=False)
class GraphSignature(SignatureParameters, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Describe whole graphs without a network.

    The columns are: numbers of nodes and edges; count and share of the nodes of each type; sum, mean, deviation,
    quantiles and a histogram of every entropy and attribute; the sum of every entropy over the nodes of each type; and
    the count of each word, where a word is a type with zero, one or two rounded entropies, or with `depth` a whole
    neighbourhood of such words. `fit` learns bins and words; a word or type that did not occur there is not counted.

    Parameters
    ----------
    radius, kind, n_jobs
        Of the entropies, as for `vnestruct.embed`; by default 2, "approx" and all CPUs.
    bins : int, default 8
        Number of bins of a histogram, equally full on the fitted graphs.
    max_words : int, default 1000
        Largest number of words of each length and depth; those that occur in most graphs are kept. 0 for none.
    depth : int, default 0
        Also count neighbourhood words: a word of depth d is a node's word of depth d - 1 and those of its neighbours,
        as in the Weisfeiler-Lehman test. They start from types alone, and from types with all rounded entropies. About
        3 suits molecules, whose atoms have types.

    Examples
    --------
    >>> from vnestruct.setmodel import GraphSignature
    >>> ring, star = [(i, (i + 1) % 6) for i in range(6)], [(0, i) for i in range(1, 6)]
    >>> signature = GraphSignature(radius=1).fit([ring, star])
    >>> signature.transform([ring, star])[:, :2]
    array([[6., 6.],
           [6., 5.]])
    >>> signature.get_feature_names_out()[:2].tolist()
    ['nodes', 'edges']
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn types, bins and words from graphs: anything `vnestruct.datasets.as_collection` takes."""
        return self.fit_nodes(self.make_features().with_entropies(as_collection(X)))

    def transform(self, X: Any) -> ValueArray:
        """Return one row per graph."""
        check_is_fitted(self, "features_")
        return self.transform_nodes(self.make_features().with_entropies(as_collection(X)))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns."""
        check_is_fitted(self, "features_")
        n_types = len(self.features_.names) - len(self.edges_)
        types, numbers = self.features_.names[:n_types], self.features_.names[n_types:]
        each = ["sum", "mean", "deviation", *(f"quantile {share}" for share in QUANTILES)]
        each += [f"bin {place}" for place in range(self.bins)]
        out = ["nodes", "edges", "log nodes", "log edges", "edges per node"]
        out += [f"{what} {name}" for what in ("count", "share") for name in types]
        out += [f"{what} {name}" for name in numbers for what in each]
        out += [f"sum {number} of {name}" for number in numbers for name in types]
        return np.array(out + [f"word {place}" for place in range(self.n_words)], dtype=object)

    @property
    def n_words(self) -> int:
        """Number of columns that count words; they come last."""
        return int(self.words_.size)

    def fit_nodes(self, nodes: GraphSet) -> Self:
        """Learn from what `NodeFeatures.with_entropies` returned."""
        self.features_ = self.make_features().fit_nodes(nodes)
        numbers = numbers_of(nodes)
        some = numbers if len(numbers) else np.zeros((1, numbers.shape[1]))
        self.edges_ = np.quantile(some, np.linspace(0.0, 1.0, self.bins + 1)[1:-1], axis=0).T
        kept = [np.zeros(0, dtype=np.int64)]
        for words in self._words(nodes) if self.max_words else ():
            known, codes = np.unique(words, return_inverse=True)
            # In how many graphs each word occurs; a word of one graph says nothing about others.
            counts = per_graph(nodes) @ one_hot(codes, known.size)
            spread = np.bincount(counts.indices, minlength=known.size)
            useful = (spread > 1) & (known >= 0)
            kept.append(known[useful][np.argsort(-spread[useful], kind="stable")[: self.max_words]])
        self.words_ = np.sort(np.concatenate(kept))
        return self

    def transform_nodes(self, nodes: GraphSet) -> ValueArray:
        """Return one row per graph of what `NodeFeatures.with_entropies` returned."""
        add, types = per_graph(nodes), self.features_.one_hot(nodes)
        n_nodes = np.diff(nodes.offsets).astype(float)
        n_edges = add @ nodes.graph.degrees / 2.0
        divisor = np.maximum(n_nodes, 1.0)[:, np.newaxis]
        counts = (add @ types).toarray()
        sizes = [n_nodes, n_edges, np.log1p(n_nodes), np.log1p(n_edges), n_edges / divisor[:, 0]]
        blocks = [np.column_stack(sizes), counts, counts / divisor]
        for values, edges in zip(numbers_of(nodes).T, self.edges_, strict=True):
            sums = add @ np.column_stack([values, values * values])
            mean, square = (sums / divisor).T
            deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
            bins = np.searchsorted(edges, values, side="right")
            histogram = (add @ one_hot(bins, self.bins)).toarray() / divisor
            blocks += [np.column_stack([sums[:, 0], mean, deviation]), quantiles(nodes, values), histogram]
        blocks += [(add @ types.multiply(values[:, np.newaxis])).toarray() for values in numbers_of(nodes).T]
        return np.hstack([*blocks, self._count_words(nodes)])

    def _words(self, nodes: GraphSet) -> list[OffsetArray]:
        """Return the words of each node, of length 1 to 3 and then of each depth, -1 for an unknown type."""
        label = self.features_.type_codes(nodes)
        entropies = numbers_of(nodes)[:, self.features_.n_attributes :][:, :2]
        rounded = np.minimum(np.rint(entropies / _STEP).astype(np.int64), (1 << _SHIFT) - 1)
        words, packed = [], label << 2 * _SHIFT
        for length in range(rounded.shape[1] + 1):
            if length:
                packed = packed + (rounded[:, length - 1] << _SHIFT * (2 - length))
            words.append(np.where(label >= 0, packed + (length << 3 * _SHIFT), -1))
        for word in (words[0], words[-1]) if self.depth else ():
            for _ in range(self.depth):
                word = neighbourhood_words(nodes.graph, word)
                words.append(word)
        return words

    def _count_words(self, nodes: GraphSet) -> ValueArray:
        counts = sparse.csr_array((len(nodes), self.n_words))
        for words in self._words(nodes) if self.n_words else ():
            place = np.searchsorted(self.words_, words).clip(max=self.n_words - 1)
            counts += per_graph(nodes) @ one_hot(np.where(self.words_[place] == words, place, -1), self.n_words)
        return cast(ValueArray, counts.toarray())


def per_graph(nodes: GraphSet) -> Any:
    """Return the sparse matrix whose product with values of the nodes is their sum over each graph."""
    n_nodes = nodes.graph.n_nodes
    return sparse.csr_array((np.ones(n_nodes), np.arange(n_nodes), nodes.offsets), shape=(len(nodes), n_nodes))


def quantiles(nodes: GraphSet, values: ValueArray) -> ValueArray:
    """Return the quantiles of a column in each graph, 0 for a graph without nodes."""
    ordered = np.append(values[np.lexsort((values, nodes.membership))], 0.0)
    sizes = np.diff(nodes.offsets)
    last = np.maximum(sizes - 1, 0)[:, np.newaxis]
    first = np.where(sizes > 0, nodes.offsets[:-1], values.size)[:, np.newaxis]
    place = last * np.asarray(QUANTILES)
    low = np.floor(place).astype(np.int64)
    part = place - low
    return cast(ValueArray, ordered[first + low] * (1.0 - part) + ordered[first + np.minimum(low + 1, last)] * part)


def neighbourhood_words(graph: Graph, words: OffsetArray) -> OffsetArray:
    """Return a number for each node that stands for its word and the words of its neighbours, in any order.

    Different neighbourhoods get different numbers, up to chance collisions of 63-bit hashes.
    """
    # The compiled function's source also takes arrays. Own words are mixed twice, so that they differ from neighbours'.
    mixed = getattr(mix, "py_func", mix)
    own = mixed(words.astype(np.uint64))
    ones = np.ones(graph.indices.size, dtype=np.uint64)
    around = sparse.csr_array((ones, graph.indices, graph.indptr), shape=(own.size, own.size)) @ own
    return cast(OffsetArray, (mixed(mixed(own) + around) >> np.uint64(1)).astype(np.int64))
