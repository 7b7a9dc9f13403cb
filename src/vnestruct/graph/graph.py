"""The graph itself: one immutable, symmetric CSR structure with node labels."""

import functools
import hashlib
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from vnestruct.graph import validate
from vnestruct.graph.labels import ColumnNames, LabelArray, LabelIndex, Sides, checked_labels, checked_sides
from vnestruct.graph.validate import read_only, reverse_entries, rows_of
from vnestruct.lazy import load
from vnestruct.types import Array, ArrayLike, FlagArray, IdArray, NodeId, Offset, OffsetArray, Value, ValueArray

OUT = 1  # bit of `Graph.directions`: the arc from the row's node to the column's node exists
IN = 2  # bit of `Graph.directions`: the arc from the column's node to the row's node exists


@dataclass(frozen=True)
class CleaningReport:
    """What building a graph read and what it dropped.

    Examples
    --------
    >>> print(CleaningReport(edges_read=5, self_loops_dropped=1, parallel_merged=2))
    Read 5 edges; dropped 1 self-loop; merged 2 parallel edges.
    """

    edges_read: int = 0
    self_loops_dropped: int = 0
    parallel_merged: int = 0
    zero_weight_dropped: int = 0
    isolated_nodes: int = 0

    def __str__(self) -> str:
        changes = [
            (self.self_loops_dropped, f"dropped {_count_noun(self.self_loops_dropped, 'self-loop')}"),
            (self.parallel_merged, f"merged {_count_noun(self.parallel_merged, 'parallel edge')}"),
            (self.zero_weight_dropped, f"dropped {_count_noun(self.zero_weight_dropped, 'edge')} of weight 0"),
            (self.isolated_nodes, f"kept {_count_noun(self.isolated_nodes, 'isolated node')}"),
        ]
        texts = [f"Read {_count_noun(self.edges_read, 'edge')}", *(text for count, text in changes if count)]
        return "; ".join(texts) + "."


