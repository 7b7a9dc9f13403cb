"""The effect of 0 to 20 rewired edges, as in the paper's Figure 3, on five methods and on rings that we generate.

One row per method, ring, number of edges and seed in ``results/noise_curve.csv``; what exists is not computed again.
"""

from experiments.methods import BY_NAME
from experiments.protocol import MEASURES, judge
from experiments.rings import CLEAN, Setting, make_graph
from experiments.rings_table import SEEDS
from experiments.storage import RESULTS, read_rows, write_rows

PATH = RESULTS / "noise_curve.csv"
METHODS = ("vnestruct-r1", "vnestruct-r2", "noisy", "control", "graphwave", "rolx")
RINGS = ("varied", "houses")
AMOUNTS = tuple(range(0, 21, 2))
SHOWN = ("accuracy", "macro_f1", "ward_homogeneity", "ward_completeness")


def run():
    """Compute what is missing."""
    rows = read_rows(PATH)
    known = {(row["method"], row["ring"], row["rewired"]) for row in rows}
    for name in METHODS:
        for ring in RINGS:
            for amount in AMOUNTS:
                if (name, ring, amount) in known:
                    continue
                setting = Setting(ring, "rewired", amount) if amount else Setting(ring, CLEAN, 0)
                for seed in SEEDS:
                    graph, roles = make_graph(setting, seed)
                    signatures = BY_NAME[name].embed(graph, int(roles.max()) + 1, seed)
                    scores = judge(signatures, roles, seed)
                    rows.append(
                        {"method": name, "ring": ring, "rewired": amount, "seed": seed}
                        | {measure: scores[measure] for measure in MEASURES if measure in SHOWN}
                    )
            write_rows(PATH, rows)
            print(f"noise curve: {name}, {ring}", flush=True)
