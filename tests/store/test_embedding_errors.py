"""Embeddings: bad parameters and malformed files are named, nothing half-written is left, other programs are read."""

import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.store import embedding_format, read_embedding, write_embedding

FORMATS = ["parquet", "feather", "csv", "tsv", "npy", "npz", "emb"]
LABELLED = [name for name in FORMATS if name != "npy"]


@for_each(
    ("name", "content", "line", "word"),
    [
        ("csv", b"", 1, "empty"),
        ("csv", b"id,h1\na,0.5\n", 1, "'id,h1'"),
        ("csv", b"node\na\n", 1, "'node'"),
        ("csv", b"node,h1,h1\n", 1, "name"),
        ("csv", b"node,h1\na,0.5\nb\n", 3, "1 fields"),
        ("csv", b"node,h1\na,0.5,0.6\n", 2, "3 fields"),
        ("csv", b"node,h1\na,half\n", 2, "'half'"),
        ("csv", b'node,h1\n"a\nb",0.5\nc,\n', 4, "''"),
        ("csv", b"node,h1\na,1\nb,2\na,3\n", 4, "'a' .* line 2"),
        ("csv", b"node,h1\n7,1\n\n7,3\n", 4, "'7' .* line 2"),
        ("csv", b'node,h1\na,1\n"b,2\n', 3, "quoted"),
        ("csv", b"node,h1\na,1\n\xff,2\n", 3, "UTF-8"),
        ("tsv", b"node,h1\na,1\n", 1, "node\th1"),
        ("emb", b"", 1, "''"),
        ("emb", b"2\n", 1, "'2'"),
        ("emb", b"1 0\na\n", 1, "'1 0'"),
        ("emb", b"2 1\na 0.5\n", 1, "2 nodes, but 1"),
        ("emb", b"1 2\na 0.5\n", 2, "2 fields"),
        ("emb", b"1 1\na x\n", 2, "'x'"),
        ("emb", b"2 1\na 1\na 2\n", 3, "line 2"),
        ("emb", b"1 1\n\xff 1\n", 2, "UTF-8"),
    ],
)
def test_malformed_text_names_path_and_line(tmp_path, name, content, line, word):
    path = tmp_path / f"bad.{name}"
    path.write_bytes(content)
    with pytest.raises(GraphFormatError, match=f"bad.{name}, line {line}: .*{word}") as caught:
        read_embedding(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


@for_each("name", ["parquet", "feather", "npy", "npz"])
@for_each(
    "damage", [lambda content: b"", lambda _: b"nothing like it" * 9, lambda content: content[: len(content) // 2]]
)
def test_damaged_binary_files(tmp_path, name, damage):
    path = tmp_path / f"bad.{name}"
    write_embedding(path, ["a", "b,c", "Zoë"], np.eye(3), ["h1", "h2", "h3"])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(GraphFormatError, match="not a readable") as caught:
        read_embedding(path)
    assert caught.value.path == str(path)


GOOD = {"nodes": [1, 2], "values": np.eye(2), "columns": ["h1", "h2"], "metadata": "{}"}


@for_each(
    ("name", "array"),
    [
        ("nodes", [1, 2, 3]),
        ("nodes", [1.0, 2.0]),
        ("nodes", [2, 2]),
        ("nodes", np.array(["a", ("b",)], dtype=object)),
        ("values", np.ones(2)),
        ("values", [["a", "b"]] * 2),
        ("columns", ["h1"]),
        ("columns", None),
        ("metadata", "[1]"),
        ("metadata", "{"),
    ],
)
def test_archives_of_something_else(tmp_path, name, array):
    arrays = {key: np.array(value) for key, value in {**GOOD, name: array}.items() if value is not None}
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(GraphFormatError, match=r"bad\.npz: "):
        read_embedding(tmp_path / "bad.npz")


def test_npy_and_npz_mixed_up(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(2))
    np.savez(tmp_path / "b.npz", **GOOD)
    for name, other in (("a.npy", "a.npz"), ("b.npz", "b.npy")):
        (tmp_path / name).rename(tmp_path / other)
        with pytest.raises(GraphFormatError, match=rf"an {name[1:]} file under another name"):
            read_embedding(tmp_path / other)


@for_each(
    ("columns", "word"),
    [
        ({"h1": [0.5], "node": ["a"]}, "h1, node"),
        ({"node": ["a"]}, "found node"),
        ({"node": ["a"], "h1": ["x"]}, "h1 .*string"),
        ({"node": ["a"], "h1": [None]}, "h1 .*missing"),
        ({"node": [0.5], "h1": [0.5]}, "node .*double"),
        ({"node": ["a", "a"], "h1": [0.5, 1.0]}, "'a' .*rows 0 and 1"),
    ],
)
@for_each("name", ["parquet", "feather"])
def test_tables_of_something_else(tmp_path, name, columns, word):
    pyarrow = pytest.importorskip("pyarrow")
    parquet, feather = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.feather")
    write = parquet.write_table if name == "parquet" else feather.write_feather
    write(pyarrow.table(columns), tmp_path / f"bad.{name}")
    with pytest.raises(GraphFormatError, match=word):
        read_embedding(tmp_path / f"bad.{name}")


def test_files_of_other_programs_are_accepted(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"node": pandas.Categorical(["b", "a"]), "h1": np.float32([0.5, 1.0]), "h2": [1, 2]})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_feather(tmp_path / "a.feather")
    (tmp_path / "a.csv").write_bytes("\ufeffnode,h1,h2\r\nb,0.5,1\r\n\r\na,1,2".encode())
    np.save(tmp_path / "a.npy", np.asfortranarray(np.float32([[0.5, 1.0], [1.0, 2.0]])))
    for name in ("parquet", "feather", "csv", "npy"):
        embedding = read_embedding(tmp_path / f"a.{name}")
        assert name == "npy" or embedding.nodes.tolist() == ["b", "a"]
        assert embedding.values.tolist() == [[0.5, 1.0], [1.0, 2.0]]
        assert embedding.metadata == {}


@for_each("name", ["out.txt", "out", "out.csv.gz", "csv"])
@for_each("action", [read_embedding, lambda path: write_embedding(path, ["a"], [[1.0]], ["h1"])])
def test_unknown_suffixes_list_the_known_ones(tmp_path, name, action):
    with pytest.raises(ParameterError, match=r"\.parquet, \.feather, \.csv, \.tsv, \.npy, \.npz, \.emb"):
        action(tmp_path / name)


def test_format_overrides_the_suffix(tmp_path):
    write_embedding(tmp_path / "out.dat", ["a"], [[0.5]], ["h1"], format="TSV")
    assert (tmp_path / "out.dat").read_text() == "node\th1\na\t0.5\n"
    assert read_embedding(tmp_path / "out.dat", format=".tsv").nodes.tolist() == ["a"]
    with pytest.raises(ParameterError, match="'xlsx'"):
        write_embedding(tmp_path / "out.csv", ["a"], [[0.5]], ["h1"], format="xlsx")
    assert embedding_format("OUT.CSV") == embedding_format("-") == "csv"


@for_each(
    ("nodes", "values", "columns", "word", "formats"),
    [
        (["a"], [[1.0], [2.0]], ["h1"], "1 node labels for 2 rows", LABELLED),
        (["a"], [[1.0, 2.0]], ["h1"], r"\(1, 2\)", LABELLED),
        (["a"], [1.0], ["h1"], r"\(1,\)", LABELLED),
        (["a"], [[]], [], "0 names", LABELLED),
        (["a"], [["x"]], ["h1"], "numbers", LABELLED),
        (["a"], [[1.0, 2.0]], ["h1", "h1"], "'h1'", LABELLED),
        (["a"], [[1.0]], ["node"], "'node'", LABELLED),
        (["a", "a"], [[1.0], [2.0]], ["h1"], "'a' and 'a'", LABELLED),
        ([1, "1"], [[1.0], [2.0]], ["h1"], "1 and '1'", LABELLED),
        (["ok", "a\udc80"], [[1.0], [2.0]], ["h1"], r"'a\\udc80'", LABELLED),
        ("a", [[1.0]], ["h1"], "'a'", LABELLED),
        (["a\0"], [[1.0]], ["h1"], r"'a\\x00' .*\.csv", ["npz"]),
        *(
            ([label], [[1.0]], ["h1"], r"\.emb cannot express; use \.csv", ["emb"])
            for label in ("two words", "", "tab\t", "line\n", "wide\u3000space", "nbsp\xa0")
        ),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_no_trace(tmp_path, nodes, values, columns, word, formats):
    for name in formats:
        path = tmp_path / f"out.{name}"
        path.write_text("precious")
        with pytest.raises(ParameterError, match=word):
            write_embedding(path, nodes, values, columns)
        assert path.read_text() == "precious"
        path.unlink()
        assert list(tmp_path.iterdir()) == []


def test_metadata_must_be_text(tmp_path):
    with pytest.raises(ParameterError, match="'radius' to 2"):
        write_embedding(tmp_path / "out.npz", ["a"], [[1.0]], ["h1"], metadata={"radius": 2})


def test_file_system_errors_pass_through(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_embedding(tmp_path / "missing" / "out.csv", ["a"], [[1.0]], ["h1"])
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(IsADirectoryError):
        write_embedding(tmp_path / "out.csv", ["a"], [[1.0]], ["h1"])
    for name in FORMATS:
        with pytest.raises(FileNotFoundError):
            read_embedding(tmp_path / f"missing.{name}")
