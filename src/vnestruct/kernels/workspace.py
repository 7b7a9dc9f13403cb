"""The arrays that kernels take as bundles, and the scratch memory of one worker."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.vector import WIDTH

COUNT, SHARE, INNER, _SPARE = range(4)
"""The columns of `Rows.twins`, for each row of a local graph: nodes it stands for, the inverse of that, how many of the
others each of them is joined to. The fourth is there so that no row straddles two cache lines."""

N_TWIN_COLUMNS = 4

NODES, TRACE, SQUARES, LINKS, HUB, LARGEST, RUNNER_UP, N_ROWS, LIMIT, CUT, TEMPORARY = range(11)
"""The rows of `Lanes.stats`, for each of eight balls: number of nodes, Tr(L), Tr(L**2), sum of squared weights over the
arcs, row of the hub, degree of the hub, largest degree of another row, number of rows; and scratch of
`vnestruct.kernels.bounds`."""

N_STATS = 11


class RankedGraph(NamedTuple):
    """The graph in ranks: ascending rows, the first ``split[u]`` entries of row u have smaller rank than u."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    split: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64] | None
    copies: npt.NDArray[np.int32] | None
    """Nodes that each node stands for, itself among them: twins that can be swapped; below 0 where they are joined to
    one another, 0 for a node that another stands for. None where each stands for itself."""


class Arcs(NamedTuple):
    """The arcs that a search follows."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]


class UpwardRows(NamedTuple):
    """Arcs from low to high degree, in ranks: the first ``split[u]`` entries of row u; others are not read."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    split: npt.NDArray[np.int32]


class Components(NamedTuple):
    """Component of each node, their sizes, and lambda_max of those met whole so far (NaN before)."""

    of: npt.NDArray[np.int32]
    size: npt.NDArray[np.int64]
    largest: npt.NDArray[np.float64]


class Request(NamedTuple):
    """What is computed of each ball: outputs (`closed_form.OUTPUTS`) of radii `smallest` to `radius`."""

    smallest: int
    radius: int
    outputs: npt.NDArray[np.int64]
    with_largest: bool  # whether an output needs the largest eigenvalue
    scale: float  # the unit of the weights
    tolerance: float


class Balls(NamedTuple):
    """The balls of a graph, what is known of them, and what is asked."""

    graph: RankedGraph
    arcs: Arcs
    components: Components
    request: Request


class Search(NamedTuple):
    """Scratch over all nodes, for balls around up to eight centres."""

    seen: npt.NDArray[np.uint8]
    front: npt.NDArray[np.uint8]
    new: npt.NDArray[np.uint8]
    members: npt.NDArray[np.uint64]
    summary: npt.NDArray[np.uint64]
    frontier: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    ball: npt.NDArray[np.int32]
    local: npt.NDArray[np.int32]  # the row of each node of the ball


class Rows(NamedTuple):
    """A local graph, and what it is made from.

    Optional arrays are passed along beside it: Numba compiles tests against None away for arguments, not for fields.
    """

    nodes: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint8]  # the balls that hold each row
    twins: npt.NDArray[np.float64] | None
    spread: npt.NDArray[np.uint64]
    low: npt.NDArray[np.int32]  # neighbours of smaller rank
    low_weights: npt.NDArray[np.float64] | None
    low_ptr: npt.NDArray[np.int64]
    high: npt.NDArray[np.int32]  # number of neighbours of larger rank
    place: npt.NDArray[np.int64]
    ptr: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64] | None
    degree: npt.NDArray[np.float64]
    order: npt.NDArray[np.int32]  # from the longest row to the shortest


class Lanes(NamedTuple):
    """Vectors of eight lanes, one per ball, and what is known of each ball."""

    v: npt.NDArray[np.float64]
    before: npt.NDArray[np.float64]
    w: npt.NDArray[np.float64]
    alpha: npt.NDArray[np.float64]
    beta2: npt.NDArray[np.float64]
    stats: npt.NDArray[np.float64]
    theta: npt.NDArray[np.float64]  # largest eigenvalues
    second: npt.NDArray[np.float64]  # bounds on the second ones
    steps: npt.NDArray[np.int64]


class Workspace(NamedTuple):
    """Scratch of one worker."""

    search: Search
    rows: Rows
    lanes: Lanes


