"""The edges of a network, read once: a graph, or columns of times and values."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from vnestruct.columns.in_time import Events
from vnestruct.columns.tables import Table, is_table
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.frames import chosen_columns, edge_columns_of
from vnestruct.graph.labels import LabelArray, as_label_column, numbered
from vnestruct.io import as_graph
from vnestruct.types import BoolArray, OffsetArray

READING = ("source", "target", "weight", "directed", "bipartite", "format")


class Network(NamedTuple):
    """The edges, read once."""

    graph: Graph | None  # without times
    nodes: LabelArray
    events: Events | None  # edges with values or times
    columns: list[Any]  # of the table of edges
    value_names: list[str]
    clock: str  # what times are
    directed: bool


def read_network(edges: Any, options: dict[str, Any], excluded: list[str]) -> Network:
    """Read the edges; `options` are those of `as_graph`, and weighted, time, edge_time and values."""
    reading = {name: options[name] for name in READING}
    time, values = options["time"], options["values"]
    if not options["weighted"] and reading["weight"] is None:
        reading["weight"] = False  # what is not used cannot be wrong
    if not is_table(edges):
        if time is not None or (values != "auto" and len(values)):
            wrong = f"`{'values' if time is None else 'time'}` needs a table of edges with columns"
            raise ParameterError(f"{wrong}: a data frame, or a CSV, Parquet or Feather file")
        graph = edges if isinstance(edges, Graph) else as_graph(edges, **reading)
        return Network(graph, graph.nodes, None, [], [], "number", graph.directed)
    table = Table(edges, "table of edges")
    frame = table.frame.to_native()
    if table.names == [str(i + 1) for i in range(len(table.names))]:  # a file without names
        reading = {"source": "1", "target": "2"} | {name: value for name, value in reading.items() if value is not None}
        reading.setdefault("weight", None)
    names, column, choice = chosen_columns(frame, reading["source"], reading["target"], reading["weight"])
    source, target, weights, _ = edge_columns_of(names, column, choice)
    edge_time = options["edge_time"] or time
    ends = [names[choice.source], names[choice.target]]
    value_names = _value_names(table, values, [*ends, time, edge_time], excluded)
    numbers = np.column_stack([np.empty((len(table), 0)), *map(table.numbers, value_names)])
    if time is None:
        given = {"directed": bool(options["directed"]), "bipartite": options["bipartite"]}
        graph = graph_from_pairs(source, target, weights, **given)
        events = None
        if value_names:
            pairs = np.stack([find_nodes(graph.nodes, labels) for labels in (source, target)], axis=1)
            events = Events(pairs.astype(np.int32), np.empty(0), numbers, graph.n_nodes)
        return Network(graph, graph.nodes, events, names, value_names, "number", graph.directed)
    table.check(edge_time, "edge_time")
    times, clock = table.times(edge_time)
    ids, nodes = numbered(as_label_column(np.stack([source, target], axis=1).ravel()))
    events = Events.in_order(ids.reshape(-1, 2), times, numbers, nodes.size)
    return Network(None, nodes, events, names, value_names, clock, True)


def _value_names(table: Table, values: str | Iterable[str], taken: list[Any], excluded: list[str]) -> list[Any]:
    if values == "auto":
        free = [name for name in table.names if name not in taken and str(name) not in excluded]
        return [name for name in free if table.is_numeric(name)]
    names = [values] if isinstance(values, str) else list(values)
    for name in names:
        table.check(name, "values")
        if name in taken or not table.is_numeric(name):
            why = "an end or the time" if name in taken else "not numeric"
            raise ParameterError(f"`values` column {name!r} is {why}; leave it out")
    return names


def find_nodes(nodes: LabelArray, labels: LabelArray, is_missing: BoolArray | None = None) -> OffsetArray:
    """Return the position of each label among distinct ones, -1 where it is unknown or missing.

    Where only one side has integers, labels are compared as text, as in a file.
    """
    if nodes.dtype != labels.dtype:
        nodes, labels = (np.array([str(label) for label in side.tolist()], object) for side in (nodes, labels))
    if nodes.dtype == object:
        known = {label: place for place, label in enumerate(nodes.tolist())}
        places = np.array([known.get(label, -1) for label in labels.tolist()], np.int64)
    else:
        order = np.argsort(nodes)
        place = np.searchsorted(nodes, labels, sorter=order)
        found = np.append(order, -1)[place]
        places = np.where(np.append(nodes, 0)[found] == labels, found, -1)
    return places if is_missing is None else np.where(is_missing, -1, places)
