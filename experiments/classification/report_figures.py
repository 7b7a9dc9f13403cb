"""The figures in the report, read from the results."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from experiments.classification.averaged import RULE
from experiments.classification.summary import RESULTS

from experiments.classification import folds

NETWORKS = ("vnestruct", "gin", "gcn", "dgcnn", "gfn", "capsgnn")
PROTOCOLS = ("optimistic", "honest")

Entry = dict[str, Any]


def networks(name: str, suffix: str = "networks") -> dict[str, Entry]:
    """Return the figures of all networks on a collection, or of those on fresh folds."""
    path = RESULTS / f"{name}.{suffix}.json"
    return json.loads(path.read_text())["networks"] if path.exists() else {}


def signature(name: str) -> Entry | None:
    """Return the figures of the signature heads on a collection."""
    found = [json.loads(path.read_text()) for path in sorted(RESULTS.glob(f"{name}.signature.[0-9].json"))]
    if not found:
        return None
    tests = np.array([one["tests"] for one in found])
    heads = [head for one in found for fold in one["heads"] for head in fold if head.startswith("svm")]
    common = max(sorted(set(heads)), key=heads.count)
    entry: Entry = {
        "honest": {"mean": tests.mean(), "std": tests.std(), "seeds": tests.mean(axis=1).tolist()},
        "seconds": float(np.mean([one["seconds"] for one in found])),
        "commits": sorted({one["commit"] for one in found}),
        "repeats": [one["repeats"] for one in found if "repeats" in one],
        "head": f"{common} ({heads.count(common)} of {len(heads)} folds)",
    }
    path = RESULTS / f"{name}.signature.optimistic.json"
    if path.exists():
        chosen = json.loads(path.read_text())
        entry["optimistic"] = {"mean": np.mean(chosen["tests"]), "std": np.std(chosen["tests"]), "head": chosen["head"]}
    return entry


def averaged(name: str, draw: str = "first") -> Entry | None:
    """Return the figures of VNEstruct's averaged grid in place of the honest protocol's: nothing is chosen."""
    path = RESULTS / "averaged.json"
    found: Entry = json.loads(path.read_text()).get(name, {}).get(draw, {}) if path.exists() else {}
    return found | {"honest": found[RULE], "chosen": found.get("honest")} if found else None


def figure(entry: Entry | None, protocol: str) -> str:
    """Return mean and deviation in percent."""
    if entry is None or protocol not in entry:
        return "-"
    text = f"{100 * entry[protocol]['mean']:.2f} ± {100 * entry[protocol]['std']:.2f}"
    n_seeds = len(entry[protocol].get("seeds", folds.SEEDS))
    if protocol == "optimistic" or n_seeds >= len(folds.SEEDS):
        return text
    return f"{text} ({n_seeds} seed{'s' * (n_seeds > 1)})"


def standard_error(entry: Entry | None, protocol: str) -> float:
    """Return the standard error of a mean over test folds, in points."""
    if entry is None:
        return 0.0
    n_seeds = len(entry[protocol].get("seeds", (0,))) if protocol == "honest" else 1
    return float(100 * entry[protocol]["std"] / np.sqrt(folds.N_FOLDS * n_seeds))
