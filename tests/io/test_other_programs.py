"""Files that other libraries write are read, and files that we write are read by them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases import for_each
from vnestruct.graph import graph_from_object
from vnestruct.io import read_graph, write_graph

networkx = pytest.importorskip("networkx")

WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".graphml": networkx.write_graphml,
    ".gexf": networkx.write_gexf,
    ".gml": networkx.write_gml,
    ".net": networkx.write_pajek,
    ".edgelist": networkx.write_edgelist,
    ".adjlist": networkx.write_adjlist,
}
READERS: dict[str, Callable[[Path], Any]] = {
    ".graphml": networkx.read_graphml,
    ".edgelist": networkx.read_weighted_edgelist,
}


def example(directed: bool, weighted: bool) -> Any:
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(["ann", "bob", "zoë", "dan"])
    for tail, head, weight in (("ann", "bob", 1.5), ("zoë", "ann", 2.0), ("bob", "zoë", 0.25), ("zoë", "dan", 3.0)):
        graph.add_edge(tail, head, **({"weight": weight} if weighted else {}))
    return graph


def links(graph: Any, weighted: bool) -> set[Any]:
    """Edges of a networkx graph as a set that does not depend on order."""
    order = tuple if graph.is_directed() else frozenset
    return {(order((u, v)), float(d.get("weight", 1)) if weighted else 1.0) for u, v, d in graph.edges(data=True)}


@for_each("suffix", WRITERS)
def test_networkx_writes(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph{suffix}"
    for directed in (False, True):
        for weighted in (False, True):
            given = example(directed, weighted and suffix != ".adjlist")
            WRITERS[suffix](given, path)
            graph = read_graph(path, directed=directed if suffix in (".edgelist", ".adjlist") else None)
            expected = graph_from_object(given)
            if suffix in (".edgelist", ".adjlist"):
                assert sorted(graph.nodes) == sorted(expected.nodes), (directed, weighted)
                assert (graph.n_arcs, graph.weights is None) == (expected.n_arcs, expected.weights is None)
            else:
                assert graph == expected, (directed, weighted)


@for_each("suffix", READERS)
@for_each("directed", [False, True])
def test_networkx_reads(suffix: str, directed: bool, tmp_path: Path) -> None:
    given = example(directed, weighted=True)
    path = tmp_path / f"graph{suffix}"
    write_graph(graph_from_object(given), path)
    if suffix == ".edgelist" and directed:
        kind = networkx.DiGraph
        again = READERS[suffix](path, create_using=kind)  # type: ignore[call-arg]
    else:
        again = READERS[suffix](path)
    assert set(again) == set(given)
    assert again.is_directed() == directed
    assert links(again, True) == links(given, True)


def test_networkx_node_link(tmp_path: Path) -> None:
    import json

    given = example(True, True)
    given.add_node((1, "x"))
    path = tmp_path / "graph.json"
    for edges in ("links", "edges"):
        path.write_text(json.dumps(networkx.node_link_data(given, edges=edges)))
        assert read_graph(path) == graph_from_object(given)


@for_each("suffix", [".graphml", ".gml", ".net", ".ncol"])
@for_each("directed", [False, True])
def test_igraph_writes(suffix: str, directed: bool, tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph")
    given = igraph.Graph.TupleList(
        [("ann", "bob", 1.5), ("bob", "eve", 2.0), ("eve", "ann", 0.25)], directed=directed, weights=True
    )
    path = tmp_path / f"graph{suffix}"
    if suffix == ".ncol":
        given.write_ncol(str(path), names="name", weights="weight")
    else:
        if suffix == ".net":
            given.vs["id"] = given.vs["name"]
        given.write(str(path))
    graph = read_graph(path, directed=directed if suffix == ".ncol" else None)
    assert graph == graph_from_object(given)


def test_scipy_reads_and_writes(tmp_path: Path) -> None:
    scipy_io = pytest.importorskip("scipy.io")
    sparse = pytest.importorskip("scipy.sparse")
    given = graph_from_object(example(False, True))
    write_graph(given, tmp_path / "ours.npz")
    matrix = sparse.load_npz(tmp_path / "ours.npz")
    assert (matrix != matrix.T).nnz == 0
    assert matrix.data.tolist() == given.weights.tolist()  # type: ignore[union-attr]
    scipy_io.mmwrite(tmp_path / "theirs.mtx", matrix)
    theirs = read_graph(tmp_path / "theirs.mtx")
    assert theirs.nodes.tolist() == [1, 2, 3, 4]
    assert theirs.weights.tolist() == given.weights.tolist()  # type: ignore[union-attr]


@for_each("suffix", [".csv", ".tsv", ".parquet", ".feather"])
def test_pandas_reads_and_writes(suffix: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    given = graph_from_object(example(False, True))
    path = tmp_path / f"graph{suffix}"
    write_graph(given, path)
    readers = {
        ".csv": pandas.read_csv,
        ".tsv": lambda file: pandas.read_csv(file, sep="\t"),
        ".parquet": pandas.read_parquet,
        ".feather": pandas.read_feather,
    }
    frame = readers[suffix](path)
    assert frame.columns.tolist() == ["source", "target", "weight"]
    assert graph_from_object(frame) == given
    if suffix == ".parquet":
        frame.to_parquet(path)
    elif suffix == ".feather":
        frame.to_feather(path)
    else:
        frame.to_csv(path, sep="," if suffix == ".csv" else "\t", index=False)
    assert read_graph(path) == given
