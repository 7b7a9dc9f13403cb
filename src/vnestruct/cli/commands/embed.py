"""`vnestruct embed`: a graph file in, one row of entropies per node out."""

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, count, duration, print_json
from vnestruct.cli.errors import command_line
from vnestruct.cli.options import GraphOptions, Radius, RunOptions, SignatureOptions, option, positions_named
from vnestruct.cli.outputs import EmbeddingOutput, check_labels, embedding_metadata, parameters_of
from vnestruct.errors import ParameterError

if TYPE_CHECKING:
    from vnestruct.graph import Graph


def embed(
    *,
    output: EmbeddingOutput,
    radius: Radius = None,
    signature: SignatureOptions,
    approximate: Annotated[
        str | None, option("SHARE", "Estimate what takes long; mean error, in standard deviations, at most e.g. 1%.")
    ] = None,
    random_state: Annotated[int, option("N", "Seed of --approximate.")] = 0,
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
    import numpy as np

    import vnestruct
    from vnestruct.embedding.parameters import checked_settings
    from vnestruct.store import parse_part

    estimates: dict[str, Any] = {"approximate": approximate, "random_state": random_state}
    settings = checked_settings(radius, **signature.keywords(), **estimates)
    if part is not None:
        parse_part(part)
        if run.checkpoint is None or nodes is not None or settings.named or approximate is not None:
            needed = "--part needs --checkpoint DIR, where the parts are joined"
            raise ParameterError(f"{needed}, and excludes --nodes, --approximate and kinds without a radius")
    output.check(console if part is None else Console())
    begin = time.perf_counter()
    loaded = graph.load(console, weighted=signature.weighted)
    settings = settings.on(loaded)
    read = time.perf_counter()
    chosen = None if nodes is None else chosen_positions(loaded, nodes)
    labels = loaded.nodes if chosen is None else loaded.nodes[chosen]
    check_labels(labels, output.format)
    with run.keywords(console) as keywords:
        keywords |= signature.keywords()
        named = None if chosen is None else labels
        values = vnestruct.embed(loaded, radius, nodes=named, part=part, **keywords, **estimates)
    seconds = {"read": read - begin, "compute": time.perf_counter() - read}
    result: dict[str, Any]
    if part is not None:
        n_rows = int(np.count_nonzero(~np.isnan(values).any(axis=1)))
        join = command_line(without="--part")
        console.note(f"Part {part} is done: {count(n_rows)} nodes. When all parts are done, join them: {join}")
        result = {"part": part, "nodes_worked_on": n_rows}
    else:
        output.write(labels, values, loaded, settings, run.checkpoint)
        columns = f"{values.shape[1]} column{'' if values.shape[1] == 1 else 's'}"
        wrote = f"Wrote {len(values):,} rows of {columns} to {output.name}"
        console.note(f"{wrote} in {output.format} format, computed in {duration(seconds['compute'])}.")
        result = {"rows": len(values), "columns": settings.columns}
        result |= {"output": output.output, "format": output.format}
        audit = getattr(values, "audit", None)
        if audit is not None:
            console.note(f"Audit: {audit}.")
            result["audit"] = asdict(audit)
    if console.json:
        facts = graph.facts(loaded) | {"cleaning": asdict(loaded.report)} | embedding_metadata(loaded, settings)
        result = {"parameters": parameters_of(settings)} | result
        print_json(facts | result | {"checkpoint": run.checkpoint, "seconds": seconds})


def chosen_positions(graph: "Graph", words: str) -> list[int]:
    """Return the positions of nodes that are named in a file, one per line, or separated by commas."""
    file = Path(words)
    try:
        listed = file.read_text(encoding="utf-8-sig").splitlines() if file.is_file() else words.split(",")
    except UnicodeDecodeError:
        raise ParameterError(f"--nodes {words}: the file is not UTF-8; write one label per line") from None
    except (OSError, ValueError) as error:
        raise ParameterError(f"--nodes {words}: cannot be read ({error}); check the name") from None
    names = [name.strip() for name in listed if name.strip()]
    if not names:
        raise ParameterError(f"--nodes {words}: no node is named; separate labels by commas, or write one per line")
    [(repeated, times)] = Counter(names).most_common(1)
    if times > 1:
        raise ParameterError(f"--nodes names node {repeated!r} twice; name it once")
    return positions_named(graph.nodes, names, "--nodes")
