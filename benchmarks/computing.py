"""Speed of whole embeddings: against a straightforward program and igraph; variants, memory, many threads."""

import json
import math
import os
import sys
import time
from functools import partial
from itertools import cycle

import networkx as nx
import numpy as np

from benchmarks.harness import (
    PeakMemory,
    compare,
    edges_of,
    in_fresh_process,
    load,
    path_of,
    say,
    target,
    warm_up,
)
from vnestruct import embed, read_graph, update
from vnestruct.graph import graph_from_ids

GRAPHS = ("facebook_combined", "email-Enron", "musae_github", "dblp-2010", "moscow-roads")
SLOW = ("tiny", "musae_github")
"""Radius 3 is not measured."""

AGAINST_NAIVE = {
    ("email-Enron", 2): 1000, ("facebook_combined", 2): 1500, ("musae_github", 2): 1200, ("dblp-2010", 2): 700,
    ("moscow-roads", 3): 1000,
}  # fmt: skip
SEED = 11


def naive_row(graph, node, radius):
    """Return the entropies of a node by `ego_graph`, `laplacian_matrix` and a hundred steps of power iteration."""
    generator, row = np.random.default_rng(node), []
    for r in range(1, radius + 1):
        ball = nx.ego_graph(graph, node, radius=r)
        matrix = nx.laplacian_matrix(ball).astype(float)
        degrees = matrix.diagonal()
        trace, largest = degrees.sum(), 0.0
        if trace < 3:
            row.append(0.0)
            continue
        vector = generator.standard_normal(len(ball))
        for _ in range(100):
            product = matrix @ (vector / np.linalg.norm(vector))
            before, largest = largest, float(np.linalg.norm(product))
            if abs(largest - before) <= 1e-9 * largest:
                break
            vector = product
        row.append(-(1 - 1 / trace - degrees @ degrees / trace**2) * math.log(largest / trace))
    return row


def naive(graph, radius, budget):
    """Run the naive version on nodes in a fixed random order for some seconds, and extrapolate to all nodes by arcs.

    An arc is an end of an edge of a ball of the largest radius. The difference is that of the naive version, since
    power iteration approaches the largest eigenvalue from below.
    """
    slow = nx.empty_graph(graph.n_nodes)
    slow.add_edges_from(edges_of(graph).tolist())
    arcs = 2 * embed(graph, radius, kind="sizes")[:, 2 * radius - 1]
    order, spent, rows = np.random.default_rng(20).permutation(graph.n_nodes), [], []
    while len(rows) < min(5, order.size) or (sum(spent) < budget and len(rows) < order.size):
        begin = time.perf_counter()
        rows.append(naive_row(slow, int(order[len(rows)]), radius))
        spent.append(time.perf_counter() - begin)
    done = order[: len(rows)]
    taken, own = np.array(spent), arcs[done]
    rate = taken.sum() / own.sum()
    error = math.sqrt(((taken - rate * own) ** 2).sum()) / taken.sum()
    difference = float(np.abs(embed(graph, radius, nodes=graph.nodes[done]) - rows).max())
    return {
        "arcs": float(arcs.sum()), "naive_s": float(rate * arcs.sum()), "naive_nodes": len(rows),
        "naive_error_share": error, "difference": difference,
    }  # fmt: skip


