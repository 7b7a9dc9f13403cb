"""The rows of the published tables: the paper's methods, and ours.

GraphWave and RolX are there twice: as the program that the printed rows come from runs them, and as their papers
describe them.
"""

from dataclasses import replace

from experiments.baselines import method
from experiments.methods import BY_NAME, Method
from experiments.published import programs

from vnestruct import embed

RADII = (1, 2, 3)


def _unscaled(radius):
    return lambda graph, n_roles, seed: embed(graph, radius, kind="unscaled", n_jobs=1)


METHODS = (
    *(BY_NAME[f"vnestruct-r{r}"] for r in RADII),
    *(Method(f"equation5-r{r}", f"equation 5 as printed, R = {r}", _unscaled(r), published="VNEstruct") for r in RADII),
    BY_NAME["noisy"],
    Method("profile", 'kind "profile" (ours)', lambda graph, n_roles, seed: embed(graph, kind="profile", n_jobs=1)),
    BY_NAME["control"],
    Method("rolx-program", "RolX", lambda graph, n_roles, seed: programs.rolx(graph, n_roles), published="RolX"),
    replace(BY_NAME["rolx"], title="RolX, features of its paper"),
    Method(
        "graphwave-program",
        "GraphWave",
        lambda graph, n_roles, seed: programs.graphwave(graph),
        published="GraphWave",
    ),
    Method(
        "graphwave-normalized",
        "GraphWave, scales of its paper",
        lambda graph, n_roles, seed: method("graphwave")(graph, seed=seed, kind="normalized"),
        published="GraphWave",
    ),
    BY_NAME["struc2vec"],
    BY_NAME["deepwalk"],
    BY_NAME["drne"],
)
