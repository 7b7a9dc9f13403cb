"""Embeddings: bad parameters and malformed files are named, nothing half-written is left, other programs are read."""

import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.store import embedding_format, read_embedding, write_embedding


@for_each(
    ("name", "content", "line", "message"),
    [
        ("csv", b"", 1, "the file is empty"),
        ("csv", b"id,h1\na,0.5\n", 1, "expected a header node,h1..., found 'id,h1'"),
        ("csv", b"node\na\n", 1, "expected a header"),
        ("csv", b"node,h1,h1\n", 1, "same name"),
        ("csv", b"node,h1\na,0.5\nb\n", 3, "a node label and 1 values, found 1 fields"),
        ("csv", b"node,h1\na,0.5,0.6\n", 2, "found 3 fields"),
        ("csv", b"node,h1\na,half\n", 2, "'half' is not a number"),
        ("csv", b'node,h1\n"a\nb",0.5\nc,\n', 4, "'' is not a number"),
        ("csv", b"node,h1\na,1\nb,2\na,3\n", 4, "node 'a' was already on line 2"),
        ("csv", b"node,h1\n7,1\n\n7,3\n", 4, "node '7' was already on line 2"),
        ("csv", b'node,h1\na,1\n"b,2\n', 3, "not a table of quoted fields"),
        ("csv", b"node,h1\na,1\n\xff,2\n", 3, "not UTF-8 text"),
        ("tsv", b"node,h1\na,1\n", 1, "expected a header node\th1"),
        ("emb", b"", 1, "expected the number of nodes and of values"),
        ("emb", b"2\n", 1, "such as '34 2'; found '2'"),
        ("emb", b"1 0\na\n", 1, "expected the number"),
        ("emb", b"2 1\na 0.5\n", 1, "promises 2 nodes, but 1 follow"),
        ("emb", b"1 2\na 0.5\n", 2, "a node label and 2 values, found 2 fields"),
        ("emb", b"1 1\na x\n", 2, "'x' is not a number"),
        ("emb", b"2 1\na 1\na 2\n", 3, "already on line 2"),
        ("emb", b"1 1\n\xff 1\n", 2, "not UTF-8 text"),
    ],
)
def test_malformed_text_names_path_and_line(tmp_path, name, content, line, message):
    path = tmp_path / f"bad.{name}"
    path.write_bytes(content)
    with pytest.raises(GraphFormatError, match=message) as caught:
        read_embedding(path)
    assert caught.value.path == str(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}, line {line}: ")


