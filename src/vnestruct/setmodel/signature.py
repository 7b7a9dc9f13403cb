"""`GraphSignature`: one row of numbers per graph, from the distribution of its node vectors [X || H]."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self, cast

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.checks import whole_number
from vnestruct.datasets import as_collection
from vnestruct.graph import Graph, GraphSet
from vnestruct.graph.graphset import ragged_ranges
from vnestruct.kernels.machine import mix
from vnestruct.setmodel.features import NodeFeatures, with_attributes
from vnestruct.types import Array, OffsetArray, ValueArray

_STEP = 0.02  # entropies closer than this count as one value in the vocabulary
_DECIMALS = 8

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

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first invalid parameter."""
        for name, least in (("radius", 1), ("bins", 1), ("max_words", 0), ("depth", 0)):
            whole_number(name, getattr(self, name), least)


class NodeTable:
    """The nodes of a collection with their entropies, and sums over the nodes of each graph."""

    def __init__(self, collection: GraphSet, entropies: ValueArray) -> None:
        self.collection = collection
        # Entropies of equal balls differ by rounding errors; bins and words must not distinguish them.
        self.entropies: ValueArray = np.round(entropies, _DECIMALS) + 0.0
        self.member = collection.membership
        n_nodes = collection.graph.n_nodes
        entries = (np.ones(n_nodes), np.arange(n_nodes), collection.offsets)
        self.indicator = sparse.csr_array(entries, shape=(len(collection), n_nodes))

    def subset(self, graphs: Array) -> "NodeTable":
        """Return the nodes of some graphs."""
        offsets = self.collection.offsets
        rows = ragged_ranges(offsets[graphs], np.diff(offsets)[graphs])
        return NodeTable(self.collection.subset(graphs), self.entropies[rows])

    def histogram(self, bins: Array, n_bins: int, weights: ValueArray | None = None) -> ValueArray:
        """Return the number, or total weight, of the nodes of each graph in each bin; other bins are ignored."""
        # Nodes may have several bins: all nodes in turn, then all again.
        inside = np.where((bins >= 0) & (bins < n_bins), bins, n_bins)
        places = np.resize(self.member, bins.size).astype(np.int64) * (n_bins + 1) + inside
        counts = np.bincount(places, weights, minlength=len(self.collection) * (n_bins + 1))
        return counts.reshape(len(self.collection), n_bins + 1)[:, :n_bins].astype(float)

    def quantiles(self, values: ValueArray) -> ValueArray:
        """Return the quantiles of a column in each graph, 0 for a graph without nodes."""
        ordered = np.append(values[np.lexsort((values, self.member))], 0.0)
        first, sizes = self.collection.offsets[:-1], np.diff(self.collection.offsets)
        place = np.outer(np.maximum(sizes - 1, 0), QUANTILES)
        low = np.floor(place).astype(np.int64)
        high = np.minimum(low + 1, np.maximum(sizes - 1, 0)[:, np.newaxis])
        start = np.where(sizes > 0, first, ordered.size - 1)[:, np.newaxis]
        part = place - low
        return cast(ValueArray, ordered[start + low] * (1.0 - part) + ordered[start + high] * part)


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
        self.check_parameters()
        self.fit_nodes(self.node_table(as_collection(X)))
        return self

    def transform(self, X: Any) -> ValueArray:
        """Return one row per graph."""
        check_is_fitted(self, "features_")
        return self.transform_nodes(self.node_table(as_collection(X)))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns."""
        check_is_fitted(self, "features_")
        names = self.features_.names
        n_types = len(names) - len(self.edges_)
        types, numbers = names[:n_types], names[n_types:]
        out = ["nodes", "edges", "log nodes", "log edges", "edges per node"]
        out += [f"{what} {name}" for what in ("count", "share") for name in types]
        for name in numbers:
            out += [f"{what} {name}" for what in ("sum", "mean", "deviation")]
            out += [f"quantile {share} {name}" for share in QUANTILES]
            out += [f"bin {place} {name}" for place in range(self.bins)]
        out += [f"sum {number} of {name}" for number in numbers for name in types]
        return np.array(out + [f"word {place}" for place in range(self.words_.size)], dtype=object)

    @property
    def n_words(self) -> int:
        """Number of columns that count words; they come last."""
        return int(self.words_.size)

    def fit_nodes(self, nodes: NodeTable) -> None:
        """Learn from nodes whose entropies are known."""
        self.features_ = NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs).fit(nodes.collection, nodes.entropies)
        numbers = with_attributes(nodes.collection, nodes.entropies)
        shares = np.linspace(0.0, 1.0, self.bins + 1)[1:-1]
        empty = np.zeros((0, numbers.shape[1]))
        self.edges_ = (np.quantile(numbers, shares, axis=0) if len(numbers) and self.bins > 1 else empty).T
        self.words_ = self._vocabulary(nodes)

    def transform_nodes(self, nodes: NodeTable) -> ValueArray:
        """Return one row per graph from nodes whose entropies are known."""
        collection, numbers = nodes.collection, with_attributes(nodes.collection, nodes.entropies)
        types = self.features_.coded(collection)
        add = nodes.indicator
        n_nodes = np.diff(collection.offsets).astype(float)
        n_edges = add @ collection.graph.degrees / 2.0
        divisor = np.maximum(n_nodes, 1.0)[:, np.newaxis]
        blocks = [np.column_stack([n_nodes, n_edges, np.log1p(n_nodes), np.log1p(n_edges), n_edges / divisor[:, 0]])]
        counts = [nodes.histogram(codes, size) for codes, size in types]
        blocks += [*counts, *(block / divisor for block in counts)]
        for place, values in enumerate(numbers.T):
            total, square = add @ values, add @ (values * values)
            mean = total / divisor[:, 0]
            deviation = np.sqrt(np.maximum(square / divisor[:, 0] - mean**2, 0.0))
            blocks += [np.column_stack([total, mean, deviation]), nodes.quantiles(values)]
            bins = np.searchsorted(self.edges_[place], values, side="right")
            blocks.append(nodes.histogram(bins, self.bins) / divisor)
        blocks += [nodes.histogram(codes, size, values) for values in numbers.T for codes, size in types]
        blocks.append(self._count_words(nodes))
        return np.hstack(blocks)

    def node_table(self, collection: GraphSet) -> NodeTable:
        """Return the nodes of a collection with their entropies."""
        return NodeTable(collection, NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs).entropies(collection))

    def _vocabulary(self, nodes: NodeTable) -> OffsetArray:
        """Return the words to count, in ascending order: for each length those that occur in most graphs."""
        kept = [np.zeros(0, dtype=np.int64)]
        for words in self._words(nodes) if self.max_words else ():
            known, codes = np.unique(words, return_inverse=True)
            # In how many graphs each word occurs; a word of one graph says nothing about others.
            pairs = np.unique(nodes.member.astype(np.int64) * max(known.size, 1) + codes)
            spread = np.bincount(pairs % max(known.size, 1), minlength=known.size)
            useful = (spread > 1) & (known >= 0)
            kept.append(known[useful][np.argsort(-spread[useful], kind="stable")[: self.max_words]])
        return np.sort(np.concatenate(kept))

    def _words(self, nodes: NodeTable) -> list[OffsetArray]:
        """Return the words of each node, of length 1 to 3 and then of each depth, -1 for an unknown type."""
        label = self.features_.type_codes(nodes.collection)
        rounded = np.minimum(np.rint(nodes.entropies[:, :2] / _STEP).astype(np.int64), (1 << _SHIFT) - 1)
        words = []
        for length in range(rounded.shape[1] + 1):
            word = label.copy()
            for place in range(2):
                word = (word << _SHIFT) + (rounded[:, place] if place < length else 0)
            words.append(np.where(label >= 0, word + (length << 3 * _SHIFT), -1))
        for start in (words[0], words[-1]) if self.depth else ():
            word = start
            for _ in range(self.depth):
                word = neighbourhood_words(nodes.collection.graph, word)
                words.append(word)
        return words

    def _count_words(self, nodes: NodeTable) -> ValueArray:
        n_words = self.words_.size
        if not n_words:
            return np.zeros((len(nodes.collection), 0))
        words = np.concatenate(self._words(nodes))
        place = np.minimum(np.searchsorted(self.words_, words), n_words - 1)
        return nodes.histogram(np.where(self.words_[place] == words, place, n_words), n_words)


def neighbourhood_words(graph: Graph, words: OffsetArray) -> OffsetArray:
    """Return a number for each node that stands for its word and the words of its neighbours, in any order.

    Different neighbourhoods get different numbers, up to chance collisions of 63-bit hashes.
    """
    # The compiled function's source also takes arrays. Own words are mixed twice, so that they differ from neighbours'.
    mixed = mix.py_func
    own = words.astype(np.uint64)
    around = np.zeros(graph.indices.size + 1, dtype=np.uint64)
    np.cumsum(mixed(own)[graph.indices], out=around[1:])
    total = around[graph.indptr[1:]] - around[graph.indptr[:-1]]
    return cast(OffsetArray, (mixed(mixed(mixed(own)) + total) >> np.uint64(1)).astype(np.int64))
