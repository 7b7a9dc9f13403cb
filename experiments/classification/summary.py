"""From curves to figures: ``python -m experiments.classification.summary`` writes one JSON file per collection.

*Optimistic*, as GIN and GFN report: ten folds (those of seed 0), one epoch for all of them, the one with the best mean
test accuracy; over a grid, the best configuration. *Honest*: for each test fold, configuration and epoch are those of
the best mean accuracy on four folds of its training part, in runs that saw neither (ties: the smaller loss there); the
run on the whole training part is then scored once, at that epoch. Three seeds of folds.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from experiments.classification.jobs import GROUPS, Job
from experiments.classification.stamp import FIRST

from experiments.classification import folds
from vnestruct.setmodel.evaluation import best_epoch, inner_choices

CURVES = Path("build/classification/curves")
RESULTS = Path(__file__).parent / "results"
FRESH = Path("build/classification/fresh")
AGAIN, FRESH_AGAIN = Path("build/classification/again"), Path("build/classification/fresh_again")
"""Curves of networks that were trained a second time, on folds of the first seeds and on fresh ones."""

GRID = "vnestruct"
WINDOWS = {"honest": 1, "smoothed": 11}
"""Selection rules within the training set: by single epochs, and by means over eleven."""

Entry = dict[str, Any]


def fold_sizes(name: str, seed: int) -> Any:
    """Return the number of graphs in each fold."""
    return np.bincount(folds.folds_of(name, seed), minlength=folds.N_FOLDS)


def optimistic(curves: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the best mean test accuracy of one epoch for all folds of the first seed, and that of every seed alone."""
    found = []
    for hits, seed in zip(curves["hits"], curves["seeds"], strict=True):
        epoch, accuracy = best_epoch(hits[: folds.N_FOLDS, :, 0], fold_sizes(name, int(seed)))
        mean = accuracy.mean(axis=0)
        found.append({"mean": mean[epoch], "std": accuracy[:, epoch].std(), "epoch": epoch + 1, "curve": mean.tolist()})
    return found[0] | {"seeds": [float(one["mean"]) for one in found]}


def inner_choice(curves: dict[str, Any], name: str, place: int, window: int) -> list[dict[str, Any]]:
    """Return for each test fold of a seed the epoch that is chosen on its training set, and the scores there."""
    sizes = fold_sizes(name, int(curves["seeds"][place]))
    found = [asdict(choice) for choice in inner_choices(curves["hits"][place], curves["loss"][place], sizes, window)]
    return [choice | {"epoch": choice["epoch"] + 1} for choice in found]


def honest(choices: list[list[Entry]]) -> Entry:
    """Return the figures of the honest protocol from the choices of each seed."""
    seeds = [float(np.mean([fold["test"] for fold in seed])) for seed in choices]
    every = [fold["test"] for seed in choices for fold in seed]
    return {"mean": float(np.mean(seeds)), "std": float(np.std(every)), "seeds": seeds}


def best_of_grid(entries: dict[str, Entry]) -> Entry:
    """Return the figures of VNEstruct with its grid: the best configuration, chosen by each protocol's rule."""
    grid = {key: entry for key, entry in entries.items() if key.startswith("vnestruct-r")}
    best = max(grid, key=lambda key: grid[key]["optimistic"]["mean"])
    found: Entry = {
        "optimistic": grid[best]["optimistic"]
        | {
            "configuration": best,
            "seeds": [max(one) for one in zip(*(entry["optimistic"]["seeds"] for entry in grid.values()), strict=True)],
        },
        "configurations": len(grid),
        "where": grid[best]["where"],
        "commit": grid[best]["commit"],
    }
    for rule in WINDOWS:
        choices = []
        for seed in range(min(len(entry["choices"][rule]) for entry in grid.values())):
            row = []
            for fold in range(folds.N_FOLDS):
                options = [{"configuration": key, **one["choices"][rule][seed][fold]} for key, one in grid.items()]
                row.append(max(options, key=lambda option: (option["validation"], -option["loss"])))
            choices.append(row)
        found[rule] = honest(choices)
        found.setdefault("choices", {})[rule] = choices
    return found


