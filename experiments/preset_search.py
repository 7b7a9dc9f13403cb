"""The search for the preset "noisy": which few columns distinguish roles when edges are missing or spurious.

Run ``python -m experiments.preset_search search`` (about seven minutes on one core) then ``... refine``, then the
stages of ``preset_balance.py``; all write to ``experiments/results/preset_search.json``. Candidates are chosen on seeds
0 to 19. What is in ``presets.py`` came of a later stage, ``preset_anneal.py``; ``fresh_rings.py`` reports on seeds 200
to 219.

A candidate is a set of columns with weights. Columns are quantities of the 1-ball of a node, or their mean,
standard deviation or maximum over its neighbours, or the mean or deviation of such means. Starting from one column,
the best change of one weight is made again and again, until no change gains `TOLERANCE`; what counts is the mean of
accuracy, macro-F1 and V-measure over all graphs.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from experiments.baselines import method
from experiments.preset_trials import SEARCH, Trial
from numpy.typing import NDArray

from vnestruct.embedding import embed
from vnestruct.embedding.pipeline import neighbour_moments
from vnestruct.graph import Graph

RESULTS = Path(__file__).parent / "results" / "preset_search.json"
CHOOSING = range(20)
TOLERANCE = 4e-4
NEW, CHANGED = (0.35, 0.8), (0.0, 0.25, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0)

Columns = dict[str, NDArray[np.float64]]
Weights = dict[str, float]

CLOSED = ("size", "h1", "q1", "collision", "least")
POOLS = {
    "kinds of embed, mean and std": (("h1", "q1", "exact", "normalized", "punctured", "h2"), ("", "mean ", "std ")),
    "closed forms, two steps": (CLOSED, ("", "mean ", "std ", "max ", "mean mean ", "std mean ")),
    "everything, two steps": (
        (*CLOSED, "exact", "normalized", "punctured", "h2"),
        ("", "mean ", "std ", "max ", "mean mean ", "std mean "),
    ),
}
"""For each search: the quantities of the 1-ball (h2: of the 2-ball), and the statistics of them."""

REFINED = "closed forms, two steps"

KNOWN: Weights = {
    "h1": 1, "mean h1": 1, "std h1": 1, "punctured": 1, "normalized": 0.5, "mean normalized": 0.5, "std normalized": 0.5
}  # fmt: skip
"""The best candidate known before: seven numbers."""


def make_columns(graph: Graph) -> Columns:
    """Return every column that a candidate may use."""
    approx, quadratic = embed(graph, 2, n_jobs=1), embed(graph, 1, kind="quadratic", n_jobs=1)[:, 0]
    base = {
        "size": np.log1p(graph.degrees),  # ln of the number of nodes: no entropy is larger
        "h1": approx[:, 0],
        "q1": quadratic,
        "collision": -np.log1p(-quadratic),  # Renyi entropy of order 2: -ln Tr rho^2
        "least": approx[:, 0] / np.where(quadratic > 0, quadratic, 1.0),  # of order infinity: -ln lambda_max
        "h2": approx[:, 1],
    }
    # Own size over the largest neighbour's: marks leaves wherever they are attached, which no sum of columns does.
    log_degree, degree = np.log1p(graph.degrees)[:, None], graph.degrees.astype(float)[:, None]
    base["share"] = (log_degree / np.maximum(_maxima(graph, log_degree), np.log(2)))[:, 0]
    base["ratio"] = (degree / np.maximum(_maxima(graph, degree), 1.0))[:, 0]
    for kind in ("exact", "normalized", "punctured"):
        base[kind] = embed(graph, 1, kind=kind, n_jobs=1)[:, 0]
    values = np.column_stack(list(base.values()))
    mean = neighbour_moments(graph, values, ("mean",))
    groups = {
        "": values,
        "mean ": mean,
        "std ": neighbour_moments(graph, values, ("std",)),
        "max ": _maxima(graph, values),
        "mean mean ": neighbour_moments(graph, mean, ("mean",)),
        "std mean ": neighbour_moments(graph, mean, ("std",)),
    }
    return {prefix + name: group[:, i].copy() for prefix, group in groups.items() for i, name in enumerate(base)}


def _maxima(graph: Graph, values: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.zeros_like(values)
    rows = graph.degrees > 0
    result[rows] = np.maximum.reduceat(values[graph.indices], graph.indptr[:-1][rows], axis=0)
    return result


def weighted(columns: Columns, weights: Weights) -> NDArray[np.float64]:
    return np.column_stack([columns[name] * weight for name, weight in sorted(weights.items())])


class Search:
    """Greedy ascent over one weight at a time: to one of a few values or, when refining, slightly up or down."""

    def __init__(self, trial: Trial, columns: Columns, pool: list[str], *, refine: bool = False) -> None:
        self.trial, self.columns, self.pool, self.refine = trial, columns, pool, refine
        self.seen: dict[tuple[tuple[str, float], ...], float] = {}

    def value(self, weights: Weights) -> float:
        """Return the mean of all measures of a candidate over all graphs."""
        key = tuple(sorted(weights.items()))
        if key not in self.seen:
            self.seen[key] = float(self.trial.scores(weighted(self.columns, weights)).mean())
        return self.seen[key]

    def run(self, weights: Weights) -> list[dict[str, Any]]:
        """Climb from a candidate; return every step."""
        steps = [{"value": self.value(weights), "weights": weights}]
        while True:
            best, chosen = max(((self.value(one), one) for one in self._changes(weights)), key=lambda pair: pair[0])
            if best < steps[-1]["value"] + TOLERANCE * (0.5 if self.refine else 1.0):
                return steps
            weights = chosen
            steps.append({"value": best, "weights": weights})
            print(f"  {best:.4f} {weights}", flush=True)

    def _choices(self, weight: float | None) -> tuple[float, ...]:
        if not self.refine:
            return NEW if weight is None else CHANGED
        return (0.25, 0.5) if weight is None else (0.0, round(0.7 * weight, 2), round(1.4 * weight, 2))

    def _changes(self, weights: Weights) -> list[Weights]:
        changes = []
        for name in self.pool:
            for weight in self._choices(weights.get(name)):
                changed = {**weights, name: weight}
                if weight == 0.0:
                    del changed[name]
                if changed and changed != weights:
                    changes.append(changed)
        return changes


def families(graph: Graph, columns: Columns) -> dict[str, NDArray[np.float64]]:
    """Return the fixed candidates: simple sets of columns, raw and standardised."""
    control = method("control")(graph)
    candidates = {f"plain, R = {radius}": embed(graph, radius, n_jobs=1) for radius in (1, 2, 3)} | {
        "degree control": control,
        "known before": weighted(columns, KNOWN),
    }
    candidates["known before, standardised"] = _standardised(candidates["known before"])
    candidates["degree control, standardised"] = _standardised(control)
    candidates["plain, R = 2, ln(1 + h)"] = np.log1p(embed(graph, 2, n_jobs=1))
    for names in (
        ["h1"],
        ["h1", "h2"],
        ["exact"],
        ["h1", "normalized"],
        ["size", "least"],
        ["size", "collision", "least"],
    ):
        for weight in (0.5, 1.0):
            chosen = dict.fromkeys(names, 1.0) | {f"{p}{name}": weight for name in names for p in ("mean ", "std ")}
            candidates[f"{' + '.join(names)} with mean and std weighted {weight}"] = weighted(columns, chosen)
    return candidates


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values / values.std(axis=0)


def search() -> dict[str, Any]:
    begin = time.perf_counter()
    half, whole = Trial(SEARCH, CHOOSING[::2]), Trial(SEARCH, CHOOSING)
    columns_half, columns = make_columns(half.graph), make_columns(whole.graph)
    result: dict[str, Any] = {"searches": {}, "finalists": {}}
    result["tried"] = {
        name: float(whole.scores(values).mean()) for name, values in families(whole.graph, columns).items()
    }
    for name, (quantities, prefixes) in POOLS.items():
        print(name, flush=True)
        pool = [prefix + quantity for quantity in quantities for prefix in prefixes]
        ascent = Search(half, columns_half, pool)
        steps = ascent.run({"h1": 1.0})
        result["searches"][name] = {"columns": pool, "candidates_tried": len(ascent.seen), "steps": steps}
        result["finalists"][name] = float(whole.scores(weighted(columns, steps[-1]["weights"])).mean())
    result["settings"] = [str(setting) for setting in SEARCH]
    result["seconds"] = round(time.perf_counter() - begin)
    return result


def refine(content: dict[str, Any]) -> dict[str, Any]:
    """Continue from the best search among closed forms, on all seeds and in smaller steps."""
    begin = time.perf_counter()
    trial = Trial(SEARCH, CHOOSING)
    quantities, prefixes = POOLS[REFINED]
    pool = [prefix + quantity for quantity in quantities for prefix in prefixes]
    ascent = Search(trial, make_columns(trial.graph), pool, refine=True)
    steps = ascent.run(content["searches"][REFINED]["steps"][-1]["weights"])
    return {"candidates_tried": len(ascent.seen), "steps": steps, "seconds": round(time.perf_counter() - begin)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("stage", choices=["search", "refine"])
    stage = parser.parse_args().stage
    RESULTS.parent.mkdir(exist_ok=True)
    content = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if stage == "search":
        content["search"] = search()
    else:
        content["refine"] = refine(content["search"])
    RESULTS.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
