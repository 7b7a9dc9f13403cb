"""`vnestruct features`: columns that describe the nodes of a network, added to a table."""

from dataclasses import asdict
from typing import Annotated

import vnestruct
from vnestruct.cli.options import Direction, GraphOptions, Jobs, Weighted, option, separate_words
from vnestruct.cli.output import Console, place_of, print_json
from vnestruct.columns.tables import Table, check_table_path, write_table

Names = list[str] | None


def features(
    *,
    graph: GraphOptions,
    output: Annotated[str, option("--output -o", "OUT", "File to write: .csv, .tsv, .parquet or .feather.")],
    table: Annotated[
        str | None, option("T", "The table: .csv, .tsv, .parquet or .feather. Default: one row per node.")
    ] = None,
    key: Annotated[Names, option("COLUMN", "Column with the node of each row; twice for rows about pairs.")] = None,
    measures: Annotated[
        Names, option("NAME", "What is said of each node, separated by commas.", callback=separate_words)
    ] = None,
    own: Annotated[
        Names, option("COLUMN", "Columns of T to average over neighbours; none: no column.", callback=separate_words)
    ] = None,
    values: Annotated[
        Names, option("COLUMN", "Numeric columns of IN to summarise; none: no column.", callback=separate_words)
    ] = None,
    exclude: Annotated[
        Names, option("COLUMN", "Columns to leave alone: above all the target.", callback=separate_words)
    ] = None,
    steps: Annotated[int, option("N", "How many times means and deviations over neighbours are taken.")] = 2,
    radius: Annotated[int, option("--radius -r", "R", "Largest number of hops, for measures that are kinds.")] = 1,
    direction: Direction = "all",
    weighted: Weighted = False,
    time: Annotated[str | None, option("COLUMN", "Column of T with times: a row sees the edges before it.")] = None,
    edge_time: Annotated[str | None, option("COLUMN", "Column of IN with times. Default: named as --time.")] = None,
    window: Annotated[str | None, option("SPAN", "How far back a row sees: 90s, 15min, 12h, 7d, 2w.")] = None,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Add columns that describe the nodes of a network to a table.

    They say how a node is connected, what its neighbours are like, and what is known of its edges. With --time, each
    row sees only what came before it. Columns of T are averaged over neighbours: name the target with --exclude.

    Examples
    --------
    vnestruct features flights.csv --table airports.csv --key code --exclude city -o columns.parquet
    vnestruct features payments.csv --table payments.csv --key from --key to --time when --window 30d -o columns.parquet
    """
    check_table_path(output)
    console.check_outputs(output)
    reading = asdict(graph)
    found = vnestruct.features(
        reading.pop("input"), table, key=key, measures=measures or "auto",
        own=_chosen(own), values=_chosen(values), exclude=exclude or (), steps=steps, radius=radius,
        direction=direction, weighted=weighted, time=time, edge_time=edge_time, window=window, n_jobs=n_jobs,
        **reading,
    )  # fmt: skip
    write_table(found, output)
    rows = Table(found)
    console.note(f"Wrote {len(rows):,} rows of {len(rows.names)} columns to {place_of(output)}.")
    if console.json:
        print_json({"input": graph.input, "table": table, "rows": len(rows), "columns": rows.names, "output": output})


def _chosen(names: Names) -> str | list[str]:
    return [] if names == ["none"] else names or "auto"