def summarise(name: str, jobs: list[Job], curves_folder: Path) -> dict[str, Entry]:
    """Return the figures of all networks that have been trained on a collection."""
    entries: dict[str, Entry] = {}
    for job in jobs:
        path = curves_folder / f"{job.key}.npz"
        if not path.exists():
            continue
        with np.load(path) as file:
            curves = {key: file[key] for key in file.files}
        entry: Entry = {"optimistic": optimistic(curves, name), "choices": {}}
        for rule, window in WINDOWS.items() if curves["hits"].shape[3] == 2 else ():
            places = range(len(curves["seeds"]))
            entry["choices"][rule] = [inner_choice(curves, name, place, window) for place in places]
            entry[rule] = honest(entry["choices"][rule])
        entry |= {"seconds": float(curves["seconds"]), "where": str(curves["where"])}
        entry["commit"] = str(curves.get("commit", FIRST))
        entries[job.name] = entry
    if any(job.is_grid for job in jobs if job.name in entries):
        entries[GRID] = best_of_grid(entries)
    return entries


def committed(entries: dict[str, Entry]) -> dict[str, Entry]:
    """Return the part that is stored: no choices for single configurations of a grid, every tenth epoch of curves."""
    kept = {}
    for key, entry in entries.items():
        copy = {name: value for name, value in entry.items() if name != "choices" or not key.startswith("vnestruct-r")}
        copy["optimistic"] = entry["optimistic"] | {"curve": entry["optimistic"]["curve"][9::10]}
        kept[key] = copy
    return kept


def trained_again(jobs: list[Job], first: Path, second: Path, suffix: str = "") -> dict[str, Entry]:
    """Return how far a second training on the same kind of machine is from the first, in points."""
    found: dict[str, Entry] = {}
    for job in jobs:
        paths = [folder / f"{job.key}.npz" for folder in (first, second)]
        if all(path.exists() for path in paths):
            curves = [dict(np.load(path)) for path in paths]
            means = [float(optimistic(one, job.data_set)["mean"]) for one in curves]
            found[f"{job.key}{suffix}"] = {
                "points": 100 * abs(means[0] - means[1]),
                "same curves": bool(np.array_equal(curves[0]["hits"], curves[1]["hits"])),
                "where": [str(one["where"]) for one in curves],
                "commits": [str(one.get("commit", FIRST)) for one in curves],
            }
    return found


def rounded(value: Any) -> Any:
    """Round the floats of a result to six decimals."""
    if isinstance(value, float):
        return round(float(value), 6)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--curves", type=Path, default=CURVES)
    parser.add_argument("--fresh", type=Path, default=FRESH)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    every = [job for jobs in GROUPS.values() for job in jobs]
    again = trained_again(every, arguments.curves, AGAIN)
    again |= trained_again(every, arguments.fresh, FRESH_AGAIN, " (fresh folds)")
    if again:
        (arguments.out / "again.json").write_text(json.dumps(rounded(again), indent=1) + "\n")
    for name in sorted({job.data_set for job in every}):
        jobs = [job for job in every if job.data_set == name]
        for folder, suffix in ((arguments.curves, "networks"), (arguments.fresh, "fresh")):
            entries = summarise(name, jobs, folder)
            if entries:
                result = {"data_set": name, "networks": rounded(committed(entries))}
                (arguments.out / f"{name}.{suffix}.json").write_text(json.dumps(result) + "\n")
            for key in ("vnestruct", "vnestruct-one", "gin", "gcn", "gfn", "dgcnn", "capsgnn"):
                if key in entries:
                    figures = [entries[key][rule]["mean"] for rule in ("optimistic", *WINDOWS) if rule in entries[key]]
                    print(name, suffix, key, " ".join(f"{100 * figure:.2f}" for figure in figures))


if __name__ == "__main__":
    main()
