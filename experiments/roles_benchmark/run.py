"""Run the benchmark: one result file per graph and signature, computed only if it is missing.

Signatures are computed, scaled and given landmarks from all nodes of a graph without their labels, as all embeddings of
the survey are. `GENERAL` is what counts as the general signature: it was fixed before seeds `SEEDS` were first used.
Variants were explored with seeds 1000 to 1099.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from experiments.methods import BY_NAME
from experiments.real_graphs import labelled_graph
from experiments.real_roles import N_ROLES, SEED
from experiments.roles_benchmark import clusters
from experiments.roles_benchmark.landmarks import profile_rows
from experiments.roles_benchmark.survey import Matrix, precision_at_five, survey_scores
from experiments.storage import RESULTS, read_json, write_json

from vnestruct import embed
from vnestruct.graph import Graph

FOLDER = RESULTS / "roles_benchmark"
GRAPHS = ("brazil-airports", "europe-airports", "actor", "film")
TALK = ("ht-wiki-talk", "br-wiki-talk", "cy-wiki-talk")
RARE = {1: "bots", 2: "administrators"}
SEEDS = range(2000, 2020)
MANY_SEEDS = range(3000, 3200)
"""The two airport graphs are small: 20 splits leave a large error, 200 a small one."""

AT_MINIMUM = ", classifier at its minimum"
"""What the scores of `Row.raw` rows would be if liblinear did not stop early."""

GENERAL = "profile-2-landmarks"


@dataclass(frozen=True)
class Row:
    """A row of the tables: a signature of ours or a baseline."""

    name: str
    title: str
    embed: Callable[[Graph], Matrix]
    skipped: tuple[str, ...] = ()
    """Graphs on which it is not run: it would take too long."""

    raw: bool = False
    """Whether columns are counts of very different scales, on which liblinear stops early."""


def _method(name, *skipped, raw=False):
    method = BY_NAME[name]
    return Row(name, method.title, lambda graph: method.embed(graph, N_ROLES, SEED), skipped, raw)


def _profile(steps, landmarks):
    more = ", landmarks" if landmarks else ""
    name = f"profile-{steps}" + ("-landmarks" if landmarks else "")
    return Row(
        name,
        f"profile, {steps} step{'' if steps == 1 else 's'}{more}",
        lambda graph: profile_rows(graph, steps, landmarks),
    )


def _kind(kind, name=None, *, raw=False):
    return Row(
        f"{name or kind}-r2", f'kind "{kind}", R = 2', lambda graph: embed(graph, 2, kind=kind, n_jobs=1), raw=raw
    )


ROWS = (
    *(_method(f"vnestruct-r{radius}") for radius in (1, 2, 3)),
    _kind("unscaled"),
    _kind("sizes", "parts", raw=True),
    _method("noisy"),
    *(_profile(steps, 0) for steps in range(4)),
    *(_profile(steps, 64) for steps in range(4)),
    _method("control"),
    _method("refex", raw=True),
    _method("rolx"),
    _method("graphwave", "actor", "film"),
    _method("struc2vec", "actor", "film", *TALK),
)
CHOSEN = Row(
    "profile-chosen", "profile, landmarks, steps chosen in training", lambda graph: np.empty((0, 0)), ("film",)
)
"""Measured by code of commit 28d35c7."""


def run():
    """Compute missing results on the graphs of the survey, and render the report."""
    from experiments.roles_benchmark.report import write_report

    for name in (*GRAPHS, *TALK):
        graph, classes = labelled_graph(name)
        for row in ROWS:
            path = FOLDER / f"{name}.{row.name}.json"
            if path.exists() or name in row.skipped:
                continue
            if name in GRAPHS:
                found = classification(row, graph, classes, many=graph.n_nodes < 1000)
            else:
                values = row.embed(graph)
                found = {RARE[rare]: search(values, classes, rare) for rare in RARE if rare in classes}
            write_json(path, found)
            print(f"{name}: {row.name}", flush=True)
    clusters.run()
    print(f"Written to {write_report()}")


def classification(row, graph, classes, *, many):
    """Return the scores of one row on one graph: as it comes, standardised, and over many splits."""
    begin = time.perf_counter()
    values = row.embed(graph)
    result = {"dimension": values.shape[1], "embedding_seconds": round(time.perf_counter() - begin, 2)}
    for treatment, seeds in {"as it comes": SEEDS, "200 splits": MANY_SEEDS if many else ()}.items():
        if seeds:
            result[treatment] = survey_scores(values, classes, seeds, stop_early=row.raw)
            if row.raw:
                result[treatment + AT_MINIMUM] = survey_scores(values, classes, seeds)
    result["standardised"] = survey_scores(values, classes, SEEDS, standardise=True)
    return result


def search(values, classes, rare):
    """Return precision@5 for a rare role, as the rows come and with standardised columns."""
    spread = values.std(axis=0)
    return [precision_at_five(values / scale, classes, rare) for scale in (1.0, np.where(spread > 0, spread, 1.0))]


def result(name, row):
    """Return a committed result, or None."""
    return read_json(FOLDER / f"{name}.{row}.json")
