"""The entropy profile: five entropies of a node's 1-ball, and their moments over the neighbours, step by step.

The 1-ball of a node has n nodes and the density matrix rho = L / Tr L. Its columns, in nats:

- ``size``: ln n, which no entropy of the ball exceeds;
- ``collision``: -ln Tr rho^2 = -ln(1 - Q), Renyi's entropy of order 2;
- ``least``: -ln of the largest eigenvalue of rho, Renyi's entropy of infinite order;
- ``quadratic``: Q = 1 - Tr rho^2;
- ``h1``: the approximate entropy Q * least, which is the first column of `embed`.

A node without neighbours has 0 everywhere. A ball of one edge has size ln 2 and 0 otherwise: its density matrix is that
of a pure state.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.embedding.embed_graph import embed, graph_of
from vnestruct.embedding.parameters import AGGREGATES, PARTS, checked_settings
from vnestruct.embedding.plan import frozen
from vnestruct.embedding.progress import Progress
from vnestruct.graph import Graph
from vnestruct.kernels.neighbour_sums import fill_moments
from vnestruct.types import ValueArray

ENTROPIES = ("size", "collision", "least", "quadratic", "h1")  # the columns of a 1-ball, in order
STEPS = 2  # number of steps, unless told otherwise


def profile(
    g: Any, steps: int = STEPS, *, weighted: bool = False, direction: str = "all", nodes: Any | None = None,
    engine: str = "threads", address: str | None = None, n_jobs: int | None = None,
    max_memory: int | str | None = None, checkpoint: str | PathLike[str] | None = None,
    progress: bool | Callable[[float, float], object] | Progress = False,
    source: str | int | None = None, target: str | int | None = None, weight: str | int | None = None,
) -> ValueArray:  # fmt: skip
    """Describe every node by the entropies of its 1-ball and of the 1-balls around it.

    The first five columns are entropies of the subgraph induced by a node and its neighbours. Every step appends the
    mean and the standard deviation, over the neighbours, of the columns that the step before has appended: 5, 15, 35,
    75 columns after 0, 1, 2, 3 steps. It costs about as much as counting triangles, however large the hubs are.

    Parameters
    ----------
    g : graph
        As for `embed`.
    steps : int, default 2
        How many steps away the 1-balls may be.
    weighted : bool, default False
        Use the edge weights in entropies. Means over neighbours have no weights.
    direction : {"all", "out", "in", "out+in"}, default "all"
        Arcs that balls follow in a directed graph; "out+in" gives two groups of five columns. Means are over all
        neighbours.
    nodes : iterable of labels, optional
        Return these nodes only, in this order. All nodes are computed.
    engine, address, n_jobs, max_memory, checkpoint, progress
        How the entropies are computed, as for `embed`.
    source, target, weight : str or int, optional
        Columns or attributes of `g` with the ends and the weight of each edge, as for `as_graph`.

    Returns
    -------
    ndarray of float64, shape (number of nodes, number of columns)
        In nats; `profile_columns` names the columns.

    See Also
    --------
    vnestruct.EntropyProfile : The same as a scikit-learn transformer, scaled and with landmarks.

    Examples
    --------
    >>> import vnestruct
    >>> from vnestruct.embedding import profile_columns
    >>> star = [("hub", leaf) for leaf in "abc"]
    >>> vnestruct.profile(star, steps=0).round(3)
    array([[1.386, 0.693, 0.405, 0.5  , 0.203],
           [0.693, 0.   , 0.   , 0.   , 0.   ],
           [0.693, 0.   , 0.   , 0.   , 0.   ],
           [0.693, 0.   , 0.   , 0.   , 0.   ]])
    >>> profile_columns(steps=1)[5:8], vnestruct.profile(star).shape
    (['size_mean', 'collision_mean', 'least_mean'], (4, 35))
    """
    n_steps = whole_number("steps", steps, 0)
    graph = graph_of(g, weighted, source=source, target=target, weight=weight)
    chosen = None if nodes is None else graph.positions(nodes)
    entropies = ball_entropies(
        graph, weighted=weighted, direction=direction, engine=engine, address=address, n_jobs=n_jobs,
        max_memory=max_memory, checkpoint=checkpoint, progress=progress,
    )  # fmt: skip
    first, last = 0, entropies.shape[1]
    values = np.empty((graph.n_nodes, last * (2 ** (n_steps + 1) - 1)))
    values[:, :last] = entropies
    everyone = frozen(np.arange(graph.n_nodes, dtype=np.int64))
    for _ in range(n_steps):
        # What the kernel reads is a frozen view of what it fills.
        fill_moments(graph.indptr, graph.indices, everyone, frozen(values[:]), first, last, True, values, last)
        first, last = last, 3 * last - 2 * first
    return values if chosen is None else values[chosen]


def profile_columns(steps: int = STEPS, direction: str = "all") -> list[str]:
    """Return the names of the columns of `profile`.

    ``least_mean_std`` is the standard deviation, over the neighbours, of the mean of ``least`` over their neighbours.

    Examples
    --------
    >>> profile_columns(steps=0, direction="out")
    ['size_out', 'collision_out', 'least_out', 'quadratic_out', 'h1_out']
    """
    directions = checked_settings(1, direction=direction).directions
    added = [name + ("" if one == "all" else f"_{one}") for one in directions for name in ENTROPIES]
    columns = list(added)
    for _ in range(whole_number("steps", steps, 0)):
        added = [f"{name}_{moment}" for moment in AGGREGATES for name in added]
        columns += added
    return columns


def ball_entropies(graph: Graph, *, weighted: bool = False, direction: str = "all", **run: Any) -> ValueArray:
    """Return the `ENTROPIES` of every 1-ball, one group of columns per direction; `run` is for `embed`."""
    values = embed(graph, 1, kind=("approx", "parts"), weighted=weighted, direction=direction, **run)
    n_directions = values.shape[1] // (1 + len(PARTS))
    columns: list[ValueArray] = []
    for approximate, nodes, _, _, quadratic, _ in values.reshape(graph.n_nodes, 1 + len(PARTS), n_directions).T:
        # H_hat is Q times the least entropy. Q is 0 only for one edge or none, where all entropies are 0.
        least = approximate / np.where(quadratic > 0.0, quadratic, 1.0)
        columns += [np.log1p(nodes - 1.0), -np.log1p(-quadratic), least, quadratic, approximate]
    return np.column_stack(columns)
