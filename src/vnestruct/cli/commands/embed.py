"""`vnestruct embed`: a graph file in, one row of entropies per node out."""

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import vnestruct
from vnestruct.cli.errors import command_line
from vnestruct.cli.options import (
    EmbeddingOutput,
    GraphOptions,
    RandomState,
    RunOptions,
    SignatureOptions,
    about_embedding,
    labels_named,
    option,
)
from vnestruct.cli.output import Console, duration, place_of, print_json
from vnestruct.embedding.parameters import checked_settings
from vnestruct.errors import ParameterError


def embed(
    *,
    output: EmbeddingOutput,
    signature: SignatureOptions,
    approximate: Annotated[
        str | None, option("SHARE", "Estimate what takes long; mean error, in standard deviations, at most e.g. 1%.")
    ] = None,
    random_state: RandomState = 0,
    nodes: Annotated[
        str | None, option("FILE|A,B,...", "Compute only these nodes, in this order; a file names one per line.")
    ] = None,
    run: RunOptions,
    part: Annotated[
        str | None, option("K/N", "Compute only part K of N into --checkpoint; without --part all parts are joined.")
    ] = None,
    graph: GraphOptions,
    console: Console,
) -> None:
    """Describe every node by the entropies of its ego networks.

    The columns are node, h1, ..., hR, one for each radius. Nodes that play the same structural role get the
    same row, wherever they are in the graph. --kind profile writes five entropies of each 1-ball instead, and
    their mean and deviation over the neighbours, twice; --kind roles writes what roles are found from. With
    --checkpoint and --part, long runs can be interrupted, killed or divided among machines: the result is the
    same to the last bit. --approximate estimates large balls, much faster; it recomputes 200 random nodes exactly
    and prints how far they are off.

    Examples
    --------
    vnestruct embed friends.csv -o signatures.parquet
    vnestruct embed flights.csv --source from --target to --directed --direction out+in
    vnestruct embed friends.csv --kind profile -o profile.parquet
    vnestruct embed web.txt.gz -r 3 --approximate 1% -o web.npz
    vnestruct embed web.txt.gz -r 3 --checkpoint web.run -o web.npz
    vnestruct embed web.txt.gz -r 3 --checkpoint web.run -o web.npz --part 3/16
    vnestruct embed web.vng -r 2 --engine ray --address auto --checkpoint /shared/web.run -o web.npz
    vnestruct embed huge.vng -r 1 --max-memory 2G -o huge.npy
    """
    options = signature.keywords() | {"approximate": approximate, "random_state": random_state}
    settings = checked_settings(**options)
    output.check(console if part is None else Console())
    begin = time.perf_counter()
    loaded = graph.load(console, weighted=signature.weighted)
    settings, read = settings.on(loaded), time.perf_counter()
    chosen = None if nodes is None else labels_named(loaded.nodes, words_of(nodes))
    labels = loaded.nodes if chosen is None else loaded.nodes[loaded.positions(chosen)]
    output.check_labels(labels)
    with console.progress() as progress:
        values = vnestruct.embed(loaded, nodes=chosen, part=part, progress=progress, **options, **asdict(run))
    seconds = {"read": read - begin, "compute": time.perf_counter() - read}
    result: dict[str, Any]
    if part is not None:
        n_rows = int((values == values).all(axis=1).sum())  # rows of other parts are NaN
        join = command_line(without="--part")
        console.note(f"Part {part} is done: {n_rows:,} nodes. When all parts are done, join them: {join}")
        result = about_embedding(loaded, settings) | {"part": part, "nodes_worked_on": n_rows}
    else:
        result = output.write(labels, values, loaded, settings) | {"rows": len(values)}
        columns = f"{values.shape[1]} column{'' if values.shape[1] == 1 else 's'}"
        wrote = f"Wrote {len(values):,} rows of {columns} to {place_of(output.output)}"
        console.note(f"{wrote} in {output.format} format, computed in {duration(seconds['compute'])}.")
        audit = getattr(values, "audit", None)
        if audit is not None:
            console.note(f"Audit: {audit}.")
            result["audit"] = asdict(audit)
    if console.json:
        run_facts = {"cleaning": asdict(loaded.report), "checkpoint": run.checkpoint, "seconds": seconds}
        print_json(graph.facts(loaded) | result | run_facts)


def words_of(nodes: str) -> list[str]:
    """Return the names of nodes in a file, one per line, or those that commas separate."""
    file = Path(nodes)
    try:
        listed = file.read_text(encoding="utf-8-sig").splitlines() if file.is_file() else nodes.split(",")
    except (OSError, ValueError) as error:
        raise ParameterError(f"`nodes` {nodes} cannot be read ({error}); write one label per line, in UTF-8") from None
    names = [name.strip() for name in listed if name.strip()]
    if not names:
        raise ParameterError(f"`nodes` {nodes}: no node is named; separate labels by commas, or write one per line")
    [(repeated, times)] = Counter(names).most_common(1)
    if times > 1:
        raise ParameterError(f"`nodes` names node {repeated!r} twice; name it once")
    return names
