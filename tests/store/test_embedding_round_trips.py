"""Embedding files: every format gives back the labels and the bits it was given."""

import csv
import io
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.cases import for_each

from vnestruct.store import Embedding, read_embedding, write_embedding

FORMATS = ["parquet", "feather", "csv", "tsv", "npy", "npz", "emb"]
LABELLED = [name for name in FORMATS if name != "npy"]
QUOTING = [name for name in LABELLED if name != "emb"]
WITH_METADATA = ["parquet", "feather", "npz"]

AWKWARD = [
    "plain",
    'say "hi"',
    "a,b",
    "tab\there",
    "two\nlines",
    "cr\rhere",
    "both\r\n",
    "Zoë",
    "日本",
    "🎉👩‍👩‍👧",
    "",
]
INTEGERS = np.array([7, -3, 0, 2**63 - 1, -(2**63), 10**12])
METADATA = {"graph": "5ad1", "kind": "approx", "note": 'ünï, "quoted"\n'}


def values_for(labels, n_columns=3):
    rng = np.random.default_rng(len(labels))
    values = rng.standard_normal((len(labels), n_columns)) * 10.0 ** rng.integers(-300, 300, (len(labels), 1))
    if len(labels):
        values[0] = [5e-324, 0.1, 1.7976931348623157e308][:n_columns]
    return values


def round_trip(tmp_path, name, labels, values=None):
    values = values_for(labels) if values is None else values
    columns = [f"h{r}" for r in range(1, values.shape[1] + 1)]
    path = tmp_path / f"out.{name}"
    write_embedding(path, labels, values, columns, metadata=METADATA)
    embedding = read_embedding(path)
    assert isinstance(embedding, Embedding)
    assert embedding.values.dtype == np.float64
    np.testing.assert_array_equal(embedding.values.view(np.uint64), values.view(np.uint64))
    assert embedding.columns == (None if name in ("npy", "emb") else tuple(columns))
    assert embedding.metadata == (METADATA if name in WITH_METADATA else {})
    return embedding.nodes


@for_each("name", LABELLED)
def test_integer_labels(tmp_path, name):
    nodes = round_trip(tmp_path, name, INTEGERS)
    assert nodes.dtype == np.int64
    assert nodes.tolist() == INTEGERS.tolist()


@for_each("name", QUOTING)
def test_string_labels(tmp_path, name):
    nodes = round_trip(tmp_path, name, AWKWARD)
    assert nodes.dtype == object
    assert nodes.tolist() == AWKWARD


@for_each("name", QUOTING)
def test_other_labels_become_their_text(tmp_path, name):
    labels = [("a", 1), (2, ("b", "c")), 3, 4.5, None, True, 2**70]
    as_object = np.empty(len(labels), dtype=object)
    as_object[:] = labels
    for given_labels in (labels, as_object):
        assert round_trip(tmp_path, name, given_labels).tolist() == [str(label) for label in labels]


@for_each(("name", "expected"), [*((name, ["1", "-2"]) for name in WITH_METADATA), ("csv", [1, -2]), ("emb", [1, -2])])
def test_typed_formats_keep_digits_that_are_text_and_others_do_not(tmp_path, name, expected):
    assert round_trip(tmp_path, name, ["1", "-2"]).tolist() == expected
    for labels in (["007", "8"], ["1", "-0"], ["9" * 19, "1"]):
        assert round_trip(tmp_path, name, labels).tolist() == labels


def test_the_bare_matrix_has_no_labels(tmp_path):
    assert round_trip(tmp_path, "npy", AWKWARD) is None
    assert np.load(tmp_path / "out.npy").shape == (len(AWKWARD), 3)


@for_each("name", LABELLED)
def test_no_labels_are_positions(tmp_path, name):
    assert round_trip(tmp_path, name, None, np.eye(4)).tolist() == [0, 1, 2, 3]


@for_each("name", FORMATS)
def test_no_rows(tmp_path, name):
    nodes = round_trip(tmp_path, name, [], np.empty((0, 2)))
    assert nodes is None or len(nodes) == 0


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_labels_and_floats_round_trip(tmp_path_factory, name, data):
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
    labels = data.draw(
        st.lists(text, unique=True, max_size=20).filter(
            lambda texts: texts and not any(part.strip().lstrip("-").isdigit() for part in texts)
        )
    )
    if name == "emb":
        labels = [f"n{i}" for i in range(len(labels))]
    values = data.draw(arrays(np.float64, (len(labels), 2), elements=st.floats(allow_nan=False)))
    nodes = round_trip(tmp_path_factory.mktemp("any"), name, labels, values)
    assert nodes is None or nodes.tolist() == labels


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_files_are_what_the_csv_module_writes(tmp_path, name, delimiter):
    labels = [label for label in AWKWARD if "\r" not in label]
    values = values_for(labels)
    path = tmp_path / f"out.{name}"
    write_embedding(path, labels, values, ["h1", "h2", "a,\tb"])
    expected = io.StringIO(newline="")
    writer = csv.writer(expected, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["node", "h1", "h2", "a,\tb"])
    writer.writerows([label, *row] for label, row in zip(labels, values.tolist(), strict=True))
    assert path.read_bytes() == expected.getvalue().encode()


def test_word2vec_text(tmp_path):
    path = tmp_path / "out.emb"
    write_embedding(path, ["a", "b"], [[0.5, 1 / 3], [0.0, 2.0]], ["h1", "h2"])
    assert path.read_text() == "2 2\na 0.5 0.3333333333333333\nb 0.0 2.0\n"


def test_chunks_meet_without_a_seam(tmp_path):
    n_rows = 3 * 16_384 + 5
    assert round_trip(tmp_path, "csv", np.arange(n_rows)).tolist() == list(range(n_rows))


@for_each("name", ["npz", "csv", "emb", "npy"])
def test_equal_embeddings_give_equal_bytes(tmp_path, name, monkeypatch):
    paths = [tmp_path / f"{i}.{name}" for i in range(2)]
    for path in paths:
        write_embedding(path, ["a"], [[0.5]], ["h1"], metadata=METADATA)
        monkeypatch.setattr(time, "time", lambda: 2e9)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@for_each("name", ["parquet", "feather", "csv", "tsv"])
def test_pandas_reads_the_same(tmp_path, name):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / f"out.{name}"
    write_embedding(path, ["a,b", "c"], [[0.5], [1 / 3]], ["h1"])
    readers = {
        "parquet": pandas.read_parquet,
        "feather": pandas.read_feather,
        "csv": pandas.read_csv,
        "tsv": lambda file: pandas.read_csv(file, sep="\t"),
    }
    frame = readers[name](path)
    assert frame.columns.tolist() == ["node", "h1"]
    assert frame["node"].tolist() == ["a,b", "c"]
    assert frame["h1"].tolist() == [0.5, 1 / 3]
