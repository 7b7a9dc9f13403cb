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
    """A file and its error: the line, and a value or an option that the message names."""

    name: str
    content: bytes
    line: int | None
    word: str = ""
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
    Case("empty.txt", b"", None),
    Case("comments_only.txt", b"# nothing\n% here\n// at all\n", None),
    Case("blank_lines_only.txt", b"\n \n\t\n", None),
    Case("one_column.txt", b"# ids\n1\n2\n3\n", 2),
    Case("ragged.txt", b"1 2\n3 4\n5 6 7\n8 9\n", 3, "3 columns where 2"),
    Case("node_lists.dat", b" 0\n 0 1\n 0 1 2 3\n", 1, "1 column where"),
    Case("missing_weight.txt", b"1 2 0.5\n3 4\n5 6 1\n", 2, "2 columns where 3"),
    Case("nul_byte.txt", b"1 2\n3 \x004\n", 2, "NUL"),
    Case("negative_weight.txt", b"1 2 1\n2 3 -4\n", 2, "'-4'"),
    Case("nan_weight.txt", b"a b 1\nb c nan\n", 2, "'nan'"),
    Case("infinite_weight.csv", b"source,target,weight\na,b,1\nb,c,1e999\n", 3, "weight=0"),
    Case("text_weight.csv", b"source,target,weight\na,b,1\nb,c,heavy\n", 3, "'heavy'"),
    Case("weights_overflow.txt", b"1 2 1e308\n2 1 1e308\n", None),
    Case("latin1.txt", "ann bob\nbob zoë\n".encode("latin-1"), 2, "UTF-8"),
    Case("mixed_encodings.csv", "source,target\nzoë,ann\n".encode() + b"bob,zo\xeb\n", 3, "UTF-8"),
    Case("utf16.txt", "1 2\n3 4\n".encode("utf-16"), 1, "UTF-16"),
    Case("utf16_without_mark.txt", "1 2\n3 4\n".encode("utf-16-le"), 1, "NUL"),
    Case("binary_junk.txt", bytes(range(1, 256)) * 4, 1, "`format`"),
    Case("binary_junk.txt.gz", b"\x1f\x8bthis is not gzip at all", None),
    Case("unclosed_quote.csv", b'source,target\n"ann,bob\nbob,eve\n', 2),
    Case("empty_label.csv", b"source,target\nann,bob\nann,\n", 3),
    Case("names_only.csv", b"source,target\n", None),
    Case("unknown_names.csv", b"id,email,age\n1,x,7\n2,y,8\n", 1, "'id'"),
    Case("doubtful_names.csv", b"ann,bob\nbob,eve\n", 1, "by number (1, 2)"),
    Case("no_such_column.csv", b"a,b\n1,2\n", 1, "'c'", {"source": "c"}),
    Case("no_such_number.txt", b"1 2\n3 4\n", 1, "no column 7", {"weight": 7}),
    Case("same_column.csv", b"a,b\n1,2\n", 1, "`target`", {"source": "b"}),
    Case("text_label_in_adjlist.adjlist", b"1 2 3\n" * 1001 + b"2 x\n", 1002, "'x'"),
    # MatrixMarket
    Case("wrong_banner.mtx", b"%MatrixMarket matrix\n3 3 1\n1 2\n", 1, "%%MatrixMarket"),
    Case("short_banner.mtx", b"%%MatrixMarket matrix coordinate\n3 3 1\n1 2\n", 1, "SYMMETRY"),
    Case("dense.mtx", b"%%MatrixMarket matrix array real general\n1 1\n5\n", 1, "coordinate FIELD"),
    Case("complex.mtx", b"%%MatrixMarket matrix coordinate complex general\n1 1 0\n", 1),
    Case("not_square.mtx", MTX + b"3 4 1\n2 1\n", 2, "3 rows and 4 columns"),
    Case("wrong_size_line.mtx", MTX + b"% size\n3 x 1\n2 1\n", 3),
    Case("no_size_line.mtx", MTX + b"% nothing\n", None),
    Case("past_the_size.mtx", MTX + b"3 3 3\n2 1\n% here\n4 1\n3 1\n", 5, "entry 4 is outside"),
    Case("counted_from_zero.mtx", MTX + b"3 3 1\n1 0\n", 3, "entry 0 is outside"),
    Case("cut_short.mtx", MTX + b"3 3 9\n2 1\n", 2, "1 entries where 9"),
    Case("huge_size.mtx", MTX + b"100000000000 100000000000 1\n2 1\n", 2, "100000000000"),
    Case("huge_for_its_bytes.mtx", MTX + b"2000000000 2000000000 1\n2 1\n", 2, "2000000000"),
    Case("huge_entries.mtx", MTX + b"3 3 100000000000\n2 1\n", 2, "100000000000"),
    Case("letter_in_entry.mtx", MTX + b"3 3 2\n2 1\n3 b\n", 4, "'b'"),
    # XML
    Case("billion_laughs.graphml", BOMB, 2, "<!DOCTYPE"),
    Case(
        "external_entity.gexf",
        b'<?xml version="1.0"?>\n<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<gexf>&x;</gexf>\n',
        2,
        "<!DOCTYPE",
    ),
    Case("external_dtd.graphml", b'<!DOCTYPE graphml SYSTEM "http://x/y.dtd">\n<graphml/>\n', 1),
    Case("hidden_encoding.graphml", b'<?xml version="1.0" encoding="utf-7"?>\n<graphml/>\n', 1, "UTF-8"),
    Case("utf16.graphml", '<?xml version="1.0"?><graphml/>'.encode("utf-16"), 1, "UTF-16"),
    Case("cut_short.graphml", b'<graphml>\n<graph>\n<node id="a"/>\n', 4),
    Case("other_root.graphml", b"<html><body/></html>\n", 1, "<html>"),
    Case("no_graph.gexf", b"<gexf>\n</gexf>\n", None, "<graph>"),
    Case(
        "unlisted_node.graphml",
        b'<graphml><graph edgedefault="directed">\n<node id="a"/>\n<edge source="a" target="b"/>\n</graph></graphml>\n',
        3,
        "'b'",
    ),
    Case("twice.gexf", b'<gexf><graph><nodes>\n<node id="a"/>\n<node id="a"/>\n</nodes></graph></gexf>', 3),
    Case("no_target.gexf", b'<gexf><graph><edges>\n<edge source="a"/>\n</edges></graph></gexf>', 2, "target"),
    Case("edge_type.gexf", b'<gexf><graph defaultedgetype="odd"></graph></gexf>', 1, "'odd'"),
    Case("hyperedge.graphml", b"<graphml><graph>\n<hyperedge/>\n</graph></graphml>", 2),
    Case("deep.graphml", b"<graphml>" + b"<a>" * 10_000, 1, "deeper than 64"),
    Case(
        "weight.graphml",
        b'<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="a"/><node id="b"/>\n'
        b'<edge source="a" target="b"><data key="w">-1</data></edge></graph></graphml>',
        2,
        "'-1'",
    ),
    # GML
    Case("cut_short.gml", b"graph [\n node [ id 1 ]\n", None),
    Case("open_quote.gml", b'graph [\n node [ id 1 label "a ]\n]\n', 2),
    Case("no_graph.gml", b"Version 1\n", None),
    Case("no_id.gml", b'graph [\nnode [ label "a" ]\n]\n', 2),
    Case("unlisted_node.gml", b"graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ]\n]\n", 3, "'2'"),
    Case("stray_bracket.gml", b"graph [\n]\n]\n", 3, "']'"),
    # Pajek
    Case("past_the_size.net", PAJEK + b"1 4\n", 6, "'4'"),
    Case("no_vertices.net", b"*Edges\n1 2\n", 1, "before *Vertices"),
    Case("no_number.net", b"*Vertices\n", 1),
    Case("huge_size.net", b"*Vertices 100000000000\n*Edges\n1 2\n", None, "100000000000"),
    Case("unknown_section.net", PAJEK + b"*Spam\n", 6, "'*Spam'"),
    Case("vertex_without_number.net", b'*Vertices 1\n"a"\n', 2),
    # METIS
    Case("one_way.metis", b"3 2\n2 3\n1\n\n", 2, "node 1 lists 3, but 3 does not list 1"),
    Case("past_the_size.metis", b"3 1\n2\n1 4\n\n", 3, "'4'"),
    Case("huge_size.metis", b"100000000000 1\n2\n1\n", None, "100000000000"),
    Case("too_many_lines.metis", b"2 1\n2\n1\n1\n", 4, "more lines than the 2 nodes"),
    Case("too_few_lines.metis", b"4 9\n2\n1\n", None, "2 lines of neighbours for 4"),
    Case("wrong_count.metis", b"2 5\n2\n1\n", None, "1 edges where the first line declares 5"),
    Case("odd_weights.metis", b"2 1 1\n2 5\n1\n", 3),
    Case("format_code.metis", b"2 1 7\n2\n1\n", 1, "'2 1 7'"),
    # JSON
    Case("not_json.json", b'{"nodes": [],\n "links": [}\n', 2),
    Case("a_list.json", b"[1, 2]\n", None),
    Case("no_links.json", b'{"nodes": []}\n', None, 'no list "edges"'),
    Case("no_id.json", b'{"nodes": [{"id": 1}, {}], "links": []}\n', None, "node number 2"),
    Case("unlisted_node.json", b'{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', None, "'2'"),
    Case("label_true.json", b'{"nodes": [{"id": true}], "links": []}\n', None, "'true'"),
    Case("deep.json", b'{"nodes": ' + b"[" * 100_000, None),
    Case(
        "weight.json",
        b'{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": "x"}]}',
        None,
        "'x'",
    ),
    # Binary formats that are not
    Case("not_an_archive.npz", b"PK but not really", None),
    Case("not_parquet.parquet", b"PAR1 but not really", None, "`format`"),
    Case("not_feather.feather", b"ARROW1 but not really", None, "`format`"),
    Case("not_vng.vng", b"1 2\n", None, "not a readable .vng file"),
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
