"""Malformed files, and the error each must give.

Small ones are committed under ``files/``; ``python -m tests.io.malformed.cases`` writes them again. Large and binary
ones are made by `builders.py` when the tests run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "files"


@dataclass(frozen=True)
class Case:
    """A file and its error: line, what the message says of the mistake, and of the remedy."""

    name: str
    content: bytes
    line: int | None
    mistake: str
    remedy: str
    options: dict[str, Any] = field(default_factory=dict)


MTX = b"%%MatrixMarket matrix coordinate pattern symmetric\n"
BOMB = b"".join(
    [
        b'<?xml version="1.0"?>\n<!DOCTYPE lolz [\n<!ENTITY a "lol">\n',
        *(b'<!ENTITY %c "%s">\n' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)),
        b"]>\n<graphml><graph><node id='&j;'/></graph></graphml>\n",
    ]
)
PAJEK = b'*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n'

CASES = [
    # Edge lists and tables
    Case("empty.txt", b"", None, "is empty", "check the program"),
    Case("comments_only.txt", b"# nothing\n% here\n// at all\n", None, "no edges", "check the program"),
    Case("blank_lines_only.txt", b"\n \n\t\n", None, "no edges", "check the program"),
    Case("one_column.txt", b"# ids\n1\n2\n3\n", 2, "one column", "separated by"),
    Case("ragged.txt", b"1 2\n3 4\n5 6 7\n8 9\n", 3, "3 columns where 2", "fix the line"),
    Case("node_lists.dat", b" 0\n 0 1\n 0 1 2 3\n", 1, "1 column where", "format='adjlist'"),
    Case("missing_weight.txt", b"1 2 0.5\n3 4\n5 6 1\n", 2, "2 columns where 3", "fix the line"),
    Case("nul_byte.txt", b"1 2\n3 \x004\n", 2, "NUL byte", "`format`"),
    Case("negative_weight.txt", b"1 2 1\n2 3 -4\n", 2, "'-4' is negative", "weight=0"),
    Case("nan_weight.txt", b"a b 1\nb c nan\n", 2, "'nan' is negative or not finite", "weight=0"),
    Case("infinite_weight.csv", b"source,target,weight\na,b,1\nb,c,1e999\n", 3, "not finite", "weight=0"),
    Case(
        "text_weight.csv",
        b"source,target,weight\na,b,1\nb,c,heavy\n",
        3,
        "'heavy' is not a number",
        "weight=0",
    ),
    Case(
        "weights_overflow.txt",
        b"1 2 1e308\n2 1 1e308\n",
        None,
        "add up to infinity",
        "scale the weights down",
    ),
    Case("latin1.txt", "ann bob\nbob zoë\n".encode("latin-1"), 2, "0xeb is not UTF-8", "iconv"),
    Case("mixed_encodings.csv", "source,target\nzoë,ann\n".encode() + b"bob,zo\xeb\n", 3, "not UTF-8", "iconv"),
    Case("utf16.txt", "1 2\n3 4\n".encode("utf-16"), 1, "UTF-16", "iconv"),
    Case("utf16_without_mark.txt", "1 2\n3 4\n".encode("utf-16-le"), 1, "NUL byte", "iconv"),
    Case("binary_junk.txt", bytes(range(1, 256)) * 4, 1, "control characters", "`format`"),
    Case("binary_junk.txt.gz", b"\x1f\x8bthis is not gzip at all", None, "damaged or cut short", "again"),
    Case(
        "unclosed_quote.csv",
        b'source,target\n"ann,bob\nbob,eve\n',
        2,
        "quotes do not match",
        "close or double",
    ),
    Case("empty_label.csv", b"source,target\nann,bob\nann,\n", 3, "empty label", "name the node"),
    Case("names_only.csv", b"source,target\n", None, "no edges", "check the program"),
    Case("unknown_names.csv", b"id,email,age\n1,x,7\n2,y,8\n", 1, "'id', 'email', 'age'", "try: `source='id'`"),
    Case("doubtful_names.csv", b"ann,bob\nbob,eve\n", 1, "column names or the first edge", "by number (1, 2)"),
    Case(
        "no_such_column.csv",
        b"a,b\n1,2\n",
        1,
        "no column 'c' among 'a', 'b'",
        "try: `source='a'` `target='b'`",
        {"source": "c"},
    ),
    Case("no_such_number.txt", b"1 2\n3 4\n", 1, "no column 7", "correct `weight`", {"weight": 7}),
    Case("same_column.csv", b"a,b\n1,2\n", 1, "same column", "`target`", {"source": "b"}),
    Case(
        "text_label_in_adjlist.adjlist",
        b"1 2 3\n" * 1001 + b"2 x\n",
        1002,
        "'x' is not an integer",
        "adjlist+text",
    ),
    # MatrixMarket
    Case("wrong_banner.mtx", b"%MatrixMarket matrix\n3 3 1\n1 2\n", 1, "%%MatrixMarket", "correct it"),
    Case("short_banner.mtx", b"%%MatrixMarket matrix coordinate\n3 3 1\n1 2\n", 1, "must read", "SYMMETRY"),
    Case("dense.mtx", b"%%MatrixMarket matrix array real general\n1 1\n5\n", 1, "must read", "coordinate FIELD"),
    Case(
        "complex.mtx",
        b"%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
        1,
        "must read",
        "pattern, real",
    ),
    Case("not_square.mtx", MTX + b"3 4 1\n2 1\n", 2, "3 rows and 4 columns", "general"),
    Case("wrong_size_line.mtx", MTX + b"% size\n3 x 1\n2 1\n", 3, "three numbers", "rows, columns, entries"),
    Case("no_size_line.mtx", MTX + b"% nothing\n", None, "no size line", "write it again"),
    Case("past_the_size.mtx", MTX + b"3 3 3\n2 1\n% here\n4 1\n3 1\n", 5, "entry 4 is outside", "correct it"),
    Case("counted_from_zero.mtx", MTX + b"3 3 1\n1 0\n", 3, "entry 0 is outside", "correct it"),
    Case("cut_short.mtx", MTX + b"3 3 9\n2 1\n", 2, "1 entries where 9", "write it again"),
    Case(
        "huge_size.mtx",
        MTX + b"100000000000 100000000000 1\n2 1\n",
        2,
        "100000000000 nodes",
        "correct the size",
    ),
    Case(
        "huge_for_its_bytes.mtx",
        MTX + b"2000000000 2000000000 1\n2 1\n",
        2,
        "in a file of",
        "correct the size",
    ),
    Case("huge_entries.mtx", MTX + b"3 3 100000000000\n2 1\n", 2, "100000000000 are declared", "write it again"),
    Case("letter_in_entry.mtx", MTX + b"3 3 2\n2 1\n3 b\n", 4, "'b' is not an integer", "fix the line"),
    # XML
    Case("billion_laughs.graphml", BOMB, 2, "entities are not read", "delete the <!DOCTYPE"),
    Case(
        "external_entity.gexf",
        b'<?xml version="1.0"?>\n<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<gexf>&x;</gexf>\n',
        2,
        "document types",
        "delete the <!DOCTYPE",
    ),
    Case(
        "external_dtd.graphml",
        b'<!DOCTYPE graphml SYSTEM "http://x/y.dtd">\n<graphml/>\n',
        1,
        "document types",
        "delete",
    ),
    Case(
        "hidden_encoding.graphml",
        b'<?xml version="1.0" encoding="utf-7"?>\n<graphml/>\n',
        1,
        "utf-7",
        "iconv",
    ),
    Case("utf16.graphml", '<?xml version="1.0"?><graphml/>'.encode("utf-16"), 1, "not UTF-8", "iconv"),
    Case(
        "cut_short.graphml",
        b'<graphml>\n<graph>\n<node id="a"/>\n',
        4,
        "not well-formed XML",
        "check the program",
    ),
    Case("other_root.graphml", b"<html><body/></html>\n", 1, "outermost element is <html>", "correct `format`"),
    Case("no_graph.gexf", b"<gexf>\n</gexf>\n", None, "no <graph>", "check the program"),
    Case(
        "unlisted_node.graphml",
        b'<graphml><graph edgedefault="directed">\n<node id="a"/>\n<edge source="a" target="b"/>\n</graph></graphml>\n',
        3,
        "'b', which is not listed",
        "list it",
    ),
    Case(
        "twice.gexf",
        b'<gexf><graph><nodes>\n<node id="a"/>\n<node id="a"/>\n</nodes></graph></gexf>',
        3,
        "twice",
        "distinct",
    ),
    Case(
        "no_target.gexf",
        b'<gexf><graph><edges>\n<edge source="a"/>\n</edges></graph></gexf>',
        2,
        "without target=",
        "check",
    ),
    Case(
        "edge_type.gexf",
        b'<gexf><graph defaultedgetype="odd"></graph></gexf>',
        1,
        "'odd'",
        "must be directed",
    ),
    Case(
        "hyperedge.graphml",
        b"<graphml><graph>\n<hyperedge/>\n</graph></graphml>",
        2,
        "hyperedges",
        "as edges between",
    ),
    Case("deep.graphml", b"<graphml>" + b"<a>" * 10_000, 1, "deeper than 64", "check the program"),
    Case(
        "weight.graphml",
        b'<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="a"/><node id="b"/>\n'
        b'<edge source="a" target="b"><data key="w">-1</data></edge></graph></graphml>',
        2,
        "weight '-1'",
        "weight=0",
    ),
    # GML
    Case("cut_short.gml", b"graph [\n node [ id 1 ]\n", None, "ends inside a list", "write it again"),
    Case("open_quote.gml", b'graph [\n node [ id 1 label "a ]\n]\n', 2, "never closed", "close it"),
    Case("no_graph.gml", b"Version 1\n", None, "no graph", "file of its own"),
    Case("no_id.gml", b'graph [\nnode [ label "a" ]\n]\n', 2, "without id", "give every node one"),
    Case(
        "unlisted_node.gml",
        b"graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ]\n]\n",
        3,
        "'2', which is not",
        "list it",
    ),
    Case("stray_bracket.gml", b"graph [\n]\n]\n", 3, "']' where a key", "fix the line"),
    # Pajek
    Case("past_the_size.net", PAJEK + b"1 4\n", 6, "'4' is not a vertex number from 1 to 3", "correct it"),
    Case("no_vertices.net", b"*Edges\n1 2\n", 1, "before *Vertices", "Pajek"),
    Case("no_number.net", b"*Vertices\n", 1, "without the number", "write it"),
    Case(
        "huge_size.net",
        b"*Vertices 100000000000\n*Edges\n1 2\n",
        None,
        "100000000000 nodes",
        "correct the size",
    ),
    Case("unknown_section.net", PAJEK + b"*Spam\n", 6, "'*Spam'", "delete it"),
    Case("vertex_without_number.net", b'*Vertices 1\n"a"\n', 2, "is not a vertex", "a number"),
    # METIS
    Case("one_way.metis", b"3 2\n2 3\n1\n\n", 2, "node 1 lists 3, but 3 does not list 1", "both lines"),
    Case("past_the_size.metis", b"3 1\n2\n1 4\n\n", 3, "'4' is not a node from 1 to 3", "correct it"),
    Case("huge_size.metis", b"100000000000 1\n2\n1\n", None, "100000000000 nodes", "correct the size"),
    Case("too_many_lines.metis", b"2 1\n2\n1\n1\n", 4, "more lines than the 2 nodes", "correct the first line"),
    Case("too_few_lines.metis", b"4 9\n2\n1\n", None, "2 lines of neighbours for 4", "write it again"),
    Case("wrong_count.metis", b"2 5\n2\n1\n", None, "1 edges where the first line declares 5", "correct"),
    Case("odd_weights.metis", b"2 1 1\n2 5\n1\n", 3, "without a weight", "in pairs"),
    Case("format_code.metis", b"2 1 7\n2\n1\n", 1, "format code '007'", "must be"),
    # JSON
    Case("not_json.json", b'{"nodes": [],\n "links": [}\n', 2, "not JSON", "check the program"),
    Case("a_list.json", b"[1, 2]\n", None, "outermost value", "nodes"),
    Case("no_links.json", b'{"nodes": []}\n', None, 'no list "edges"', "links"),
    Case(
        "no_id.json",
        b'{"nodes": [{"id": 1}, {}], "links": []}\n',
        None,
        "node number 2",
        "give every node one",
    ),
    Case(
        "unlisted_node.json",
        b'{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
        None,
        "'2'",
        "list it",
    ),
    Case("label_true.json", b'{"nodes": [{"id": true}], "links": []}\n', None, "'true'", "use numbers, texts"),
    Case("deep.json", b'{"nodes": ' + b"[" * 100_000, None, "nested too deeply", "check the program"),
    Case(
        "weight.json",
        b'{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": "x"}]}',
        None,
        "weight 'x' of link number 1",
        "weight=0",
    ),
    # Binary formats that are not
    Case("not_an_archive.npz", b"PK but not really", None, "not a zip file", "save it again"),
    Case("not_parquet.parquet", b"PAR1 but not really", None, "damaged or in another format", "set `format`"),
    Case("not_feather.feather", b"ARROW1 but not really", None, "damaged or in another format", "set `format`"),
    Case("not_vng.vng", b"1 2\n", None, "not a readable .vng file", "correct `format`"),
]


def write_files() -> None:
    """Write the small malformed files."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for case in CASES:
        (FOLDER / case.name).write_bytes(case.content)


if __name__ == "__main__":
    write_files()
