"""What was tried to meet the printed VNEstruct rows of Table 1: readings of the method and of the evaluation.

A reading fixes the entropy, whether a ball contains its centre, the radii, and how columns are scaled. Every reading is
evaluated with three linkages and with homogeneity and completeness in both orders. Values are not rounded, as in the
published program. One row of ``results/published/readings.csv`` per reading and set of rings.
"""

from functools import cache
from itertools import product

import numpy as np
from experiments.entropy_quality import as_networkx, dense_laplacian
from experiments.published.evaluator import cluster_scores, neighbour_scores
from experiments.published.graphs import N_GRAPHS, SETS, ring
from experiments.storage import RESULTS, complete_rows
from scipy.sparse.csgraph import shortest_path

PATH = RESULTS / "published" / "readings.csv"
NAMES = ("set", "entropy", "centre", "radii", "scaling")
REPETITIONS = 10
"""Fewer than in the tables: means over 20 graphs change by about .001."""

CENTRES = ("with centre", "without centre")
RADII = {"R = 1": [0], "R = 2": [0, 1], "R = 3": [0, 1, 2], "2 alone": [1], "3 alone": [2]}
SCALINGS = ("as is", "standardised")
LINKAGES = ("single", "average", "ward")


def ball_spectra(graph, radius, *, centre):
    """Return the Laplacian eigenvalues of every node's ball."""
    laplacian = dense_laplacian(as_networkx(graph))
    hops = shortest_path(laplacian < 0, unweighted=True)
    spectra = []
    for node in range(graph.n_nodes):
        ball = np.flatnonzero((hops[node] <= radius) & (centre | (np.arange(graph.n_nodes) != node)))
        inside = laplacian[np.ix_(ball, ball)]
        # What a row sums to is the number of links that leave the ball.
        spectra.append(np.linalg.eigvalsh(inside - np.diag(inside.sum(axis=1))))
    return spectra


def quadratic(spectra):
    """Return Q = 1 - Tr(rho^2), with rho = L / Tr(L); 0 for balls without edges."""
    return np.array([1 - (one**2).sum() / one.sum() ** 2 if one.sum() > 0.5 else 0.0 for one in spectra])


def approximate(spectra):
    """Return -Q ln(largest eigenvalue of rho), as in Algorithm 1."""
    return quadratic(spectra) * np.array([np.log(one.sum() / one[-1]) if one.sum() > 0.5 else 0.0 for one in spectra])


def literal(spectra):
    """Return -Q ln(largest eigenvalue of L), as equation 5 is printed."""
    return -quadratic(spectra) * np.array([np.log(one[-1]) if one.sum() > 0.5 else 0.0 for one in spectra])


def exact(spectra):
    """Return the von Neumann entropy -Tr(rho ln rho)."""
    shares = [one[one > 1e-9] / max(one.sum(), 0.5) for one in spectra]
    return np.array([-(share * np.log(share)).sum() for share in shares])


ENTROPIES = {
    "Algorithm 1": approximate,
    "equation 5 as printed": literal,
    "exact": exact,
    "Q": quadratic,
}


@cache
def _columns(name, number, entropy, centre):
    return np.column_stack([ENTROPIES[entropy](_spectra(name, number, radius, centre)) for radius in (1, 2, 3)])


@cache
def _spectra(name, number, radius, centre):
    return ball_spectra(ring(name, number)[0], radius, centre=centre == CENTRES[0])


def measure(key):
    """Return the means of a reading over the graphs of a set."""
    found = []
    for number in range(N_GRAPHS):
        roles = ring(key["set"], number)[1]
        columns = _columns(key["set"], number, key["entropy"], key["centre"])[:, RADII[key["radii"]]]
        if key["scaling"] == "standardised":
            columns = (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-12)
        row = {}
        for linkage in LINKAGES:
            scores = cluster_scores(columns, roles, linkage=linkage)
            row |= {f"{linkage}_{measure}": value for measure, value in scores.items()}
        row["accuracy"], row["macro_f1"] = neighbour_scores(columns, roles, number, REPETITIONS)
        found.append(row)
    return {measure: float(np.mean([row[measure] for row in found])) for measure in found[0]}


def run():
    """Compute what is missing."""
    keys = [dict(zip(NAMES, choice, strict=True)) for choice in product(SETS, ENTROPIES, CENTRES, RADII, SCALINGS)]
    complete_rows(PATH, keys, measure, lambda row: keys.index({name: row[name] for name in NAMES}))


if __name__ == "__main__":
    run()
