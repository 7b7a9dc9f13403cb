"""Columns of a whole network for a table: what each says, joined by key, and guarded against leakage."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from tests.graphs import ZOO
from vnestruct import Graph, GraphFeatures, NotAGraphError, ParameterError, features

EDGES = pd.DataFrame(
    {"payer": ["a", "b", "c", "a", "d"], "payee": ["b", "c", "a", "d", "e"], "amount": [1.0, 2, 3, 4, 5]}
)
TABLE = pd.DataFrame({"id": ["a", "b", "c", "d", "e"], "age": [30, 40, 50, 60, 70], "city": ["X", "Y", "X", None, "Y"]})


def quiet(*args: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return features(*args, **options)


def matrix_of(graph: Graph) -> np.ndarray:
    matrix = np.zeros((graph.n_nodes, graph.n_nodes))
    matrix[graph.sources, graph.indices] = 1.0
    return matrix


def moments(matrix: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation over neighbours where a value is present, by the definition."""
    found = np.full((2, len(values)), np.nan)
    for node, row in enumerate(matrix):
        near = values[row > 0]
        near = near[~np.isnan(near)]
        if near.size:
            found[:, node] = near.mean(), near.std()
    return found[0], found[1]


@pytest.mark.parametrize("name", ["karate", "star", "two components", "cycle"])
def test_measures_are_those_of_networkx(name: str) -> None:
    graph = {
        "karate": nx.karate_club_graph(), "star": nx.star_graph(6), "cycle": nx.cycle_graph(9),
        "two components": nx.disjoint_union(nx.complete_graph(5), nx.path_graph(4)),
    }[name]  # fmt: skip
    found = quiet(graph).to_pandas()
    unweighted = nx.Graph(graph.edges)
    nodes = found["node"].tolist()
    expected = {
        "degree": dict(unweighted.degree), "triangles": nx.triangles(unweighted),
        "clustering": nx.clustering(unweighted), "core": nx.core_number(unweighted),
        "pagerank": nx.pagerank(unweighted, tol=1e-12, max_iter=1000),
    }  # fmt: skip
    for column, values in expected.items():
        np.testing.assert_allclose(found[column], [values[node] for node in nodes], atol=1e-9, err_msg=column)


def test_pagerank_follows_directions() -> None:
    graph = nx.gnp_random_graph(60, 0.05, seed=1, directed=True)
    found = quiet(graph, measures=["pagerank"], steps=0).to_pandas()
    expected = nx.pagerank(graph, tol=1e-12, max_iter=1000)
    np.testing.assert_allclose(found["pagerank"], [expected[node] for node in found["node"]], atol=1e-9)


@given(st.sampled_from(sorted(ZOO)), st.data())
def test_columns_are_moments_of_moments(name: str, data: st.DataObject) -> None:
    graph = ZOO[name]
    if graph.n_nodes == 0:
        return
    value = st.one_of(st.floats(-5, 5), st.just(float("nan")))
    own = np.array(data.draw(st.lists(value, min_size=graph.n_nodes, max_size=graph.n_nodes)))
    table = pd.DataFrame({"id": graph.nodes, "x": own})
    found = quiet(graph, table, key="id", measures=["degree"])
    matrix = matrix_of(graph)
    mean, std = moments(matrix, own)
    expected = {"mean_x": mean, "std_x": std}
    for first in ("mean", "std"):
        expected[f"mean_{first}_x"], expected[f"std_{first}_x"] = moments(matrix, expected[f"{first}_x"])
    for column, values in expected.items():
        np.testing.assert_allclose(found[column], values, atol=1e-9, err_msg=column)


def test_categories_and_missing_values_are_shares_of_the_neighbours_that_have_them() -> None:
    found = quiet(EDGES, TABLE, key="id", measures=[], own=["city"], steps=1)
    # The neighbours of a are b (Y), c (X) and d (missing).
    assert found["mean_city=X"][0] == 0.5
    assert found["mean_city=Y"].isna().tolist() == [False] * 4 + [True]


def test_values_of_edges_are_summarised_by_node_and_direction() -> None:
    both = quiet(EDGES, TABLE, key="id", measures=[], own=[])
    a = both.iloc[0]
    assert (a["count_amount"], a["mean_amount"]) == (3, pytest.approx(8 / 3))
    assert a["std_amount"] == pytest.approx(np.std([1, 3, 4]))
    directed = quiet(EDGES, TABLE, key="id", measures=[], own=[], directed=True).iloc[0]
    assert (directed["out_mean_amount"], directed["in_mean_amount"]) == (2.5, 3.0)