def test_spreadsheets_mark_and_line_ends_are_accepted(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_bytes("\ufeffnode,h1\r\nZoë,0.5\r\n\r\n".encode())
    embedding = read_embedding(path)
    assert embedding.nodes.tolist() == ["Zoë"]
    assert embedding.values.tolist() == [[0.5]]


@for_each("name", ["parquet", "feather", "npy", "npz"])
@for_each("damage", ["empty", "garbage", "truncated"])
def test_damaged_binary_files(tmp_path, name, damage):
    path = tmp_path / f"bad.{name}"
    write_embedding(path, ["a", "b,c", "Zoë"], np.eye(3), ["h1", "h2", "h3"])
    content = path.read_bytes()
    path.write_bytes(
        {"empty": b"", "garbage": b"nothing like it" * 9, "truncated": content[: len(content) // 2]}[damage]
    )
    with pytest.raises(GraphFormatError, match="not a readable") as caught:
        read_embedding(path)
    assert caught.value.path == str(path)


GOOD = {
    "nodes": np.array([1, 2]),
    "values": np.eye(2),
    "columns": np.array(["h1", "h2"]),
    "metadata": np.array("{}"),
}


@for_each(
    ("changes", "message"),
    [
        ({"nodes": np.array([1, 2, 3])}, "nodes are not one integer or string per row"),
        ({"nodes": np.array([1.0, 2.0])}, "nodes are not one"),
        ({"nodes": np.array([2, 2])}, "node .*2.* occurs in rows 0 and 1"),
        ({"nodes": np.array(["a", ("b",)], dtype=object)}, r"not a readable \.npz"),
        ({"values": np.ones(2)}, "columns do not name"),
        ({"values": np.array([["a", "b"]] * 2)}, "expected a matrix of numbers"),
        ({"columns": np.array(["h1"])}, "columns do not name"),
        ({"metadata": np.array("[1]")}, "metadata are not a JSON object"),
        ({"metadata": np.array("{")}, r"not a readable \.npz"),
        ({"columns": None}, r"not a readable \.npz"),
    ],
)
def test_archives_of_something_else(tmp_path, changes, message):
    contents = {key: array for key, array in {**GOOD, **changes}.items() if array is not None}
    np.savez(tmp_path / "bad.npz", **contents)
    with pytest.raises(GraphFormatError, match=message):
        read_embedding(tmp_path / "bad.npz")


def test_npy_and_npz_mixed_up(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(2))
    np.savez(tmp_path / "b.npz", **GOOD)
    (tmp_path / "a.npy").rename(tmp_path / "a.npz")
    (tmp_path / "b.npz").rename(tmp_path / "b.npy")
    with pytest.raises(GraphFormatError, match=r"an .npy file under another name"):
        read_embedding(tmp_path / "a.npz")
    with pytest.raises(GraphFormatError, match=r"an .npz file under another name"):
        read_embedding(tmp_path / "b.npy")


def test_single_precision_matrices_are_accepted(tmp_path):
    np.save(tmp_path / "a.npy", np.asfortranarray(np.eye(3, dtype=np.float32)))
    np.testing.assert_array_equal(read_embedding(tmp_path / "a.npy").values, np.eye(3))


@for_each(
    ("columns", "message"),
    [
        ({"h1": [0.5], "node": ["a"]}, "expected columns node, h1...; found h1, node"),
        ({"node": ["a"]}, "expected columns"),
        ({"node": ["a"], "h1": ["x"]}, "column h1 holds string, not numbers"),
        ({"node": ["a"], "h1": [None]}, "column h1 has missing entries"),
        ({"node": [0.5], "h1": [0.5]}, "column node holds double, neither integers nor text"),
        ({"node": ["a", "a"], "h1": [0.5, 1.0]}, "node 'a' occurs in rows 0 and 1"),
    ],
)
@for_each("name", ["parquet", "feather"])
def test_tables_of_something_else(tmp_path, name, columns, message):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table(columns)
    path = tmp_path / f"bad.{name}"
    if name == "parquet":
        parquet.write_table(table, path)
    else:
        with pyarrow.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(GraphFormatError, match=message):
        read_embedding(path)


def test_tables_of_other_programs_are_accepted(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"node": pandas.Categorical(["b", "a"]), "h1": np.float32([0.5, 1.0]), "h2": [1, 2]})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_feather(tmp_path / "a.feather")
    for name in ("parquet", "feather"):
        embedding = read_embedding(tmp_path / f"a.{name}")
        assert embedding.nodes.tolist() == ["b", "a"]
        assert embedding.values.tolist() == [[0.5, 1.0], [1.0, 2.0]]
        assert embedding.metadata == {}


FORMATS = ["parquet", "feather", "csv", "tsv", "npy", "npz", "emb"]
LABELLED = [name for name in FORMATS if name != "npy"]


@for_each("name", ["out.txt", "out", "out.csv.gz", "csv"])
@for_each("action", [read_embedding, lambda path: write_embedding(path, ["a"], [[1.0]], ["h1"])])
def test_unknown_suffixes_list_the_known_ones(tmp_path, name, action):
    with pytest.raises(ParameterError, match=r"\.parquet, \.feather, \.csv, \.tsv, \.npy, \.npz, \.emb"):
        action(tmp_path / name)


def test_format_overrides_the_suffix(tmp_path):
    write_embedding(tmp_path / "out.dat", ["a"], [[0.5]], ["h1"], format="TSV")
    assert (tmp_path / "out.dat").read_text() == "node\th1\na\t0.5\n"
    assert read_embedding(tmp_path / "out.dat", format=".tsv").nodes.tolist() == ["a"]
    with pytest.raises(ParameterError, match="unknown format 'xlsx'; the known ones are parquet, feather"):
        write_embedding(tmp_path / "out.csv", ["a"], [[0.5]], ["h1"], format="xlsx")


def test_suffixes_ignore_case():
    assert embedding_format("OUT.CSV") == "csv"
    assert embedding_format("-") == "csv"


@for_each(
    ("nodes", "values", "columns", "message"),
    [
        (["a"], [[1.0], [2.0]], ["h1"], "1 node labels for 2 rows"),
        (["a"], [[1.0, 2.0]], ["h1"], r"shape \(1, 2\) does not fit 1 names"),
        (["a"], [1.0], ["h1"], r"shape \(1,\)"),
        (["a"], [[]], [], "does not fit 0 names"),
        (["a"], [["x"]], ["h1"], "values must be a matrix of numbers"),
        (["a"], [[1.0, 2.0]], ["h1", "h1"], "distinct strings other than 'node'; not 'h1'"),
        (["a"], [[1.0]], ["node"], "not 'node'"),
        (["a", "a"], [[1.0], [2.0]], ["h1"], "nodes 'a' and 'a' would both be written as a"),
        ([1, "1"], [[1.0], [2.0]], ["h1"], "nodes 1 and '1' would both be written as 1"),
        (["ok", "a\udc80"], [[1.0], [2.0]], ["h1"], r"node label 'a\\udc80' is not valid Unicode"),
        ("a", [[1.0]], ["h1"], "sequence of node labels"),
    ],
)
def test_pieces_that_do_not_fit(tmp_path, nodes, values, columns, message):
    for name in LABELLED:
        with pytest.raises(ParameterError, match=message):
            write_embedding(tmp_path / f"out.{name}", nodes, values, columns)
        assert list(tmp_path.iterdir()) == [], name


def test_metadata_must_be_text(tmp_path):
    with pytest.raises(ParameterError, match="strings to strings, not 'radius' to 2"):
        write_embedding(tmp_path / "out.npz", ["a"], [[1.0]], ["h1"], metadata={"radius": 2})


@for_each("label", ["two words", "", "tab\t", "line\n", "wide\u3000space", "nbsp\xa0"])
def test_white_space_has_no_place_in_word2vec(tmp_path, label):
    with pytest.raises(ParameterError, match=r"white space, which \.emb cannot express; use \.csv") as caught:
        write_embedding(tmp_path / "out.emb", ["ok", label], [[1.0], [2.0]], ["h1"])
    assert repr(label) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_final_zero_has_no_place_in_npz(tmp_path):
    with pytest.raises(ParameterError, match=r"'a\\x00' ends in a zero"):
        write_embedding(tmp_path / "out.npz", ["a\0"], [[1.0]], ["h1"])
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_survives_a_failed_write(tmp_path):
    path = tmp_path / "out.emb"
    path.write_text("precious")
    with pytest.raises(ParameterError):
        write_embedding(path, ["two words"], [[1.0]], ["h1"])
    assert path.read_text() == "precious"


def test_file_system_errors_pass_through(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_embedding(tmp_path / "missing" / "out.csv", ["a"], [[1.0]], ["h1"])
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(IsADirectoryError):
        write_embedding(tmp_path / "out.csv", ["a"], [[1.0]], ["h1"])
    for name in FORMATS:
        with pytest.raises(FileNotFoundError):
            read_embedding(tmp_path / f"missing.{name}")
