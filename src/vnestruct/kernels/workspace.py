"""The arrays that kernels take as bundles, and the scratch memory of one worker."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.vector import WIDTH

COUNT, SHARE, INNER, _SPARE = range(4)
"""The columns of `Workspace.twins`, for each row of a local graph: nodes it stands for, the inverse of that, how many
of the others each of them is joined to. The fourth is there so that no row straddles two cache lines."""

N_TWIN_COLUMNS = 4

NODES, TRACE, SQUARES, LINKS, HUB, LARGEST, RUNNER_UP, N_ROWS, LIMIT, CUT, TEMPORARY = range(11)
"""The rows of `Workspace.lane_facts`, for each of eight balls: number of nodes, Tr(L), Tr(L**2), sum of squared weights
over the arcs, row of the hub, degree of the hub, largest degree of another row, number of rows; and scratch of
`vnestruct.kernels.bounds`."""

N_LANE_FACTS = 11


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


class Components(NamedTuple):
    """Component of each node, their sizes, and lambda_max of those met whole so far (NaN before)."""

    of: npt.NDArray[np.int32]
    size: npt.NDArray[np.int64]
    largest: npt.NDArray[np.float64]


class Workspace(NamedTuple):
    """Scratch of one worker: arrays over all nodes, over the rows and over the arcs of a local graph."""

    seen: npt.NDArray[np.uint8]
    front: npt.NDArray[np.uint8]
    new: npt.NDArray[np.uint8]
    members: npt.NDArray[np.uint64]
    summary: npt.NDArray[np.uint64]
    frontier: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    ball: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    local: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint8]
    twins: npt.NDArray[np.float64] | None
    spread: npt.NDArray[np.uint64]
    low_ptr: npt.NDArray[np.int64]
    high: npt.NDArray[np.int32]
    ptr: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    degree: npt.NDArray[np.float64]
    v: npt.NDArray[np.float64]
    before: npt.NDArray[np.float64]
    w: npt.NDArray[np.float64]
    alpha: npt.NDArray[np.float64]
    beta2: npt.NDArray[np.float64]
    low: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    low_weights: npt.NDArray[np.float64] | None
    values: npt.NDArray[np.float64] | None
    lane_facts: npt.NDArray[np.float64]
    theta: npt.NDArray[np.float64]
    second: npt.NDArray[np.float64]
    steps: npt.NDArray[np.int64]


def aligned(length: int) -> npt.NDArray[np.float64]:
    """Return float64 memory that starts on a cache line: rows of eight lanes do not straddle two, nor threads share."""
    raw = np.empty(length + WIDTH, np.float64)
    skip = (-raw.ctypes.data // raw.itemsize) % WIDTH
    return raw[skip : skip + length]


def make_workspace(n_nodes: int, weighted: bool, collapsed: bool = False) -> Workspace:
    """Return scratch for a graph of `n_nodes` nodes with room for small local graphs."""
    n = max(n_nodes, 1)
    words = (n + 63) // 64
    arrays: dict[str, Any] = {
        **dict.fromkeys(Workspace._fields, np.empty(0)),  # `enlarge` replaces what is not set here
        **{name: np.zeros(n, np.uint8) for name in ("seen", "front", "new")},
        **{name: np.empty(n, np.int32) for name in ("frontier", "following", "ball", "rows", "local")},
        **{name: np.empty(0) if weighted else None for name in ("low_weights", "values")},
        **{name: aligned(WIDTH) for name in ("theta", "second")},
        "members": np.zeros(words, np.uint64),
        "summary": np.zeros((words + 63) // 64, np.uint64),
        "twins": np.empty((0, N_TWIN_COLUMNS)) if collapsed else None,
        "spread": np.empty(0, np.uint64),
        "lane_facts": aligned(N_LANE_FACTS * WIDTH).reshape(N_LANE_FACTS, WIDTH),
        "steps": aligned(WIDTH).view(np.int64),
    }
    return enlarge(Workspace(**arrays), 512, 4096)


def enlarge(space: Workspace, rows: int, arcs: int) -> Workspace:
    """Return `space` with room for a local graph of `rows` nodes found by looking at `arcs` arcs."""
    changed: dict[str, Any] = {}
    if rows > space.masks.size:
        rows += rows // 2
        steps = 2 * rows + 64
        changed = {
            "masks": np.empty(rows, np.uint8),
            "high": np.empty(rows, np.int32),
            **{name: np.empty(rows + 1, np.int64) for name in ("low_ptr", "ptr", "place")},
            **{name: aligned(rows * WIDTH) for name in ("degree", "v", "before", "w")},
            **{name: aligned(steps * WIDTH) for name in ("alpha", "beta2")},
        }
        if space.twins is not None:
            changed |= {"twins": np.empty((rows, N_TWIN_COLUMNS)), "spread": np.empty(rows, np.uint64)}
    if arcs >= space.low.size:
        arcs += arcs // 2
        # One slot more: the branchless scan writes before it knows whether the entry stays.
        changed |= {"low": np.empty(arcs + 1, np.int32), "columns": np.empty(2 * arcs, np.int32)}
        if space.values is not None:
            changed |= {"low_weights": np.empty(arcs + 1), "values": np.empty(2 * arcs)}
    return space._replace(**changed)


class DenseScratch(NamedTuple):
    """Scratch for the spectrum of one ball: arrays over its nodes, and over the rows of a matrix."""

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


def make_dense_scratch(n_nodes: int, size: int) -> DenseScratch:
    """Return scratch for balls of up to `n_nodes` nodes with matrices of up to `size` rows."""
    rows = -(-size // WIDTH) * WIDTH
    arrays: dict[str, Any] = {
        **{name: np.empty(n_nodes, np.int32) for name in ("leader", "copies", "place", "rows", "label")},
        **{name: np.empty(n_nodes) for name in ("degree", "root")},
        **{name: np.empty(n_nodes, np.uint64) for name in ("words", "keys")},
        **{name: aligned(rows) for name in ("diagonal", "off", "v", "w", "x", "p")},
    }
    return DenseScratch(table=np.empty(max(64, 4 * n_nodes), np.int32), matrix=aligned(rows * rows), **arrays)
