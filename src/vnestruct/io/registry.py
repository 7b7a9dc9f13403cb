"""The formats of graph files: names, suffixes, and where their readers and writers are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import IO, Any

from vnestruct.errors import ParameterError
from vnestruct.files.compression import SUFFIXES
from vnestruct.graph import Graph
from vnestruct.io.source import ReadOptions, Source

Reader = Callable[[Source, ReadOptions], Graph]
Writer = Callable[[Graph, IO[bytes]], list[str]]


@dataclass(frozen=True)
class Format:
    """One format of graph files.

    Attributes
    ----------
    name : str
        What ``format=`` says.
    suffixes : tuple of str
        What file names end in; none if only ``format=`` or the content tells.
    reader, writer : str
        ``module:function`` below `vnestruct.io`; imported when needed, since some need large libraries. No writer if
        the format cannot hold every graph.
    opening : bytes
        Regular expression that the beginning of such a file matches, none if there is no telling.
    title : str
        The format in words.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: str
    writer: str
    opening: bytes
    title: str

    def load_reader(self) -> Reader:
        """Import and return the reader."""
        reader: Reader = _load(self.reader)
        return reader

    def load_writer(self) -> Writer:
        """Import and return the writer."""
        if not self.writer:
            raise ParameterError(f"format {self.name!r} can be read, not written; choose another, such as adjlist")
        writer: Writer = _load(self.writer)
        return writer


def _load(place: str) -> Any:
    module, _, function = place.partition(":")
    return getattr(import_module(f"vnestruct.io.{module}"), function)


FORMATS = (
    Format("vng", (".vng",), "vng:read_vng_source", "vng:write_vng", rb"\A\x89VNG\r\n", "vnestruct binary graph"),
    Format(
        "parquet",
        (".parquet", ".pq"),
        "table:read_parquet",
        "write_table:write_parquet",
        rb"\APAR1",
        "Parquet",
    ),
    Format(
        "feather",
        (".feather", ".arrow", ".ipc"),
        "table:read_feather",
        "write_table:write_feather",
        rb"\A(ARROW1|FEA1)",
        "Feather, Arrow file",
    ),
    Format("npz", (".npz",), "npz:read_npz", "write_matrix:write_npz", rb"\APK\x03\x04", "SciPy sparse matrix"),
    Format(
        "mtx",
        (".mtx", ".mm"),
        "matrix_market:read_matrix_market",
        "write_matrix:write_matrix_market",
        rb"(?i)\A%%MatrixMarket",
        "MatrixMarket",
    ),
    Format(
        "graphml",
        (".graphml",),
        "graphml:read_graphml",
        "write_markup:write_graphml",
        rb"(?s)\A\s*<(.*?<)?graphml\b",
        "GraphML",
    ),
    Format(
        "gexf",
        (".gexf",),
        "gexf:read_gexf",
        "write_markup:write_gexf",
        rb"(?s)\A\s*<(.*?<)?gexf\b",
        "GEXF",
    ),
    Format("gml", (".gml",), "gml:read_gml", "write_markup:write_gml", rb"(?m)^\s*graph\s*\[", "GML"),
    Format(
        "pajek",
        (".net", ".paj"),
        "pajek:read_pajek",
        "write_text:write_pajek",
        rb"(?im)^\s*\*(network|vertices)\b",
        "Pajek",
    ),
    Format(
        "json",
        (".json",),
        "node_link:read_node_link",
        "write_markup:write_node_link",
        rb"\A\s*\{",
        "node-link JSON",
    ),
    Format("metis", (".metis", ".graph"), "metis:read_metis", "write_text:write_metis", rb"", "METIS"),
    Format(
        "adjlist",
        (".adjlist", ".adj"),
        "adjacency:read_adjlist",
        "write_text:write_adjlist",
        rb"",
        "adjacency list",
    ),
    Format("groups", (), "groups:read_groups", "", rb"", "groups and their members"),
    Format("csv", (".csv",), "edgelist:read_csv", "write_text:write_csv", rb"", "comma-separated table"),
    Format("tsv", (".tsv", ".tab"), "edgelist:read_tsv", "write_text:write_tsv", rb"", "tab-separated table"),
    Format(
        "edgelist",
        (".edgelist", ".edges", ".edge", ".el", ".txt", ".ncol", ".snap", ".dat"),
        "edgelist:read_edgelist",
        "write_text:write_edgelist",
        rb"",
        "edge list",
    ),
)
"""All formats; the beginnings of files are compared in this order."""

_BY_NAME = {form.name: form for form in FORMATS}
_BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}
_TEXT = "+text"


def format_named(name: str) -> tuple[Format, bool]:
    """Return the format of a name, and whether ``+text`` says that its labels stay text.

    Examples
    --------
    >>> form, text = format_named("csv+text")
    >>> form.title, text
    ('comma-separated table', True)
    """
    plain = name.strip().casefold().removeprefix(".")
    text = plain.endswith(_TEXT)
    plain = plain.removesuffix(_TEXT)
    form = _BY_NAME.get(plain) or _BY_SUFFIX.get("." + plain)
    if form is None:
        raise ParameterError(f"unknown format {name!r}; choose one of {', '.join(sorted(_BY_NAME))}")
    return form, text


def split_suffixes(path: str) -> tuple[str, str | None]:
    """Return the suffix of a file name that tells its format, and the compression after it.

    Examples
    --------
    >>> split_suffixes("graphs/ca-GrQc.txt.gz")
    ('.txt', 'gzip')
    """
    name = PurePath(path)
    compression = SUFFIXES.get(name.suffix.casefold())
    if compression is not None:
        name = name.with_suffix("")
    return name.suffix.casefold(), compression


def format_of_path(path: str) -> Format | None:
    """Return the format that a file name stands for, None if its suffix says nothing."""
    return _BY_SUFFIX.get(split_suffixes(path)[0])


def format_of_content(head: bytes) -> Format:
    """Return the format that a file starting with these bytes is most likely in.

    Examples
    --------
    >>> format_of_content(b"%%MatrixMarket matrix coordinate pattern general").name
    'mtx'
    >>> format_of_content(b"1 2").name
    'edgelist'
    """
    head = head[:4096].removeprefix(b"\xef\xbb\xbf")
    for form in FORMATS:
        if form.opening and re.search(form.opening, head) is not None:
            return form
    return _BY_NAME["edgelist"]
