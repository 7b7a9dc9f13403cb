"""The cost of weights, directions, changes and the entropy profile, against the plain embedding in the same run."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks import harness, targets
from benchmarks.harness import compare, say
from benchmarks.inputs import load
from vnestruct import Graph, embed, update
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.embedding.tasks import BallTask
from vnestruct.graph import graph_from_ids
from vnestruct.kernels import balls

SEED = 11
KINDS = ("approx", "quadratic", "unscaled", "parts")


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    graph: str = "email-Enron"
    radius: int = 2
    changes: int = 1_000
    repeats: int = 3
    profiles: tuple[str, ...] = ("email-Enron", "dblp-2010", "moscow-roads")


QUICK = Settings(graph="tiny", changes=50, repeats=1, profiles=("tiny",))


def run_variants(settings: Settings) -> dict[str, Any]:
    """Measure all variants on one thread, in alternation."""
    loaded = load(settings.graph)
    generator = np.random.default_rng(SEED)
    rows = np.repeat(np.arange(loaded.graph.n_nodes), loaded.graph.degrees)
    once = rows < loaded.graph.indices
    source, target = rows[once], loaded.graph.indices[once].astype(np.int64)
    n_nodes = loaded.graph.n_nodes
    weights = generator.uniform(0.1, 10.0, source.size)
    flip = generator.random(source.size) < 0.5
    plain = graph_from_ids(source, target, n_nodes=n_nodes)
    weighted = graph_from_ids(source, target, weights, n_nodes=n_nodes)
    both = np.concatenate([source, target]), np.concatenate([target, source])
    mutual = graph_from_ids(*both, n_nodes=n_nodes, directed=True)
    turned = np.where(flip, target, source), np.where(flip, source, target)
    oneway = graph_from_ids(*turned, n_nodes=n_nodes, directed=True)
    radius = settings.radius
    candidates = {
        "plain": partial(embed, plain, radius, n_jobs=1),
        "plain, four kinds at once": partial(embed, plain, radius, kind=KINDS, n_jobs=1),
        "weighted": partial(embed, weighted, radius, weighted=True, n_jobs=1),
        "directed, arcs both ways, out": partial(embed, mutual, radius, direction="out", n_jobs=1),
        "directed, arcs both ways, in": partial(embed, mutual, radius, direction="in", n_jobs=1),
        "directed, arcs one way, out": partial(embed, oneway, radius, direction="out", n_jobs=1),
    }
    for call in candidates.values():
        call()
    say(f"{loaded.title}: {', '.join(candidates)}, R = {radius}")
    timings = compare(candidates, repeats=settings.repeats)
    arcs = {
        **dict.fromkeys(("plain", "plain, four kinds at once"), _arcs(plain, radius, "all")),
        "weighted": _arcs(plain, radius, "all", without_twins=weighted),
        "directed, arcs both ways, out": _arcs(mutual, radius, "out"),
        "directed, arcs both ways, in": _arcs(mutual, radius, "in"),
        "directed, arcs one way, out": _arcs(oneway, radius, "out"),
    }
    variants = [
        {
            "name": name,
            **timing.as_dict(),
            "arcs_built": arcs[name],
            "ns_per_arc": timing.best * 1e9 / max(1, arcs[name]),
            "over_plain": (timing.best / max(1, arcs[name])) / (timings["plain"].best / max(1, arcs["plain"])),
        }
        for name, timing in timings.items()
    ]
    results: dict[str, Any] = {
        "settings": asdict(settings),
        "machine": harness.machine(),
        "graph": loaded.title,
        "generated": loaded.generated,
        "variants": variants,
        "stream": _stream(plain, settings),
        "profiles": [profile_cost(name) for name in settings.profiles],
    }
    return {**results, "targets": targets.variant_rows(results)}


def profile_cost(name: str) -> dict[str, Any]:
    """Compare the profile of two steps with radius 1 alone, on one thread."""
    loaded = load(name)
    candidates = {
        "radius 1": partial(embed, loaded.graph, 1, n_jobs=1),
        "profile": partial(embed, loaded.graph, kind="profile", n_jobs=1),
    }
    for call in candidates.values():
        call()
    say(f"{loaded.title}: the entropy profile")
    timings = compare(candidates, repeats=7)
    return {
        "graph": loaded.title,
        "generated": loaded.generated,
        **{title: timing.as_dict() for title, timing in timings.items()},
        "ratio": timings["profile"].best / timings["radius 1"].best,
    }


def _arcs(graph: Graph, radius: int, direction: str, without_twins: Graph | None = None) -> int:
    """Count the arcs of all balls of radius 2..R that a run builds (1..R where radius 1 has no closed form)."""
    plan = plan_ranked(rank_graph(graph, weighted=False, direction=direction), reduce_leaves=True)
    chosen = plan
    if without_twins is not None:
        # The same graph with weights, where fewer nodes are twins: its work list on the unweighted arcs.
        chosen = plan_ranked(rank_graph(without_twins, weighted=True, direction=direction), reduce_leaves=True)
    work = chosen.in_order(chosen.required(np.ones(graph.n_nodes, bool)))
    has_closed_form = direction == "all" and without_twins is None
    first = np.zeros((graph.n_nodes, 1)) if has_closed_form else None
    if first is not None:
        first.flags.writeable = False
    task = BallTask(graph, plan, work, radius, ("quadratic",), 1e-9, first)
    for _ in ThreadsBackend(1).run(task, plan.costs(work, radius)):
        pass
    return int(sum(int(counters[balls.ARCS]) for counters in task.counters))


def _stream(graph: Graph, settings: Settings) -> dict[str, Any]:
    """Apply single-edge changes one after the other at radius 1, and compare with as many whole runs."""
    generator = np.random.default_rng(SEED)
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    say(f"{settings.changes} single-edge changes, R = 1")
    whole = compare({"whole": partial(embed, graph, 1, n_jobs=1)}, repeats=7)["whole"]
    changes = []
    for arc in generator.choice(rows.size, settings.changes // 2, replace=False).tolist():
        edge = (int(rows[arc]), int(graph.indices[arc]))
        # Every removed edge comes back later: hubs change as often as they have edges.
        changes += [({"removed": [edge]}, edge), ({"added": [edge]}, edge)]
    done = set()
    current, H = graph, embed(graph, 1, n_jobs=1)
    update(current, H, removed=[changes[0][1]], n_jobs=1)
    recomputed = 0
    begin = time.perf_counter()
    for change, edge in changes:
        key = (min(edge), max(edge))
        if "removed" in change and key in done:
            continue
        done.add(key)
        result = update(current, H, n_jobs=1, **change)
        current, H = result.graph, result.H
        recomputed += result.changed.size
    seconds = time.perf_counter() - begin
    difference = float(np.abs(H - embed(current, 1, n_jobs=1)).max())
    return {
        "changes": settings.changes,
        "seconds": seconds,
        "per_change_ms": seconds / settings.changes * 1e3,
        "whole_run_ms": whole.best * 1e3,
        "share_of_whole_runs": seconds / settings.changes / whole.best,
        "rows_per_change": recomputed / settings.changes,
        "largest_difference": difference,
    }
