"""Table 2 on the published Enron graph: clusters against the seven positions.

The paper does not say what it did with people of unknown position, so there are three versions: `known` clusters and
scores only the others, as the published program does; `scored` clusters everyone and scores the others; `class` makes
them an eighth class. The silhouette is that of the people who are clustered.
"""

import numpy as np
from experiments.published.evaluator import cluster_scores
from experiments.published.graphs import UNKNOWN, enron
from experiments.published.methods import METHODS
from experiments.storage import RESULTS, complete_rows

PATH = RESULTS / "published" / "enron.csv"
VERSIONS = ("known", "scored", "class")
RUNS = {"struc2vec": 3, "deepwalk": 3, "drne": 0}
"""Seeds of the random methods; DRNE takes minutes on a graph as dense as this."""

N_POSITIONS = 7
N_ROLES = 16
"""Roles that RolX is given: the smaller dimension printed for it."""


def run():
    """Compute what is missing, the fast methods first."""
    graph, positions = enron()
    methods = {method.name: method for method in METHODS}

    def measure(key):
        embedding = methods[key["method"]].embed(graph, N_ROLES, key["seed"])
        row = {"dimension": embedding.shape[1]}
        for version in VERSIONS:
            scores = version_scores(embedding, positions, version)
            row |= {f"{version}_{name}": value for name, value in scores.items()}
        return row

    in_order = sorted(METHODS, key=lambda one: one.slow)
    keys = [{"method": one.name, "seed": seed} for one in in_order for seed in range(RUNS.get(one.name, 1))]
    complete_rows(PATH, keys, measure, lambda row: (list(methods).index(row["method"]), row["seed"]))


def version_scores(embedding, positions, version):
    """Return homogeneity, completeness and silhouette of one of the `VERSIONS`."""
    known = positions != UNKNOWN
    roles = np.unique(positions, return_inverse=True)[1].astype(np.int64)
    if version == "class":
        return cluster_scores(embedding, roles)
    chosen = np.ones(known.size, bool) if version == "scored" else known
    return cluster_scores(embedding[chosen], roles[chosen], n_clusters=N_POSITIONS, scored=known[chosen])
