"""Theory, first part: how close H_hat is to H, on the ego networks of five real graphs, by radius and size.

Nodes are drawn at random; a ball of more than `LARGEST` nodes is left out, and counted. All entropies come from the
eigenvalues of the dense Laplacian here, so that nothing of the package is taken on trust.
"""

import networkx as nx
import numpy as np
from experiments.real_graphs import plain_graph
from experiments.rings import edges_of
from experiments.storage import RESULTS, read_rows, write_json, write_rows

PATH = RESULTS / "entropy_quality.csv"
CASES_PATH = RESULTS / "entropy_equality.json"
GRAPHS = {
    "email-Eu-core": "email-Eu-core.txt.gz",
    "facebook": "facebook_combined.txt.gz",
    "ca-GrQc": "ca-GrQc.txt.gz",
    "email-Enron": "email-Enron.txt.gz",
    "usroads": "usroads.mtx.gz",
}
RADII = (1, 2, 3)
N_NODES = 150
LARGEST = 500


def entropies(laplacian):
    """Return H, Q and H_hat of a dense Laplacian, from their definitions."""
    trace = np.trace(laplacian)
    if trace == 0.0:
        return 0.0, 0.0, 0.0
    values = np.linalg.eigvalsh(laplacian / trace)
    positive = values[values > 1e-12]
    quadratic = max(float(1.0 - (positive**2).sum()), 0.0)
    exact = float(-(positive * np.log(positive)).sum())
    # Adding 0.0 turns -0.0 into 0.0.
    return max(exact, 0.0) + 0.0, quadratic, max(float(-quadratic * np.log(positive.max())), 0.0) + 0.0


def dense_laplacian(graph):
    """Return the Laplacian of a graph without weights."""
    return nx.laplacian_matrix(graph, weight=None).toarray().astype(float)


def as_networkx(graph):
    """Return a graph with nodes by position."""
    copy = nx.empty_graph(graph.n_nodes)
    copy.add_edges_from(zip(*(ends.tolist() for ends in edges_of(graph)), strict=True))
    return copy


def ball(graph, node, radius):
    """Return the graph of the nodes within some hops, or None if there are too many."""
    members, front = {node}, {node}
    for _ in range(radius):
        front = {other for one in front for other in graph[one]} - members
        members |= front
        if len(members) > LARGEST:
            return None
    return graph.subgraph(members)


def run():
    """Measure balls and special cases; graphs already in the file are not measured again."""
    write_json(CASES_PATH, special_cases())
    rows = read_rows(PATH)
    known = {row["graph"] for row in rows}
    for name, file in GRAPHS.items():
        if name in known:
            continue
        graph = plain_graph(file)
        network = as_networkx(graph)
        drawn = np.random.default_rng(0).choice(np.flatnonzero(graph.degrees > 0), N_NODES, replace=False)
        for radius in RADII:
            for node in drawn.tolist():
                members = ball(network, node, radius)
                row = {"graph": name, "radius": radius, "node": node, "nodes": -1}
                row |= {"exact": -1.0, "approx": -1.0}
                if members is not None:
                    exact, _, approx = entropies(dense_laplacian(members))
                    row |= {"nodes": len(members), "exact": exact, "approx": approx}
                rows.append(row)
        write_rows(PATH, rows)
        print(f"entropy quality: {name}", flush=True)


def special_cases():
    """Return H and H_hat of families with known spectra, including the single edge."""
    cases = {
        "one edge": nx.path_graph(2),
        "two separate edges": nx.Graph([(0, 2), (1, 3)]),
        "path of 3": nx.path_graph(3),
        "triangle": nx.complete_graph(3),
        **{f"complete graph of {n}": nx.complete_graph(n) for n in (10, 100)},
        **{f"star of {n} leaves": nx.star_graph(n) for n in (10, 100)},
        **{f"cycle of {n}": nx.cycle_graph(n) for n in (10, 100)},
    }
    rows = []
    for name, graph in cases.items():
        exact, quadratic, approx = entropies(dense_laplacian(graph))
        rows.append(
            {"graph": name, "exact": round(exact, 6) + 0.0, "q": round(quadratic, 6), "approx": round(approx, 6) + 0.0}
        )
    return rows
