"""GraphWave and RolX as the program that the printed rows come from runs them, in our own code.

Both are in github.com/snap-stanford/graphwave, by GraphWave's authors, and neither is quite the method of its paper.
GraphWave: scales from the number of nodes instead of the second eigenvalue, other shares of energy; 25 points, as in
its examples.
RolX, a baseline there: recursive features are kept unless they depend linearly on those before them, and nothing is
binned; the factorisation starts at random with a fixed seed and has as many roles as there are classes.
"""

import warnings

import numpy as np
from experiments.baselines.graphwave import characteristic_function, exact_wavelets, laplacian
from experiments.baselines.refex import egonet_features
from experiments.baselines.structure import neighbour_mean, neighbour_sum
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

KEPT = (0.95, 0.80)
"""Shares of energy that the smallest and the largest scale keep."""

POINTS, FLOOR = 25, 1e-4


def default_scales(eigenvalue):
    """Return the program's two scales for a second eigenvalue, which it takes to be 1 / n."""
    return -np.log(np.array(KEPT)) * np.sqrt(0.5 / eigenvalue)


def graphwave(graph):
    """Return GraphWave's embedding with the program's settings.

    Wavelets below 1e-4 / n become 0. The program has them from a Chebyshev polynomial of degree 30, whose error at
    these scales is below rounding; here they are exact.
    """
    wavelets = exact_wavelets(laplacian(graph, "normalized"), default_scales(1.0 / graph.n_nodes))
    cut = [np.where(one > FLOOR / graph.n_nodes, one, 0.0) for one in wavelets]
    return np.hstack([characteristic_function(one, POINTS) for one in cut])


@threadpool_limits.wrap(limits=1)  # Hundreds of small problems: more threads would take thirty times as long.
def independent_features(graph):
    """Return recursive features of unit length that are no linear combinations of those before them.

    Degree, edges inside and edges leaving the 1-ball are aggregated one after the other, by sum and mean over all
    columns of the level before. These three are always kept. Another column is left out if its squared residual is at
    most 10^level times 1e-15, or if the columns before it are dependent, or as many as the nodes. A level without
    new columns is the last.
    """
    found = []
    for base in egonet_features(graph).T:
        columns, level, n_before = base[:, None], 0, -1
        while len(found) > n_before:
            n_before = len(found)
            for column in columns.T:
                length = np.linalg.norm(column)
                if length > 0 and (level == 0 or _residual(found, column / length) > 1e-15 * 10.0**level):
                    found.append(column / length)
            columns, level = np.hstack([neighbour_sum(graph, columns), neighbour_mean(graph, columns)]), level + 1
    return np.column_stack(found)


def _residual(columns, column):
    # NumPy gives no residual if the columns do not have full rank, and the program takes that for 0.
    return float(np.linalg.lstsq(np.column_stack(columns), column, rcond=-1)[1].sum())


def rolx(graph, n_roles):
    """Return the program's roles: scikit-learn's factorisation from a random start, whose seed is always 0."""
    features = independent_features(graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return NMF(n_roles, init="random", random_state=0).fit(features).transform(features)
