"""`vnestruct info`: what a graph file contains, and how much work it is."""

from dataclasses import asdict
from typing import Annotated, Any

import vnestruct
from vnestruct.cli.options import Direction, GraphOptions, Jobs, Kind, Radius, Weighted, option
from vnestruct.cli.output import Console, duration, print_json, print_text
from vnestruct.embedding.parameters import checked_settings

WithEstimate = Annotated[bool, option("--estimate/--no-estimate", None, "Whether to estimate the time of embedding.")]


def info(
    *,
    radius: Radius = None,
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
    settings = checked_settings(radius, kind or ["approx"], weighted, direction)
    loaded = graph.load(console, summary=False)
    facts = graph.facts(loaded) | _counts(loaded)
    if not console.json:
        print_text(*(f"{name:<12}{text}" for name, text in _in_words(facts, loaded).items()))
    if with_estimate:
        # Imported here: kernels take half a second to import, and much is known before.
        from vnestruct.embedding.forecast import forecasts
        from vnestruct.execute import resolve_n_jobs

        n_threads = resolve_n_jobs(n_jobs)
        works = forecasts(loaded, settings, range(1, settings.radius + 1), n_threads)
        facts["estimates"] = [asdict(work) for work in works]
        if not console.json:
            threads = f"{n_threads} thread{'' if n_threads == 1 else 's'}"
            print_text("", f"Embedding all nodes on {threads} takes roughly")
            print_text(*(f"  radius {w.radius}: {duration(w.seconds)}, {w.arcs:,.0f} ball edges" for w in works))
    if console.json:
        print_json(facts)


def _counts(graph: "vnestruct.Graph") -> dict[str, Any]:
    """Return what needs no estimate."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    arcs = csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    sizes = np.bincount(connected_components(arcs, directed=False)[1]) if graph.n_nodes else np.zeros(0, np.int64)
    degrees = graph.degrees if graph.n_nodes else np.zeros(1, np.int64)
    own = (graph.indptr, graph.indices, graph.weights, graph.directions)
    return {
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


def _in_words(facts: dict[str, Any], graph: "vnestruct.Graph") -> dict[str, str]:
    """Return the lines of the answer by their names."""
    arcs = f" ({graph.n_arcs:,} arcs), " if graph.directed else ", un"
    lines = {"file": facts["input"], "nodes": f"{graph.n_nodes:,}"}
    lines["edges"] = f"{graph.n_edges:,}{arcs}directed, {'' if facts['weighted'] else 'not '}weighted"
    if (sizes := facts["sides"]) is not None:
        words = graph.side_names or ("on side 0", "on side 1")
        both = " and ".join(f"{size:,} {word}" for size, word in zip(sizes, words, strict=True))
        follows = "roles are found on each side separately; --no-bipartite switches this off"
        lines["sides"] = f"bipartite with {both}: {follows}"
    return lines | {
        "components": f"{facts['components']:,}, the largest with {facts['largest_component']:,} nodes",
        "degrees": "from {min:,} to {max:,}, median {median:,g}, mean {mean:,.2f}".format(**facts["degrees"]),
        "memory": f"about {facts['memory'] / 1e9:.1f} GB for the arrays of embed, besides 0.3 GB for the program",
        "read": str(graph.report),
    }
