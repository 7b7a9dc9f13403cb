"""Embedding files: every format gives back labels and bits, names what is wrong, and passes through pipes."""

import io
import os
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pyarrow import feather, parquet
from tests.cases import for_each

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.store import embedding_format, read_embedding, write_embedding

FORMATS = ["parquet", "feather", "csv", "tsv", "npy", "npz", "emb"]
LABELLED = [name for name in FORMATS if name != "npy"]
QUOTING = [name for name in LABELLED if name != "emb"]
WITH_METADATA = ["parquet", "feather", "npz"]

AWKWARD = [
    "plain", 'say "hi"', "a,b", "tab\there", "two\nlines", "cr\rhere", "both\r\n", "Zoë", "日本", "🎉👩‍👩‍👧", "",
]  # fmt: skip
INTEGERS = [7, -3, 0, 2**63 - 1, -(2**63), 10**12]
OTHERS = [("a", 1), (2, ("b", "c")), 3, 4.5, None, True, 2**70]
METADATA = {"graph": "5ad1", "kind": "approx", "note": 'ünï, "quoted"\n'}


def values_for(n_rows):
    rng = np.random.default_rng(n_rows)
    values = rng.standard_normal((n_rows, 3)) * 10.0 ** rng.integers(-300, 300, (n_rows, 1))
    values[:1] = [5e-324, 0.1, 1.7976931348623157e308]
    return values


def round_trip(folder, name, labels, values):
    columns = [f"h{r}" for r in range(1, values.shape[1] + 1)]
    path = folder / f"out.{name}"
    write_embedding(path, labels, values, columns, metadata=METADATA)
    embedding = read_embedding(path)
    assert embedding.values.dtype == np.float64
    np.testing.assert_array_equal(embedding.values.view(np.uint64), values.view(np.uint64))
    assert embedding.columns == (None if name in ("npy", "emb") else tuple(columns))
    assert embedding.metadata == (METADATA if name in WITH_METADATA else {})
    return embedding.nodes if name == "npy" else embedding.nodes.tolist()


@for_each(
    ("labels", "expected", "formats"),
    [
        (INTEGERS, INTEGERS, LABELLED),
        (AWKWARD, AWKWARD, QUOTING),
        (OTHERS, list(map(str, OTHERS)), QUOTING),
        (np.fromiter(OTHERS, object), list(map(str, OTHERS)), QUOTING),
        # Only typed formats keep digits that are text.
        (["1", "-2"], ["1", "-2"], WITH_METADATA),
        (["1", "-2"], [1, -2], ["csv", "tsv", "emb"]),
        *((labels, labels, LABELLED) for labels in (["007", "8"], ["1", "-0"], ["9" * 19, "1"], [])),
        (None, [0, 1, 2, 3], LABELLED),
        (AWKWARD, None, ["npy"]),
        # Text is written in pieces.
        (range(3 * 16_384 + 5), list(range(3 * 16_384 + 5)), ["csv"]),
    ],
)
def test_labels_and_bits_come_back(tmp_path, labels, expected, formats):
    values = values_for(4 if labels is None else len(labels))
    for name in formats:
        assert round_trip(tmp_path, name, labels, values) == expected, name


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_any_labels_and_floats_come_back(tmp_path_factory, name, data):
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
    # A letter, since digits alone are integers in text files.
    labels = [f"n{label}" for label in data.draw(st.lists(text, unique=True, min_size=1, max_size=20))]
    if name == "emb":
        labels = [f"n{i}" for i in range(len(labels))]
    values = data.draw(arrays(np.float64, (len(labels), 2), elements=st.floats(allow_nan=False)))
    assert round_trip(tmp_path_factory.mktemp("any"), name, labels, values) in (None, labels)


@for_each("name", ["npz", "csv", "emb", "npy"])
def test_equal_embeddings_give_equal_bytes(tmp_path, name, monkeypatch):
    paths = [tmp_path / f"{i}.{name}" for i in range(2)]
    for path in paths:
        write_embedding(path, ["a"], [[1 / 3]], ["h1"], metadata=METADATA)
        monkeypatch.setattr(time, "time", lambda: 2e9)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert name != "emb" or paths[0].read_text() == "1 1\na 0.3333333333333333\n"


