"""Synthetic graphs beyond those of `vnestruct.graph.synthetic`, for tests, experiments and benchmarks.

They live with the tests because these are in the source distribution, and experiments and benchmarks are not.
"""

# ruff: noqa: F401
from tests.generators.families import (
    balanced_tree,
    complete_bipartite,
    complete_multipartite,
    connected_caveman,
    double_star,
    from_networkx,
    hypercube,
)  # fmt: skip
from tests.generators.random_graphs import erdos_renyi, power_law, random_regular, watts_strogatz, web
from tests.generators.randomize import perturb
from tests.generators.rings import Shape, fan_shape, house_shape, ring_of_shapes, star_shape
from vnestruct.graph.synthetic import barabasi_albert, barbell, clique, cycle, grid, path, star
