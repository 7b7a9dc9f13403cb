"""Theory, second part: the Fannes-Audenaert bound against real perturbations, for exact H and for H_hat.

Edges are added anywhere, rewired, or added all at one node. The bound is Audenaert's sharp form, T ln(n - 1) +
h(T) with T half the trace norm of the difference of the density matrices; nodes are matched by label, which can only
enlarge T. The paper's own form puts the whole trace norm into its binary entropy, which is undefined past
1: `paper_bound` is empty there.
"""

import networkx as nx
import numpy as np
from experiments.entropy_quality import as_networkx, dense_laplacian, entropies
from experiments.real_graphs import enron, labelled_graph
from experiments.rings import RINGS, added, edges_of, rewired, ring_of_shapes
from experiments.storage import RESULTS, data_folder, read_rows, write_rows

from vnestruct import as_graph, read_graph
from vnestruct.graph import graph_from_ids

PATH = RESULTS / "continuity.csv"
SEEDS = range(10)
AMOUNTS = (1, 2, 5, 10)


def graphs():
    """Return the graphs to perturb."""
    return {
        "two karate clubs": read_graph(data_folder() / "roles" / "karate-mirrored.edgelist"),
        "ring of houses": ring_of_shapes(RINGS["houses"], None)[0],
        "Brazil airports": labelled_graph("brazil-airports")[0],
        "Enron": enron()[0],
        "cycle of 200": as_graph(nx.cycle_graph(200)),
        "double star of 100": graph_from_ids(np.repeat([0, 0, 1], [1, 49, 49]), np.arange(1, 100), n_nodes=100),
    }


def at_one_node(graph, n_added, seed):
    """Return the graph with edges added from one random node to random others."""
    generator = np.random.default_rng(seed)
    room = np.flatnonzero(graph.n_nodes - 1 - graph.degrees >= n_added)
    node = int(generator.choice(room))
    free = np.ones(graph.n_nodes, bool)
    free[[node, *graph.indices[graph.indptr[node] : graph.indptr[node + 1]].tolist()]] = False
    ends = generator.choice(np.flatnonzero(free), n_added, replace=False)
    source, target = edges_of(graph)
    pairs = np.append(source, np.full(n_added, node)), np.append(target, ends)
    return graph_from_ids(*pairs, n_nodes=graph.n_nodes)


CHANGES = {"added": added, "rewired": rewired, "at one node": at_one_node}


def run():
    """Measure every graph, change, amount and seed; graphs already in the file are not measured again."""
    rows = read_rows(PATH)
    known = {row["graph"] for row in rows}
    for name, graph in graphs().items():
        if name in known:
            continue
        before = dense_laplacian(as_networkx(graph))
        for change, amount, seed in ((c, a, s) for c in CHANGES for a in AMOUNTS for s in SEEDS):
            after = dense_laplacian(as_networkx(CHANGES[change](graph, amount, seed)))
            row = {"graph": name, "change": change, "edges": amount, "seed": seed}
            rows.append(row | compare(before, after))
        write_rows(PATH, rows)
        print(f"continuity: {name}", flush=True)


def compare(before, after):
    """Return the changes of H and H_hat, the sharp bound, and the paper's."""
    norm = float(np.abs(np.linalg.eigvalsh(before / np.trace(before) - after / np.trace(after))).sum())
    n_nodes = len(before)
    (exact, _, approx), (exact_after, _, approx_after) = entropies(before), entropies(after)
    return {
        "trace_norm": norm,
        "exact_change": abs(exact_after - exact),
        "approx_change": abs(approx_after - approx),
        "bound": norm / 2 * np.log(n_nodes - 1) + _binary_entropy(norm / 2),
        "paper_bound": norm / 2 * np.log(n_nodes - 1) + _binary_entropy(norm) if norm <= 1 else "",
    }


def _binary_entropy(share):
    return float(-sum(p * np.log(p) for p in (share, 1 - share) if p > 0))