READERS = {
    "parquet": pandas.read_parquet,
    "feather": pandas.read_feather,
    "csv": partial(pandas.read_csv, keep_default_na=False),
    "tsv": partial(pandas.read_csv, keep_default_na=False, sep="\t"),
}


@for_each("name", READERS)
def test_pandas_reads_the_same(tmp_path, name):
    path, values = tmp_path / f"out.{name}", np.arange(len(AWKWARD)) / 3
    write_embedding(path, AWKWARD, values[:, None], ["h1"])
    assert READERS[name](path).to_dict("list") == {"node": AWKWARD, "h1": values.tolist()}


def test_files_of_other_programs_are_accepted(tmp_path):
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


GOOD = {"nodes": [1, 2], "values": np.eye(2), "columns": ["h1", "h2"], "metadata": "{}"}


def archive(**changes):
    content = io.BytesIO()
    np.savez(content, **{key: np.array(value) for key, value in {**GOOD, **changes}.items() if value is not None})
    return content.getvalue()


def table(kind, **columns):
    content = io.BytesIO()
    write = parquet.write_table if kind == "parquet" else feather.write_feather
    write(pyarrow.table(columns), content)
    return content.getvalue()


def npy():
    content = io.BytesIO()
    np.save(content, np.eye(2))
    return content.getvalue()


MALFORMED = [
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
    *((name, b"nothing like it" * 9, None, "") for name in (*WITH_METADATA, "npy")),
    *((name, b"", None, "not a readable") for name in (*WITH_METADATA, "npy")),
    ("npy", npy()[:-9], None, "not a readable"),
    ("npz", npy(), None, "an .npy file"),
    ("npy", archive(), None, "an .npz file"),
    ("npz", archive(nodes=[1, 2, 3]), None, "nodes"),
    ("npz", archive(nodes=[1.0, 2.0]), None, "nodes"),
    ("npz", archive(nodes=[2, 2]), None, "rows 0 and 1"),
    ("npz", archive(nodes=np.array(["a", ("b",)], dtype=object)), None, ""),
    ("npz", archive(values=np.ones(2)), None, ""),
    ("npz", archive(values=[["a", "b"]] * 2), None, ""),
    ("npz", archive(columns=["h1"]), None, "columns"),
    ("npz", archive(columns=None), None, "columns"),
    ("npz", archive(metadata="[1]"), None, "metadata"),
    ("npz", archive(metadata="{"), None, ""),
    ("npz", archive()[:300], None, "not a readable"),
    *((kind, table(kind, **columns), None, word) for kind in ("parquet", "feather") for columns, word in (
        ({"h1": [0.5], "node": ["a"]}, "h1, node"),
        ({"node": ["a"]}, "found node"),
        ({"node": ["a"], "h1": ["x"]}, "h1 .*string"),
        ({"node": ["a"], "h1": [None]}, "h1 .*missing"),
        ({"node": [0.5], "h1": [0.5]}, "node .*double"),
        ({"node": ["a", "a"], "h1": [0.5, 1.0]}, "'a' .*rows 0 and 1"),
    )),
    *((kind, table(kind, node=[1], h1=[1.0])[:-99], None, "not a readable") for kind in ("parquet", "feather")),
]  # fmt: skip


