"""Graphs from formats that list their nodes, then edges between them, each with a direction of its own."""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import GraphFormatError
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.io.columns import ignores_weights
from vnestruct.io.fields import is_plain_integer
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.types import NodeId, Value


def integers_or_text(labels: Sequence[str], keep_text: bool) -> list[Any]:
    """Return labels as integers if every one is written as an integer, else as they are.

    Examples
    --------
    >>> integers_or_text(["3", "1"], keep_text=False), integers_or_text(["3", "01"], keep_text=False)
    ([3, 1], ['3', '01'])
    """
    if keep_text or not all(is_plain_integer(label.encode("utf-8", "replace")) for label in labels):
        return list(labels)
    return [int(label) for label in labels]


def weight_name(options: ReadOptions) -> str | None:
    """Return the name of the attribute that holds weights, None if they are to be ignored."""
    if ignores_weights(options.weight):
        return None
    return "weight" if options.weight is None or options.weight is True else str(options.weight)


class Listing:
    """Nodes and edges in the order of the file.

    Parameters
    ----------
    source : Source
        The file, for its errors.
    options : ReadOptions
        What the caller says.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._positions: dict[Hashable, int] = {}
        self._ends: tuple[list[Hashable], list[Hashable]] = ([], [])
        self._lines = array("q")
        self._weights = array("d")
        self._directed = bytearray()
        self._weighted = False
        self.declared_directed = False

    @property
    def keys(self) -> list[Hashable]:
        """The keys of the nodes so far."""
        return list(self._positions)

    def add_node(self, key: Hashable, line: int | None = None) -> None:
        """Take a node by the key that edges use for it."""
        if key in self._positions:
            raise self._source.error(f"node {shown(str(key))} is listed twice; keys must be distinct", line)
        self._positions[key] = len(self._positions)

    def add_edge(
        self, tail: Hashable, head: Hashable, weight: float | None, directed: bool, line: int | None = None
    ) -> None:
        """Take an edge; its nodes may come later."""
        self._ends[0].append(tail)
        self._ends[1].append(head)
        self._lines.append(line or 0)
        self._weights.append(1.0 if weight is None else weight)
        self._weighted |= weight is not None
        self._directed.append(directed)

    def weight(self, text: Any, line: int | None = None, where: str = "") -> float:
        """Return a weight as a number, or raise the error that names the line."""
        try:
            if isinstance(text, bool) or (isinstance(text, str) and "_" in text):
                raise ValueError
            value = float(text)
        except (TypeError, ValueError, OverflowError):
            value = math.nan
        if value >= 0 and math.isfinite(value):
            return value
        raise self._source.error(
            f"the weight {shown(str(text))}{where} is not a finite number from 0; mend it, "
            "or ignore weights with weight=0",
            line,
        )

    def graph(self, labels: Sequence[Any]) -> Graph:
        """Build the graph; `labels` are those of the nodes in their order."""
        directions = np.frombuffer(self._directed, dtype=np.uint8).astype(bool)
        directed = self._options.directed
        if directed is None:
            directed = bool(directions.any()) or (self.declared_directed and not directions.size)
        if self._options.weight is True and not self._weighted and len(self._lines):
            raise self._source.error("no edge has a weight; leave weight= out")
        tails, heads = (self._ids(column) for column in self._ends)
        weights = np.frombuffer(self._weights, dtype=Value) if self._weighted else None
        if directed and not directions.all():
            # An undirected edge in a directed graph is an arc each way.
            both = ~directions
            tails, heads = np.concatenate([tails, heads[both]]), np.concatenate([heads, tails[both]])
            weights = None if weights is None else np.concatenate([weights, weights[both]])
        return graph_from_ids(tails, heads, weights, n_nodes=len(labels), nodes=labels, directed=directed)

    def _ids(self, keys: list[Hashable]) -> npt.NDArray[Any]:
        try:
            return np.fromiter(map(self._positions.__getitem__, keys), dtype=NodeId, count=len(keys))
        except KeyError:
            raise self._unlisted(keys) from None

    def _unlisted(self, keys: list[Hashable]) -> GraphFormatError:
        place = next(place for place, key in enumerate(keys) if key not in self._positions)
        return self._source.error(
            f"an edge ends in node {shown(str(keys[place]))}, which is not listed; list it among the nodes",
            self._lines[place] or None,
        )
