"""Embeddings through standard output and pipes."""

import io
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.store import read_embedding, write_embedding

FORMATS = ["parquet", "feather", "csv", "tsv", "npy", "npz", "emb"]

TO_STDOUT = """
import sys, numpy as np
from vnestruct.store import write_embedding
n = int(sys.argv[2])
try:
    write_embedding("-", np.arange(n), np.arange(n)[:, None] / 3, ["h1"], format=sys.argv[1] or None)
except BrokenPipeError as error:
    print(isinstance(error, OSError), "broken", file=sys.stderr)
    import os
    os._exit(7)
"""


def buffering(unbuffered):
    environment = {key: text for key, text in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return {**environment, "PYTHONUNBUFFERED": "1"} if unbuffered else environment


@for_each(("name", "unbuffered"), [("", True), *((name, False) for name in FORMATS)])
def test_standard_output_carries_every_format(tmp_path, name, unbuffered):
    done = subprocess.run(
        [sys.executable, "-c", TO_STDOUT, name, "5"],
        capture_output=True,
        check=True,
        env=buffering(unbuffered),
    )
    suffix = name or "csv"
    path = tmp_path / f"out.{suffix}"
    path.write_bytes(done.stdout)
    np.testing.assert_array_equal(read_embedding(path).values[:, 0], np.arange(5) / 3)
    if not name:
        assert done.stdout.startswith(b"node,h1\n0,0.0\n1,0.3333333333333333\n")


@for_each("unbuffered", [False, True])
@for_each("name", ["csv", "npz"])
def test_a_closed_pipe_is_an_os_error(name, unbuffered):
    with subprocess.Popen(
        [sys.executable, "-c", TO_STDOUT, name, "200000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=buffering(unbuffered),
    ) as process:
        assert process.stdout.read(4)
        process.stdout.close()
        assert process.stderr.read() == b"True broken\n"
    assert process.returncode == 7


def test_standard_output_that_is_text_gets_only_text(monkeypatch):
    replaced = io.StringIO()
    monkeypatch.setattr(sys, "stdout", replaced)
    write_embedding("-", ["Zoë"], [[0.5]], ["h1"])
    assert replaced.getvalue() == "node,h1\nZoë,0.5\n"
    with pytest.raises(ParameterError, match=r"\.npz"):
        write_embedding("-", ["Zoë"], [[0.5]], ["h1"], format="npz")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(ParameterError, match=r"\.parquet"):
        write_embedding("-", ["a"], [[0.5]], ["h1"], format="parquet")


@for_each("name", FORMATS)
def test_a_named_pipe_carries_every_format(tmp_path, name):
    pipe = tmp_path / f"pipe.{name}"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_embedding(pipe, ["a"], [[0.5]], ["h1"])
    reader.join()
    path = tmp_path / f"out.{name}"
    path.write_bytes(received[0])
    assert read_embedding(path).values.tolist() == [[0.5]]
