"""Reading a graph from a file of any format or from an object of another library."""

import os
from typing import Any

from vnestruct import graph as graphs
from vnestruct.errors import GraphFormatError, ParameterError, TooLargeError
from vnestruct.graph import Graph
from vnestruct.graph.build import bipartite_as_told
from vnestruct.io.registry import format_named, format_of_content, format_of_path
from vnestruct.io.source import IGNORE_WEIGHTS, OnRead, ReadOptions, Source
from vnestruct.types import FilePath


def read_graph(
    path: FilePath, *, source: str | int | None = None, target: str | int | None = None,
    weight: str | int | bool | None = None, directed: bool | None = None, bipartite: bool | None = None,
    format: str | None = None, progress: OnRead = None,
) -> Graph:  # fmt: skip
    r"""Read a graph from a file.

    Parameters
    ----------
    path : path-like
        The file, compressed or not; ``-`` for standard input. Its suffix determines the format, or its first
        bytes if the suffix is unknown.
    source, target : str or int, optional
        The columns with the two ends of each edge, by name or by number from 1. By default names such as
        source and target, from and to, src and dst are recognised, and without names the first two are taken.
    weight : str, int or bool, optional
        The column, or in formats with attributes the attribute, of edge weights. By default ``weight``, and
        without names a third column of numbers. False or 0 ignores weights, True insists on them.
    directed : bool, optional
        Whether edges have a direction. By default as the file says, else undirected.
    bipartite : bool, optional
        By default, the graph has two sides (`Graph.sides`) if the two columns of edges share no label, or the file
        says so. True takes equal labels in the two columns as different nodes, and names each node
        ``COLUMN:LABEL``, such as ``user:1`` and ``item:1``. False leaves out sides.
    format : str, optional
        A format that overrides the suffix. With ``+text`` appended, labels stay text even if all are integers.
    progress : callable, optional
        Called again and again with the bytes read so far and the size of the file, compressed if it is.

    Raises
    ------
    GraphFormatError
        The file cannot be read or is not what it claims to be; the message names the line and the remedy.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("friends.csv").write_text("from,to\nann,bob\nbob,eve\n")
    >>> read_graph("friends.csv")
    Graph(3 nodes, 2 edges)
    """
    form, text_labels = (None, False) if format is None else format_named(format)
    column, truth = "a column name, or a number from 1", "True, False or None"
    for name, value, kinds, expected in (
        ("source", source, str | int | None, column), ("target", target, str | int | None, column),
        ("weight", weight, str | int | None, "a name, a number from 1, True or False"),
        ("directed", directed, bool | None, truth), ("bipartite", bipartite, bool | None, truth),
    ):  # fmt: skip
        if not isinstance(value, kinds) or (expected is column and isinstance(value, bool)):
            raise ParameterError(f"`{name}` is {value!r}; it must be {expected}")
    options = ReadOptions(source, target, weight, directed, text_labels, bipartite)
    with Source(path, progress=progress) as opened:
        if not opened.head:
            raise opened.empty()
        if form is None:
            form = None if opened.standard_input else format_of_path(opened.path)
            form = form or format_of_content(opened.head)
        try:
            graph = form.load_reader()(opened, options)
        except GraphFormatError:
            raise
        except ParameterError as problem:
            # The builder speaks of edges and labels; the caller knows files.
            raise opened.error(f"{problem}; fix the file, or {IGNORE_WEIGHTS}") from None
        except RecursionError:
            raise opened.error("nested too deeply to be a graph; check the program that wrote it") from None
        except MemoryError:
            wrong = f"{opened.path}: not enough memory to read this graph; convert it to .vng on a larger machine"
            raise TooLargeError(wrong) from None
    return bipartite_as_told(graph, bipartite)


def as_graph(
    obj: Any, *, format: str | None = None, directed: bool | None = None, bipartite: bool | None = None,
    source: str | int | None = None, target: str | int | None = None, weight: str | int | bool | None = None,
) -> Graph:  # fmt: skip
    """Return the graph that a file or an object of another library holds.

    Nodes are in the order of the object, else in the order of first appearance.

    Parameters
    ----------
    obj : path-like, Graph or object
        A file as for `read_graph`; a `Graph`; an edge array of labels, (m, 2) or (m, 3) with weights; an iterable of
        pairs or triples; a dict of neighbour lists; a SciPy sparse matrix; a networkx or igraph graph; a PyTorch
        Geometric ``Data``; or a data frame.
    source, target, format
        As for `read_graph`; objects other than data frames have no columns.
    weight : str, int or bool, optional
        Column or edge attribute of the weights, by default ``"weight"`` if there is one (1 for edges without); False
        to read no weights.
    directed : bool, optional
        Whether edges have a direction. By default as the object says; edge lists, data frames and matrices say
        nothing and are undirected.
    bipartite : bool, optional
        By default, the graph has two sides (`Graph.sides`) if the object says so, or if the two columns of an edge
        array, edge list, data frame or file share no label. The object says so by networkx's node attribute
        ``bipartite`` or igraph's vertex attribute ``type`` (0 or 1 for every node, and no edge within a side), or as a
        sparse matrix that is not square: its rows are the nodes from 0 and side 0, its columns follow. True takes
        equal labels in the two columns as different nodes and names each node ``COLUMN:LABEL`` (columns without names
        are ``source`` and ``target``), or takes a square matrix as rows and columns of different nodes; anything else
        must say so itself. False leaves out sides.

    Examples
    --------
    >>> as_graph([("a", "b"), ("b", "c")])
    Graph(3 nodes, 2 edges)
    >>> as_graph([("ann", "tea"), ("bob", "tea")]).sides
    array([0, 1, 0], dtype=uint8)
    """
    if isinstance(obj, Graph) and directed is None and weight is None and bipartite is None:
        return obj
    named: Any = {"source": source, "target": target, "weight": weight, "directed": directed, "bipartite": bipartite}
    if isinstance(obj, str | os.PathLike):
        return read_graph(obj, format=format, **named)
    return graphs.graph_from_object(obj, **named)
