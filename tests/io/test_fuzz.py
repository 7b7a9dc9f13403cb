"""Whatever the bytes, a reader gives a graph or one of our errors."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.io.samples import TEXTS, small_graph
from vnestruct.errors import GraphFormatError, VNEstructError
from vnestruct.graph import Graph
from vnestruct.io import delimited, read_graph
from vnestruct.io.registry import FORMATS, format_named

SUFFIXES = {form.name: (*form.suffixes, "")[0] for form in FORMATS}
GROUPS = ["ann bob zoë\ndan ann\n# nobody\nlone\nbob,ann\n", "0\n0 1\n0 1224 1223\n17 0 1224\n" * 6]
EXAMPLES = {"normal": 200, "full": 20_000}
SIZES = [pytest.param(EXAMPLES["normal"], id="200"), pytest.param(EXAMPLES["full"], id="20000", marks=pytest.mark.full)]

FRAGMENTS = st.sampled_from(
    [b"\n", b"\r", b" ", b"\t", b",", b";", b'"', b"#", b"%", b"//", b"1", b"-1", b"0", b"1e999", b"nan", b"a",
     b"\xff", b"\0", b"<", b">", b"&", b"[", b"]", b"{", b"}", b":", b"*Vertices", b"*Edges", b"graph [",
     b"99999999999999999999", b"\xef\xbb\xbf", b"source,target\n", b"\\u0000", b"null", b"true",
     b"<node id='1'/>", b"2 1\n"]
)  # fmt: skip


def samples(name: str) -> list[bytes]:
    """Valid files of a format."""
    if name == "groups":
        return [text.encode() for text in GROUPS]
    form = format_named(name)[0]
    texts = [text.encode() for file, (text, *_) in TEXTS.items() if Path(file).suffix in form.suffixes]
    if form.writer:
        stream = io.BytesIO()
        form.load_writer()(small_graph(weighted=True, isolated=True, directed=True), stream)
        texts.append(stream.getvalue())
    return texts


@st.composite
def mutated(draw: st.DrawFn, valid: list[bytes]) -> bytes:
    """A valid file with a few places changed, cut out or filled in."""
    data = bytearray(draw(st.sampled_from(valid)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 6)))
        data[start:stop] = draw(st.one_of(FRAGMENTS, st.binary(max_size=4)))
    return bytes(data)


def read_or_refuse(data: bytes, name: str) -> Graph | None:
    with tempfile.NamedTemporaryFile(suffix=SUFFIXES[name]) as file:
        file.write(data)
        file.flush()
        try:
            return read_graph(file.name, format=None if SUFFIXES[name] else name)
        except VNEstructError as problem:
            refused = problem
        assert "\n" not in str(refused)
        assert str(refused).startswith(file.name) or not isinstance(refused, GraphFormatError)
        return None


@pytest.mark.parametrize("examples", SIZES)
@pytest.mark.parametrize("name", SUFFIXES)
def test_any_bytes(name: str, examples: int) -> None:
    valid = samples(name)
    inputs = st.one_of(
        mutated(valid), mutated(valid), st.lists(FRAGMENTS, max_size=20).map(b"".join), st.binary(max_size=60)
    )

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(inputs)
    def check(data: bytes) -> None:
        graph = read_or_refuse(data, name)
        if graph is not None:
            # What was accepted is sound: the checks of the constructor pass.
            parts = graph.indptr, graph.indices, graph.weights, graph.nodes, graph.directed
            Graph(*parts, directions=graph.directions)

    check()


@pytest.mark.parametrize("examples", SIZES)
@pytest.mark.parametrize("name", ["edgelist", "csv", "tsv", "mtx"])
def test_the_fast_reading_agrees_with_the_careful_one(name: str, examples: int) -> None:
    """Arrow and the careful reading give the same graph, or both refuse."""
    valid = [data for data in samples(name) + samples("groups") if data]

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @example(b"%%MatrixMarket matrix coordinate real general\n3 3 2\n\x1c1 2 1.5\n2\x1f 3 0.5\n")
    @given(st.one_of(mutated(valid), st.lists(FRAGMENTS, max_size=20).map(b"".join)))
    def check(data: bytes) -> None:
        with pytest.MonkeyPatch.context() as patch:
            fast = read_or_refuse(data, name)
            patch.setattr(delimited, "_parse_fast", lambda *arguments: None)
            careful = read_or_refuse(data, name)
        assert fast == careful

    check()
