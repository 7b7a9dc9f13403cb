"""The rows of the published tables: the paper's methods, and ours.

Two baselines are not those of the other tables. GraphWave has the normalised Laplacian, as its authors' program has it;
the printed rows are near this version and far from the other. RolX is shown with the true number of roles and with four
roles, which the printed rows are nearest to; the paper states neither.
"""

from __future__ import annotations

from experiments.baselines import method
from experiments.methods import BY_NAME, Embed, Method, rolx_with

from vnestruct import embed, profile

FEW_ROLES = 4
RADII = (1, 2, 3)


def _unscaled(radius: int) -> Embed:
    return lambda graph, n_roles, seed: embed(graph, radius, kind="unscaled", n_jobs=1)


METHODS = (
    *(BY_NAME[f"vnestruct-r{r}"] for r in RADII),
    *(Method(f"equation5-r{r}", f"equation 5 as printed, R = {r}", _unscaled(r), published="VNEstruct") for r in RADII),
    BY_NAME["preset"],
    Method("profile", "entropy profile (ours)", lambda graph, n_roles, seed: profile(graph, n_jobs=1)),
    BY_NAME["control"],
    BY_NAME["rolx"],
    Method(
        "rolx-few",
        f"RolX, {FEW_ROLES} roles",
        lambda graph, n_roles, seed: rolx_with(graph, FEW_ROLES, seed, "scaled"),
        published="RolX",
    ),
    Method(
        "graphwave-normalized",
        "GraphWave",
        lambda graph, n_roles, seed: method("graphwave")(graph, seed=seed, laplacian_kind="normalized"),
        published="GraphWave",
    ),
    BY_NAME["struc2vec"],
    BY_NAME["deepwalk"],
    BY_NAME["drne"],
)
