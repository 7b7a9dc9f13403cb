"""Does time grow in step with the graph? Grids of growing size, numbered row by row and at random."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks.harness import compare, growth_exponent
from vnestruct import embed
from vnestruct.graph import synthetic

RADIUS = 3
SIDES = (100, 178, 316, 562, 1000)
SEED = 11
ORDERS = {"row-major": None, "shuffled": SEED}


def grid_growth(
    sides: Sequence[int] = SIDES, threads: Sequence[int] = (1, 2), radius: int = RADIUS, repeats: int = 3
) -> list[dict[str, Any]]:
    """Time `embed` on square grids; fit the exponent for each order of ids and number of threads."""
    results = []
    for order, seed in ORDERS.items():
        seconds: dict[int, list[float]] = {n: [] for n in threads}
        for side in sides:
            graph = synthetic.grid(side, side, shuffled=seed)
            timings = compare({str(n): partial(embed, graph, radius, n_jobs=n) for n in threads}, repeats=repeats)
            for n in threads:
                seconds[n].append(timings[str(n)].best)
        sizes = [side * side for side in sides]
        results += [
            {
                "order": order,
                "radius": radius,
                "threads": n,
                "nodes": sizes,
                "best_s": seconds[n],
                "exponent": growth_exponent(sizes, seconds[n]),
            }
            for n in threads
        ]
    return results
