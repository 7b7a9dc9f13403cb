"""Names and attributes of nodes, from a table with one row per node."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vnestruct.io.source import Source
from vnestruct.types import FilePath

_SEPARATORS = "\t,;"


@dataclass(frozen=True)
class NodeTable:
    """The columns of a table: a text per node of the graph, empty for nodes without a row.

    Parameters
    ----------
    columns : mapping
        From the name of a column to its texts, in the order of the graph's nodes.
    name : str, optional
        The column of names, which the page shows instead of labels.
    n_found : int
        Number of nodes that have a row.
    """

    columns: Mapping[str, list[str]]
    name: str | None
    n_found: int


def read_node_table(path: FilePath, nodes: Sequence[Any], *, name: str | None = None) -> NodeTable:
    r"""Read names and attributes of nodes, for `write_page`.

    The first line names the columns, which tabs, commas or semicolons separate. The nodes are in the column that
    matches the most of them.

    Parameters
    ----------
    path : path-like
        The table; it may be compressed.
    nodes : sequence
        The nodes of the graph. The number 7 and the text "7" match.
    name : str, optional
        The column of names.

    Raises
    ------
    GraphFormatError
        If the table has no such column, rows of unequal length, or no row of any node.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.explore import read_node_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "airports.csv")
    ...     _ = file.write_text("code,city,country\nGRU,São Paulo,Brazil\nLIS,Lisbon,Portugal\n", "utf-8")
    ...     read_node_table(file, ["LIS", "GRU", "XYZ"], name="city").columns
    {'city': ['Lisbon', 'São Paulo', ''], 'country': ['Portugal', 'Brazil', '']}
    """
    with Source(path) as source:
        text = source.text().removeprefix("\ufeff")
        separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
        lines = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=separator) if row]
        if len(lines) < 2:
            raise source.error("the table has no rows; the first line names the columns, each other is about a node")
        header, rows = lines[0], lines[1:]
        if name is not None and name not in header:
            raise source.error(f"there is no column {name!r}; the first line has {', '.join(map(repr, header))}", 1)
        if uneven := next((row for row in rows if len(row) != len(header)), None):
            raise source.error(f"the row of {uneven[0]!r} has {len(uneven)} fields, and the first line {len(header)}")
        wanted = [str(node) for node in nodes]
        texts = set(wanted)
        matches = [len(texts & {row[place].strip() for row in rows}) for place in range(len(header))]
        key = max(range(len(header)), key=matches.__getitem__)
        if matches[key] == 0:
            example = f"no column has nodes of the graph, such as {wanted[0]!r}" if wanted else "the graph has no nodes"
            raise source.error(f"{example}; one column must hold the nodes as the graph names them")
    by_node = {row[key].strip(): row for row in reversed(rows)}
    found = [by_node.get(node, [""] * len(header)) for node in wanted]
    # The nodes themselves are no attribute, unless they are the names as well.
    places = [place for place in range(len(header)) if place != key or header[place] == name]
    return NodeTable({header[place]: [row[place] for row in found] for place in places}, name, matches[key])