@for_each(("name", "content", "line", "word"), MALFORMED)
def test_malformed_files_name_path_and_line(tmp_path, name, content, line, word):
    path = tmp_path / f"bad.{name}"
    path.write_bytes(content)
    place = f"bad.{name}" if line is None else f"bad.{name}, line {line}"
    with pytest.raises(GraphFormatError, match=f"{place}: .*{word}") as caught:
        read_embedding(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


@for_each(
    ("changes", "word", "formats"),
    [
        ({"values": [[1.0], [2.0]]}, "1 node labels for 2 rows", LABELLED),
        ({"values": [[1.0, 2.0]]}, r"\(1, 2\)", LABELLED),
        ({"values": [1.0]}, r"\(1,\)", LABELLED),
        ({"values": [[]], "columns": []}, "0 names", LABELLED),
        ({"values": [["x"]]}, "numbers", LABELLED),
        ({"values": [[1.0, 2.0]], "columns": ["h1", "h1"]}, "'h1'", LABELLED),
        ({"columns": ["node"]}, "'node'", LABELLED),
        ({"nodes": ["a", "a"], "values": np.eye(2)[:, :1]}, "'a' and 'a'", LABELLED),
        ({"nodes": [1, "1"], "values": np.eye(2)[:, :1]}, "1 and '1'", LABELLED),
        ({"nodes": ["a\udc80"]}, r"'a\\udc80'", LABELLED),
        ({"nodes": "a"}, "'a'", LABELLED),
        ({"nodes": ["a\0"]}, r"'a\\x00' .*\.csv", ["npz"]),
        ({"metadata": {"radius": 2}}, "'radius' to 2", LABELLED),
        *(
            ({"nodes": [label]}, r"use \.csv", ["emb"])
            for label in ("two words", "", "tab\t", "wide\u3000", "nbsp\xa0")
        ),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_no_trace(tmp_path, changes, word, formats):
    for name in formats:
        path = tmp_path / f"out.{name}"
        path.write_text("precious")
        with pytest.raises(ParameterError, match=word):
            write_embedding(path, **{"nodes": ["a"], "values": [[1.0]], "columns": ["h1"], **changes})
        assert path.read_text() == "precious"
        path.unlink()
        assert list(tmp_path.iterdir()) == []


def test_format_overrides_the_suffix(tmp_path):
    write_embedding(tmp_path / "out.dat", ["a"], [[0.5]], ["h1"], format="TSV")
    assert (tmp_path / "out.dat").read_text() == "node\th1\na\t0.5\n"
    assert read_embedding(tmp_path / "out.dat", format=".tsv").nodes.tolist() == ["a"]
    assert embedding_format("OUT.CSV") == embedding_format("-") == "csv"
    for name, form, word in (("out.csv", "xlsx", "'xlsx'"), ("out.csv.gz", None, r"\.parquet, .*\.npz, \.emb")):
        with pytest.raises(ParameterError, match=word):
            read_embedding(tmp_path / name, format=form)
    with pytest.raises(FileNotFoundError):
        read_embedding(tmp_path / "missing.csv")


TO_STDOUT = """
import os, sys, numpy as np
from vnestruct.store import write_embedding
n = int(sys.argv[2])
try:
    write_embedding("-", np.arange(n), np.arange(n)[:, None] / 3, ["h1"], format=sys.argv[1] or None)
except BrokenPipeError:
    os._exit(7)
"""


@for_each(("name", "unbuffered"), [("", False), ("csv", True), ("npz", False), ("npz", True)])
def test_standard_output_carries_all_rows_and_a_closed_pipe_is_an_os_error(tmp_path, name, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""}
    command = [sys.executable, "-c", TO_STDOUT, name, "200000"]
    path = tmp_path / f"out.{name or 'csv'}"
    path.write_bytes(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
    np.testing.assert_array_equal(read_embedding(path).values[:, 0], np.arange(200_000) / 3)
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(4)
        process.stdout.close()
    assert process.returncode == 7


def test_standard_output_that_is_text_gets_only_text(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    for stream in (io.StringIO(), terminal):
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(ParameterError, match=r"\.npz"):
            write_embedding("-", ["Zoë"], [[0.5]], ["h1"], format="npz")
        write_embedding("-", ["Zoë"], [[0.5]], ["h1"])
        stream.seek(0)
        assert stream.read() == "node,h1\nZoë,0.5\n"


@for_each("name", FORMATS)
def test_a_named_pipe_carries_every_format(tmp_path, name):
    pipe, path, received = tmp_path / f"pipe.{name}", tmp_path / f"out.{name}", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_embedding(pipe, ["a"], [[0.5]], ["h1"])
    reader.join()
    path.write_bytes(received[0])
    assert read_embedding(path).values.tolist() == [[0.5]]
