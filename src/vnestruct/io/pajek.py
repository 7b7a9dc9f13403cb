"""Pajek networks: numbered vertices, then arcs (directed) and edges (undirected), as pairs or as lists."""

import re
from collections.abc import Iterator

from vnestruct.graph import Graph
from vnestruct.io.fields import data_lines, number_of
from vnestruct.io.nodes_edges import Edge, Node, graph_of, weight_name
from vnestruct.io.source import ReadOptions, Source, shown

_VERTEX = re.compile(r'(\d{1,18})(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?(?:\s.*)?', re.DOTALL | re.ASCII)
_IGNORED = ("*network", "*partition", "*vector", "*cluster", "*permutation", "*events", "*hierarchy")
# Whether links have a direction, and whether a line lists several.
_LINKS = {"*arcs": (True, False), "*edges": (False, False), "*arcslist": (True, True), "*edgeslist": (False, True)}


def read_pajek(source: Source, options: ReadOptions) -> Graph:
    """Read a Pajek network. Labels are the vertices' labels where these are distinct, else their numbers."""
    return graph_of(source, options, _items(source, weight_name(options) is not None))


def _items(source: Source, weighted: bool) -> Iterator[Node | Edge | bool]:
    section, n_vertices = "", -1
    labels: dict[int, str] = {}

    def vertex_of(word: str, line: int) -> int:
        vertex = int(word) if word.isascii() and word.isdigit() and len(word) <= 18 else 0
        if not 1 <= vertex <= n_vertices:
            wrong = f"{shown(word)} is not a vertex number from 1 to {n_vertices}; "
            raise source.error(wrong + "correct it, or the number after *Vertices", line)
        return vertex

    for number, text in _lines(source):
        words = text.split()
        if text.startswith("*"):
            section = words[0].casefold().rstrip(":")
            if section == "*vertices":
                if n_vertices >= 0:
                    raise source.error("a second network; put each network into a file of its own", number)
                if re.fullmatch("[0-9]{1,18}", words[1] if len(words) > 1 else "") is None:
                    raise source.error("*Vertices without the number of vertices; write it after it", number)
                n_vertices = int(words[1])
            elif section in _LINKS:
                if n_vertices < 0:
                    raise source.error(f"{words[0]} before *Vertices; is this a Pajek file?", number)
                if section == "*arcs":
                    yield True
            elif section not in _IGNORED:
                wrong = f"section {shown(words[0])} is not read; delete it, or write links with *Arcs or *Edges"
                raise source.error(wrong, number)
        elif section == "*vertices":
            match = _VERTEX.fullmatch(text)
            if match is None:
                raise source.error(f"{shown(text)} is not a vertex: a number, then a label in quotes", number)
            vertex = vertex_of(match[1], number)
            if vertex in labels:
                raise source.error(f"vertex {vertex} is listed twice; number them from 1", number)
            labels[vertex] = match[3] or re.sub(r"\\(.)", r"\1", match[2] or "")
        elif section in _LINKS:
            directed, listed = _LINKS[section]
            if not listed and len(words) < 2:
                raise source.error("one column where an edge needs two vertex numbers; fix the line", number)
            tail, *heads = (vertex_of(word, number) for word in (words if listed else words[:2]))
            weight = words[2] if weighted and not listed and len(words) > 2 else None
            # Programs write a weight of 1 for every link of a graph without weights.
            weight = None if weight is not None and number_of(weight) == 1 else weight
            for head in heads:
                yield Edge(str(tail), str(head), number, weight, directed)
        elif not section:
            raise source.error("no *Vertices line before this one; is this a Pajek file?", number)
    if n_vertices < 0:
        raise source.error("no *Vertices line; is this a Pajek file?")
    source.check_declared(n_vertices)
    for vertex in range(1, n_vertices + 1):
        yield Node(str(vertex), None, (labels.get(vertex, ""),))


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for block in source.blocks():
        for number, line in data_lines(block, comments=False):
            if not line.startswith(b"%"):
                yield number, source.decoded(line, number)
