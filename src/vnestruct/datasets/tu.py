"""The layout of the TU Dortmund collections: one text file each for arcs, graphs, classes, types and attributes.

``NAME_A.txt`` has one arc ``row, column`` per line, with nodes counted from 1 over the whole collection,
``NAME_graph_indicator.txt`` the graph of each node, ``NAME_graph_labels.txt`` the class of each graph; node labels and
node attributes are optional. Arcs may be listed in one direction or both, once or several times.
"""

import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from os import fspath
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from vnestruct.errors import GraphFormatError
from vnestruct.files.compression import open_archive
from vnestruct.graph import GraphSet, graph_from_ids
from vnestruct.types import Array, FilePath, Offset, Value

_ARCS = "_A.txt"
_PARTS = ("_A", "_graph_indicator", "_graph_labels", "_node_labels", "_node_attributes")


def read_tu(path: FilePath) -> GraphSet:
    r"""Read a collection in the TU Dortmund layout.

    Parameters
    ----------
    path : path-like
        A folder, or a zip archive of one.

    Returns
    -------
    GraphSet
        Graphs with their classes as labels; node labels as `node_types`, node attributes as `node_attributes`. Repeated
        arcs and self-loops are dropped, and edge labels are not read.

    Raises
    ------
    GraphFormatError
        If a file is missing, a line is invalid, or files disagree; the message names file and line.

    Examples
    --------
    >>> from pathlib import Path
    >>> Path("TINY").mkdir()
    >>> parts = {"A": "1, 2\n2, 1\n3, 4\n", "graph_indicator": "1\n1\n2\n2\n2\n", "graph_labels": "1\n-1\n"}
    >>> for part, text in parts.items():
    ...     _ = Path(f"TINY/TINY_{part}.txt").write_text(text)
    >>> read_tu("TINY")
    GraphSet(2 graphs, 5 nodes, 2 edges)
    """
    place = Path(fspath(path))
    name, texts = _texts(place)

    def fail(part: str, message: str, line: int | None = None) -> GraphFormatError:
        return GraphFormatError(message, f"{fspath(path)}/{name}{part}.txt", line)

    def check(part: str, wrong: Any, message: Callable[[int], str]) -> None:
        if wrong.any():
            row = int(np.argmax(wrong))
            raise fail(part, message(row), row + 1)

    def numbers(part: str, width: int | None = None, dtype: Any = np.int64) -> Array | None:
        return _numbers(texts[part], partial(fail, part), dtype, width) if part in texts else None

    arcs, indicator, labels = numbers("_A", 2), numbers("_graph_indicator", 1), numbers("_graph_labels", 1)
    if arcs is None or indicator is None:
        raise GraphFormatError(f"there is no {name}_graph_indicator.txt, which the TU Dortmund layout requires", path)
    member, arcs = indicator[:, 0], arcs - 1
    unordered = "graph {1} after graph {0}; nodes must be in the order of their graphs"
    falls = np.diff(member, prepend=member[:1]) < 0
    check("_graph_indicator", falls, lambda row: unordered.format(*member[row - 1 : row + 1]))
    check("_graph_indicator", member < 1, lambda row: f"graph {member[row]}; graphs are counted from 1")
    n_graphs = int(member[-1]) if member.size else 0
    if labels is not None and n_graphs > len(labels):
        raise fail("_graph_labels", f"{len(labels)} labels, but the graph indicator mentions graph {n_graphs}")
    n_graphs = n_graphs if labels is None else len(labels)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(member - 1, minlength=n_graphs))]).astype(Offset)
    outside, counted = ((arcs < 0) | (arcs >= member.size)).any(axis=1), f"nodes are counted from 1 to {member.size}"
    check("_A", outside, lambda row: "arc {}, {}, but ".format(*arcs[row] + 1) + counted)
    crossing = "an arc from graph {} to graph {}; arcs must stay within one graph"
    check("_A", member[arcs[:, 0]] != member[arcs[:, 1]], lambda row: crossing.format(*member[arcs[row]]))
    types, attributes = numbers("_node_labels"), numbers("_node_attributes", dtype=Value)
    for part, column in (("_node_labels", types), ("_node_attributes", attributes)):
        if column is not None and len(column) != member.size:
            raise fail(part, f"{len(column)} lines for {member.size} nodes; exactly one line per node is needed")
    graph = graph_from_ids(arcs[:, 0], arcs[:, 1], n_nodes=member.size)
    classes = None if labels is None else labels[:, 0]
    return GraphSet(graph, offsets, classes, attributes, node_types=types, name=name)


def is_tu(path: FilePath) -> bool:
    """Return whether a path is a folder or zip archive in the TU Dortmund layout."""
    place = Path(fspath(path))
    if place.is_dir():
        return any(place.glob(f"*{_ARCS}"))
    if not zipfile.is_zipfile(place):
        return False
    with place.open("rb") as file, open_archive(file) as archive:
        return any(member.endswith(_ARCS) for member in archive.namelist())


def _texts(place: Path) -> tuple[str, dict[str, bytes]]:
    """Return the name of the collection and the content of each of its files."""
    try:
        if place.is_dir():
            return _parts({path.name: path.read_bytes for path in place.iterdir() if path.is_file()}, place)
        if not place.exists():
            raise GraphFormatError("there is no such file or folder; check the name", place)
        with place.open("rb") as file, open_archive(file) as archive:
            return _parts({PurePosixPath(name).name: partial(archive.read, name) for name in archive.namelist()}, place)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        problem = f"neither a folder nor a readable zip archive ({error}); download it again"
        raise GraphFormatError(problem, place) from None


def _parts(files: dict[str, Callable[[], bytes]], place: Path) -> tuple[str, dict[str, bytes]]:
    names = sorted(file.removesuffix(_ARCS) for file in files if file.endswith(_ARCS))
    if len(names) != 1:
        count = f"there are {len(names)} of them: {', '.join(names)}" if names else "there is none"
        raise GraphFormatError(f"exactly one file NAME{_ARCS} is needed, but {count}", place)
    paths = {part: f"{names[0]}{part}.txt" for part in _PARTS}
    return names[0], {part: files[path]() for part, path in paths.items() if path in files}


def _numbers(text: bytes, fail: Callable[[str, int], Exception], dtype: Any, width: int | None) -> Array:
    """Return the numbers of a file, one row per line."""
    width = width or text.partition(b"\n")[0].count(b",") + 1
    with suppress(ValueError, OverflowError, Warning), warnings.catch_warnings(action="error"):
        table: Array = np.loadtxt(BytesIO(text), dtype, comments=None, delimiter=",", ndmin=2, encoding="ascii")
        if table.shape[1] == width and np.isfinite(table).all():
            return table
    # What is wrong, and where, or a file without lines.
    kind = "finite numbers" if dtype is Value else "integers"
    rows = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = np.array(line.split(","), dtype)
        except (ValueError, OverflowError):
            row = np.empty(0)
        if row.size != width or not np.isfinite(row).all():
            raise fail(f"{line.strip()[:40]!r}, where {width} {kind} are expected", number)
        rows.append(row)
    return np.array(rows, dtype=dtype).reshape(-1, width)