def test_pairs_have_columns_of_both_ends_and_of_the_pair() -> None:
    rows = pd.DataFrame({"payer": ["a", "a", "b", "a"], "payee": ["b", "e", "d", "nobody"]})
    found = quiet(EDGES, rows, key=["payer", "payee"], measures=["degree"], steps=0, values=[])
    assert found["payer_degree"].tolist() == [3, 3, 2, 3]
    assert found["payee_degree"].tolist()[:3] == [2, 1, 2]
    assert found["common_neighbours"].tolist()[:3] == [1, 1, 1]
    assert found["jaccard"].tolist()[:3] == [1 / 4, 1 / 3, 1 / 3]
    assert found["seen_before"].tolist()[:3] == [1, 0, 0]
    assert found.iloc[3, -3:].isna().all()


FRAMES = {
    "pandas": (lambda frame: frame, pd.DataFrame), "polars": (pl.from_pandas, pl.DataFrame),
    "arrow": (pa.Table.from_pandas, pa.Table), "duckdb": (duckdb.from_df, pa.Table),
}  # fmt: skip


@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_any_library_are_read_once_and_stay_what_they_are(library: str) -> None:
    make, kind = FRAMES[library]
    found = quiet(make(EDGES), make(TABLE), key="id")
    assert isinstance(found, kind)
    frame = found if library == "pandas" else found.to_pandas()
    pd.testing.assert_frame_equal(frame, quiet(EDGES, TABLE, key="id"), check_dtype=False)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "feather"])
