"""The edges of a network, read once: a graph, or columns of times and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vnestruct.columns.in_time import Events
from vnestruct.columns.tables import Table, is_table
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.frames import chosen_columns, edge_columns_of
from vnestruct.graph.labels import LabelArray, as_label_column, numbered
from vnestruct.io import as_graph
from vnestruct.types import BoolArray, OffsetArray

if TYPE_CHECKING:
    from vnestruct.columns.graph_features import GraphFeatures

READING = ("source", "target", "weight", "directed", "bipartite", "format")


class Network(NamedTuple):
    """The edges, read once."""

    graph: Graph | None  # without times
    nodes: LabelArray
    events: Events | None  # edges with values or times
    value_names: list[str]
    clock: str  # what times are
    directed: bool


def read_network(model: GraphFeatures, excluded: set[Any]) -> Network:
    """Read the edges: a graph, and columns of times and values."""
    reading = {name: getattr(model, name) for name in READING}
    if not model.weighted and model.weight is None:
        reading["weight"] = False  # what is not used cannot be wrong
    if not is_table(model.edges):
        if model.time is not None or model.values not in ("auto", (), []):
            wrong = f"`{'values' if model.time is None else 'time'}` needs a table of edges with columns"
            raise ParameterError(f"{wrong}: a data frame, or a CSV, Parquet or Feather file")
        graph = model.edges if isinstance(model.edges, Graph) else as_graph(model.edges, **reading)
        return Network(graph, graph.nodes, None, [], "number", graph.directed)
    table = Table(model.edges, "table of edges")
    frame = table.frame.to_native()
    all_names, column, choice = chosen_columns(frame, model.source, model.target, reading["weight"])
    source, target, weights, _ = edge_columns_of(all_names, column, choice)
    names = _value_names(model, table, {*excluded, all_names[choice.source], all_names[choice.target]})
    values = np.column_stack([np.empty((len(table), 0)), *map(table.numbers, names)])
    if model.time is None:
        graph = graph_from_pairs(source, target, weights, directed=bool(model.directed), bipartite=model.bipartite)
        events = None
        if names:
            pairs = np.stack([find_nodes(graph.nodes, source), find_nodes(graph.nodes, target)], axis=1).astype(
                np.int32
            )
            events = Events(pairs, np.empty(0), values, graph.n_nodes)
        return Network(graph, graph.nodes, events, names, "number", graph.directed)
    edge_time = model.time if model.edge_time is None else model.edge_time
    table.check(edge_time, "edge_time")
    times, clock = table.times(edge_time)
    ids, nodes = numbered(as_label_column(np.stack([source, target], axis=1).ravel()))
    return Network(None, nodes, Events.in_order(ids.reshape(-1, 2), times, values, nodes.size), names, clock, True)


def _value_names(model: GraphFeatures, table: Table, excluded: set[Any]) -> list[Any]:
    taken = excluded | {model.time, model.edge_time}
    if model.values == "auto":
        return [name for name in table.names if name not in taken and table.is_numeric(name)]
    names = [model.values] if isinstance(model.values, str) else list(model.values)
    for name in names:
        table.check(name, "values")
        if name in taken or not table.is_numeric(name):
            why = "an end, the time or in `exclude`" if name in taken else "not numeric"
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
