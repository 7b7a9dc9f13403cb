"""The formats of graph files: names, suffixes, and where their readers and writers are."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import IO, NamedTuple, cast

from vnestruct.errors import ParameterError
from vnestruct.files.compression import SUFFIXES
from vnestruct.graph import Graph
from vnestruct.io.source import ReadOptions, Source
from vnestruct.lazy import load

Reader = Callable[[Source, ReadOptions], Graph]
Writer = Callable[[Graph, IO[bytes]], list[str]]


class Format(NamedTuple):
    """One format of graph files; its module is imported when needed, since some need large libraries."""

    name: str  # value of ``format=``
    reader: str  # as ``module:function``
    writer: str  # empty if the format is only read
    suffixes: tuple[str, ...]
    opening: bytes = b""  # regular expression that the beginning of such a file matches, if any

    def load_reader(self) -> Reader:
        """Import and return the reader."""
        return cast(Reader, load(self.reader))

    def load_writer(self) -> Writer:
        """Import and return the writer."""
        if not self.writer:
            known = ", ".join(form.name for form in FORMATS if form.writer)
            raise ParameterError(f"format {self.name!r} can be read, not written; choose one of {known}")
        return cast(Writer, load(self.writer))


_EDGE_LISTS = (".edgelist", ".edges", ".edge", ".el", ".txt", ".ncol", ".snap", ".dat")
_XML = rb"(?s)\A\s*<(.*?<)?%s\b"

FORMATS = [
    Format("vng", "vnestruct.io.vng:read_vng_source", "vnestruct.io.vng:write_vng", (".vng",), rb"\A\x89VNE\r\n"),
    Format(
        "parquet",
        "vnestruct.io.tables:read_parquet",
        "vnestruct.io.tables:write_parquet",
        (".parquet", ".pq"),
        rb"\APAR1",
    ),
    Format(
        "feather",
        "vnestruct.io.tables:read_feather",
        "vnestruct.io.tables:write_feather",
        (".feather", ".arrow", ".ipc"),
        rb"\A(ARROW1|FEA1)",
    ),
    Format("npz", "vnestruct.io.matrices:read_npz", "vnestruct.io.matrices:write_npz", (".npz",), rb"\APK\x03\x04"),
    Format("mtx", "vnestruct.io.matrices:read_matrix_market", "", (".mtx", ".mm"), rb"(?i)\A%%MatrixMarket"),
    Format(
        "graphml",
        "vnestruct.io.xml_formats:read_graphml",
        "vnestruct.io.xml_formats:write_graphml",
        (".graphml",),
        _XML % b"graphml",
    ),
    Format("gexf", "vnestruct.io.xml_formats:read_gexf", "", (".gexf",), _XML % b"gexf"),
    Format("gml", "vnestruct.io.gml:read_gml", "", (".gml",), rb"(?m)^\s*graph\s*\["),
    Format("pajek", "vnestruct.io.pajek:read_pajek", "", (".net", ".paj"), rb"(?im)^\s*\*(network|vertices)\b"),
    Format("json", "vnestruct.io.node_link:read_node_link", "", (".json",), rb"\A\s*\{"),
    Format("metis", "vnestruct.io.lists:read_metis", "", (".metis", ".graph")),
    Format("adjlist", "vnestruct.io.lists:read_adjlist", "", (".adjlist", ".adj")),
    Format("groups", "vnestruct.io.lists:read_groups", "", ()),
    Format("csv", "vnestruct.io.delimited:read_csv", "vnestruct.io.write:write_csv", (".csv",)),
    Format("tsv", "vnestruct.io.delimited:read_tsv", "vnestruct.io.write:write_tsv", (".tsv", ".tab")),
    Format("edgelist", "vnestruct.io.delimited:read_edgelist", "vnestruct.io.write:write_edgelist", _EDGE_LISTS),
]
"""All formats; the beginnings of files are compared in this order."""

_TEXT = "+text"


def format_named(name: str) -> tuple[Format, bool]:
    """Return the format of a name, and whether ``+text`` keeps its labels as text."""
    plain = name.strip().casefold().removeprefix(".")
    text = plain.endswith(_TEXT)
    plain = plain.removesuffix(_TEXT)
    for form in FORMATS:
        if plain == form.name or f".{plain}" in form.suffixes:
            return form, text
    raise ParameterError(f"unknown format {name!r}; choose one of {', '.join(sorted(form.name for form in FORMATS))}")


def split_suffixes(path: str) -> tuple[str, str | None]:
    """Return the suffix of a file name that determines its format, and the compression after it."""
    name = PurePath(path)
    compression = SUFFIXES.get(name.suffix.casefold())
    if compression is not None:
        name = name.with_suffix("")
    return name.suffix.casefold(), compression


def format_of_path(path: str) -> Format | None:
    """Return the format of a file name, None if its suffix is unknown."""
    suffix = split_suffixes(path)[0]
    return next((form for form in FORMATS if suffix in form.suffixes), None)


def format_of_content(head: bytes) -> Format:
    """Return the format that a file starting with these bytes is most likely in, by default an edge list."""
    known = (form for form in FORMATS if form.opening and re.search(form.opening, head[:4096]))
    return next(known, None) or format_named("edgelist")[0]
