"""Files that other libraries write are read, and files that we write are read by them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import igraph
import networkx
import pandas
import scipy.io
from scipy import sparse

from tests.cases import for_each
from vnestruct.graph import graph_from_object
from vnestruct.io import read_graph, write_graph

EDGES = [("ann", "bob", 1.5), ("zoë", "ann", 2.0), ("bob", "zoë", 0.25), ("zoë", "dan", 3.0)]
NO_DIRECTION = (".edgelist", ".adjlist", ".ncol", ".csv", ".tsv")


def in_networkx(directed: bool, weighted: bool = True) -> Any:
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(["ann", "bob", "zoë", "dan"])
    graph.add_edges_from((tail, head, {"weight": weight} if weighted else {}) for tail, head, weight in EDGES)
    return graph


def node_link(graph: Any, path: Path) -> None:
    graph.add_node((1, "x"))
    for edges in ("links", "edges"):
        path.write_text(json.dumps(networkx.node_link_data(graph, edges=edges)))


@for_each("directed", [False, True])
@for_each("weighted", [False, True])
@for_each(
    ("suffix", "write"),
    [
        (".graphml", networkx.write_graphml),
        (".gexf", networkx.write_gexf),
        (".gml", networkx.write_gml),
        (".net", networkx.write_pajek),
        (".json", node_link),
        (".edgelist", networkx.write_edgelist),
        (".adjlist", networkx.write_adjlist),
    ],
)
def test_networkx_writes(directed: bool, weighted: bool, suffix: str, write: Any, tmp_path: Path) -> None:
    path = tmp_path / f"graph{suffix}"
    given = in_networkx(directed, weighted and suffix != ".adjlist")
    write(given, path)
    graph, expected = read_graph(path, directed=directed if suffix in NO_DIRECTION else None), graph_from_object(given)
    if suffix in NO_DIRECTION:
        assert sorted(graph.nodes) == sorted(expected.nodes)
        assert (graph.n_arcs, graph.weights is None) == (expected.n_arcs, expected.weights is None)
    else:
        assert graph == expected


@for_each("directed", [False, True])
@for_each(("suffix", "read"), [(".graphml", networkx.read_graphml), (".edgelist", networkx.read_weighted_edgelist)])
def test_networkx_reads(directed: bool, suffix: str, read: Any, tmp_path: Path) -> None:
    given, path = in_networkx(directed), tmp_path / f"graph{suffix}"
    write_graph(graph_from_object(given), path)
    again = read(path, create_using=type(given)) if suffix == ".edgelist" else read(path)
    assert set(again) == set(given)
    order = tuple if directed else frozenset
    one, other = ({(order(ends), weight) for *ends, weight in g.edges(data="weight")} for g in (again, given))
    assert one == other


@for_each("directed", [False, True])
@for_each("suffix", [".graphml", ".gml", ".net", ".ncol"])
def test_igraph_writes(directed: bool, suffix: str, tmp_path: Path) -> None:
    edges = [("ann", "bob", 1.5), ("bob", "eve", 2.0), ("eve", "ann", 0.25)]
    given = igraph.Graph.TupleList(edges, directed=directed, weights=True)
    path = tmp_path / f"graph{suffix}"
    if suffix == ".ncol":
        given.write_ncol(str(path), names="name", weights="weight")
    else:
        if suffix == ".net":
            given.vs["id"] = given.vs["name"]
        given.write(str(path))
    assert read_graph(path, directed=directed if suffix in NO_DIRECTION else None) == graph_from_object(given)


def test_scipy_reads_and_writes(tmp_path: Path) -> None:
    given = graph_from_object(in_networkx(False))
    write_graph(given, tmp_path / "ours.npz")
    matrix = sparse.load_npz(tmp_path / "ours.npz")
    assert (matrix != matrix.T).nnz == 0
    scipy.io.mmwrite(tmp_path / "theirs.mtx", matrix)
    theirs = read_graph(tmp_path / "theirs.mtx")
    assert theirs.nodes.tolist() == [1, 2, 3, 4]
    assert theirs.weights.tolist() == given.weights.tolist() == matrix.data.tolist()  # type: ignore[union-attr]


Frame = pandas.DataFrame


@for_each(
    ("suffix", "read", "write"),
    [
        (".csv", pandas.read_csv, partial(Frame.to_csv, index=False)),
        (".tsv", partial(pandas.read_csv, sep="\t"), partial(Frame.to_csv, sep="\t", index=False)),
        (".parquet", pandas.read_parquet, Frame.to_parquet),
        (".feather", pandas.read_feather, Frame.to_feather),
    ],
)
def test_pandas_reads_and_writes(suffix: str, read: Any, write: Any, tmp_path: Path) -> None:
    given, path = graph_from_object(in_networkx(False)), tmp_path / f"graph{suffix}"
    write_graph(given, path)
    frame = read(path)
    assert frame.columns.tolist() == ["source", "target", "weight"]
    assert graph_from_object(frame) == given
    write(frame, path)
    assert read_graph(path) == given
