"""Role and node embedding methods to compare with.

Each is a function ``embed(graph, *, seed=0, **parameters)``, which takes a `vnestruct.graph.Graph`, of which only the
undirected, unweighted structure is used, and returns one float64 row per node. The same seed gives the same matrix.
"""

from importlib import import_module

METHODS = {
    "control": "structure", "refex": "refex", "rolx": "rolx", "graphwave": "graphwave", "struc2vec": "struc2vec",
    "deepwalk": "skipgram", "node2vec": "skipgram",
}  # fmt: skip
"""The module of each method."""


def method(name):
    """Return the function of a method, importing its module only now."""
    return getattr(import_module(f"{__name__}.{METHODS[name]}"), name)
