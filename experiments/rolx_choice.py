"""The number of roles for RolX and the matrix it factorises, chosen on seeds 0 to 19, as our preset was."""

from __future__ import annotations

import numpy as np
from experiments.baselines import method
from experiments.methods import rolx_with
from experiments.preset_trials import Setting, make_graph
from experiments.protocol import CLASSIFICATION, classification_scores
from experiments.storage import RESULTS, write_json

PATH = RESULTS / "rolx_choice.json"
SEEDS = range(0, 20, 4)
SETTINGS = [
    Setting("houses", "added", 5),
    Setting("houses", "rewired", 10),
    Setting("fans", "rewired", 5),
    Setting("stars", "added", 5),
    Setting("varied", "added", 10),
    Setting("varied", "rewired", 10),
]
TRANSFORMS = ("values", "scaled", "logarithm", "bins")
FACTORS = (1.0, 1.5, 2.0)
"""Numbers of roles, as multiples of the number of true roles."""


def run() -> None:
    """Score every combination and write the table, best first."""
    tried = []
    for transform in (None, *TRANSFORMS):
        for factor in FACTORS if transform else (None,):
            rows = []
            for setting in SETTINGS:
                for seed in SEEDS:
                    graph, roles = make_graph(setting, seed)
                    if transform is None or factor is None:
                        values = method("rolx")(graph, seed=seed)
                    else:
                        values = rolx_with(graph, round(factor * (roles.max() + 1)), seed, transform)
                    rows.append(classification_scores(values, roles, seed))
            means = np.mean(rows, axis=0).round(4).tolist()
            tried.append(
                {"transform": transform or "values", "roles": factor or "least description length"}
                | dict(zip(CLASSIFICATION, means, strict=True))
            )
            print(tried[-1], flush=True)
    tried.sort(key=lambda row: -row["accuracy"] - row["macro_f1"])
    write_json(PATH, {"seeds": list(SEEDS), "settings": list(map(str, SETTINGS)), "tried": tried})


if __name__ == "__main__":
    run()
