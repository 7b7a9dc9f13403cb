"""`embed`: a graph in, one row of entropies per node out."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from vnestruct import graph as graphs
from vnestruct import io, store
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.parameters import ENGINES, Settings, checked_settings, parse_size, settings_from
from vnestruct.embedding.pipeline import Run, signature_matrix
from vnestruct.embedding.progress import Progress, as_progress
from vnestruct.errors import ParameterError, one_of
from vnestruct.graph import Graph
from vnestruct.lazy import load
from vnestruct.types import ValueArray

PLANS = "plans"  # folder in a checkpoint for graphs in ranks, which other machines and later runs open
_BACKENDS = "vnestruct.embedding.backends"
READING = ("source", "target", "weight", "bipartite")  # parameters that say how a graph is read


def embed(
    g: Any,
    radius: int | None = None,
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
    approximate: float | str | None = None,
    random_state: int = 0,
    progress: bool | Callable[[float, float], object] | Progress = False,
    source: str | int | None = None,
    target: str | int | None = None,
    weight: str | int | None = None,
    bipartite: bool | None = None,
) -> ValueArray:
    """Describe every node by the Von Neumann entropies of its ego networks.

    Column r is the entropy of the subgraph induced by all nodes within r hops of the node. Nodes that play the same
    structural role, wherever they are, get the same row.

    Parameters
    ----------
    g : graph
        Anything `as_graph` takes: an edge list or array, a SciPy sparse, networkx, igraph or PyTorch Geometric graph,
        a data frame, a path; or several graphs, as a `GraphSet`, a list or a PyTorch Geometric data set, whose rows
        follow each other.
    radius : int, optional
        Largest number of hops R; 2 by default. Kinds "roles", "profile" and "noisy" have none.
    kind : str or list of str, default "approx"
        Which entropy: "approx" (quadratic approximation times -ln of the largest eigenvalue), "exact" (of the
        Laplacian's spectrum), "quadratic", "normalized" (exact, of the normalised Laplacian), "punctured" (exact,
        without the node itself), "unscaled" (approx, with the eigenvalue of the Laplacian itself, not divided by its
        trace). "sizes" gives what the cheap ones are made of: nodes, edges, sum of squared degrees, quadratic entropy
        and largest eigenvalue of each ball. Several kinds give several groups of columns; "approx", "quadratic",
        "unscaled" and "sizes" together cost as much as "approx" alone.

        Three kinds are named signatures of 1-balls and their neighbours, which cost about as much as counting
        triangles: "roles", from which `RoleClusterer` finds roles; "profile", five entropies with their means and
        deviations over neighbours, which finds similar nodes best; "noisy", for graphs with missing or wrong edges.
        Each stands alone; `vnestruct.embedding.named_kinds` describes their columns.
    weighted : bool, default False
        Use the edge weights. Balls are still counted in hops.
    direction : {"all", "out", "in", "out+in"}, default "all"
        Arcs that balls follow in a directed graph; "out+in" gives two groups of columns, and kind "roles" the column
        ``balance``.
    aggregate : subset of ("mean", "std"), default ()
        Append the mean and standard deviation of every column over the node's neighbours.
    nodes : iterable of labels, optional
        Compute these nodes only, in this order. Default: all, in the order of ``as_graph(g).nodes``.
    engine : {"threads", "ray", "cuda", "auto"}, default "threads"
        What runs the work: threads of this process, the CPUs of a Ray cluster, or the NVIDIA GPUs of this machine;
        "auto" takes GPUs where there are any and the work is large enough to pay. Threads and Ray agree to the last
        bit, GPUs with them to 1e-9.
    address : str, optional
        The Ray cluster: "auto", "host:port" or "ray://host:port". Default: the one this process is connected to, the
        one that RAY_ADDRESS names, or a new one on this machine for the time of the call.
    n_jobs : int, optional
        Number of threads, or of CPUs of a cluster; all by default, -2 for all but one. Of this machine's GPUs,
        all are used that CUDA_VISIBLE_DEVICES leaves.
    max_memory : int or str, optional
        Memory limit in bytes, or as text such as "2G". What grows with the number of edges is kept in files. The graph
        must be read from a .vng file.
    part : str or pair of int, optional
        "3/16" or (3, 16): compute only the third of 16 parts of the rows, into `checkpoint`. The other rows of the
        result are NaN. Once all parts are done, on whatever machines, the same call without `part` joins them.
    checkpoint : path, optional
        Folder that keeps finished rows. The same call again resumes; the result is the same to the last bit.
    tol : float, default 1e-9
        Largest error of an entropy of kind "approx".
    approximate : float or str, optional
        Estimate what takes long: the largest mean error to accept, as a share of the standard deviation of a column,
        e.g. 0.01 or "1%". For kinds "approx", "quadratic" and "unscaled" without weights and directions. 200 random
        nodes are recomputed exactly; if they miss the target, the run takes more samples. The result has an attribute
        `audit` with the errors found. By default, nothing is estimated.
    random_state : int, default 0
        Seed of the estimates and their audit; the same one gives the same bits.
    progress : bool, callable or Progress, default False
        Report progress on standard error, to a function called with (cost done, total cost), or to a
        `vnestruct.embedding.progress.Progress`.
    source, target, weight : str or int, optional
        Columns or attributes of `g` with the ends and the weight of each edge, as for `as_graph`.
    bipartite : bool, optional
        Whether the graph has two sides, as for `as_graph`; it makes a difference for kind "roles" only.

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
    settings = checked_settings(radius, kind, weighted, direction, aggregate, tol, approximate, random_state)
    if part is not None and settings.named is not None:
        whole = "describes neighbours as well, which takes all rows at once; leave out `part`"
        raise ParameterError(f"`kind={settings.named!r}` {whole}")
    for name, other in (("nodes", nodes), ("approximate", approximate)):
        if part is not None and other is not None:
            raise ParameterError(f"`part` shares all nodes, and cannot be used with `{name}`")
    if max_memory is not None:
        # Refused before the graph is read, which may take minutes.
        parse_size(max_memory)
    graph = graph_of(g, settings.weighted, source=source, target=target, weight=weight, bipartite=bipartite)
    settings = settings.on(graph)
    chosen = None if nodes is None else graph.positions(nodes)
    with open_run(
        graph, settings, engine=engine, address=address, n_jobs=n_jobs, max_memory=max_memory, part=part,
        checkpoint=checkpoint, progress=progress,
    ) as run:  # fmt: skip
        return signature_matrix(graph, settings, chosen, run)


