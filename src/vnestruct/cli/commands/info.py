"""`vnestruct info`: what a graph file contains, and how much work it is."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, count, duration, print_json, print_text
from vnestruct.cli.options import Direction, GraphOptions, Jobs, Kind, Weighted, kinds_of, option, side_sizes

if TYPE_CHECKING:
    from vnestruct.graph import Graph

WithEstimate = Annotated[bool, option("--estimate/--no-estimate", None, "Whether to estimate the time of embedding.")]


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

    Shows what was read and cleaned: nodes, edges, components, degrees, and how much memory embedding takes. For each
    radius up to R, the time is estimated from the numbers of edges around the nodes; it may be several times longer or
    shorter.

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
    facts = _shown_facts(loaded, console)
    if with_estimate:
        # Imported here: kernels take half a second to import, and much is known before.
        from vnestruct.embedding.forecast import forecasts
        from vnestruct.execute import resolve_n_jobs

        n_threads = resolve_n_jobs(n_jobs)
        works = forecasts(loaded, settings, radii, n_threads)
        _print(console, "", f"Embedding all nodes on {n_threads} thread{'' if n_threads == 1 else 's'} takes roughly")
        facts["estimates"] = []
        for work in works:
            _print(console, f"  radius {work.radius}: {duration(work.seconds)}, {count(work.arcs)} ball edges")
            facts["estimates"].append(asdict(work))
    if console.json:
        print_json(graph.facts(loaded) | facts)


def _print(console: Console, *lines: str, **table: str) -> None:
    """Write for people what is known already: the rest takes seconds for a large graph."""
    if not console.json:
        print_text(*lines, *(f"{name:<12}{text}" for name, text in table.items()))


def _shown_facts(graph: "Graph", console: Console) -> dict[str, Any]:
    """Return what needs no estimate, and print it for people."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    arcs = csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    sizes = np.bincount(connected_components(arcs, directed=False)[1]) if graph.n_nodes else np.zeros(0, np.int64)
    degrees = graph.degrees if graph.n_nodes else np.zeros(1, np.int64)
    own = (graph.indptr, graph.indices, graph.weights, graph.directions)
    facts: dict[str, Any] = {
        "arcs": graph.n_arcs,
        "directed": graph.directed,
        "weighted": graph.weights is not None,
        "components": sizes.size,
        "largest_component": int(sizes.max(initial=0)),
        "degrees": {name: getattr(np, name)(degrees).item() for name in ("min", "median", "mean", "max")},
        "cleaning": asdict(graph.report),
        # The graph, the same in ranks without the rows of twins, and what is known of each node.
        "memory": sum(array.nbytes for array in own if array is not None) * 2 + 150 * graph.n_nodes,
    }
    components = f"{facts['components']:,}, the largest with {facts['largest_component']:,} nodes"
    from_to = "from {min:,} to {max:,}, median {median:,g}, mean {mean:,.2f}".format(**facts["degrees"])
    memory = f"about {facts['memory'] / 1e9:.1f} GB for the arrays of embed, besides 0.3 GB for the program"
    _print(console, components=components, degrees=from_to, memory=memory, read=str(graph.report))
    return facts
