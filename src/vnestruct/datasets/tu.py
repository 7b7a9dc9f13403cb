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
    name, texts = _texts(Path(fspath(path)))
    where = {part: f"{fspath(path)}/{name}{part}.txt" for part in _PARTS}
    if "_graph_indicator" not in texts:
        raise GraphFormatError(f"there is no {name}_graph_indicator.txt, which the TU Dortmund layout requires", path)
    member = _numbers(texts["_graph_indicator"], where["_graph_indicator"], np.int64, 1)[:, 0]
    arcs = _numbers(texts["_A"], where["_A"], np.int64, 2) - 1

    def check(part: str, wrong: Any, message: Callable[[int], str]) -> None:
        if wrong.any():
            place = int(np.argmax(wrong))
            raise GraphFormatError(message(place), where[part], place + 1)

    unordered = "graph {1} after graph {0}; nodes must be in the order of their graphs"
    check(
        "_graph_indicator", np.diff(member, prepend=member[:1]) < 0, lambda i: unordered.format(*member[i - 1 : i + 1])
    )
    check("_graph_indicator", member < 1, lambda i: f"graph {member[i]}; graphs are counted from 1")
    labels, n_graphs = None, int(member[-1]) if member.size else 0
    if "_graph_labels" in texts:
        labels = _numbers(texts["_graph_labels"], where["_graph_labels"], np.int64, 1)[:, 0]
        if n_graphs > labels.size:
            problem = f"{labels.size} labels, but the graph indicator mentions graph {n_graphs}"
            raise GraphFormatError(problem, where["_graph_labels"])
        n_graphs = labels.size
    offsets = np.concatenate([[0], np.cumsum(np.bincount(member - 1, minlength=n_graphs))]).astype(Offset)
    outside, counted = ((arcs < 0) | (arcs >= member.size)).any(axis=1), f"nodes are counted from 1 to {member.size}"
    check("_A", outside, lambda i: "arc {}, {}, but ".format(*arcs[i] + 1) + counted)
    crossing = "an arc from graph {} to graph {}; arcs must stay within one graph"
    check("_A", member[arcs[:, 0]] != member[arcs[:, 1]], lambda i: crossing.format(*member[arcs[i]]))
    graph = graph_from_ids(arcs[:, 0], arcs[:, 1], n_nodes=member.size)

    columns: list[Array | None] = []
    for part, dtype in (("_node_labels", np.int64), ("_node_attributes", Value)):
        columns.append(_numbers(texts[part], where[part], dtype) if part in texts else None)
        if columns[-1] is not None and len(columns[-1]) != member.size:
            problem = f"{len(columns[-1])} lines for {member.size} nodes; exactly one line per node is needed"
            raise GraphFormatError(problem, where[part])
    return GraphSet(graph, offsets, labels, columns[1], node_types=columns[0], name=name)


def is_tu(path: FilePath) -> bool:
    """Return whether a path is a folder or zip archive in the TU Dortmund layout."""
    place = Path(fspath(path))
    if place.is_dir():
        return any(place.glob(f"*{_ARCS}"))
    if not zipfile.is_zipfile(place):
        return False
    with open_archive(place) as archive:
        return any(member.endswith(_ARCS) for member in archive.namelist())


def _texts(place: Path) -> tuple[str, dict[str, bytes]]:
    """Return the name of the collection and the content of each of its files."""
    try:
        if place.is_dir():
            return _parts({path.name: path.read_bytes for path in place.iterdir() if path.is_file()}, place)
        if not place.exists():
            raise GraphFormatError("there is no such file or folder; check the name", place)
        with open_archive(place) as archive:
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


def _numbers(text: bytes, path: str, dtype: Any, width: int | None = None) -> Array:
    """Return the numbers of a file, one row per line."""
    width = width or text.partition(b"\n")[0].count(b",") + 1
    with suppress(ValueError, OverflowError, Warning), warnings.catch_warnings(action="error"):
        table: Array = np.loadtxt(BytesIO(text), dtype, comments=None, delimiter=",", ndmin=2, encoding="ascii")
        if table.shape[1] == width and np.isfinite(table).all():
            return table
    # What is wrong, and where, or a file without lines.
    convert, kind = (float, "numbers") if dtype is Value else (int, "integers")
    rows = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = np.array([convert(field) for field in line.split(",")], dtype=dtype)
        except (ValueError, OverflowError):
            raise GraphFormatError(f"{line.strip()[:40]!r} where {kind} are expected", path, number) from None
        if len(row) != width:
            raise GraphFormatError(f"{len(row)} value{'s' * (len(row) != 1)} where {width} are expected", path, number)
        if not np.isfinite(row).all():
            raise GraphFormatError(f"{line.strip()[:40]!r} is not finite; leave such attributes out", path, number)
        rows.append(row)
    return np.array(rows, dtype=dtype).reshape(-1, width)
