"""How close H_hat is to H, and the continuity bound."""

import numpy as np
from experiments.continuity import CHANGES
from experiments.continuity import PATH as CONTINUITY
from experiments.entropy_quality import CASES_PATH, GRAPHS, LARGEST, N_NODES, RADII
from experiments.entropy_quality import PATH as QUALITY
from experiments.report.tables import NONE, number, table
from experiments.storage import read_json, read_rows

SIZES = ((3, 5), (6, 20), (21, 100), (101, LARGEST))


def render():
    """Return both sections."""
    return "\n".join([_quality(), _continuity()])


def ratios():
    """Return the balls that were measured and have more than one edge, with H_hat / H."""
    return [row | {"ratio": row["approx"] / row["exact"]} for row in read_rows(QUALITY) if row["exact"] > 0]


def _quality():
    measured = ratios()
    left_out = {(row["graph"], row["radius"]): 0 for row in read_rows(QUALITY)}
    for row in read_rows(QUALITY):
        left_out[row["graph"], row["radius"]] += row["nodes"] < 0
    by_radius = []
    for name in GRAPHS:
        cells = []
        for radius in RADII:
            values = [row["ratio"] for row in measured if row["graph"] == name and row["radius"] == radius]
            skipped = left_out.get((name, radius), 0)
            text = NONE if not values else f"{number(np.mean(values))} ({number(min(values))} to {number(max(values))})"
            cells.append(text + (f", {skipped} left out" if skipped else ""))
        by_radius.append([name, *cells])
    by_size = []
    for low, high in SIZES:
        values = [row["ratio"] for row in measured if low <= row["nodes"] <= high]
        if values:
            by_size.append(
                [
                    f"{low} to {high}",
                    str(len(values)),
                    number(np.mean(values)),
                    number(min(values)),
                    number(max(values)),
                ]
            )
    cases = [
        [
            one["graph"],
            f"{one['exact']:.4f}",
            f"{one['approx']:.4f}",
            number(one["approx"] / one["exact"]) if one["exact"] else "equal",
        ]
        for one in read_json(CASES_PATH)
    ]
    broken = sum(row["approx"] > row["exact"] + 1e-9 for row in measured)
    return "\n".join(
        [
            "## Theory: how close H_hat is to H\n\n![ratio](figures/theory-approximation.png)\n",
            f"{N_NODES} random nodes of each of five graphs; balls of more than {LARGEST} nodes are left out. "
            f"H_hat is above H in {broken} of {len(measured)} balls. Mean of H_hat / H (minimum to maximum):\n",
            table(["graph", *(f"radius {radius}" for radius in RADII)], by_radius),
            table(["nodes of the ball", "balls", "mean", "minimum", "maximum"], by_size),
            "H_hat = H only if the largest eigenvalue of rho is 1, that is, for a single edge, where both are 0. "
            "Complete graphs come close as they grow, because H = ln(n - 1) and H_hat = (1 - 1/(n - 1)) ln(n - 1); "
            "stars do not.\n",
            table(["graph", "H", "H_hat", "H_hat / H"], cases),
        ]
    )


def _continuity():
    rows = read_rows(CONTINUITY)
    lines = []
    for name in dict.fromkeys(row["graph"] for row in rows):
        for change in CHANGES:
            own = [row for row in rows if row["graph"] == name and row["change"] == change]
            lines.append(
                [
                    name,
                    change,
                    f"{np.mean([row['exact_change'] for row in own]):.4f}",
                    f"{np.mean([row['approx_change'] for row in own]):.4f}",
                    f"{np.mean([row['bound'] for row in own]):.3f}",
                    number(max(row["exact_change"] / row["bound"] for row in own)),
                    number(max(row["approx_change"] / row["bound"] for row in own)),
                    str(sum(row["approx_change"] > row["bound"] for row in own)),
                ]
            )
    broken = sum(row["exact_change"] > row["bound"] for row in rows)
    broken_approx = sum(row["approx_change"] > row["bound"] for row in rows)
    header = [
        "graph",
        "change",
        "mean change of H",
        "of H_hat",
        "mean bound",
        "largest H / bound",
        "largest H_hat / bound",
    ]
    return f"""## Theory: the Fannes-Audenaert bound

![bound](figures/theory-continuity.png)

1, 2, 5 or 10 edges were added anywhere, rewired, or added at one node, with 10 seeds each: {len(rows)} pairs of graphs.
The bound holds for exact H in {len(rows) - broken} of them, and is loose. H_hat violates it {broken_approx} times: the
paper proves robustness for H, but computes H_hat.

""" + table([*header, "H_hat above bound"], lines, texts=2)
