"""The start nodes of random walks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vnestruct.errors import ParameterError


def start_nodes(n_nodes: int, n_walks: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the start of every walk: `n_walks` passes over all nodes, each in a fresh random order.

    Examples
    --------
    >>> import numpy as np
    >>> starts = start_nodes(3, 2, np.random.default_rng(0))
    >>> sorted(starts[:3].tolist()), sorted(starts[3:].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    nodes = np.arange(n_nodes, dtype=np.int32)
    return np.concatenate([rng.permutation(nodes) for _ in range(n_walks)])


def check_walks(n_walks: int, length: int) -> None:
    """Raise an error if the number or length of walks is impossible."""
    if n_walks < 1 or length < 1:
        raise ParameterError(f"n_walks is {n_walks} and length {length}; both must be at least 1")
