"""What the printed rows of GraphWave and RolX depend on: the program's settings, and one of them changed at a time.

One row of ``results/published/settings.csv`` per set of rings and setting. Scores are means over the graphs of a set.
"""

from functools import cache, partial
from itertools import product

import numpy as np
from experiments.baselines.graphwave import laplacian, scale_range, spectral_bounds
from experiments.baselines.refex import recursive_features
from experiments.baselines.rolx import scaled
from experiments.published.evaluator import evaluate
from experiments.published.graphs import N_GRAPHS, SETS, ring
from experiments.published.programs import default_scales, graphwave, independent_features, memberships
from experiments.published.readings import REPETITIONS
from experiments.storage import RESULTS, complete_rows

PATH = RESULTS / "published" / "settings.csv"
NAMES = ("method", "setting", "set")
DEFAULT = "as in the program"
STARTS = tuple(range(1, 6))
"""Other seeds of the factorisation; the program's is 0."""


def _graphwave(graph, n_roles, **settings):
    return graphwave(graph, **settings)


def _other_energy(graph, n_roles):
    return graphwave(graph, scales=default_scales(1.0 / graph.n_nodes, (0.95, 0.85)))


def _second_eigenvalue(graph, n_roles):
    return graphwave(graph, scales=default_scales(spectral_bounds(laplacian(graph, "normalized"))[0]))


def _scales_of_the_paper(graph, n_roles):
    return graphwave(graph, scales=np.array(scale_range(*spectral_bounds(laplacian(graph, "normalized")))))


@cache
def _features(graph, tolerance=1e-15):
    return independent_features(graph, tolerance)


def _rolx(graph, n_roles, *, roles=None, seed=0, start="random"):
    return memberships(_features(graph), roles or n_roles, seed=seed, start=start)


def _looser(graph, n_roles):
    return memberships(_features(graph, 1e-14), n_roles)


def _refex(graph, n_roles):
    features = scaled(recursive_features(graph).values)
    return memberships(features, min(n_roles, features.shape[1]))


SETTINGS = {
    ("GraphWave", DEFAULT): _graphwave,
    ("GraphWave", "largest scale keeps 85%, not 80%, of the energy"): _other_energy,
    ("GraphWave", "second eigenvalue computed, not 1 / n"): _second_eigenvalue,
    ("GraphWave", "scales of GraphWave's paper"): _scales_of_the_paper,
    ("GraphWave", "scales 19 and 20, as in the program's example"): partial(_graphwave, scales=np.array([19.0, 20.0])),
    ("GraphWave", "50 points, not 25"): partial(_graphwave, n_points=50),
    ("GraphWave", "small wavelets not set to 0"): partial(_graphwave, floor=0.0),
    ("GraphWave", "Laplacian not normalised"): partial(_graphwave, kind="combinatorial"),
    ("RolX", DEFAULT): _rolx,
    **{("RolX", f"start {seed} of the factorisation, not 0"): partial(_rolx, seed=seed) for seed in STARTS},
    ("RolX", "start from the singular vectors"): partial(_rolx, start="nndsvd"),
    **{("RolX", f"{roles} roles, not the true number"): partial(_rolx, roles=roles) for roles in (2, 4, 6, 8)},
    ("RolX", "ten times the tolerance for dependent features"): _looser,
    ("RolX", "ReFeX's features, as in RolX's paper"): _refex,
}


def measure(key):
    """Return the means of a setting over the graphs of a set."""
    found = []
    for number in range(N_GRAPHS):
        graph, roles = ring(key["set"], number)
        embedding = SETTINGS[key["method"], key["setting"]](graph, int(roles.max()) + 1)
        found.append(evaluate(embedding, roles, number, REPETITIONS))
    return {name: float(np.mean([row[name] for row in found])) for name in found[0]}


def run():
    """Compute what is missing."""
    # Set by set, so that the features of a graph are computed once.
    keys = [dict(zip(NAMES, (*setting, name), strict=True)) for name, setting in product(SETS, SETTINGS)]
    order = list(SETTINGS)
    complete_rows(
        PATH, keys, measure, lambda row: (order.index((row["method"], row["setting"])), list(SETS).index(row["set"]))
    )
