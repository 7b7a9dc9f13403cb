"""Pajek networks: numbered vertices, then arcs (directed) and edges (undirected), as pairs or as lists."""

import re
from typing import IO

from vnestruct.graph import Graph
from vnestruct.io.builders import NodeEdgeBuilder, integers_or_text
from vnestruct.io.delimited import data_lines
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import edge_lines, integer_note, losses, one_line_texts

_VERTEX = re.compile(r'(\d{1,18})(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?(?:\s.*)?', re.DOTALL)
_IGNORED = ("*partition", "*vector", "*cluster", "*permutation", "*events", "*hierarchy")
# Whether links have a direction, and whether a line lists several.
_LINKS = {"*arcs": (True, False), "*edges": (False, False), "*arcslist": (True, True), "*edgeslist": (False, True)}


def read_pajek(source: Source, options: ReadOptions) -> Graph:
    """Read a Pajek network. Labels are the vertices' labels where these are distinct, else their numbers."""
    reader = _PajekReader(source, options)
    for block in source.blocks():
        for number, line in data_lines(block, comments=False):
            if not line.startswith(b"%"):
                reader.take(source.decoded(line, number), number)
    return reader.read()


class _PajekReader(NodeEdgeBuilder):
    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._section = ""
        self._n_vertices = -1
        self._labels: dict[int, str] = {}

    def take(self, line: str, number: int) -> None:
        if line.startswith("*"):
            self._start_section(line, number)
        elif self._section == "*vertices":
            self._take_vertex(line, number)
        elif self._section in _LINKS:
            self._take_links(line.split(), number)
        elif not self._section:
            raise self._source.error("no *Vertices line before this one; is this a Pajek file?", number)

    def read(self) -> Graph:
        if self._n_vertices < 0:
            raise self._source.error("no *Vertices line; is this a Pajek file?")
        self._source.check_declared(self._n_vertices)
        numbers = range(1, self._n_vertices + 1)
        for vertex in numbers:
            self.add_node(vertex)
        labels = [self._labels.get(vertex, "") for vertex in numbers]
        if not all(labels) or len(set(labels)) < len(labels):
            labels = [str(vertex) for vertex in numbers]
        return self.graph(integers_or_text(labels, self._options.text_labels))

    def _start_section(self, line: str, number: int) -> None:
        words = line.split()
        section = words[0].casefold().rstrip(":")
        if section == "*vertices":
            if self._n_vertices >= 0:
                raise self._source.error("a second network; put each network into a file of its own", number)
            if len(words) < 2 or not words[1].isascii() or not words[1].isdigit() or len(words[1]) > 18:
                raise self._source.error("*Vertices without the number of vertices; write it after it", number)
            self._n_vertices = int(words[1])
        elif section in _LINKS:
            if self._n_vertices < 0:
                raise self._source.error(f"{words[0]} before *Vertices; is this a Pajek file?", number)
            if section == "*arcs":
                self.declared_directed = True
        elif section == "*matrix":
            raise self._source.error("*Matrix cannot be read; write the network with *Arcs or *Edges", number)
        elif section not in ("*network", *_IGNORED):
            raise self._source.error(f"unknown section {shown(words[0])}; delete it or correct its name", number)
        self._section = section

    def _take_vertex(self, line: str, number: int) -> None:
        match = _VERTEX.fullmatch(line)
        if match is None:
            raise self._source.error(f"{shown(line)} is not a vertex: a number, then a label in quotes", number)
        quoted, plain = match[2], match[3]
        vertex = self._vertex(match[1], number)
        if vertex in self._labels:
            raise self._source.error(f"vertex {vertex} is listed twice; number them from 1", number)
        self._labels[vertex] = plain or "" if quoted is None else re.sub(r"\\(.)", r"\1", quoted)

    def _take_links(self, words: list[str], number: int) -> None:
        directed, listed = _LINKS[self._section]
        weight: float | None = None
        if not listed and len(words) < 2:
            raise self._source.error("one column where an edge needs two vertex numbers; fix the line", number)
        if not listed and self._weight_name is not None and len(words) > 2:
            given = self.weight(words[2], number)
            # Programs write a weight of 1 for every link of a graph without weights.
            weight = None if given == 1.0 else given
        tail, *heads = (self._vertex(word, number) for word in (words if listed else words[:2]))
        for head in heads:
            self.add_edge(tail, head, weight, directed, number)

    def _vertex(self, word: str, number: int) -> int:
        vertex = int(word) if word.isascii() and word.isdigit() and len(word) <= 18 else 0
        if not 1 <= vertex <= self._n_vertices:
            wrong = f"{shown(word)} is not a vertex number from 1 to {self._n_vertices}; "
            raise self._source.error(wrong + "correct it, or the number after *Vertices", number)
        return vertex


def write_pajek(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Pajek network."""
    texts, notes = one_line_texts(graph)
    stream.write(f"*Vertices {graph.n_nodes}\n".encode())
    for number, text in enumerate(texts, 1):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        stream.write(f'{number} "{escaped}"\n'.encode())
    stream.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    for lines in edge_lines(graph, [str(number) for number in range(1, graph.n_nodes + 1)], " "):
        stream.write("".join(lines).encode())
    return notes + integer_note(graph, texts, "pajek", every=True) + losses(graph, "weights of 1")