def graph_of(g: Any, weighted: bool, **columns: Any) -> Graph:
    """Return the graph that `as_graph` makes of an object, or the disjoint union of several graphs."""
    named = {name: column for name, column in columns.items() if column is not None}
    if isinstance(g, Graph) and not named:
        return g
    weight = named.get("weight", False)
    if not weighted and not load("vnestruct.graph.columns:ignores_weights")(weight):
        unused = f"weight={weight!r} is read, but not used in signatures; pass weighted=True to use weights"
        warnings.warn(unused, stacklevel=3)
    if isinstance(g, graphs.GraphSet) and not named:
        return g.graph
    if load("vnestruct.graph.foreign:holds_graphs")(g):
        return graphs.GraphSet.from_graphs(io.as_graph(member, **named) for member in g).graph
    return io.as_graph(g, **named)


def graph_and_settings(g: Any, radius: int | None, options: Mapping[str, Any]) -> tuple[Graph, Settings]:
    """Return the graph and the settings that `embed` would take from its arguments."""
    settings = settings_from(radius, options)
    graph = graph_of(g, settings.weighted, **{name: options.get(name) for name in READING})
    return graph, settings.on(graph)


def compared_nodes(g: Any, radius: int | None = None, **options: Any) -> tuple[Graph, ValueArray, list[str]]:
    """Return a graph that has nodes, their signatures as `embed` computes them, and the names of the columns."""
    graph, settings = graph_and_settings(g, radius, options)
    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check how it was built")
    how = {name: value for name, value in options.items() if name not in READING}
    return graph, embed(graph, radius, **how), settings.columns


@contextmanager
def open_run(
    graph: Graph, settings: Settings, *, engine: str = "threads", address: str | None = None, n_jobs: int | None = None,
    max_memory: int | str | None = None, part: str | tuple[int, int] | None = None,
    checkpoint: str | PathLike[str] | None = None, progress: object = False,
) -> Iterator[Run]:  # fmt: skip
    """Check how the work is to be done, prepare for it, and end what was started for it."""
    one_of("engine", engine, ENGINES)
    if address is not None and engine != "ray":
        raise ParameterError(f"`engine={engine!r}` runs on this machine and takes no address; got {address!r}")
    if part is not None and checkpoint is None:
        raise ParameterError("`part` needs `checkpoint`, where the parts meet")
    chosen = None if part is None else store.parse_part(part)
    limit = None if max_memory is None else parse_size(max_memory)
    listener = as_progress(progress)
    if engine == "auto":
        has_use = limit is None and load(f"{_BACKENDS}.cuda:is_worthwhile")(graph, settings)
        engine = "cuda" if has_use else "threads"
    # Graphs in ranks, on storage that the workers of a checkpoint share.
    plans = None if checkpoint is None else Path(checkpoint) / PLANS
    backend: ThreadsBackend = load(ENGINES[engine])(n_jobs, address, plans, listener.on_message)
    if limit is not None:
        backend = load(f"{_BACKENDS}.out_of_core:OutOfCoreBackend")(backend, graph, limit)
    with closing(backend):
        kept = None
        if checkpoint is not None:
            identity = {"graph": graph.hash, "device": backend.device, **settings.identity()}
            kept = store.Checkpoint.open(checkpoint, identity, settings.radius)
        yield Run(backend, listener, kept, chosen)
