"""`vnestruct info`: what a graph file contains, and how much work it is."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, count, duration, print_json
from vnestruct.cli.errors import in_options
from vnestruct.cli.options import Direction, GraphOptions, Jobs, Kind, Weighted, kinds_of, option

if TYPE_CHECKING:
    from vnestruct.graph import Graph

Radius = Annotated[int, option("--radius -r", "R", "Largest radius to estimate.")]
WithEstimate = Annotated[bool, option("--estimate/--no-estimate", None, "Whether to estimate the time of embedding.")]


def info(
    *,
    radius: Radius = 3,
    kind: Kind = None,
    weighted: Weighted = False,
    direction: Direction = "all",
    n_jobs: Jobs = None,
    with_estimate: WithEstimate = True,
    graph: GraphOptions,
    console: Console,
) -> None:
    """Show what a graph file contains and how long embedding takes.

    Shows what was read and cleaned: nodes, edges, components, degrees. For each radius up to R, a few balls are
    computed, in less than a second, and the total is extrapolated from them.

    Examples
    --------
    vnestruct info web.txt.gz
    vnestruct info web.txt.gz --radius 2 --kind exact --json
    """
    from vnestruct.embedding.estimate import estimate
    from vnestruct.embedding.parameters import checked_settings

    settings = checked_settings(radius, kinds_of(kind), weighted, direction)
    loaded = graph.load(console, summary=False)
    facts = graph.facts(loaded) | _facts(loaded)
    if with_estimate:
        estimates = estimate(loaded, settings, range(1, radius + 1), n_jobs)
        facts["estimates"] = [asdict(work) for work in estimates]
    if console.json:
        print_json(facts)
    else:
        sys.stdout.write("\n".join(_lines(loaded, facts, n_jobs)) + "\n")


def _facts(graph: Graph) -> dict[str, Any]:
    import numpy as np
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    shape = (graph.n_nodes, graph.n_nodes)
    adjacency = sparse.csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=shape)
    n_components, component = connected_components(adjacency, directed=False) if graph.n_nodes else (0, [])
    degrees = graph.degrees
    return {
        "arcs": graph.n_arcs,
        "directed": graph.directed,
        "weighted": graph.weights is not None,
        "components": int(n_components),
        "largest_component": int(np.bincount(component).max()) if graph.n_nodes else 0,
        "degrees": {
            "min": int(degrees.min(initial=graph.n_nodes)) if graph.n_nodes else 0,
            "median": float(np.median(degrees)) if graph.n_nodes else 0.0,
            "mean": float(degrees.mean()) if graph.n_nodes else 0.0,
            "max": int(degrees.max(initial=0)),
        },
        "cleaning": asdict(graph.report),
    }


def _lines(graph: Graph, facts: dict[str, Any], n_jobs: int | None) -> list[str]:
    from vnestruct.execute import resolve_n_jobs

    degrees = facts["degrees"]
    middle = f"median {degrees['median']:,g}, mean {degrees['mean']:,.2f}"
    arcs = f" ({facts['arcs']:,} arcs)" if graph.directed else ""
    traits = f"{'directed' if graph.directed else 'undirected'}, {'' if facts['weighted'] else 'not '}weighted"
    rows = [
        ("file", facts["input"]),
        ("nodes", f"{facts['nodes']:,}"),
        ("edges", f"{facts['edges']:,}{arcs}, {traits}"),
        ("components", f"{facts['components']:,}, the largest with {facts['largest_component']:,} nodes"),
        ("degrees", f"from {degrees['min']:,} to {degrees['max']:,}, {middle}"),
        ("read", str(graph.report)),
    ]
    lines = [f"{name:<12}{text}" for name, text in rows]
    estimates = facts.get("estimates", [])
    if not estimates:
        return lines
    n_threads = resolve_n_jobs(n_jobs)
    lines += ["", f"Embedding all nodes on {n_threads} thread{'' if n_threads == 1 else 's'} will take"]
    return lines + [f"  radius {work['radius']}: {_forecast(work)}" for work in estimates]


def _forecast(work: dict[str, Any]) -> str:
    if work["refused"] is not None:
        return f"impossible, {in_options(work['refused'])}"
    about = "more than " if work["at_least"] else "about " if work["seconds"] >= 0.1 else ""
    balls = f", {count(work['ball_arcs'])} ball edges to process" if work["ball_arcs"] else ""
    return f"{about}{duration(work['seconds'])}{balls}"
