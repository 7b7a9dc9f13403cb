"""Figures 1 and 2: two far-apart nodes with equal 1-balls and different 2-balls; the barbell."""

import numpy as np
from experiments.storage import RESULTS, write_json

from vnestruct.embedding import embed
from vnestruct.graph import graph_from_ids
from vnestruct.graph.synthetic import barbell

METHOD_PATH = RESULTS / "figure1.json"
BARBELL_PATH = RESULTS / "figure2.json"

PATH_LENGTH = 6
"""Nodes between the two parts of the first figure."""


def two_parts():
    """Return a graph, two of its nodes u and v, and where to draw its nodes.

    Each of the two is the middle of a fan of three neighbours, two of which are joined. Around u the neighbours lead to
    a dense block, around v to leaves. A path joins the parts.
    """
    ball = [(0, 1), (0, 2), (0, 3), (1, 2)]
    dense = [*ball, (1, 4), (1, 5), (2, 5), (2, 6), (3, 6), (3, 7), (4, 5), (5, 6), (6, 7), (4, 7), (4, 6), (5, 7)]
    sparse = [*ball, (1, 4), (2, 5), (3, 6), (3, 7)]
    n_part = 8
    second = n_part + PATH_LENGTH
    bridge = [(7, n_part), *((n_part + i, n_part + i + 1) for i in range(PATH_LENGTH - 1))]
    bridge.append((n_part + PATH_LENGTH - 1, second + 7))
    edges = np.array([*dense, *bridge, *((a + second, b + second) for a, b in sparse)])
    graph = graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=second + n_part)
    part = np.array([(0, 0), (-1.1, 0.9), (0.2, 1.3), (1.2, -0.7), (-1.7, 2.3), (0.1, 2.7), (1.8, 1.9), (2.4, 0.2)])
    mirrored = part * (-1, 1) + (10.2, 0)
    middle = np.linspace(part[7], mirrored[7], PATH_LENGTH + 2)[1:-1]
    middle[:, 1] -= 0.7 * np.sin(np.linspace(0.4, np.pi - 0.4, PATH_LENGTH))
    return graph, 0, second, np.vstack([part, middle, mirrored])


def run():
    """Write the signatures that both figures show."""
    graph, u, v, _ = two_parts()
    signatures = embed(graph, 2, n_jobs=1)
    write_json(
        METHOD_PATH,
        {
            "nodes": graph.n_nodes,
            "edges": graph.n_edges,
            "distance": PATH_LENGTH + 5,
            "u": signatures[u].round(6).tolist(),
            "v": signatures[v].round(6).tolist(),
        },
    )
    graph = barbell(10, 7)
    signatures = embed(graph, 3, n_jobs=1)
    centred = signatures - signatures.mean(axis=0)
    _, values, directions = np.linalg.svd(centred, full_matrices=False)
    points, roles = np.unique(signatures.round(8), axis=0, return_inverse=True)
    write_json(
        BARBELL_PATH,
        {
            "nodes": graph.n_nodes,
            "distinct_signatures": len(points),
            "roles": roles.reshape(-1).tolist(),
            "projection": (centred @ directions[:2].T).round(6).tolist(),
            "explained": (values**2 / (values**2).sum()).round(4).tolist(),
        },
    )
