"""A graph as columns of edges and texts of labels, the way files hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.graph import IN, OUT, Graph
from vnestruct.graph.validate import reverse_entries
from vnestruct.types import IdArray, NodeId, ValueArray

_CHUNK = 1 << 18
_UNFIT = re.compile(r"[\x00-\x08\n\r\x0e-\x1f\x7f]")


def edge_columns(graph: Graph) -> tuple[IdArray, IdArray, ValueArray | None]:
    """Return each edge, or each arc of a directed graph, once: its two ends and its weight.

    The order is such that numbering nodes by first appearance gives back the node order of the graph wherever
    an order of edges can do so, in particular for every graph that was read from an edge list.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_pairs
    >>> tails, heads, _ = edge_columns(graph_from_pairs([5, 5, 7], [7, 6, 6]))
    >>> tails.tolist(), heads.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    rows = np.repeat(np.arange(graph.n_nodes, dtype=NodeId), graph.degrees)
    entries = np.flatnonzero(graph.indices < rows)
    larger, smaller = rows[entries], graph.indices[entries]
    del rows
    # A node whose every neighbour is larger must appear with its first one, before that one's other edges.
    fresh = graph.indices[graph.indptr[smaller]] == larger
    order = np.argsort(2 * larger.astype(np.int64) + ~fresh, kind="stable")
    entries, larger, smaller = entries[order], larger[order], smaller[order]
    weights = graph.weights
    if graph.directions is None:
        return smaller, larger, None if weights is None else weights[entries]
    flags = graph.directions[entries]
    up, down = np.flatnonzero(flags & IN), np.flatnonzero(flags & OUT)
    order = np.argsort(np.concatenate([2 * up, 2 * down + 1]))
    tails = np.concatenate([smaller[up], larger[down]])[order]
    heads = np.concatenate([larger[up], smaller[down]])[order]
    if weights is None:
        return tails, heads, None
    reverse = reverse_entries(graph.indptr, graph.indices)
    values = np.concatenate([weights[reverse[entries[up]]], weights[entries[down]]])[order]
    return tails, heads, values


def label_texts(graph: Graph) -> tuple[list[str], list[str]]:
    """Return the label of every node as text, and notes on what that loses."""
    labels = graph.nodes.tolist()
    notes = []
    if graph.nodes.dtype == object and not all(isinstance(label, str) for label in labels):
        other = next(type(label).__name__ for label in labels if not isinstance(label, str))
        notes.append(f"labels that are not text, such as of type {other}, are written as text")
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts):
        raise ParameterError("two labels are the same when written as text; use .vng, which keeps them apart")
    return texts, notes


def one_line_texts(graph: Graph) -> tuple[list[str], list[str]]:
    """Return label texts for formats in which a label is a part of a line; refuse labels that cannot be."""
    texts, notes = label_texts(graph)
    if graph.nodes.dtype == object:
        for text in texts:
            if not text.strip() or _UNFIT.search(text):
                raise ParameterError(
                    f"label {text!r} is empty or has line breaks or control characters; use .json or .vng"
                )
            _check_unicode(text)
        if any(text != text.strip() for text in texts):
            notes.append("blanks at the ends of labels are lost")
    return texts, notes


def isolated_note(graph: Graph) -> list[str]:
    """Return the note for formats that know nodes only by their edges."""
    n_isolated = int(np.count_nonzero(graph.degrees == 0))
    if n_isolated < 2:
        return ["1 node without edges cannot be written and is lost"] * n_isolated
    return [f"{n_isolated} nodes without edges cannot be written and are lost"]


def direction_note(graph: Graph) -> list[str]:
    """Return the note for formats that do not say whether edges have a direction."""
    note = Message("the file does not say that edges have a direction: read it with ", Parameter("directed", True))
    return [note] if graph.directed else []


def chunked_rows(graph: Graph, texts: list[str]) -> Iterator[tuple[list[str], list[str], list[float] | None]]:
    """Yield the edges as texts of their ends and weights, some at a time."""
    tails, heads, weights = edge_columns(graph)
    words: npt.NDArray[Any] = np.array(texts, dtype=object)
    for start in range(0, tails.size, _CHUNK):
        rows = slice(start, start + _CHUNK)
        values = None if weights is None else weights[rows].tolist()
        yield words[tails[rows]].tolist(), words[heads[rows]].tolist(), values


def _check_unicode(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(f"label {text!r} is not valid Unicode; use .vng, which keeps it") from None
