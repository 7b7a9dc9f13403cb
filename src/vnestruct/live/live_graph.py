"""`LiveGraph`: a graph that changes all the time, and the signatures of its nodes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse

from vnestruct.embedding.parameters import Settings, checked_settings, is_entropy, outputs_of
from vnestruct.embedding.pipeline import is_closed_form
from vnestruct.embedding.tasks import output_codes
from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph import Graph
from vnestruct.graph.edge_lists import labelled_edges
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.io import as_graph
from vnestruct.kernels import closed_form
from vnestruct.live.arrays import LiveArrays, NodeNumbers
from vnestruct.live.events import as_seconds
from vnestruct.live.on_demand import OnDemand, Pending, matrix
from vnestruct.live.window import Window
from vnestruct.types import BoolArray, IdArray, OffsetArray, ValueArray


class LiveGraph:
    """A graph that changes, with signatures that keep up.

    At radius 1, kinds "approx" and "quadratic", every change updates sums of integers, and signatures are exact after
    each change: bit for bit those of `embed` on `snapshot()`. Otherwise changes only mark what they affect, and
    `signatures` computes the affected nodes with the kernels of `embed`; `pending` says beforehand how many.

    Edges are undirected. An edge that is added twice has two occurrences, and stays until both are removed or have
    expired. Nodes stay when their last edge is removed. Self-loops are dropped, but their node is kept.

    Parameters
    ----------
    g : graph, optional
        Where to start, anything `as_graph` takes; by default without nodes.
    radius : int, default 1
        Largest number of hops.
    kind : str or list of str, default "approx"
        Which entropies, as for `embed`.
    weighted : bool, default False
        Use edge weights; those of several occurrences add up.
    window : int, str or timedelta, optional
        What to keep: the last so many additions, or those of a time span such as "7d"; not with `g`.
    n_jobs : int, optional
        Number of threads for what is computed on demand.

    Examples
    --------
    >>> from vnestruct import LiveGraph
    >>> live = LiveGraph([("a", "b"), ("b", "c")])
    >>> live.add("c", "a")
    >>> live.signature("a").round(3)
    array([0.347])
    >>> live.remove("a", "b")
    >>> sorted(live.changed())
    ['a', 'b', 'c']
    """

    def __init__(
        self, g: Any = None, radius: int = 1, *, kind: str | Iterable[str] = "approx", weighted: bool = False,
        window: Any = None, n_jobs: int | None = None,
    ) -> None:  # fmt: skip
        if not is_entropy(kind):
            wrong = f"`kind={kind!r}` describes more than balls, which a live graph does not follow"
            raise ParameterError(f"{wrong}; compute it from a snapshot: embed(live.snapshot(), kind={kind!r})")
        if g is not None and window is not None:
            raise ParameterError("a live graph with a `window` starts without edges; add them with their times")
        self._settings: Settings = checked_settings(radius, kind, weighted)
        self._window = None if window is None else Window(window)
        self._n_jobs = n_jobs
        self._clear()
        if g is not None:
            graph = as_graph(g)
            edges = sparse.triu(matrix(graph, graph.n_nodes))
            weights = edges.data if weighted else np.ones(edges.nnz)
            self._fill(graph.nodes, np.column_stack(edges.coords).astype(np.int32), weights)

    @property
    def columns(self) -> list[str]:
        """Names of the columns of a signature."""
        return self._settings.columns

    @property
    def nodes(self) -> LabelArray:
        """Node labels, in the order of their first appearance."""
        return self._numbers.labels()

    @property
    def n_nodes(self) -> int:
        """Number of nodes, isolated ones among them."""
        return len(self._numbers)

    @property
    def n_edges(self) -> int:
        """Number of pairs of adjacent nodes."""
        return self._arrays.n_edges

    @property
    def degrees(self) -> OffsetArray:
        """Number of neighbours of each node."""
        return self._arrays.state.degree[: self.n_nodes].copy()

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays that grow with the graph; Python's own labels are not counted."""
        return self._arrays.nbytes + (0 if self._window is None else self._window.nbytes)

    def add(self, u: Any, v: Any, weight: float = 1.0, *, time: Any = None) -> None:
        """Add one occurrence of an edge; unknown labels become new nodes."""
        self.apply([(u, v, weight)], time=time)

    def remove(self, u: Any, v: Any, weight: float = 1.0) -> None:
        """Remove one occurrence of an edge, in a window the oldest one, and its weight."""
        self.apply([(u, v, weight)], sign=-1)

    def apply(self, edges: Any, *, sign: Any = 1, time: Any = None) -> None:
        """Add and remove edges, in order.

        Parameters
        ----------
        edges : array, data frame or iterable
            Pairs of labels, or triples with a weight, as for `as_graph`.
        sign : int or array of int, default 1
            1 to add, -1 to remove, for all or for each edge.
        time : number, date or array of them, optional
            When the added edges occur, for a window by time: seconds, dates or texts such as 2004-05-14 09:30. Edges
            that have already left the window are ignored. The time of the window never goes back.

        Raises
        ------
        ParameterError
            For an edge that cannot be removed because it is not there; the changes before it have been made.

        Examples
        --------
        >>> from vnestruct import LiveGraph
        >>> live = LiveGraph(window="1h")
        >>> live.apply([(1, 2), (2, 3)], time=["2026-01-01 09:00", "2026-01-01 09:30"])
        >>> live.add(3, 1, time="2026-01-01 10:15")
        >>> live.n_edges
        2
        """
        source, target, weights = labelled_edges(edges, self._settings.weighted)
        weights = np.ones(source.size) if weights is None else weights
        signs = np.broadcast_to(np.asarray(sign), source.shape)
        is_added = signs > 0
        if not np.isin(signs, (1, -1)).all():
            raise ParameterError("`sign` must be 1 for an added edge and -1 for a removed one")
        by_time = self._window is not None and self._window.by_time
        if by_time is (time is None) and bool(is_added.any()):
            needed = "needs the time of added edges" if by_time else "has no use for times"
            raise ParameterError(f"`time`: a window by {'time' if by_time else 'count'} {needed}")
        times = np.zeros(source.size) if time is None else as_seconds(time, source.size)
        ends = self._place(source, target, is_added)
        done = self._arrays.change(ends, signs, weights)
        if self._window is not None:
            # What the graph drops never enters the window: self-loops and edges of weight 0.
            entering = is_added & (ends[:, 0] != ends[:, 1]) & (weights > 0.0)
            entering[done:] = False
            self._window.extend(ends[entering], times[entering], weights[entering])
            self._window.cancel(ends[:done][~is_added[:done]])
            self._expire()
        if done < signs.size:
            edge = (*source[done : done + 1].tolist(), *target[done : done + 1].tolist())
            raise ParameterError(f"cannot remove edge {edge}: the graph has no such edge")

    def advance(self, time: Any) -> None:
        """Move the time of a window by time forward, so that edges expire without a new one."""
        if self._window is None or not self._window.by_time:
            raise ParameterError("`window` must be a time span such as 7d for time to pass")
        self._window.now = max(self._window.now, float(as_seconds(time, 1)[0]))
        self._expire()

    def forget_isolated(self) -> None:
        """Forget nodes without an edge, of a window from which no edge was removed before its time."""
        assert self._window is not None
        nodes, has_edges, edges = self.nodes, self.degrees > 0, self._window.edges
        edges["ends"] = (np.cumsum(has_edges, dtype=np.int32) - 1)[edges["ends"]]
        self._clear()
        self._fill(nodes[has_edges], edges["ends"], edges["weight"])

    def signatures(self, nodes: Any = None) -> ValueArray:
        """Return the signatures of all nodes in the order of `nodes`, or of some, one row per node."""
        rows = np.arange(self.n_nodes) if nodes is None else self._numbers.number(as_label_column(nodes), new=False)
        if self._on_demand is not None:
            return self._on_demand.compute(self.snapshot())[rows]
        values = np.empty((rows.size, len(self.columns)))
        outputs = [output for kind in self._settings.kinds for output in outputs_of(kind)]
        state = self._arrays.state
        sums = [array[rows] for array in (state.degree, state.triangles, state.squares)]
        closed_form.radius_one(*sums, output_codes(outputs), values)
        return values

    def signature(self, node: Any) -> ValueArray:
        """Return the signature of one node."""
        return self.signatures([node]).ravel()

    def changed(self) -> LabelArray:
        """Return the nodes whose signature may have changed since the last call; at first, all that have an edge."""
        if self._on_demand is None:
            return self._numbers.labels(self._arrays.take_changed())
        self._on_demand.compute(self.snapshot())
        return self._numbers.labels(self._on_demand.take_changed())

    def snapshot(self) -> Graph:
        """Return the present graph, its nodes in the order of `nodes`."""
        indptr, indices, weights = self._arrays.rows(self.n_nodes)
        return Graph._trusted(indptr, indices, weights if self._settings.weighted else None, self.nodes)

    def pending(self) -> Pending:
        """Return what computing the signatures would cost now: nothing at radius 1, where they are always exact."""
        return Pending(0, 0.0, 0.0) if self._on_demand is None else self._on_demand.pending(self.snapshot())

    def __repr__(self) -> str:
        return f"LiveGraph({self.n_nodes} nodes, {self.n_edges} edges)"

    def _place(self, source: LabelArray, target: LabelArray, is_added: BoolArray) -> IdArray:
        """Return the numbers of both ends of each edge, new nodes in the order of the added edges."""
        pairs = np.stack([source, target], axis=1)
        ids = np.empty(pairs.shape, np.int32)
        for chosen, new in ((is_added, True), (~is_added, False)):
            try:
                ids[chosen] = self._numbers.number(pairs[chosen].ravel(), new=new).reshape(-1, 2)
            except UnknownNodeError as error:
                raise ParameterError(f"cannot remove an edge: {error}") from None
        self._arrays.reserve(self.n_nodes)
        return ids

    def _clear(self) -> None:
        settings = self._settings
        self._numbers, self._arrays = NodeNumbers(), LiveArrays(weighted=settings.weighted)
        is_exact = not settings.weighted and is_closed_form(Graph([0], []), settings)
        self._on_demand = None if is_exact else OnDemand(settings, self._n_jobs)

    def _fill(self, nodes: LabelArray, ends: IdArray, weights: ValueArray) -> None:
        self._numbers.number(nodes)
        self._arrays.reserve(self.n_nodes)
        self._arrays.change(ends, 1, weights)

    def _expire(self) -> None:
        assert self._window is not None
        expired = self._window.expire()
        self._arrays.change(expired["ends"], -1, expired["weight"])
