"""The arrays that kernels take as bundles, and the scratch memory of one worker."""

from typing import NamedTuple

import numpy as np

from vnestruct.kernels.vector import WIDTH
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray, WordArray

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

    indptr: OffsetArray
    indices: IdArray
    split: IdArray
    weights: ValueArray | None
    copies: IdArray | None
    """Nodes that each node stands for, itself among them: twins that can be swapped; below 0 where they are joined to
    one another, 0 for a node that another stands for. None where each stands for itself."""


class Arcs(NamedTuple):
    """The arcs that a search follows."""

    indptr: OffsetArray
    indices: IdArray


class UpwardRows(NamedTuple):
    """Arcs from low to high degree, in ranks: the first ``split[u]`` entries of row u; others are not read."""

    indptr: OffsetArray
    indices: IdArray
    split: IdArray


class Components(NamedTuple):
    """Component of each node, their sizes, and lambda_max of those met whole so far (NaN before)."""

    of: IdArray
    size: OffsetArray
    largest: ValueArray


class Request(NamedTuple):
    """What is computed of each ball: outputs (`closed_form.OUTPUTS`) of radii `smallest` to `radius`."""

    smallest: int
    radius: int
    outputs: OffsetArray
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

    seen: FlagArray
    front: FlagArray
    new: FlagArray
    members: WordArray
    summary: WordArray
    frontier: IdArray
    following: IdArray
    ball: IdArray
    local: IdArray  # the row of each node of the ball


class Rows(NamedTuple):
    """A local graph, and what it is made from.

    Optional arrays are passed along beside it: Numba compiles tests against None away for arguments, not for fields.
    """

    nodes: IdArray
    masks: FlagArray  # the balls that hold each row
    twins: ValueArray | None
    spread: WordArray
    low: IdArray  # neighbours of smaller rank
    low_weights: ValueArray | None
    low_ptr: OffsetArray
    high: IdArray  # number of neighbours of larger rank
    place: OffsetArray
    ptr: OffsetArray
    columns: IdArray
    weights: ValueArray | None
    degree: ValueArray
    order: IdArray  # from the longest row to the shortest


class Lanes(NamedTuple):
    """Vectors of eight lanes, one per ball, and what is known of each ball."""

    v: ValueArray
    before: ValueArray
    w: ValueArray
    alpha: ValueArray
    beta2: ValueArray
    stats: ValueArray
    theta: ValueArray  # largest eigenvalues
    second: ValueArray  # bounds on the second ones
    steps: OffsetArray


class Workspace(NamedTuple):
    """Scratch of one worker."""

    search: Search
    rows: Rows
    lanes: Lanes


def aligned(length: int) -> ValueArray:
    """Return float64 memory that starts on a cache line: rows of eight lanes do not straddle two, nor threads share."""
    raw = np.empty(length + WIDTH, np.float64)
    skip = (-raw.ctypes.data // raw.itemsize) % WIDTH
    return raw[skip : skip + length]


def make_workspace(n_nodes: int, weighted: bool, collapsed: bool = False) -> Workspace:
    """Return scratch for a graph of `n_nodes` nodes with room for small local graphs."""
    n = max(n_nodes, 1)
    words = (n + 63) // 64
    seen, front, new = (np.zeros(n, np.uint8) for _ in range(3))
    members, summary = np.zeros(words, np.uint64), np.zeros((words + 63) // 64, np.uint64)
    search = Search(seen, front, new, members, summary, *(np.empty(n, np.int32) for _ in range(4)))
    return _with_room(search, 512, 4096, weighted, collapsed)


def enlarge(space: Workspace, n_rows: int, n_arcs: int) -> Workspace:
    """Return `space` with room for a local graph of `n_rows` nodes found by looking at `n_arcs` arcs."""
    rows, n_rows, n_arcs = space.rows, n_rows + n_rows // 2, n_arcs + n_arcs // 2
    room = max(n_rows, rows.masks.size), max(n_arcs, rows.low.size - 1)
    return _with_room(space.search, *room, rows.weights is not None, rows.twins is not None)


def _with_room(search: Search, n_rows: int, n_arcs: int, weighted: bool, collapsed: bool) -> Workspace:
    steps, stats = 2 * n_rows + 64, aligned(N_STATS * WIDTH).reshape(N_STATS, WIDTH)
    rows = Rows(
        nodes=np.empty(n_rows, np.int32),
        masks=np.empty(n_rows, np.uint8),
        twins=np.empty((n_rows, N_TWIN_COLUMNS)) if collapsed else None,
        spread=np.empty(n_rows, np.uint64),
        # One slot more: the branchless scan writes before it knows whether the entry stays.
        low=np.empty(n_arcs + 1, np.int32),
        low_weights=np.empty(n_arcs + 1) if weighted else None,
        low_ptr=np.empty(n_rows + 1, np.int64),
        high=np.empty(n_rows, np.int32),
        place=np.empty(n_rows + 1, np.int64),
        ptr=np.empty(n_rows + 1, np.int64),
        columns=np.empty(2 * n_arcs, np.int32),
        weights=np.empty(2 * n_arcs) if weighted else None,
        degree=aligned(n_rows * WIDTH),
        order=np.empty(n_rows, np.int32),
    )
    v, before, w = (aligned(n_rows * WIDTH) for _ in range(3))
    alpha, beta2 = aligned(steps * WIDTH), aligned(steps * WIDTH)
    lanes = Lanes(v, before, w, alpha, beta2, stats, aligned(WIDTH), aligned(WIDTH), aligned(WIDTH).view(np.int64))
    return Workspace(search, rows, lanes)
