"""Writing embeddings: bad parameters are named, and nothing half-written is left behind."""

import pytest
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.store import embedding_format, read_embedding, write_embedding

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
