"""`embed`: a graph in, one row of entropies a node out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from vnestruct.embedding.neighbours import neighbour_moments, with_neighbours
from vnestruct.embedding.parameters import Settings, checked_settings, parse_size
from vnestruct.embedding.progress import Forecast, Progress
from vnestruct.embedding.runner import Runner, make_runner
from vnestruct.embedding.signatures import compute_part, entropy_columns
from vnestruct.graph import Graph, GraphSet
from vnestruct.io import as_graph
from vnestruct.store import parse_part
from vnestruct.types import OffsetArray, ValueArray


def embed(
    g: Any,
    radius: int = 2,
    *,
    kind: str | Iterable[str] = "approx",
    weighted: bool = False,
    direction: str = "all",
    aggregate: str | Iterable[str] = (),
    nodes: Any | None = None,
    engine: str = "threads",
    address: str | None = None,
    n_jobs: int | None = None,
    max_memory: int | str | None = None,
    part: str | tuple[int, int] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    tol: float = 1e-9,
    progress: bool | Callable[[float, float], None] | Progress = False,
) -> ValueArray:
    """Describe every node by the Von Neumann entropies of its ego networks.

    Column r is the entropy of the subgraph induced by all nodes within r hops of the node. Nodes that play the same
    structural role, wherever they are, get the same row.

    Parameters
    ----------
    g : graph
        Anything `as_graph` takes: an edge list or array, a SciPy sparse, networkx, igraph or PyTorch Geometric graph,
        a data frame, a path; or a `GraphSet`.
    radius : int, default 2
        Largest number of hops R.
    kind : str or list of str, default "approx"
        Which entropy: "approx" (quadratic approximation times -ln of the largest eigenvalue), "exact" (of the
        Laplacian's spectrum), "quadratic", "normalized" (exact, of the normalised Laplacian), "punctured" (exact,
        without the node itself). Several give several groups of columns.
    weighted : bool, default False
        Use the edge weights. Balls are still counted in hops.
    direction : {"all", "out", "in", "out+in"}, default "all"
        Arcs that balls follow in a directed graph; "out+in" gives two groups of columns.
    aggregate : subset of ("mean", "std"), default ()
        Append the mean and standard deviation of every column over the node's neighbours.
    nodes : iterable of labels, optional
        Compute these nodes only, in this order. Default: all, in the order of ``as_graph(g).nodes``.
    engine : {"threads", "ray", "cuda", "auto"}, default "threads"
        What runs the work: threads of this process, a Ray cluster, or the NVIDIA GPUs of this machine; "auto" takes
        GPUs where there are any and the work is large enough to pay. Threads and Ray agree to the last bit, GPUs with
        them to 1e-9.
    address : str, optional
        The Ray cluster: "auto", "host:port" or "ray://host:port". Default: the one this process is connected to, the
        one that RAY_ADDRESS names, or a new one on this machine for the time of the call.
    n_jobs : int, optional
        Number of threads, or of blocks that a cluster runs at once; all CPUs by default, -2 for all but one. All GPUs
        are used that CUDA_VISIBLE_DEVICES leaves.
    max_memory : int or str, optional
        Memory limit.
    part : str or tuple of two ints, optional
        Compute only this share of the rows into `checkpoint`.
    checkpoint : path, optional
        Folder that keeps finished rows. The same call again resumes; the result is the same to the last bit.
    tol : float, default 1e-9
        Largest error of an entropy of kind "approx".
    progress : bool or callable, default False
        Report progress on standard error, or to a function called with (cost done, cost in all).

    Returns
    -------
    ndarray of float64, shape (number of nodes, number of columns)
        `VNEstruct.get_feature_names_out` and `embedding_frame` name the columns.

    Examples
    --------
    >>> import vnestruct
    >>> path = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    >>> vnestruct.embed(path, radius=2).round(3)
    array([[0.   , 0.108],
           [0.108, 0.313],
           [0.108, 0.521],
           [0.108, 0.313],
           [0.   , 0.108]])
    """
    settings = checked_settings(radius, kind, weighted, direction, aggregate, tol)
    graph = g.graph if isinstance(g, GraphSet) else as_graph(g)
    chosen = None if nodes is None else graph.positions(nodes)
    listener = progress if isinstance(progress, Progress) else Progress()
    if engine == "ray":
        listener.announce("Starting Ray on this machine ..." if address is None else f"Joining Ray at {address} ...")
    limit = parse_size(max_memory) if isinstance(max_memory, str) else max_memory
    with make_runner(graph, settings, engine, address, n_jobs, checkpoint, progress, limit) as made:
        runner = _forewarned(made, settings, listener)
        if part is None:
            return signature_matrix(graph, settings, chosen, runner)
        n_worked = compute_part(graph, settings, *(parse_part(part) if isinstance(part, str) else part), runner)
        rows = np.full((graph.n_nodes, len(settings.columns)), np.nan)
        rows[:n_worked] = 0.0  # a stand-in: only their number is right
        return rows


def _forewarned(runner: Runner, settings: Settings, listener: Progress) -> Runner:
    from vnestruct.embedding.estimate import ForewarningEngine

    n_threads = runner.here[1] if runner.on_devices else runner.n_workers
    workers = f"{n_threads} thread{'' if n_threads == 1 else 's'}"
    if runner.local is not None and not runner.on_devices:
        workers = f"{runner.n_workers} CPUs of a Ray cluster"
    n_signatures = len(settings.kinds) * len(settings.directions)

    def warn(seconds: float, at_least: bool, kind: str) -> None:
        listener.expect(Forecast(seconds, at_least, kind, n_signatures, workers))

    return replace(runner, engine=ForewarningEngine(runner.engine, runner.n_workers, warn))


def signature_matrix(graph: Graph, settings: Settings, chosen: OffsetArray | None, runner: Runner) -> ValueArray:
    """Return all columns for the chosen positions, or for all nodes."""
    wanted = np.ones(graph.n_nodes, bool)
    if chosen is not None and settings.aggregates:
        wanted = with_neighbours(graph, chosen)
    elif chosen is not None:
        wanted[:] = False
        wanted[chosen] = True
    values = entropy_columns(graph, settings, wanted, runner)
    if settings.aggregates:
        values = np.hstack([values, neighbour_moments(graph, values, settings.aggregates)])
    return values if chosen is None else values[chosen]
