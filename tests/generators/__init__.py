"""Synthetic graphs beyond those of `vnestruct.graph.synthetic`, for tests, experiments and benchmarks.

They live with the tests because these are in the source distribution, and experiments and benchmarks are not.
"""

from tests.generators.families import (
    balanced_tree,
    complete_bipartite,
    complete_multipartite,
    connected_caveman,
    double_star,
    hypercube,
)
from tests.generators.planted import (
    phone_calls,
    planted_accounts,
    planted_broadcasters,
    planted_brokers,
    ring_of_caves,
    talk_pages,
)
from tests.generators.random_graphs import erdos_renyi, power_law, random_regular, watts_strogatz, web
from tests.generators.randomize import perturb, rewire
from tests.generators.rings import Shape, fan_shape, house_shape, ring_of_shapes, star_shape
from vnestruct.graph.synthetic import barabasi_albert, barbell, clique, cycle, grid, path, star

__all__ = [
    "Shape",
    "balanced_tree",
    "barabasi_albert",
    "barbell",
    "clique",
    "complete_bipartite",
    "complete_multipartite",
    "connected_caveman",
    "cycle",
    "double_star",
    "erdos_renyi",
    "fan_shape",
    "grid",
    "house_shape",
    "hypercube",
    "path",
    "perturb",
    "phone_calls",
    "planted_accounts",
    "planted_broadcasters",
    "planted_brokers",
    "power_law",
    "random_regular",
    "rewire",
    "ring_of_caves",
    "ring_of_shapes",
    "star",
    "star_shape",
    "talk_pages",
    "watts_strogatz",
    "web",
]
