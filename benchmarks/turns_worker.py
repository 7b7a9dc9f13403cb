"""One version's part of `benchmarks.turns`: a process that measures one graph and prints its times as JSON."""

import json
import sys
import time
from functools import partial

import igraph
import numpy as np

import vnestruct
from benchmarks.harness import edges_of, path_of
from vnestruct.graph import graph_from_ids

MOLECULES = "1,000 molecules one by one"
PARAMETERS = {"plain": {}, "weighted": {"weighted": True}, "out": {"direction": "out"}}
"""Of `embed`; every other word is a kind."""


def best(call):
    """Return the best time of a few calls, and what the call returns."""
    times = []
    while not times or (sum(times) < 0.5 and len(times) < 12):
        begin = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - begin)
    return min(times), found


def made(graph, how):
    """Return the graph with weights or directions if the parameters of `embed` need them."""
    ends = edges_of(graph).T
    weights = np.random.default_rng(1).uniform(0.1, 10, ends[0].size) if how == "weighted" else None
    return graph_from_ids(*ends, weights, n_nodes=graph.n_nodes, directed=how == "out")


def measure(rows, kept):
    """Return the time of each case of a graph, then that of igraph's clustering; keep the signatures."""
    graph, times = vnestruct.read_graph(path_of(rows[0]["graph"]), directed=False), []
    for i, row in enumerate(rows):
        each = made(graph, row["how"])
        options = PARAMETERS.get(row["how"], {"kind": row["how"]}) | {"n_jobs": row["threads"]}
        # Small graphs, which come first, run whole once, so that every kernel is compiled before it is timed.
        vnestruct.embed(each, row["radius"], nodes=each.nodes[:6000], **options)
        seconds, H = best(partial(vnestruct.embed, each, row["radius"], **options))
        times.append(seconds)
        np.save(f"{kept}-{row['graph']}-{i}.npy", H)
    peer = igraph.Graph(n=graph.n_nodes, edges=edges_of(graph).tolist())
    return [*times, best(partial(peer.transitivity_local_undirected, mode="zero"))[0]]


def measure_molecules():
    """Return the time of embedding 1,000 graphs of 10 to 39 nodes one by one."""
    random = np.random.default_rng(2)
    graphs = [
        graph_from_ids(np.append(random.integers(0, np.arange(1, n)), 0), np.append(np.arange(1, n), n - 1), n_nodes=n)
        for n in random.integers(10, 40, 1000).tolist()
    ]
    return [best(lambda: [vnestruct.embed(graph, 2, n_jobs=1) for graph in graphs])[0]]


if __name__ == "__main__":
    cases, folder = json.loads(sys.argv[1]), sys.argv[2]
    print(json.dumps(measure_molecules() if cases[0]["graph"] == MOLECULES else measure(cases, folder)))
