"""`vnestruct warmup`: compile every kernel ahead of the first run."""

import tempfile
import time
from itertools import product
from pathlib import Path

from vnestruct.cli.console import Console, duration, print_json

SIDE = 12  # nodes on a side of a grid


def warmup(*, console: Console) -> None:
    """Compile all kernels now, so that no later run waits for it.

    Kernels are compiled when they are first used and kept in a cache. This command fills the cache: run it once while
    building a container image or preparing a CI machine. NUMBA_CACHE_DIR, or else XDG_CACHE_HOME, chooses the folder.

    Examples
    --------
    vnestruct warmup
    vnestruct warmup --json
    """
    from vnestruct.kernels import FOLDER

    begin, before = time.perf_counter(), n_files(FOLDER)
    use_every_kernel()
    n_compiled, seconds = n_files(FOLDER) - before, time.perf_counter() - begin
    console.note(f"Compiled {n_compiled} functions in {duration(seconds)}; all kernels are in {FOLDER}.")
    if console.json:
        print_json({"compiled": n_compiled, "seconds": seconds, "folder": str(FOLDER)})


def n_files(folder: Path) -> int:
    """Return the number of compiled functions in the cache."""
    return sum(1 for _ in folder.rglob("*.nbc"))


def use_every_kernel() -> None:
    """Call everything that runs kernels, with arguments of every type that they are compiled for."""
    import numpy as np

    import vnestruct
    from vnestruct.embedding.parameters import KINDS, NAMED_KINDS
    from vnestruct.graph import graph_from_ids
    from vnestruct.graph.synthetic import grid
    from vnestruct.io import read_vng, write_graph
    from vnestruct.kernels.reductions import cut_nodes

    # All have enough arcs for what small graphs do not need. Two leaves at every node of a grid are twins.
    plain = grid(SIDE, SIDE)
    n_nodes, nodes = plain.n_nodes, np.arange(plain.n_nodes)
    tails = np.repeat(nodes, plain.degrees)
    arcs = graph_from_ids(tails, plain.indices, 1.0 + tails, n_nodes=n_nodes, directed=True)
    leaves = np.concatenate([nodes + n_nodes, nodes + 2 * n_nodes])
    ends = np.concatenate([tails, nodes, nodes]), np.concatenate([plain.indices, leaves])
    twins = graph_from_ids(*ends, n_nodes=3 * n_nodes)
    for kind, radius in product(KINDS, (1, 2)):
        for graph in (twins, plain):
            values = vnestruct.embed(graph, radius, kind=kind, n_jobs=1)
            vnestruct.update(graph, values, added=[(0, SIDE + 1)], removed=[(0, 1)], kind=kind, n_jobs=1)
        for weighted, direction in product((False, True), ("all", "out+in")):
            options = {"kind": kind, "weighted": weighted, "direction": direction, "n_jobs": 1}
            values = vnestruct.embed(arcs, radius, **options)  # type: ignore[arg-type]
            vnestruct.update(arcs, values, added=[(0, SIDE + 1, 1.0)], removed=[(0, 1)], **options)  # type: ignore[arg-type]
    for weighted, kind in product((False, True), ("approx", "quadratic", "unscaled", "exact")):
        vnestruct.entropy(arcs, kind, weighted=weighted)
    for weighted in (False, True):
        live = vnestruct.LiveGraph(plain, weighted=weighted)
        live.remove(0, 1)
        live.signatures()
        live.snapshot()
    sided = vnestruct.Graph(plain.indptr, plain.indices, sides=(nodes // SIDE + nodes) % 2)
    for graph, kind in product((plain, sided), NAMED_KINDS):
        vnestruct.embed(graph, kind=kind, n_jobs=1)
    vnestruct.graph_distances([twins, plain])
    cut_nodes(twins.indptr, twins.indices)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.vng"
        write_graph(plain, path)
        for radius in (1, 2):
            vnestruct.embed(read_vng(path), radius, max_memory="2G", n_jobs=1)
