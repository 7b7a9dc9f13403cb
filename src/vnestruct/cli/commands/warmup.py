"""`vnestruct warmup`: compile every kernel ahead of the first run."""

import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import vnestruct
from vnestruct import graph as graphs
from vnestruct import io
from vnestruct.cli.output import Console, duration, print_json
from vnestruct.embedding.parameters import KINDS, NAMED_KINDS
from vnestruct.graph.synthetic import grid

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
    return len(list(folder.rglob("*.nbc")))


def use_every_kernel() -> None:
    """Call everything that runs kernels, with arguments of every type that they are compiled for."""
    import numpy as np

    from vnestruct.kernels.reductions import cut_nodes

    # All have enough arcs for what small graphs do not need. Two leaves at every node of a grid are twins.
    plain = grid(SIDE, SIDE)
    n_nodes, nodes, tails = plain.n_nodes, np.arange(plain.n_nodes), plain.sources
    arcs = graphs.graph_from_ids(tails, plain.indices, 1.0 + tails, n_nodes=n_nodes, directed=True)
    ends = np.concatenate([tails, nodes, nodes]), np.concatenate([plain.indices, nodes + n_nodes, nodes + 2 * n_nodes])
    twins = graphs.graph_from_ids(*ends, n_nodes=3 * n_nodes)
    sided = vnestruct.Graph(plain.indptr, plain.indices, sides=(nodes // SIDE + nodes) % 2)
    uses: list[tuple[vnestruct.Graph, dict[str, Any]]] = [(plain, {}), (twins, {})]
    uses += [
        (arcs, {"weighted": weighted, "direction": way}) for weighted in (False, True) for way in ("all", "out+in")
    ]
    for (graph, options), kind, radius in product(uses, KINDS, (1, 2)):
        options = options | {"kind": kind, "n_jobs": 1}
        values = vnestruct.embed(graph, radius, **options)
        vnestruct.update(graph, values, added=[(0, SIDE + 1)], removed=[(0, 1)], **options)
    for graph, kind in product((plain, sided), NAMED_KINDS):
        vnestruct.embed(graph, kind=kind, n_jobs=1)
    for weighted in (False, True):
        for kind in ("approx", "quadratic", "unscaled", "exact"):
            vnestruct.entropy(arcs, kind, weighted=weighted)
        live = vnestruct.LiveGraph(plain, weighted=weighted)
        live.remove(0, 1)
        live.signatures()
        live.snapshot()
    vnestruct.graph_distances([twins, plain])
    cut_nodes(twins.indptr, twins.indices)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.vng"
        io.write_graph(plain, path)
        for radius in (1, 2):
            vnestruct.embed(path, radius, max_memory="2G", n_jobs=1)
