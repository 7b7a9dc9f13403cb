"""From columns of edges to a clean graph: self-loops dropped, parallel edges merged, arcs sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.assemble import EdgeKeys
from vnestruct.graph.factorize import factorize
from vnestruct.graph.graph import Graph
from vnestruct.graph.labels import LabelArray, as_label_column, check_labels
from vnestruct.graph.validate import as_integers, first_true
from vnestruct.types import NodeId, Value, ValueArray


def graph_from_pairs(
    source: Any, target: Any, weight: Any | None = None, *, nodes: Any | None = None, directed: bool = False
) -> Graph:
    """Build a graph from the labels of the two ends of each edge, any hashable objects.

    Labels of `nodes` come first in the node order, with edges or not; the others follow by first appearance. Weights
    are not negative, those of parallel edges add up, and an edge of weight 0 is dropped.

    Examples
    --------
    >>> graph = graph_from_pairs(["b", "a", "a"], ["a", "c", "a"])
    >>> graph.nodes
    array(['b', 'a', 'c'], dtype=object)
    >>> print(graph.report)
    Read 3 edges; dropped 1 self-loop.
    """
    source, target = as_label_column(source), as_label_column(target)
    if source.size != target.size:
        raise ParameterError(f"source has {source.size} labels, but target has {target.size}")
    values = None if weight is None else checked_weights(weight, source, target)
    given = None if nodes is None else as_label_column(nodes)
    if given is not None:
        check_labels(given)
    source_ids, target_ids, labels = factorize(source, target, given)
    del source, target
    edges = EdgeKeys(source_ids, target_ids, values, labels.size, directed)
    del source_ids, target_ids
    return edges.graph(labels)


def graph_from_ids(
    source_ids: npt.ArrayLike,
    target_ids: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    *,
    n_nodes: int,
    nodes: Any | None = None,
    directed: bool = False,
) -> Graph:
    """Build a graph from ids 0..n_nodes-1 of the two ends of each edge; `nodes` are their labels, by default the ids.

    Examples
    --------
    >>> graph_from_ids([0, 1, 1], [1, 2, 0], n_nodes=4)
    Graph(4 nodes, 2 edges)
    """
    if not isinstance(n_nodes, int | np.integer) or not 0 <= n_nodes <= np.iinfo(NodeId).max:
        raise ParameterError(f"n_nodes is {n_nodes!r}; it must be an integer from 0 to {np.iinfo(NodeId).max}")
    n_nodes = int(n_nodes)
    source, target = _ids(source_ids, "source_ids", n_nodes), _ids(target_ids, "target_ids", n_nodes)
    if source.size != target.size:
        raise ParameterError(f"source_ids has {source.size} entries, but target_ids has {target.size}")
    labels = None if nodes is None else as_label_column(nodes)
    if labels is not None:
        if labels.size != n_nodes:
            raise ParameterError(f"nodes has {labels.size} labels, but n_nodes is {n_nodes}")
        check_labels(labels)
    values = None if weight is None else checked_weights(weight, source, target, labels)
    return EdgeKeys(source, target, values, n_nodes, directed).graph(labels)


def _ids(ids: npt.ArrayLike, name: str, n_nodes: int) -> npt.NDArray[Any]:
    given = as_integers(ids, name)
    if given.size and not (given.min() >= 0 and given.max() < n_nodes):
        place = int(np.argmax((given < 0) | (given >= n_nodes)))
        raise ParameterError(f"{name}[{place}] is {given[place]}; ids range from 0 to n_nodes - 1 = {n_nodes - 1}")
    return given


def checked_weights(
    weight: Any, source: npt.NDArray[Any], target: npt.NDArray[Any], labels: LabelArray | None = None
) -> ValueArray:
    """Return weights as numbers; an error names the edge, by its labels, that has another one."""

    def edge(place: int) -> str:
        ends = [column[place] if labels is None else labels[column[place]] for column in (source, target)]
        return "({!r}, {!r})".format(*(end.item() if isinstance(end, np.generic) else end for end in ends))

    if not isinstance(weight, np.ndarray):
        try:
            weight = np.asarray(weight) if hasattr(weight, "__array__") else list(weight)
        except TypeError:
            raise ParameterError(f"weight is {weight!r}; it must hold one number for each edge") from None
    given: npt.NDArray[Any]
    try:
        given = np.asarray(weight)
    except ValueError:
        given = np.fromiter(weight, dtype=object)
    if given.ndim != 1 or given.size != source.size:
        raise ParameterError(f"weight has shape {given.shape}; it must hold one number for each of {source.size} edges")
    if given.dtype.kind not in "biuf":
        given = np.array([_number(value, place, edge) for place, value in enumerate(weight)], dtype=Value)
    values: ValueArray = given.astype(Value, copy=False)
    if (place := first_true(~(np.isfinite(values) & (values >= 0)))) is not None:
        raise ParameterError(
            f"the weight of edge {edge(place)} is {values[place]}; weights must be finite and not negative"
        )
    return values


def _number(value: Any, place: int, edge: Any) -> float:
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"the weight of edge {edge(place)} is {value!r}, which is not a number") from None
