"""How many changes per second a live graph takes, beside `update` in the same run; memory; radius 2 on demand."""

import time
import tracemalloc

import numpy as np

from benchmarks.harness import edges_of, load, say, target
from vnestruct import LiveGraph, embed, update
from vnestruct.graph import graph_from_ids

SEED = 17


def live(quick):
    """Measure all graphs on one thread, per second of processor time."""
    rows, targets = [], []
    for name in ("tiny",) if quick else ("email-Enron", "dblp-2010"):
        say(f"{name}: a stream of changes")
        row = {"graph": name, **measure(load(name), 50 if quick else 10_000, 10 if quick else 300)}
        rows.append(row)
        targets += [
            target(f"{name}: changes per second, integer labels", row["integers_per_second"], at_least=300_000),
            target(f"{name}: changes per second, string labels", row["strings_per_second"], at_least=100_000),
            target(f"{name}: times as many as with `update`", row["against_update_ratio"], "x", at_least=100),
            target(f"{name}: bytes per arc, peak", row["peak_bytes_per_arc"], at_most=120),
        ]
    return {"settings": {"batch": 10_000, "changes_at_radius_2": 1_000}, "targets": targets, "tables": {"graphs": rows}}


def measure(graph, batch, n_updates):
    """Measure one graph: half of its edges first, then an added and the oldest edge removed, in turns."""
    edges = np.random.default_rng(SEED).permutation(edges_of(graph))
    half = len(edges) // 2
    changes, signs = np.empty((2 * half, 2), np.int64), np.tile([1, -1], half)
    changes[0::2], changes[1::2] = edges[half : 2 * half], edges[:half]
    stream(edges[:10], edges[:10], -np.ones(10, int), batch)
    integers, read = stream(edges[:half], changes, signs, batch)
    texts = [list(map(tuple, part.astype(str).tolist())) for part in (edges[:half], changes)]
    strings, _ = stream(*texts, signs, batch)
    before = graph_from_ids(*edges[:half].T, n_nodes=graph.n_nodes)
    one_by_one = updates(before, changes[:n_updates].tolist(), signs)
    tracemalloc.start()
    grown = LiveGraph()
    for part in np.array_split(edges, 64):
        grown.apply(part)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "changes": len(changes), "integers_per_second": integers, "strings_per_second": strings,
        "update_per_second": one_by_one, "against_update_ratio": integers / one_by_one, "rows_read_per_change": read,
        "bytes_per_arc": grown.nbytes / (2 * grown.n_edges), "peak_bytes_per_arc": peak / (2 * grown.n_edges),
        **radius_2(graph, edges, min(1_000, graph.n_nodes // 100)),
    }  # fmt: skip


def stream(first, changes, signs, batch):
    """Apply batches, and read the changed signatures after each; return changes per second and rows per change."""
    graph, n_read = LiveGraph(), 0
    graph.apply(first)
    graph.changed()
    busy = time.process_time()
    for i in range(0, len(signs), batch):
        graph.apply(changes[i : i + batch], sign=signs[i : i + batch])
        n_read += len(graph.signatures(graph.changed()))
    seconds = time.process_time() - busy
    assert np.array_equal(graph.signatures(), embed(graph.snapshot(), 1, n_jobs=1))
    return len(signs) / seconds, n_read / len(signs)


def updates(graph, changes, signs):
    """Return changes per second with `update`, one edge at a time; the first two set up what later ones reuse."""
    H, busy = embed(graph, 1, n_jobs=1), 0.0
    for i, edge in enumerate(changes):
        busy = time.process_time() if i == 2 else busy
        result = update(graph, H, **{"added" if signs[i] > 0 else "removed": [tuple(edge)]}, n_jobs=1)
        graph, H = result.graph, result.H
    return (len(changes) - 2) / (time.process_time() - busy)


def radius_2(graph, edges, n_changes):
    """Measure radius 2 on demand after some changes, beside `embed`."""
    changing = LiveGraph(graph, 2, n_jobs=1)
    changing.signatures()
    changing.apply(edges[: n_changes // 2], sign=-1)
    changing.apply(np.random.default_rng(SEED).integers(0, graph.n_nodes, (n_changes - n_changes // 2, 2)))
    share, marks = changing.pending().share, [time.process_time()]
    values = changing.signatures()
    marks.append(time.process_time())
    expected = embed(changing.snapshot(), 2, n_jobs=1)
    spent = np.diff([*marks, time.process_time()])
    difference = float(np.abs(values - expected).max())
    return {"recomputed_share": share, "on_demand_s": spent[0], "embed_s": spent[1], "difference": difference}