def aligned(length: int) -> npt.NDArray[np.float64]:
    """Return float64 memory that starts on a cache line: rows of eight lanes do not straddle two, nor threads share."""
    raw = np.empty(length + WIDTH, np.float64)
    skip = (-raw.ctypes.data // raw.itemsize) % WIDTH
    return raw[skip : skip + length]


def make_workspace(n_nodes: int, weighted: bool, collapsed: bool = False) -> Workspace:
    """Return scratch for a graph of `n_nodes` nodes with room for small local graphs."""
    n = max(n_nodes, 1)
    words = (n + 63) // 64
    arrays: dict[str, Any] = {name: np.zeros(n, np.uint8) for name in ("seen", "front", "new")}
    arrays |= {name: np.empty(n, np.int32) for name in ("frontier", "following", "ball", "local")}
    summary = np.zeros((words + 63) // 64, np.uint64)
    search = Search(members=np.zeros(words, np.uint64), summary=summary, **arrays)
    nothing: Any = np.empty(0)  # `enlarge` replaces it
    optional = {"twins": collapsed, "low_weights": weighted, "weights": weighted}
    arrays = {name: nothing if optional.get(name, True) else None for name in Rows._fields}
    rows = Rows(**arrays)
    stats = aligned(N_STATS * WIDTH).reshape(N_STATS, WIDTH)
    vectors = dict.fromkeys(("v", "before", "w", "alpha", "beta2"), nothing)
    steps = aligned(WIDTH).view(np.int64)
    lanes = Lanes(**vectors, stats=stats, theta=aligned(WIDTH), second=aligned(WIDTH), steps=steps)
    return enlarge(Workspace(search, rows, lanes), 512, 4096)


def enlarge(space: Workspace, n_rows: int, n_arcs: int) -> Workspace:
    """Return `space` with room for a local graph of `n_rows` nodes found by looking at `n_arcs` arcs."""
    search, rows, lanes = space
    if n_rows > rows.masks.size:
        n_rows += n_rows // 2
        arrays: dict[str, Any] = {name: np.empty(n_rows, np.int32) for name in ("nodes", "high", "order")}
        arrays |= {name: np.empty(n_rows + 1, np.int64) for name in ("low_ptr", "ptr", "place")}
        rows = rows._replace(
            **arrays,
            masks=np.empty(n_rows, np.uint8),
            spread=np.empty(n_rows, np.uint64),
            degree=aligned(n_rows * WIDTH),
            twins=None if rows.twins is None else np.empty((n_rows, N_TWIN_COLUMNS)),
        )
        steps = 2 * n_rows + 64
        vectors: dict[str, Any] = {name: aligned(n_rows * WIDTH) for name in ("v", "before", "w")}
        lanes = lanes._replace(**vectors, alpha=aligned(steps * WIDTH), beta2=aligned(steps * WIDTH))
    if n_arcs >= rows.low.size:
        n_arcs += n_arcs // 2
        # One slot more: the branchless scan writes before it knows whether the entry stays.
        rows = rows._replace(
            low=np.empty(n_arcs + 1, np.int32),
            columns=np.empty(2 * n_arcs, np.int32),
            low_weights=None if rows.weights is None else np.empty(n_arcs + 1),
            weights=None if rows.weights is None else np.empty(2 * n_arcs),
        )
    return Workspace(search, rows, lanes)


class DenseScratch(NamedTuple):
    """Scratch for the spectrum of one ball: arrays over its nodes, and over the rows of a matrix; and limits."""

    limit: int  # rows of a component that are reduced, or left by elimination
    sparse_limit: int  # rows of a component that is eliminated
    leader: npt.NDArray[np.int32]
    copies: npt.NDArray[np.int32]
    place: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]
    degree: npt.NDArray[np.float64]
    root: npt.NDArray[np.float64]
    words: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]
    table: npt.NDArray[np.int32]
    matrix: npt.NDArray[np.float64]
    diagonal: npt.NDArray[np.float64]
    off: npt.NDArray[np.float64]
    v: npt.NDArray[np.float64]
    w: npt.NDArray[np.float64]
    x: npt.NDArray[np.float64]
    p: npt.NDArray[np.float64]


def make_dense_scratch(n_nodes: int, size: int, limit: int, sparse_limit: int) -> DenseScratch:
    """Return scratch for balls of up to `n_nodes` nodes with matrices of up to `size` rows."""
    rows = -(-size // WIDTH) * WIDTH
    arrays: dict[str, Any] = {
        **{name: np.empty(n_nodes, np.int32) for name in ("leader", "copies", "place", "rows", "label")},
        **{name: np.empty(n_nodes) for name in ("degree", "root")},
        **{name: np.empty(n_nodes, np.uint64) for name in ("words", "keys")},
        **{name: aligned(rows) for name in ("diagonal", "off", "v", "w", "x", "p")},
    }
    table, matrix = np.empty(max(64, 4 * n_nodes), np.int32), aligned(rows * rows)
    return DenseScratch(limit=limit, sparse_limit=sparse_limit, table=table, matrix=matrix, **arrays)