def speed(quick):
    """Time `embed` from Graph to matrix on one and two threads, and other programs that do the same or need as much."""
    import igraph

    warm_up()
    rows, peers, targets = [], [], []
    for name in ("tiny",) if quick else GRAPHS:
        graph = load(name)
        other = igraph.Graph(n=graph.n_nodes, edges=edges_of(graph).tolist())
        calls = {
            "ours_s": partial(embed, graph, 1, n_jobs=1),
            "igraph_s": partial(other.transitivity_local_undirected, mode="zero"),
        }
        both = {key: timing.best for key, timing in compare(calls, 7).items()}
        ratio = both["ours_s"] / both["igraph_s"]
        peers.append({"graph": name, **both, "ratio": ratio})
        targets.append(target(f"R = 1, 1 thread, ours / igraph: {name}", ratio, "x", at_most=1.0))
        facts = {
            "graph": name,
            "nodes": graph.n_nodes,
            "edges": graph.n_edges,
            "largest_degree": int(graph.degrees.max()),
        }
        for radius in range(1, 3 if name in SLOW else 4):
            say(f"{name}, R = {radius}")
            one, two = compare({str(n): partial(embed, graph, radius, n_jobs=n) for n in (1, 2)}).values()
            wanted = AGAINST_NAIVE.get((name, radius))
            found = naive(graph, radius, (0.1 if quick else 20.0) if wanted else 2.0)
            ratio = found["naive_s"] / two.best
            times = {"one_thread_s": one.best, "two_threads_s": two.best, "processor_s": min(two.processor)}
            rows.append(facts | {"radius": radius, **times, **found, "naive_ratio": ratio})
            if wanted:
                what = f"R = {radius}, 2 threads, naive (extrapolated) / ours: {name}"
                targets.append(target(what, ratio, "x", at_least=wanted))
            if one.best > 1.0:
                what = f"R = {radius}, 2 threads over 1: {name}"
                targets.append(target(what, one.best / two.best, "x", at_least=1.8))
    memory = [] if quick else [in_fresh_process("benchmarks.computing", "dblp-2010", 2)]
    what = "peak memory on top of dblp-2010, R = 2, 2 threads"
    targets += [target(what, row["peak_mb"], " MB", at_most=150) for row in memory]
    tables = {"speed": rows, "radius_1_and_triangles_in_igraph": peers, "memory": memory}
    return {"settings": {}, "targets": targets, "tables": tables}


