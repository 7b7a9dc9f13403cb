"""The graph class: what it accepts, what it refuses, what it promises."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, graph_strategy
from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph import CleaningReport, Graph, graph_from_pairs

PATH: dict[str, Any] = {"indptr": [0, 1, 3, 4], "indices": [1, 0, 2, 1]}


@for_each(
    ("arguments", "named"),
    [
        ({"indptr": []}, "indptr"),
        ({"indptr": [0.0, 1.0]}, "indptr"),
        ({"indptr": [1, 1, 3, 4]}, r"indptr .*\[1\]"),
        ({"indptr": [0, 3, 1, 4]}, "position 1"),
        ({"indptr": [0, 1, 3, 5]}, "4 .* 5"),
        ({"indices": [1, 0, 3, 1]}, r"indices\[2\] is 3"),
        ({"indices": [1.0, 0.0, 2.0, 1.0]}, "indices"),
        ({"indices": [1, 2, 0, 1]}, "node 1 .*ascending"),
        ({"indptr": [0, 1, 2, 2], "indices": [0, 0]}, "node 0 "),
        ({"indptr": [0, 1, 2, 3], "indices": [1, 2, 1]}, "node 1 .* node 0"),
        ({"weights": [1, 1, 2]}, "3 .* 4"),
        ({"weights": ["a"] * 4}, "weights"),
        ({"weights": [1, 1, np.inf, np.inf]}, "1 to 2 is inf"),
        ({"weights": [0, 0, 2, 2]}, "0 to 1 is 0"),
        ({"weights": [1, 1, 2, 3]}, "1 to 2 is 2.0, .* 3.0"),
        ({"nodes": ["a", "b"]}, "2 .* 3"),
        ({"nodes": ["a", "b", "a"]}, "'a'"),
        ({"directed": True}, "directions"),
        ({"directions": [1, 2, 1, 2]}, "directed=True"),
        ({"directed": True, "directions": [1, 2, 1]}, "directions .* 3 .* 4"),
        ({"directed": True, "directions": [1, 2, 1, 4]}, r"directions\[3\] is 4"),
        ({"directed": True, "directions": [1, 1, 1, 2]}, r"directions\[0\] is 1, .* 1"),
        ({"directed": True, "directions": [1, 2, 3, 3], "weights": [1, 1, 1, 1]}, "1 to 0 is 1.0"),
        ({"directed": True, "directions": [1, 2, 3, 3], "weights": [1, 0, 1, 0]}, "2 to 1 is 0.0"),
        ({"sides": [0, 1]}, "sides .* 3"),
        ({"sides": [0, 0, 1]}, "0 and 1 .* side 0"),
        ({"sides": [0, 1, 0], "side_names": ("a", "a")}, "side_names"),
        ({"side_names": ("a", "b")}, "side_names"),
    ],
)
def test_bad_input_is_named(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        Graph(**{**PATH, **arguments})


def test_arrays_are_views_of_the_declared_types_that_nobody_can_change(tmp_path: Path) -> None:
    np.save(tmp_path / "indices.npy", np.array([1, 0, 2, 1], np.int32))
    for mode in ("r", None):
        indptr, indices = np.array(PATH["indptr"], np.uint16), np.load(tmp_path / "indices.npy", mmap_mode=mode)
        graph = Graph(indptr, indices, [5, 0, 1, 2], directed=True, directions=[1, 2, 3, 3])
        assert np.shares_memory(graph.indices, indices)
        assert indices.flags.writeable is (mode is None)
        assert (graph.n_edges, graph.n_arcs) == (2, 3)
    arrays = {"indptr": np.int64, "indices": np.int32, "weights": np.float64, "directions": np.uint8}
    for name, dtype in (arrays | {"nodes": np.int64, "degrees": np.int64}).items():
        array = getattr(graph, name)
        assert (array.dtype, type(array), array.flags.writeable) == (dtype, np.ndarray, False)
        with pytest.raises(AttributeError):
            setattr(graph, name, array)


@given(graph_strategy(weighted=None, directed=None))
def test_pickle_round_trip(graph: Graph) -> None:
    again = pickle.loads(pickle.dumps(graph))
    assert (again, hash(again)) == (graph, hash(graph))
    assert again.report == graph.report
    assert not again.indices.flags.writeable


def test_hash_tells_graphs_apart() -> None:
    variants = [
        Graph([0], []),
        Graph([0, 0], []),
        Graph(**PATH),
        Graph(**PATH, nodes=[1, 2, 3]),
        Graph(**PATH, nodes=["1", "2", "3"]),
        Graph(**PATH, nodes=["ab", "c", "d"]),
        Graph(**PATH, nodes=["a", "bc", "d"]),
        Graph(**PATH, nodes=[("a", 1), "bc", "d"]),
        Graph(**PATH, weights=[1, 1, 2, 2]),
        Graph(**PATH, directed=True, directions=[1, 2, 3, 3]),
        Graph([0, 1, 2, 2], [1, 0]),
    ]
    assert len({graph.hash for graph in variants}) == len(variants)
    assert Graph(**PATH) == Graph(**PATH, nodes=[0, 1, 2])
    assert Graph(**PATH) != "a graph"
    # Files on disk carry the hash: it must never change.
    assert Graph(**PATH).hash == "94b9d5d18d75d64db1766cf57c186eea"


@for_each(
    ("thing", "text"),
    [
        (Graph([0, 1, 2], [1, 0], [2, 2]), "Graph(2 nodes, 1 edge, weighted)"),
        (Graph([0, 1, 2, 2], [1, 0]).report, "Read 1 edge; kept 1 isolated node."),
        (
            CleaningReport(9, 1, 2, 3, 4),
            "Read 9 edges; dropped 1 self-loop; merged 2 parallel edges; dropped 3 edges of weight 0; "
            "kept 4 isolated nodes.",
        ),
    ],
)
def test_graphs_and_reports_read_well(thing: Any, text: str) -> None:
    assert str(thing) == text


def test_edges_give_back_the_graph() -> None:
    for name, graph in ZOO.items():
        for given_graph in (graph, directed_copy(graph, seed=1, weighted=True)):
            columns = given_graph.edges()
            again = graph_from_pairs(*columns, nodes=given_graph.nodes, directed=given_graph.directed)
            assert again == given_graph.replaced(sides=None), name


LABELS = {
    "default": None,
    "extreme": [2**63 - 1, -(2**63), 0],
    "text": ["x", "y", "z"],
    "tuples": [(0, 1), (1, 0), ()],
    "mixed": ["1", 1, (1,)],
    "huge": [2**70, 1, 2],
}


@for_each("labels", LABELS.values())
def test_positions_invert_nodes(labels: list[Any] | None) -> None:
    graph = Graph(**PATH, nodes=labels)
    wanted = [0, 1, 2] if labels is None else labels
    assert graph.nodes.tolist() == wanted
    for given_labels, places in ((wanted[::-1], [2, 1, 0]), (iter(wanted), [0, 1, 2]), ([], [])):
        found = graph.positions(given_labels)
        assert (found.tolist(), found.dtype) == (places, np.int64)
    assert [graph.position(label) for label in wanted] == [0, 1, 2]
    for missing in (77, -77, 2**63, "no", None, (5, 5), [1], 0.25, float("nan"), float("inf")):
        with pytest.raises(UnknownNodeError) as caught:
            graph.position(missing)
        assert repr(missing) in str(caught.value)
        with pytest.raises(UnknownNodeError):
            graph.positions([wanted[0], missing])


def test_unknown_node_message_shows_what_labels_look_like() -> None:
    for graph, labels, named in (
        (Graph(**PATH, nodes=[5, 3, 9]), ["5"], r"'5' .* 5, 3, 9$"),
        (Graph([0], []), [1], "node 1 "),
        (Graph(**PATH), np.array([0, 4, 9]), "node 4 "),
        (Graph(**PATH), np.array([0, 2**64 - 1], dtype=np.uint64), "node 18446744073709551615 "),
    ):
        with pytest.raises(UnknownNodeError, match=named):
            graph.positions(labels)
    with pytest.raises(ParameterError, match=r"write \['a'\]"):
        Graph(**PATH).positions("a")


def test_equal_labels_of_other_types_are_found() -> None:
    numbers, texts = Graph(**PATH, nodes=[5, 3, 9]), Graph(**PATH, nodes=["a", "b", "c"])
    assert (numbers.position(5.0), numbers.position(np.int16(9))) == (0, 2)
    assert numbers.positions(np.array([3, 9], dtype=np.uint8)).tolist() == [1, 2]
    assert texts.positions(np.array(["c", "a"])).tolist() == [2, 0]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, min_size=1, max_size=30), st.data())
def test_integer_positions_of_any_range(labels: list[int], data: st.DataObject) -> None:
    graph = Graph([0] * (len(labels) + 1), [], nodes=labels)
    order = data.draw(st.permutations(labels))
    assert graph.positions(order).tolist() == [labels.index(label) for label in order]
