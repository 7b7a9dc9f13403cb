"""How far roles can be trusted: whether they survive the loss of edges, and what they add to a split by degree."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.metrics.cluster import contingency_matrix

from vnestruct.embedding.embed_graph import READING
from vnestruct.embedding.named_kinds import is_role_signature
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.graph.synthetic import lose_edges
from vnestruct.roles.cluster import cut, distinct_signatures
from vnestruct.types import OffsetArray, ValueArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

LOST_SHARE = 0.05  # share of the edges that a draw removes
DRAWS, DRAWS_OF_LARGE = 20, 5  # number of draws, and for a graph of more than `_LARGE` nodes
_LARGE = 1_000
_SEPARATED_NODES = 5_000  # nodes that the separation is measured on, if there are more


@dataclass(frozen=True)
class RoleQuality:
    """How far the roles of a graph can be trusted, next to a plain split by degree into as many roles.

    Parameters
    ----------
    stability : float or None
        Mean adjusted Rand index with the roles found after losses of 5% of the edges. None without the graph, or if
        the clusterer would find other signatures in it.
    role_stability : tuple of float or None
        The Jaccard index of each role with the most similar one found after the loss (Hennig 2007, Computational
        Statistics & Data Analysis 52, 258-271). None for a role of which no node kept an edge.
    separation : float
        Mean silhouette of the signatures, 0 for one role.
    degree_stability, degree_separation, degree_agreement : float or None
        The same scores for the split by degree, and its adjusted Rand index with the roles.
    """

    stability: float | None
    role_stability: tuple[float | None, ...]
    separation: float
    degree_stability: float | None = None
    degree_separation: float | None = None
    degree_agreement: float | None = None


def role_quality(model: "RoleClusterer", graph: Graph | None) -> RoleQuality:
    """Return what can be known about fitted roles: more with the graph, all if it has the fitted signatures."""
    roles, rows, n_roles, seed = model.labels_, model.signatures_ / model.scale_, model.n_roles_, model.random_state
    nothing: tuple[float | None, ...] = (None,) * n_roles
    separated = separation(rows, roles, seed)
    if graph is None:
        return RoleQuality(None, nothing, separated)
    by_degree = degree_split(graph.degrees, n_roles)
    scores, overlaps = [], []
    again = clone(model).set_params(**dict.fromkeys(READING))  # the graph has been read
    draws = DRAWS if graph.n_nodes <= _LARGE else DRAWS_OF_LARGE
    seeds = range(seed, seed + draws) if _is_reproducible(again, graph, model.signatures_) else ()
    for left in (lose_edges(graph, LOST_SHARE, one) for one in seeds):
        # A node that has lost all its edges is not in the graph any more; one that had none stays.
        kept = (left.degrees > 0) | (graph.degrees == 0)
        if kept.any():
            found, split = _found_again(again, model, left)[kept], degree_split(left.degrees[kept], n_roles)
            scores.append([adjusted_rand_score(roles[kept], found), adjusted_rand_score(by_degree[kept], split)])
            overlaps.append(_best_overlaps(roles[kept], found, n_roles))
    stability, degree_stability = np.mean(scores, axis=0).tolist() if scores else (None, None)
    each = tuple(np.ma.masked_invalid(overlaps).mean(axis=0).tolist()) if overlaps else nothing
    agreement = float(adjusted_rand_score(roles, by_degree))
    return RoleQuality(stability, each, separated, degree_stability, separation(rows, by_degree, seed), agreement)


def separation(rows: ValueArray, roles: OffsetArray, seed: int) -> float:
    """Return the mean silhouette of roles, on a sample of many nodes; 0 if there are not at least two roles."""
    chosen = np.arange(len(rows))
    if len(rows) > _SEPARATED_NODES:
        chosen = np.random.default_rng(seed).choice(len(rows), _SEPARATED_NODES, replace=False)
    n_roles = np.unique(roles[chosen]).size
    return float(silhouette_score(rows[chosen], roles[chosen])) if 1 < n_roles < chosen.size else 0.0


def degree_split(degrees: OffsetArray, n_roles: int) -> OffsetArray:
    """Cluster nodes by the logarithm of their degree alone, into fewer groups if there are fewer degrees."""
    unique = distinct_signatures(np.log1p(degrees)[:, None])
    [centres] = cut([unique], min(n_roles, len(unique.points)))
    nearest: OffsetArray = np.abs(unique.points - centres[:, 0]).argmin(axis=1)
    return nearest[unique.index]


def _is_reproducible(model: "RoleClusterer", graph: Graph, rows: ValueArray) -> bool:
    """Tell whether the clusterer would find these signatures in a graph."""
    try:
        return np.allclose(model.signatures_of(graph)[0].values, rows, atol=1e-6)
    except ValueError:
        return False


def _found_again(again: "RoleClusterer", model: "RoleClusterer", graph: Graph) -> OffsetArray:
    """Return the roles of a changed graph, as many as there were if it has as many different signatures."""
    # Nodes that lost all their edges have a role of their own, which is one more if there was none before.
    are_set_apart = is_role_signature(model.columns_) and (model.groups_ >= 0).all()
    n_roles = model.n_roles_ + int(are_set_apart and not graph.degrees.all())
    try:
        return np.asarray(again.set_params(n_roles=n_roles).fit(graph).labels_)
    except ParameterError:
        return np.asarray(again.set_params(n_roles="auto").fit(graph).labels_)


def _best_overlaps(roles: OffsetArray, found: OffsetArray, n_roles: int) -> ValueArray:
    """Return the Jaccard index of each role with the most similar role found; NaN if no node of it is left."""
    table = contingency_matrix(roles, found)
    overlaps = np.full(n_roles, np.nan)
    overlaps[np.unique(roles)] = (table / (table.sum(axis=1)[:, None] + table.sum(axis=0) - table)).max(axis=1)
    return overlaps