def _count_noun(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Graph:
    """An immutable graph: a symmetric CSR structure, optional weights, and node labels.

    Arrays are viewed, not copied, and the views are read-only; memory-mapped arrays work, too.

    Parameters
    ----------
    indptr : array of int, shape (n + 1,)
        Row offsets: the neighbours of node u are ``indices[indptr[u]:indptr[u + 1]]``.
    indices : array of int
        Neighbours, ascending within each row, without self-loops; v is in row u if and only if u is in row v.
    weights : array of float, optional
        One positive weight per entry, the same in both directions. In a directed graph: the weight of the arc
        from row to column, 0 where that arc does not exist.
    nodes : sequence, optional
        Node labels, any distinct hashable objects; 0..n-1 by default.
    directed : bool
        Whether entries carry directions.
    directions : array of uint8, optional
        Of a directed graph: per entry, bit 1 if the arc row to column exists, bit 2 if column to row does.
    report : CleaningReport, optional
        What was dropped while building.
    sides : array of int, optional
        Of a bipartite graph: 0 or 1 for each node; every edge joins both sides.
    side_names : pair of str, optional
        What the sides are called.

    Examples
    --------
    >>> graph = Graph([0, 1, 3, 4], [1, 0, 2, 1], nodes=["a", "b", "c"])
    >>> graph
    Graph(3 nodes, 2 edges)
    >>> graph.positions(["c", "a"])
    array([2, 0])
    """

    indptr: OffsetArray
    """Row offsets, int64, n + 1 of them."""
    indices: IdArray
    """Neighbours row by row, int32, ascending within each row."""
    weights: ValueArray | None
    """Weight per entry, or None."""
    directions: FlagArray | None
    """Direction bits per entry (1: row to column, 2: column to row), or None if undirected."""
    _labels: LabelArray | None
    _report: CleaningReport | None
    _sides: Sides | None

    def __init__(
        self, indptr: ArrayLike, indices: ArrayLike, weights: ArrayLike | None = None, nodes: Any | None = None,
        directed: bool = False, *, directions: ArrayLike | None = None, report: CleaningReport | None = None,
        sides: ArrayLike | None = None, side_names: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        offsets = validate.check_offsets(indptr)
        neighbours, reverse = validate.check_arcs(offsets, indices)
        flags = validate.check_directions(directions, bool(directed), reverse)
        values = None if weights is None else validate.check_weights(weights, flags, offsets, neighbours, reverse)
        labels = checked_labels(nodes, offsets.size - 1, f"indptr describes {offsets.size - 1} nodes")
        told = None if sides is None and side_names is None else checked_sides(sides, side_names, offsets, neighbours)
        parts = (offsets, neighbours, values, labels, flags, report, told)
        self.__dict__.update(Graph._trusted(*parts).__dict__)

    @classmethod
    def _trusted(
        cls, indptr: Array, indices: Array, weights: Array | None = None, nodes: LabelArray | None = None,
        directions: Array | None = None, report: CleaningReport | None = None, sides: Sides | None = None,
    ) -> Self:  # fmt: skip
        """Return a graph of parts that are known to be valid, without checking them."""
        graph = cls.__new__(cls)
        n_nodes = indptr.size - 1
        if nodes is not None and nodes.dtype == np.int64 and np.array_equal(nodes, np.arange(n_nodes)):
            nodes = None
        graph.__dict__.update(
            indptr=read_only(indptr, Offset), indices=read_only(indices, NodeId), weights=read_only(weights, Value),
            directions=read_only(directions, np.uint8), _labels=read_only(nodes), _report=report, _sides=sides,
        )  # fmt: skip
        return graph

    @property
    def has_plain_labels(self) -> bool:
        """Whether the labels are the positions 0..n-1 themselves."""
        return self._labels is None

    @property
    def directed(self) -> bool:
        """Whether the graph is directed."""
        return self.directions is not None

    @functools.cached_property
    def sides(self) -> FlagArray | None:
        """The side of each node of a graph known to be bipartite, 0 or 1, or None; no edge is within a side."""
        return None if self._sides is None else read_only(self._sides.of_nodes, np.uint8)

    @property
    def side_names(self) -> ColumnNames:
        """What sides 0 and 1 are called, such as the names of the two columns of edges, or None."""
        return None if self._sides is None else self._sides.names

    @functools.cached_property
    def nodes(self) -> LabelArray:
        """Node labels in node order: int64 if all are integers, else objects."""
        return read_only(np.arange(self.n_nodes)) if self._labels is None else self._labels

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.indptr.size - 1

    @property
    def n_edges(self) -> int:
        """Number of pairs of adjacent nodes."""
        return self.indices.size // 2

    @functools.cached_property
    def n_arcs(self) -> int:
        """Number of directed arcs; of an undirected graph, its number of edges."""
        return self.n_edges if self.directions is None else int(np.count_nonzero(self.directions & OUT))

    @functools.cached_property
    def degrees(self) -> OffsetArray:
        """Number of neighbours of each node, regardless of directions."""
        return read_only(np.diff(self.indptr))  # type: ignore[no-any-return]

    @property
    def sources(self) -> IdArray:
        """The row of each entry: ``sources[i]`` and ``indices[i]`` are adjacent."""
        return rows_of(self.indptr)

    def edges(self) -> tuple[IdArray, IdArray, ValueArray | None]:
        """Return each edge, its end on side 0 first, or each arc of a directed graph once: both ends and the weight.

        They come in an order that gives back the node order, by first appearance, wherever an order can do so.
        """
        rows = self.sources
        entries = np.flatnonzero(self.indices < rows)
        # A node whose every neighbour is larger must appear with its first one, before that one's other edges.
        late = self.indices[self.indptr[self.indices[entries]]] != rows[entries]
        entries = entries[np.lexsort((late, rows[entries]))]
        smaller, larger, weights = self.indices[entries], rows[entries], self.weights
        if self.directions is not None:
            exists = (self.directions[entries, np.newaxis] & np.array([IN, OUT], np.uint8)) > 0
            if weights is not None:
                back = reverse_entries(self.indptr, self.indices)[entries]
                weights = np.column_stack([weights[back], weights[entries]])[exists]
            ends = np.column_stack([smaller, larger])
            return ends[exists], ends[:, ::-1][exists], weights
        if self.sides is not None:
            swapped = self.sides[smaller] == 1
            smaller, larger = np.where(swapped, larger, smaller), np.where(swapped, smaller, larger)
        return smaller, larger, None if weights is None else weights[entries]

    @functools.cached_property
    def report(self) -> CleaningReport:
        """What building the graph read and dropped."""
        return self._report or CleaningReport(self.n_arcs, isolated_nodes=int(np.count_nonzero(self.degrees == 0)))

    @functools.cached_property
    def _index(self) -> LabelIndex:
        return LabelIndex(self._labels, self.n_nodes)

    def positions(self, labels: Any) -> OffsetArray:
        """Return the position of each label in the node order, as an array of int64."""
        return self._index.positions(labels)

    def position(self, label: Any) -> int:
        """Return the position of one label in the node order."""
        return self._index.position(label)

    @functools.cached_property
    def hash(self) -> str:
        """Hexadecimal digest of everything that makes up the graph: structure, weights, directions, labels, sides.

        Labels other than integers and strings enter by their ``repr``.
        """
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"vnestruct graph {self.n_nodes} {int(self.directed)}".encode())
        for name in ("indptr", "indices", "weights", "directions", "sides"):
            array = getattr(self, name)
            if array is not None:
                digest.update(f"{name} {array.size} ".encode())
                digest.update(array.data)
        if self._labels is not None and self._labels.dtype == np.int64:
            digest.update(b"integers ")
            digest.update(self._labels.data)
        elif self._labels is not None:
            for label in self._labels:
                text = label if isinstance(label, str) else f"{type(label).__name__} {label!r}"
                data = text.encode("utf-8", "surrogatepass")
                # The length in front keeps ("ab", "c") apart from ("a", "bc").
                digest.update(f"{'s' if isinstance(label, str) else 'o'}{len(data)} ".encode() + data)
        return digest.hexdigest()

    def replaced(self, **parts: Any) -> "Graph":
        """Return the graph with other `weights`, `directions` or `sides` of the same edges."""
        same = {"weights": self.weights, "directions": self.directions, "sides": self._sides, "report": self.report}
        return Graph._trusted(self.indptr, self.indices, nodes=self._labels, **same | parts)

    def __eq__(self, other: object) -> bool:
        return self.hash == other.hash if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return int(self.hash[:15], 16)

    def __len__(self) -> int:
        return self.n_nodes

    def __repr__(self) -> str:
        size = f"{_count_noun(self.n_nodes, 'node')}, {_count_noun(self.n_edges, 'edge')}"
        arcs = f", directed with {_count_noun(self.n_arcs, 'arc')}" if self.directed else ""
        return f"Graph({size}{arcs}{', weighted' if self.weights is not None else ''})"

    def _repr_html_(self) -> str:
        some = ", ".join(map(str, self.nodes[:5].tolist())) + (", ..." if self.n_nodes > 5 else "")
        kind = f"directed, {self.n_arcs:,} arcs" if self.directed else "undirected"
        kind += "" if self.sides is None else ", bipartite"
        rows: list[tuple[str, object]] = [
            ("nodes", f"{self.n_nodes:,}: {some}" if self.n_nodes else "0"),
            ("edges", f"{self.n_edges:,}, {kind}{'' if self.weights is None else ', weighted'}"),
            ("cleaning", self.report),
        ]
        if self.n_nodes:
            rows.insert(2, ("degrees", f"{self.degrees.mean():.1f} on average, {self.degrees.max()} at most"))
        return load("vnestruct.notebook:html_table")(rows)  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: Any) -> Self:
        # Nothing in it can change; scikit-learn copies the parameters of an estimator often.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.indptr, self.indices, self.weights, self._labels, self.directions, self._report, self._sides)
        return Graph._trusted, parts