def peak_memory(name, radius):
    """Return the peak of `embed` on top of its graph, after everything was compiled."""
    graph = read_graph(path_of(name))
    warm_up()
    peak = PeakMemory()
    values = embed(graph, radius, n_jobs=2)
    sizes = {"matrix_mb": values.nbytes / 1e6, "graph_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6}
    return {"graph": name, "radius": radius, "peak_mb": peak.megabytes(), **sizes}


def variants(quick):
    """Time weights, directions, several kinds and changes against the plain embedding, on one thread, per arc."""
    name, radius = "tiny" if quick else "email-Enron", 2
    graph, generator = load(name), np.random.default_rng(SEED)
    edges, n = edges_of(graph), graph.n_nodes
    turned = np.where(generator.random(len(edges))[:, None] < 0.5, edges, edges[:, ::-1])
    both = np.vstack([edges, edges[:, ::-1]])
    mutual, oneway = (graph_from_ids(*pairs.T, n_nodes=n, directed=True) for pairs in (both, turned))
    weighted = graph_from_ids(*edges.T, generator.uniform(0.1, 10.0, len(edges)), n_nodes=n)
    cases = {
        "plain": (graph, {}),
        "plain, four kinds at once": (graph, {"kind": ("approx", "quadratic", "unscaled", "sizes")}),
        "weighted": (weighted, {"weighted": True}),
        "directed, arcs both ways, out": (mutual, {"direction": "out"}),
        "directed, arcs both ways, in": (mutual, {"direction": "in"}),
        "directed, arcs one way, out": (oneway, {"direction": "out"}),
    }
    found = compare({what: partial(embed, g, radius, n_jobs=1, **how) for what, (g, how) in cases.items()})
    rows = []
    for what, (g, how) in cases.items():
        sizes = embed(g, radius, kind="sizes", direction=how.get("direction", "all"))
        arcs = float(2 * sizes[:, 2 * radius - 1].sum())
        rows.append(
            {"graph": what, "best_s": found[what].best, "arcs": arcs, "ns_per_arc": 1e9 * found[what].best / arcs}
        )
    for row in rows:
        row["over_plain_ratio"] = row["ns_per_arc"] / rows[0]["ns_per_arc"]
    limits = {rows[1]["graph"]: 1.1, rows[3]["graph"]: 1.5, rows[4]["graph"]: 1.5}
    targets = [
        target(f"cost per arc over plain: {row['graph']}", row["over_plain_ratio"], "x", at_most=limits[row["graph"]])
        for row in rows if row["graph"] in limits
    ]  # fmt: skip
    changes = changed(graph, 20 if quick else 500)
    targets.append(target("single-edge changes, share of as many full runs", changes["share"] * 100, "%", at_most=5))
    tables = {"variants": rows, "stream": [changes]}
    return {"settings": {"graph": name, "radius": radius}, "targets": targets, "tables": tables}


def changed(graph, n_edges):
    """Remove and add single edges one after the other at radius 1, and compare with as many whole runs."""
    whole = compare({"": partial(embed, graph, 1, n_jobs=1)}, 7)[""].best
    edges = edges_of(graph)
    chosen = edges[np.random.default_rng(SEED).choice(len(edges), n_edges, replace=False)].tolist()
    H, n_rows = embed(graph, 1, n_jobs=1), 0
    update(graph, H, removed=[chosen[0]], n_jobs=1)
    begin = time.perf_counter()
    for edge in chosen:
        for change in ({"removed": [edge]}, {"added": [edge]}):
            result = update(graph, H, n_jobs=1, **change)
            graph, H, n_rows = result.graph, result.H, n_rows + result.changed.size
    each = (time.perf_counter() - begin) / (2 * n_edges)
    difference = float(np.abs(H - embed(graph, 1, n_jobs=1)).max())
    facts = {"changes": 2 * n_edges, "per_change_s": each, "whole_run_s": whole, "share": each / whole}
    return facts | {"rows_per_change": n_rows / (2 * n_edges), "difference": difference}


def threads(quick):
    """Compare all CPUs with one, which takes turns with the others: the CPUs of a rented machine differ."""
    n_threads, rows = os.cpu_count() or 1, []
    allowed = os.sched_getaffinity(0)
    cpus = cycle(allowed)

    def on_one(graph, radius):
        os.sched_setaffinity(0, {next(cpus)})
        try:
            return embed(graph, radius, n_jobs=1)
        finally:
            os.sched_setaffinity(0, allowed)

    for name, radius, repeats in [("tiny", 2, 1)] if quick else [("dblp-2010", 2, 16), ("musae_github", 2, 3)]:
        graph = load(name)
        calls = {"one": partial(on_one, graph, radius), "many": partial(embed, graph, radius, n_jobs=n_threads)}
        one, many = compare(calls, repeats, once_above=60.0).values()
        times = {"one_s": one.median, "many_s": many.median, "speedup_ratio": one.median / many.median}
        times["processor_ratio"] = float(np.median(many.processor) / np.median(one.processor))
        rows.append({"graph": name, "radius": radius, "nodes": graph.n_nodes, "edges": graph.n_edges, **times,
                     "same_bits": bool(np.array_equal(one.results[0], many.results[0]))})  # fmt: skip
    return {"settings": {"threads": n_threads}, "targets": [], "tables": {"threads": rows}}


def audits(quick):
    """Compare estimates with exact runs: time, errors of all nodes, and what their audits say of sets of nodes."""
    limit, n_sets, rows, targets = 0.01, 10 if quick else 100, [], []
    names = ("tiny",) if quick else ("email-Enron", "musae_github")
    for name, radius in [(name, radius) for name in names for radius in (3, 4)][: 1 if quick else None]:
        graph = load(name)
        embed(load("tiny"), radius, approximate=limit)
        calls = {"exact": None, "estimated": limit}
        call = partial(embed, graph, radius, n_jobs=2)
        times = compare({what: partial(call, approximate=share) for what, share in calls.items()}, 1)
        exact, values = (timing.results[0] for timing in times.values())
        errors, generator = np.abs(np.subtract(values, exact)), np.random.default_rng(1)
        sets = [generator.choice(graph.n_nodes, 200, replace=False) for _ in range(n_sets)]
        stated = np.array(values.audit.within_95)
        held = int(sum(np.quantile(errors[nodes], 0.95, axis=0) <= stated for nodes in sets).min())
        spent = {f"{what}_s": timing.processor[0] for what, timing in times.items()}
        faster, means = spent["exact_s"] / spent["estimated_s"], (errors.mean(axis=0) / exact.std(axis=0)).tolist()
        shares = (np.array(values.audit.mean) / values.audit.spread).tolist()
        rows.append({"graph": name, "radius": radius, **spent, "faster_ratio": faster, "mean_error_share": means,
                     "audited_share": shares, "edges_sampled": values.audit.n_edges, "sets_held": held})  # fmt: skip
        what = f"{name}, radius {radius}"
        targets += [
            target(f"{what}: exact / estimated", faster, "x", at_least=20),
            target(f"{what}: largest mean error", 100 * max(means), "%", at_most=100 * limit),
            target(f"{what}: sets of 200 nodes within the stated 95%, of {n_sets}", held, at_least=0.95 * n_sets),
        ]
    return {"settings": {"target": limit}, "targets": targets, "tables": {"runs": rows}}


if __name__ == "__main__":
    print(json.dumps(peak_memory(sys.argv[1], int(sys.argv[2]))))
