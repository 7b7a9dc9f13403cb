"""`vnestruct info`: what a graph file contains, and how much work it is."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, count, print_json, print_text
from vnestruct.cli.errors import in_options
from vnestruct.cli.options import Direction, GraphOptions, Jobs, Kind, Weighted, kinds_of, option, side_sizes
from vnestruct.embedding.progress import time_range

if TYPE_CHECKING:
    from vnestruct.graph import Graph

WithEstimate = Annotated[bool, option("--estimate/--no-estimate", None, "Whether to estimate the time of embedding.")]

_MEMORY = {
    "convert": (117e6, 27.1, 22),
    "embed_radius_1": (263e6, 127, 7.81),
    "embed": (282e6, 149, 13.2),
    "similar": (239e6, 73.3, 14.6),
    "roles": (346e6, 119, 61.5),
}
"""Peak memory on two threads, in bytes: of the program, per node, per edge (`benchmarks.memory_forecasts`)."""


def info(
    *,
    radius: Annotated[int | None, option("--radius -r", "R", "Largest radius to estimate; 2 by default.")] = None,
    kind: Kind = None,
    weighted: Weighted = False,
    direction: Direction = "all",
    n_jobs: Jobs = None,
    with_estimate: WithEstimate = True,
    graph: GraphOptions,
    console: Console,
) -> None:
    """Show what a graph file contains and how long embedding takes.

    Shows what was read and cleaned: nodes, edges, components, degrees. For each radius up to R, a fixed sample of
    balls is computed, in about half a second, and the range of the total time is extrapolated from it. A run of
    embed bases its own forecast on the same sample.

    Examples
    --------
    vnestruct info web.txt.gz
    vnestruct info web.txt.gz --radius 2 --kind exact --json
    """
    from vnestruct.embedding.parameters import checked_settings

    settings = checked_settings(radius, kinds_of(kind), weighted, direction)
    radii = range(1, 2 if settings.named else (radius or 2) + 1)
    loaded = graph.load(console, summary=False)
    arcs = f" ({loaded.n_arcs:,} arcs)" if loaded.directed else ""
    traits = f"{'' if loaded.directed else 'un'}directed, {'' if loaded.weights is not None else 'not '}weighted"
    _print(console, file=graph.input, nodes=f"{loaded.n_nodes:,}", edges=f"{loaded.n_edges:,}{arcs}, {traits}")
    if (sizes := side_sizes(loaded)) is not None:
        words = loaded.side_names or ("on side 0", "on side 1")
        both = " and ".join(f"{size:,} {word}" for size, word in zip(sizes, words, strict=True))
        follows = "roles are found on each side separately; --no-bipartite switches this off"
        _print(console, sides=f"bipartite with {both}: {follows}")
    with ThreadPoolExecutor(1) as pool:
        # While the estimate ranks all nodes, which takes longer and comes before its samples.
        known = pool.submit(_shown_facts, loaded, console)
        if with_estimate:
            # Imported here: kernels take half a second to import, and much is known before.
            from vnestruct.embedding.estimate import estimate
            from vnestruct.execute import resolve_n_jobs

            estimates = [asdict(work) for work in estimate(loaded, settings, radii, n_jobs)]
        facts = known.result()
    if with_estimate:
        facts["estimates"] = estimates
        n_threads = resolve_n_jobs(n_jobs)
        title = f"Embedding all nodes on {n_threads} thread{'' if n_threads == 1 else 's'} will take"
        _print(console, "", title, *(f"  radius {work['radius']}: {_forecast(work)}" for work in estimates))
    if console.json:
        print_json(graph.facts(loaded) | facts)


def _print(console: Console, *lines: str, **table: str) -> None:
    """Write for people what is known already: the rest takes seconds for a large graph."""
    if not console.json:
        print_text(*lines, *(f"{name:<12}{text}" for name, text in table.items()))


def _shown_facts(graph: "Graph", console: Console) -> dict[str, Any]:
    """Return what needs no estimate, and print it for people."""
    import numpy as np

    from vnestruct.kernels import reductions

    _, sizes = reductions.label_components(graph.indptr, graph.indices)
    degrees = np.diff(graph.indptr) if graph.n_nodes else np.zeros(1, np.int64)
    facts: dict[str, Any] = {
        "arcs": graph.n_arcs,
        "directed": graph.directed,
        "weighted": graph.weights is not None,
        "components": sizes.size,
        "largest_component": int(sizes.max(initial=0)),
        "degrees": {name: getattr(np, name)(degrees).item() for name in ("min", "median", "mean", "max")},
        "cleaning": asdict(graph.report),
        "memory": {
            name: int(program + node * graph.n_nodes + edge * graph.n_edges)
            for name, (program, node, edge) in _MEMORY.items()
        },
    }
    components = f"{facts['components']:,}, the largest with {facts['largest_component']:,} nodes"
    from_to = "from {min:,} to {max:,}, median {median:,g}, mean {mean:,.2f}".format(**facts["degrees"])
    memory = "about {} to convert, {} to embed at radius 1, {} at larger radii, {} for similar, {} for roles".format(
        *(f"{size / 1e9:.1f} GB" for size in facts["memory"].values())
    )
    _print(console, components=components, degrees=from_to, memory=memory, read=str(graph.report))
    return facts


def _forecast(work: dict[str, Any]) -> str:
    if work["refused"] is not None:
        return f"impossible, {in_options(work['refused'])}"
    balls = f", {count(work['ball_arcs'])} ball edges to process" if work["ball_arcs"] else ""
    return f"{time_range(work['low'], math.inf if work['high'] is None else work['high'])}{balls}"
