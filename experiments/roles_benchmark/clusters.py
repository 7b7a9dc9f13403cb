"""Clustering: how well roles that `RoleClusterer` finds without labels agree with known ones, kind by kind."""

import numpy as np
from experiments.real_graphs import labelled_graph
from experiments.rings import CLEAN, Setting, make_graph
from experiments.storage import RESULTS, write_json
from sklearn.metrics import v_measure_score

from vnestruct import embed
from vnestruct.roles import RoleClusterer

PATH = RESULTS / "roles_benchmark" / "clusters.json"
BEFORE = RESULTS / "roles_benchmark" / "clusters_ward.json"
"""Figures of Ward linkage with as many roles as classes, measured once at commit b3aabe0."""

SIGNATURES = {
    "VNEstruct, R = 1": {"kind": "approx", "radius": 1},
    "VNEstruct, R = 2": {"kind": "approx", "radius": 2},
    'kind "roles"': {"kind": "roles"},
    'kind "profile"': {"kind": "profile"},
    'kind "noisy"': {"kind": "noisy"},
}
RINGS = [
    Setting(ring, noise, amount) for ring in ("houses", "varied") for noise, amount in ((CLEAN, 0), ("added", 0.1))
]
RING_SEEDS = range(4000, 4020)
GRAPHS = ("brazil-airports", "europe-airports", "actor", "film")


def run():
    """Compute the V-measure of every signature on rings and labelled graphs, if it is missing."""
    if PATH.exists():
        return
    found = {}
    for setting in RINGS:
        scores = [agreements(*make_graph(setting, seed)) for seed in RING_SEEDS]
        found[str(setting)] = {name: float(np.mean([one[name] for one in scores])) for name in SIGNATURES}
    for name in GRAPHS:
        found[name] = agreements(*labelled_graph(name))
        print(f"{name}: clusters", flush=True)
    write_json(PATH, found)


def agreements(graph, classes):
    """Return the V-measure of the roles found from each signature."""
    known = classes >= 0
    n_roles = len(set(classes[known].tolist()))
    scores = {}
    for name, parameters in SIGNATURES.items():
        n_distinct = len(np.unique(embed(graph, **parameters, n_jobs=1).round(8), axis=0))
        roles = RoleClusterer(min(n_roles, n_distinct), **parameters, n_jobs=1).fit(graph).labels_
        scores[name] = float(v_measure_score(classes[known], roles[known]))
    return scores
