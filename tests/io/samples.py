"""One small graph, written by hand in every text format, as other programs write it."""

from __future__ import annotations

from typing import Any

from vnestruct.graph import Graph, graph_from_pairs

LABELS = ["ann", "bob", "zoë", "dan"]
ISOLATED = "lone"
SOURCE = ["ann", "bob", "ann", "zoë"]
TARGET = ["bob", "zoë", "zoë", "dan"]
WEIGHT = [1.5, 2.0, 0.25, 3.0]


def small_graph(*, weighted: bool, isolated: bool, directed: bool = False, labels: bool = True) -> Graph:
    """The graph of this module; without labels its nodes are 1..n."""
    nodes: list[Any] = LABELS + [ISOLATED] * isolated
    if not labels:
        nodes = list(range(1, len(nodes) + 1))
    number = dict(zip(LABELS, nodes, strict=False))
    source, target = ([number[label] for label in column] for column in (SOURCE, TARGET))
    return graph_from_pairs(source, target, WEIGHT if weighted else None, nodes=nodes, directed=directed)


# name of the file: (text, weighted, with the isolated node, directed, labelled)
TEXTS: dict[str, tuple[str, bool, bool, bool, bool]] = {
    "blanks.txt": (
        "# a comment\nann bob\nbob   zoë\n\nann zoë\n% another\nzoë dan\n",
        False,
        False,
        False,
        True,
    ),
    "snap.txt": (
        "# Undirected graph: ../../output/friends.txt\n# Nodes: 4 Edges: 4\n# FromNodeId\tToNodeId\n"
        "ann\tbob\nbob\tzoë\nann\tzoë\nzoë\tdan\n",
        False,
        False,
        False,
        True,
    ),
    "weights.edgelist": ("ann bob 1.5\nbob zoë 2\nann zoë .25\nzoë dan 3e0\n", True, False, False, True),
    "tabs.txt": (
        "// made by hand\nann\tbob\r\nbob\tzoë\r\nann\tzoë\r\nzoë\tdan\r\n",
        False,
        False,
        False,
        True,
    ),
    "commas.txt": ("ann, bob, 1.5\nbob, zoë, 2\nann, zoë, 0.25\nzoë, dan, 3\n", True, False, False, True),
    "semicolons.txt": ("ann;bob\nbob;zoë\nann;zoë\nzoë;dan", False, False, False, True),
    "networkx.edgelist": (
        "ann bob {'weight': 1.5}\nbob zoë {'weight': 2, 'colour': 'light blue'}\n"
        "ann zoë {'weight': 0.25}\nzoë dan {'weight': 3}\n",
        True,
        False,
        False,
        True,
    ),
    "plain.csv": (
        "source,target,weight\nann,bob,1.5\nbob,zoë,2\nann,zoë,0.25\nzoë,dan,3\n",
        True,
        False,
        False,
        True,
    ),
    "quoted.csv": (
        '"From";"Kind";"To"\n"ann";"x;y";"bob"\n"bob";"";"zoë"\n"ann";"";"zoë"\n"zoë";"";"dan"\n',
        False,
        False,
        False,
        True,
    ),
    "neo4j.csv": (
        ":START_ID(Person),weight:float,:END_ID(Person),:TYPE\nann,1.5,bob,KNOWS\nbob,2,zoë,KNOWS\n"
        "ann,0.25,zoë,KNOWS\nzoë,3,dan,KNOWS\n",
        True,
        False,
        False,
        True,
    ),
    "table.tsv": ("src\tdst\nann\tbob\nbob\tzoë\nann\tzoë\nzoë\tdan\n", False, False, False, True),
    "matrix.mtx": (
        "%%MatrixMarket matrix coordinate real symmetric\n% by hand\n5 5 4\n2 1 1.5\n3 2 2\n3 1 0.25\n4 3 3\n",
        True,
        True,
        False,
        False,
    ),
    "pattern.mtx": (
        "%%MatrixMarket matrix coordinate pattern general\n5 5 8\n2 1\n1 2\n3 2\n2 3\n3 1\n1 3\n4 3\n3 4\n",
        False,
        True,
        False,
        False,
    ),
    "metis.graph": (
        "% by hand\n5 4 001\n2 1.5 3 0.25\n1 1.5 3 2\n1 0.25 2 2 4 3\n3 3\n\n",
        True,
        True,
        False,
        False,
    ),
    "sizes.metis": (
        "5 4 110 2\n9 7 7 2 3\n9 7 7 1 3\n9 7 7 1 2 4\n9 7 7 3\n9 7 7\n",
        False,
        True,
        False,
        False,
    ),
    "lists.adjlist": ("# by hand\nann bob zoë\nbob zoë\nzoë dan\ndan\nlone\n", False, True, False, True),
    "network.net": (
        '*Vertices 5\n1 "ann" 0.1 0.2 ic Red\n2 "bob"\n3 "zoë"\n4 dan\n5 "lone"\n*Edges :1 "knows"\n'
        "1 2 1.5\n2 3 2\n1 3 0.25 c Blue\n3 4 3\n",
        True,
        True,
        False,
        True,
    ),
    "arcs.net": (
        '*Network one\n*Vertices 5\n1 "ann"\n2 "bob"\n3 "zoë"\n4 "dan"\n5 "lone"\n*Arcslist\n1 2 3\n2 3\n*Arcs\n3 4\n',
        False,
        True,
        True,
        True,
    ),
    "graph.gml": (
        'Creator "hand"\ngraph [\n  directed 0\n  node [ id 10 label "ann" graphics [ x 1 y 2 ] ]\n'
        '  node [ id 20 label "bob" ]\n  node [ id 30 label "zo&#235;" ]\n  node [ id 40 label "dan" ]\n'
        '  node [ id 50 label "lone" ]\n  edge [ source 10 target 20 weight 1.5 ]\n'
        "  edge [ source 20 target 30 weight 2 ]\n  edge [ source 10 target 30 weight 0.25 ]\n"
        "  edge [ source 30 target 40 weight 3 ]\n]\n",
        True,
        True,
        False,
        True,
    ),
    "graph.graphml": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>\n'
        '<graph id="G" edgedefault="undirected">\n<node id="ann"/><node id="bob"/><node id="zoë"/>\n'
        '<node id="dan"/><node id="lone"/>\n<edge source="ann" target="bob"><data key="d0">1.5</data></edge>\n'
        '<edge source="bob" target="zoë"/>\n<edge source="ann" target="zoë"><data key="d0">0.25</data></edge>\n'
        '<edge source="zoë" target="dan"><data key="d0">3</data></edge>\n</graph>\n</graphml>\n',
        True,
        True,
        False,
        True,
    ),
    "directed.graphml": (
        '<graphml><graph edgedefault="directed"><node id="ann"/><node id="bob"/><node id="zoë"/><node id="dan"/>'
        '<node id="lone"/><edge source="ann" target="bob"/><edge source="bob" target="zoë"/>'
        '<edge source="ann" target="zoë"/><edge source="zoë" target="dan"/></graph></graphml>',
        False,
        True,
        True,
        True,
    ),
    "graph.gexf": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
        '<graph mode="static" defaultedgetype="directed">\n<nodes><node id="ann" label="Ann"/><node id="bob"/>'
        '<node id="zoë"/><node id="dan"/><node id="lone"/></nodes>\n<edges>\n'
        '<edge id="0" source="ann" target="bob" weight="1.5"/><edge id="1" source="bob" target="zoë" weight="2"/>\n'
        '<edge id="2" source="ann" target="zoë" weight="0.25"/><edge id="3" source="zoë" target="dan" weight="3"/>\n'
        "</edges>\n</graph>\n</gexf>\n",
        True,
        True,
        True,
        True,
    ),
    "nodes.json": (
        '{"directed": false, "multigraph": false, "graph": {},\n "nodes": [{"id": "ann"}, {"id": "bob"}, '
        '{"id": "zo\\u00eb"}, {"id": "dan"}, {"id": "lone"}],\n "links": [{"source": "ann", "target": "bob", '
        '"weight": 1.5},\n {"source": "bob", "target": "zoë", "weight": 2}, {"source": "ann", "target": "zoë", '
        '"weight": 0.25},\n {"source": "zoë", "target": "dan", "weight": 3}]}\n',
        True,
        True,
        False,
        True,
    ),
    "d3.json": (
        '{"nodes": [{"name": "ann"}, {"name": "bob"}, {"name": "zoë"}, {"name": "dan"}, {"name": "lone"}], '
        '"links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 0, "target": 2}, '
        '{"source": 2, "target": 3}]}',
        False,
        True,
        False,
        True,
    ),
}