def test_files_are_tables_too(suffix: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.{suffix}" for name in ("edges", "table")]
    for path, frame in zip(paths, (EDGES, TABLE), strict=True):
        write = frame.to_csv if "csv" in suffix else frame.to_parquet if suffix == "parquet" else frame.to_feather
        write(path, **({"index": False} if "csv" in suffix else {}))
    found = quiet(*paths, key="id")
    pd.testing.assert_frame_equal(found.to_pandas(), quiet(EDGES, TABLE, key="id"), check_dtype=False)


def test_a_file_without_names_has_numbered_columns(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("6,2,4,1289241911\n6,5,2,1289241941\n1,15,1,1289243140\n")
    rows = pd.DataFrame({"user": [6, 2], "when": [1289241930, 1289243000]})
    found = quiet(path, rows, key="user", time="when", edge_time="4", values=["3"])
    assert found["degree"].tolist() == [1.0, 1.0]
    assert found["out_mean_3"].tolist()[0] == 4.0


def test_rows_index_and_columns_of_the_table_are_untouched() -> None:
    table = TABLE.iloc[[3, 0, 2]].set_index(pd.Index(["x", "y", "z"]))
    before = table.copy()
    found = quiet(EDGES, table, key="id")
    pd.testing.assert_frame_equal(found[list(table)], before)
    pd.testing.assert_frame_equal(table, before)


def test_each_column_has_one_sentence_and_its_place() -> None:
    for options in ({"key": "id"}, {"key": ["payer", "payee"]}, {"key": ["payer", "payee"], "time": "amount"}):
        rows = TABLE if options["key"] == "id" else EDGES
        model = GraphFeatures(EDGES, **options).fit(rows)
        described = model.describe()
        assert all(described.values())
        assert list(model.transform(rows)) == model.get_feature_names_out().tolist()
        kept = [name for name in rows if name not in (*np.atleast_1d(options["key"]), options.get("time"))]
        assert list(model.get_feature_names_out()) == [*kept, *described]


def test_unknown_and_missing_keys_get_missing_values_and_one_line_says_so() -> None:
    rows = pd.DataFrame({"id": ["a", "stranger", None]})
    with pytest.warns(UserWarning, match="1 of 3"):
        found = features(EDGES, rows, key="id", own=[])
    assert found.drop(columns="id").isna().all(axis=1).tolist() == [False, True, True]


def test_labels_are_compared_as_in_a_file() -> None:
    edges = [(1, 2), (2, 3)]
    for keys in ([1, 2, 3], ["1", "2", "3"], [1.0, 2.0, 3.0]):
        found = quiet(edges, pd.DataFrame({"id": keys}), key="id", measures=["degree"], steps=0, own=[])
        assert found["degree"].tolist() == [1, 2, 1]
    with pytest.raises(ParameterError, match="fractions"):
        quiet(edges, pd.DataFrame({"id": [1.5]}), key="id")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no key": ({"key": None}, "key"), "a key that is not there": ({"key": "name"}, "name"),
    "one of two keys": ({"key": ["id", "other"]}, "other"), "the same key twice": ({"key": ["id", "id"]}, "key"),
    "three keys": ({"key": ["id", "age", "city"]}, "key"), "a measure": ({"measures": ["grade"]}, "grade"),
    "own with two keys": ({"key": ["id", "city"], "own": ["age"]}, "values"), "own column": ({"own": ["wage"]}, "wage"),
    "own is excluded": ({"own": ["age"], "exclude": "age"}, "exclude"), "exclude": ({"exclude": ["agee"]}, "agee"),
    "values": ({"values": ["price"]}, "price"), "values are text": ({"values": ["payer"]}, "end"),
    "window without time": ({"window": "7d"}, "time"), "steps": ({"steps": -1}, "steps"),
    "radius": ({"radius": 0}, "radius"), "direction": ({"direction": "up"}, "direction"),
    "reading": ({"sauce": "payer"}, "sauce"), "time of the rows": ({"time": "when"}, "when"),
    "time of the edges": ({"time": "age", "edge_time": "when"}, "when"),
    "own in time": ({"time": "age", "edge_time": "amount", "own": ["age"]}, "values"),
    "core in time": ({"time": "age", "edge_time": "amount", "measures": ["core"]}, "core"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_mistakes_are_refused(case: str) -> None:
    options, word = REFUSED[case]
    with pytest.raises(ParameterError, match=word):
        features(EDGES, TABLE, **{"key": "id", **options})


def test_a_name_that_exists_is_refused() -> None:
    with pytest.raises(ParameterError, match="degree"):
        quiet(EDGES, TABLE.assign(degree=1), key="id", own=[])


def test_repeated_keys_are_fine_for_structure_and_refused_for_own_columns() -> None:
    twice = pd.concat([TABLE, TABLE.iloc[:1]], ignore_index=True)
    found = quiet(EDGES, twice, key="id")
    assert "mean_age" not in found
    assert found["degree"].iloc[0] == found["degree"].iloc[-1]
    with pytest.raises(ParameterError, match="twice"):
        quiet(EDGES, twice, key="id", own=["age"])


def test_frames_whose_rows_are_elsewhere_are_refused_with_the_way_to_arrow() -> None:
    class Remote:
        columns = ("id",)

        def __getattr__(self, name: str) -> Any:
            return lambda *_: self

    with pytest.raises(NotAGraphError, match="Arrow"):
        features(EDGES, Remote(), key="id")
    with pytest.raises(NotAGraphError, match="Arrow"):
        features(EDGES, pl.from_pandas(TABLE).lazy(), key="id")


def test_averaged_columns_are_named_and_the_target_is_refused() -> None:
    with pytest.warns(UserWarning, match="age, city"):
        features(EDGES, TABLE, key="id")
    rows = TABLE.assign(churned=[0, 1, 0, 1, 1])
    with pytest.raises(ParameterError, match="churned"):
        GraphFeatures(EDGES, key="id").fit(rows, rows["churned"])
    with pytest.raises(ParameterError, match="churned"):
        GraphFeatures(EDGES, rows, key="id").fit(rows[["id"]].iloc[::-1], rows["churned"].iloc[::-1])
    model = GraphFeatures(EDGES, rows, key="id", exclude="churned").fit(rows, rows["churned"])
    assert not [name for name in model.describe() if "churned" in name]


def test_it_is_a_step_of_a_pipeline() -> None:
    graph = nx.barabasi_albert_graph(120, 2, seed=0)
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"id": list(graph), "x": random.random(120)})
    y = np.array([graph.degree(node) > 3 for node in graph]).astype(int)
    edges = pd.DataFrame(list(graph.edges), columns=["source", "target"])
    pipe = make_pipeline(GraphFeatures(edges, rows, key="id"), HistGradientBoostingClassifier(max_iter=5))
    assert cross_val_score(pipe, rows[["id"]], y, cv=3).mean() > 0.9
    search = GridSearchCV(pipe, {"graphfeatures__measures": [["degree"], ["core", "h1"]]}, cv=2).fit(rows[["id"]], y)
    assert search.best_score_ > 0.8
    model = GraphFeatures(pl.from_pandas(edges), key="id").set_output(transform="pandas")
    assert isinstance(clone(model).fit_transform(pl.from_pandas(rows)), pd.DataFrame)


def test_a_clone_shares_what_was_read_and_follows_its_own_parameters() -> None:
    edges = duckdb.sql("select * from (values ('a', 'b'), ('b', 'c')) as edges(source, target)")
    model = GraphFeatures(edges, key="id", measures=["degree"], steps=0).fit(TABLE)
    again = clone(model).set_params(measures=["core"]).fit(TABLE)
    assert list(again.describe()) == ["core", *[name for name in again.describe() if "_" in name]]
    other = clone(model).set_params(edges=[("a", "e")])
    with pytest.warns(UserWarning, match="3 of 5"):
        assert other.fit(TABLE).transform(TABLE)["degree"].tolist()[0] == 1.0
