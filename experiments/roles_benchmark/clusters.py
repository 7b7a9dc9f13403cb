"""Clustering: how well roles that `RoleClusterer` finds without labels agree with known ones, signature by signature.

This is the evidence for its default. Ward linkage, as many roles as classes, columns as they come.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from experiments.preset_trials import CLEAN, Setting, make_graph
from experiments.real_graphs import labelled_graph
from experiments.roles_benchmark.survey import Labels
from experiments.storage import RESULTS, read_json, write_json
from sklearn.metrics import v_measure_score

from vnestruct.graph import Graph
from vnestruct.roles import RoleClusterer
from vnestruct.roles.distinct import distinct_signatures
from vnestruct.roles.signature import role_signature

PATH = RESULTS / "roles_benchmark" / "clusters.json"
SIGNATURES: dict[str, dict[str, Any]] = {
    "VNEstruct, R = 1": {"radius": 1},
    "VNEstruct, R = 2": {"radius": 2},
    'preset "noisy"': {"preset": "noisy"},
    'preset "profile"': {"preset": "profile"},
}
RINGS = [
    Setting(ring, noise, amount) for ring in ("houses", "varied") for noise, amount in ((CLEAN, 0), ("added", 0.1))
]
RING_SEEDS = range(4000, 4020)
GRAPHS = ("brazil-airports", "europe-airports", "actor", "film")


def run() -> None:
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


def agreements(graph: Graph, classes: Labels) -> dict[str, float]:
    """Return the V-measure of the roles found from each signature."""
    known = classes >= 0
    n_roles = len(set(classes[known].tolist()))
    scores = {}
    for name, parameters in SIGNATURES.items():
        values = role_signature(graph, **parameters, n_jobs=1)[0]
        model = RoleClusterer(min(n_roles, len(distinct_signatures(values).points))).fit_signatures(values)
        scores[name] = float(v_measure_score(classes[known], model.labels_[known]))
    return scores


def results() -> dict[str, dict[str, float]]:
    """Return the committed scores, by graph and signature."""
    return read_json(PATH) or {}
