"""Another Enron graph than the paper's (which is in ``experiments/published``): clusters against positions.

As many clusters as positions: 7, or 8 if people of unknown position count as a class. Even without them the whole
graph is embedded; they are only left out of clustering and scores. Ward and single linkage; the random methods are run
with several seeds and averaged.
"""

import numpy as np
from experiments.methods import METHODS
from experiments.protocol import CLUSTERING, LINKAGES, clustering_scores
from experiments.real_graphs import UNKNOWN, enron
from experiments.storage import RESULTS, read_rows, write_rows

PATH = RESULTS / "enron.csv"
RUNS = {"struc2vec": 3, "deepwalk": 3, "node2vec": 3, "drne": 1}
"""Seeds of the random methods; DRNE takes minutes on a graph as dense as this."""


def run():
    """Compute what is missing."""
    rows = read_rows(PATH)
    known = {row["method"] for row in rows}
    graph, positions = enron()
    for method in METHODS:
        if method.name in known:
            continue
        for seed in range(RUNS.get(method.name, 1)):
            signatures = method.embed(graph, 7, seed)
            for people in ("with unknown", "without unknown"):
                chosen = np.ones(positions.size, bool) if people == "with unknown" else positions != UNKNOWN
                roles = np.unique(positions[chosen], return_inverse=True)[1].astype(np.int64)
                scores = clustering_scores(signatures[chosen], roles)
                names = [f"{linkage}_{measure}" for linkage in LINKAGES for measure in CLUSTERING]
                rows.append(
                    {"method": method.name, "people": people, "seed": seed, "dimension": signatures.shape[1]}
                    | dict(zip(names, scores, strict=True))
                )
        write_rows(PATH, rows)
        print(f"enron: {method.name}", flush=True)
