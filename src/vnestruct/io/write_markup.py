"""Writers of GraphML, GEXF, GML and node-link JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import IO, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io.edges import chunked_rows, label_texts
from vnestruct.io.fields import is_plain_integer

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_graphml(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GraphML."""
    keys, notes = _attributes(graph, "graphml")
    kind = "directed" if graph.directed else "undirected"
    stream.write(b'<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    if graph.weights is not None:
        stream.write(b'<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
    stream.write(f'<graph edgedefault="{kind}">\n'.encode())
    stream.writelines(f"<node id={key}/>\n".encode() for key in keys)
    for tail, head, weight in _edges(graph, keys):
        inner = "/>" if weight is None else f'><data key="weight">{weight!r}</data></edge>'
        stream.write(f"<edge source={tail} target={head}{inner}\n".encode())
    stream.write(b"</graph>\n</graphml>\n")
    return notes


def write_gexf(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GEXF."""
    keys, notes = _attributes(graph, "gexf")
    kind = "directed" if graph.directed else "undirected"
    stream.write(b'<?xml version="1.0" encoding="utf-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n')
    stream.write(f'<graph defaultedgetype="{kind}">\n<nodes>\n'.encode())
    stream.writelines(f"<node id={key} label={key}/>\n".encode() for key in keys)
    stream.write(b"</nodes>\n<edges>\n")
    for number, (tail, head, weight) in enumerate(_edges(graph, keys)):
        value = "" if weight is None else f' weight="{weight!r}"'
        stream.write(f'<edge id="{number}" source={tail} target={head}{value}/>\n'.encode())
    stream.write(b"</edges>\n</graph>\n</gexf>\n")
    return notes


def _attributes(graph: Graph, name: str) -> tuple[list[str], list[str]]:
    """Return labels as quoted XML attributes."""
    texts, notes = label_texts(graph)
    for text in texts:
        if _NOT_XML.search(text):
            raise ParameterError(f"label {text!r} has a character that XML cannot hold; use .json or .vng")
    return [quoteattr(text) for text in texts], notes + _integer_note(graph, texts, name)


def _edges(graph: Graph, texts: list[str]) -> Iterator[tuple[str, str, float | None]]:
    for tails, heads, weights in chunked_rows(graph, texts):
        values: list[Any] = [None] * len(tails) if weights is None else weights
        yield from zip(tails, heads, values, strict=True)


def write_gml(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GML."""
    texts, notes = label_texts(graph)
    if not all(texts):
        raise ParameterError("an empty label, which GML cannot hold; use .json or .vng")
    stream.write(f"graph [\n  directed {int(graph.directed)}\n".encode())
    stream.writelines(
        f'  node [\n    id {number}\n    label "{_gml_text(text)}"\n  ]\n'.encode("ascii")
        for number, text in enumerate(texts)
    )
    for tail, head, weight in _edges(graph, [str(number) for number in range(graph.n_nodes)]):
        value = "" if weight is None else f"    weight {weight!r}\n"
        stream.write(f"  edge [\n    source {tail}\n    target {head}\n{value}  ]\n".encode("ascii"))
    stream.write(b"]\n")
    return notes + _integer_note(graph, texts, "gml")


def _gml_text(text: str) -> str:
    return re.sub(r"[^ !#-%\'-~]", lambda found: f"&#{ord(found[0])};", text)


def _integer_note(graph: Graph, texts: list[str], name: str) -> list[str]:
    looks = graph.nodes.dtype == object and all(is_plain_integer(text.encode("utf-8", "replace")) for text in texts)
    return [f"text labels that look like integers: read the file with format='{name}+text'"] if looks else []


def write_node_link(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write node-link JSON."""
    labels: list[Any] = graph.nodes.tolist()
    notes: list[str] = []
    if not all(map(_is_json, labels)):
        labels, notes = label_texts(graph)
    words = [json.dumps(label) for label in labels]
    head = {"directed": graph.directed, "multigraph": False, "graph": {}}
    stream.write((json.dumps(head)[:-1] + ', "nodes": [').encode())
    stream.write(", ".join(f'\n{{"id": {word}}}' for word in words).encode())
    stream.write(b'], "edges": [')
    first = True
    for tail, head_word, weight in _edges(graph, words):
        value = "" if weight is None else f', "weight": {weight!r}'
        comma = "" if first else ","
        stream.write(f'{comma}\n{{"source": {tail}, "target": {head_word}{value}}}'.encode())
        first = False
    stream.write(b"]}\n")
    return notes


def _is_json(label: Any) -> bool:
    if isinstance(label, tuple):
        return all(map(_is_json, label))
    return type(label) in (int, str) or (type(label) is float and np.isfinite(label))
