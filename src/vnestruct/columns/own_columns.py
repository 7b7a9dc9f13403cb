"""The table's own columns over the neighbours of each node: customers among customers."""

from collections.abc import Iterable

import numpy as np

from vnestruct.columns.measures import moments, with_moments
from vnestruct.columns.tables import MOST_CATEGORIES, Table
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.types import Array, OffsetArray, ValueArray


def why_no_average(keys: list[str], time: str | None, places: OffsetArray) -> str | None:
    """Return why no column of the table can be averaged over neighbours, if so."""
    if time is not None:
        return "the columns of a table have no history; with `time`, use columns of the edges, named by `values`"
    if len(keys) == 2:
        return "rows about pairs have no single node; use columns of the edges, named by `values`"
    known = places[places >= 0]
    if np.unique(known).size < known.size:
        return "a key occurs twice, so a node has no single value; pass a `table` with one row per node"
    return None


def own_columns(
    table: Table, own: str | Iterable[str], excluded: set[str], no_average: str | None
) -> dict[str, dict[str, ValueArray]]:
    """Return the columns to average over neighbours, as numbers; `no_average` says why none can be, if so."""
    if own == "auto":
        names = [] if no_average else [name for name in table.names if name not in excluded]
        return {name: values for name in names if (values := table.indicators(name))}
    names = [own] if isinstance(own, str) else list(own)
    if names and no_average:
        raise ParameterError(f"`own` {names}: {no_average}")
    found = {}
    for name in names:
        table.check(name, "own")
        if name in excluded:
            raise ParameterError(f"`own` column {name!r} is the key, or in `exclude`; leave it out of one of them")
        if not (values := table.indicators(name)):
            wrong = f"`own` column {name!r} is neither numeric nor of at most {MOST_CATEGORIES} categories"
            raise ParameterError(f"{wrong}; convert it, or leave it out")
        found[name] = values
    return found


def averaged(
    graph: Graph, columns: dict[str, ValueArray], places: OffsetArray, steps: int
) -> tuple[dict[str, str], ValueArray]:
    """Return moments of columns over neighbours: what they say, and values; `places` has the node of each row."""
    rows = places >= 0
    values = np.full((graph.n_nodes, len(columns)), np.nan)
    for i, column in enumerate(columns.values()):
        values[places[rows], i] = column[rows]
    groups = [values]
    for _ in range(steps):
        groups.append(moments(graph, groups[-1]))
    described = with_moments({name: f"{name} in the table" for name in columns}, steps)
    return dict(list(described.items())[len(columns) :]), np.hstack([values[:, :0], *groups[1:]])


def refuse_target(table: Table, names: Iterable[str], rows: OffsetArray, y: object) -> None:
    """Refuse a column that orders the `rows` of the table as the target does: it tells the outcomes of neighbours."""
    target = np.asarray(y)
    for name in names:
        values = np.array(table.frame.get_column(name).to_list())[rows]
        if target.shape == rows.shape and np.array_equal(_codes(values), _codes(target)):
            wrong = f"`own` column {name!r} equals the target"
            raise ParameterError(f"{wrong}: the model would see outcomes of neighbours; add it to `exclude`")


def _codes(values: Array) -> Array:
    return np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)[1]
