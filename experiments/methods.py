"""The methods of every table: a name, a matrix for a graph, and how slow it is.

RolX is given its number of roles. Its own choice, by description length, is stingy on graphs of a hundred nodes and
costs it accuracy, from which a comparison should not profit (a row of its own shows it). It gets as many as there are
true roles, and factorises each feature over its largest value, so that large sums do not drown the rest: the best of
what was tried for it (``results/rolx_choice.json``). All other methods
have the parameters of their papers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from experiments.baselines import method
from numpy.typing import NDArray

from vnestruct.embedding import embed
from vnestruct.graph import Graph

Matrix = NDArray[np.float64]
Embed = Callable[[Graph, int, int], Matrix]
"""Takes a graph, the number of true roles and a seed."""


@dataclass(frozen=True)
class Method:
    """A row of the tables.

    Parameters
    ----------
    name : str
        Name of result files.
    title : str
        Name in tables.
    embed : callable
        The method.
    slow : bool
        Whether it takes seconds on a hundred nodes.
    published : str, optional
        Name of its row in the paper.
    """

    name: str
    title: str
    embed: Embed
    slow: bool = False
    published: str | None = None


def _plain(radius):
    return lambda graph, n_roles, seed: embed(graph, radius, n_jobs=1)


def _kind(kind):
    return lambda graph, n_roles, seed: embed(graph, kind=kind, n_jobs=1)


def _baseline(name, **parameters):
    return lambda graph, n_roles, seed: method(name)(graph, seed=seed, **parameters)


def _rolx(graph, n_roles, seed):
    return method("rolx")(graph, seed=seed, n_roles=n_roles)


def _drne(graph, n_roles, seed):
    raise NotImplementedError("the program of DRNE is in commit 28d35c7; its results are committed")


METHODS = (
    *(Method(f"vnestruct-r{r}", f"VNEstruct, R = {r}", _plain(r), published="VNEstruct") for r in (1, 2, 3)),
    Method("noisy", 'kind "noisy" (ours)', _kind("noisy")),
    Method("control", "degree control", _baseline("control")),
    Method("refex", "ReFeX", _baseline("refex")),
    Method("rolx", "RolX", _rolx, published="RolX"),
    Method("rolx-own", "RolX, its own number of roles", _baseline("rolx")),
    Method("graphwave", "GraphWave, exact", _baseline("graphwave"), published="GraphWave"),
    Method("graphwave-chebyshev", "GraphWave, Chebyshev", _baseline("graphwave", method="chebyshev")),
    Method("struc2vec", "struc2vec", _baseline("struc2vec"), slow=True, published="struc2vec"),
    Method("deepwalk", "DeepWalk", _baseline("deepwalk"), slow=True, published="DeepWalk"),
    Method("node2vec", "node2vec", _baseline("node2vec"), slow=True),
    Method("drne", "DRNE", _drne, slow=True),
)
BY_NAME = {one.name: one for one in METHODS}
