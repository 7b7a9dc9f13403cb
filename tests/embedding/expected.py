"""The oracle's signatures of every kind at once, each ball looked at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests import oracles
from vnestruct.graph import Graph

Matrix = npt.NDArray[np.float64]

TOLERANCE = 1e-9


def signatures(
    graph: Graph,
    radius: int,
    *,
    weighted: bool = False,
    direction: str = "all",
    kinds: tuple[str, ...] = oracles.KINDS,
    nodes: list[int] | None = None,
) -> dict[str, Matrix]:
    """One matrix (nodes, radius) per kind, by the oracle's own functions on one dense matrix per ball."""
    matrix = oracles.adjacency(graph, weighted)
    known: dict[tuple[str, frozenset[int]], float] = {}

    def value(kind: str, members: frozenset[int]) -> float:
        if (kind, members) not in known:
            rows = sorted(members)
            known[kind, members] = oracles.WHOLE[kind](matrix[np.ix_(rows, rows)])
        return known[kind, members]

    positions = list(range(graph.n_nodes)) if nodes is None else nodes
    result = {kind: np.zeros((len(positions), radius)) for kind in kinds}
    for row, node in enumerate(positions):
        for r in range(1, radius + 1):
            members = frozenset(oracles.ball(graph, node, r, direction))
            for kind in kinds:
                if kind == "punctured":
                    result[kind][row, r - 1] = value("exact", members - {node})
                else:
                    result[kind][row, r - 1] = value(kind, members)
    return result


def assert_close(found: Matrix, wanted: Matrix, what: str, tolerance: float = TOLERANCE) -> None:
    """Fail with the place and size of the largest error."""
    assert found.shape == wanted.shape, what
    assert_clean(found, what)
    if found.size:
        error = np.abs(found - wanted)
        row, column = np.unravel_index(int(np.argmax(error)), error.shape)
        assert error[row, column] <= tolerance, (
            f"{what}: row {row}, column {column} is {found[row, column]!r}, not {wanted[row, column]!r}, "
            f"wrong by {error[row, column]:.2e}"
        )


def assert_clean(values: Matrix, what: str = "") -> None:
    """Neither NaN nor infinity, nothing below zero, and no zero with a minus sign."""
    assert values.dtype == np.float64, what
    assert np.isfinite(values).all(), f"{what}: not finite"
    assert not np.signbit(values).any(), f"{what}: negative or -0.0"
