"""Role and node embedding methods to compare with, one module per method.

Every method module has ``embed(graph, *, seed=0, **parameters)``, which takes a
:class:`vnestruct.graph.Graph` and returns one float64 row per node. The same seed gives the same matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from vnestruct.errors import ParameterError

METHODS = ("control", "refex", "rolx", "graphwave", "struc2vec", "deepwalk", "node2vec", "drne")
"""The methods by name; each is a module of this package."""

__all__ = ["METHODS", "method"]


def method(name: str) -> Callable[..., NDArray[np.float64]]:
    """Return the ``embed`` function of a method, importing its module only now.

    Parameters
    ----------
    name : str
        One of :data:`METHODS`.

    Returns
    -------
    callable
        ``embed(graph, *, seed=0, **parameters)``.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> triangle = graph_from_ids([0, 1, 2], [1, 2, 0], n_nodes=3)
    >>> method("control")(triangle).round(3)
    array([[1.099, 1.099, 0.   , 0.693],
           [1.099, 1.099, 0.   , 0.693],
           [1.099, 1.099, 0.   , 0.693]])
    """
    if name not in METHODS:
        raise ParameterError(f"method is {name!r}; choose one of {', '.join(METHODS)}")
    embed: Callable[..., NDArray[np.float64]] = import_module(f"{__name__}.{name}").embed
    return embed
