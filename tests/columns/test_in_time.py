"""Columns at a point in time: what a row says follows from the edges before it, and from nothing else."""

from __future__ import annotations

import gzip
import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.columns.brute_force import Case, columns_of
from vnestruct import GraphFeatures, ParameterError, features

MOMENTS = ("mean_x", "std_x")
TEMPORAL = {
    "bitcoin_otc_graph.csv.gz": ("src", "trg", "time", "edgelab"), "hospital.csv.gz": ("src", "trg", "time", None),
    "us-legislature.csv.gz": (1, 2, 0, 3), "uci-messages.txt.gz": (1, 2, 0, 3),
}  # fmt: skip


def answered(case: Case) -> pd.DataFrame:
    """The columns of all rows, by the product."""
    edges = pd.DataFrame(case.edges, columns=["a", "b", "t", "x"])
    rows = pd.DataFrame(case.rows, columns=["u", "v", "t"])
    model = GraphFeatures(edges, key=["u", "v"], time="t", window=case.window, source="a", target="b", values=["x"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some rows are about unknown nodes
        return model.fit(rows).transform(rows)


def check(case: Case, numbers: list[int]) -> None:
    """Compare rows with the definition: bit for bit, but for means and deviations of values."""
    found = answered(case)
    scale = max((abs(edge[3]) for edge in case.edges if edge[3] == edge[3]), default=1.0)
    for number in numbers:
        expected = columns_of(case, number)
        for name, value in found.iloc[number].items():
            if str(name).endswith(MOMENTS) and name in expected:
                assert value == pytest.approx(expected[name], rel=1e-9, abs=1e-12 * scale), (number, name)
            else:
                np.testing.assert_equal(float(value), float(expected.get(str(name), np.nan)), f"row {number}, {name}")


nodes = st.integers(0, 7)
times = st.integers(-3, 12).map(float)
values = st.one_of(st.just(float("nan")), st.sampled_from([0.1, 0.2, 0.3, 1e6 + 0.1, -7.0]))
cases = st.builds(
    Case,
    st.lists(st.tuples(nodes, nodes, times, values), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), times), min_size=1, max_size=12),
    st.sampled_from([None, 1.0, 2.5, 6.0]),
)


@given(cases)
def test_rows_equal_their_definition(case: Case) -> None:
    check(case, list(range(len(case.rows))))


@given(cases, st.data())
def test_an_edge_at_the_time_of_a_row_or_later_changes_nothing(case: Case, data: st.DataObject) -> None:
    now = case.rows[0][2]
    later = data.draw(st.lists(st.tuples(nodes, nodes, st.floats(0, 5).map(lambda gap: now + gap), values), max_size=8))
    more = Case([*later, *case.edges], case.rows[:1], case.window)
    pd.testing.assert_frame_equal(answered(Case(case.edges, case.rows[:1], case.window)), answered(more))


@pytest.mark.parametrize("name", TEMPORAL)
@pytest.mark.parametrize("window", [None, 0.2], ids=["all", "window"])
def test_real_graphs_equal_the_definition(name: str, window: float | None, data_folder: Path) -> None:
    path = data_folder / "temporal" / name
    if not path.is_file():
        pytest.skip(f"{path} is missing")
    case = real_case(path, *TEMPORAL[name], n_rows=25, window=window)
    check(case, list(range(len(case.rows))))


def real_case(path: Path, source: Any, target: Any, time: Any, value: Any, n_rows: int, window: float | None) -> Case:
    """Edges of a file, and random rows about pairs, some of them of unknown nodes, at times of the file."""
    text = gzip.decompress(path.read_bytes()).decode()
    has_dates = path.suffixes[0] == ".txt"
    names = {} if isinstance(time, str) else {"header": None}
    table = pd.read_csv(io.StringIO(text), sep=" " if has_dates else ",", **names)
    if has_dates:
        table[0] = pd.to_datetime(table[0]).astype("int64") // 1_000_000_000
    values = table[value].astype(float) if value is not None else np.zeros(len(table))
    when = table[time].astype(float)
    edges = list(zip(table[source].tolist(), table[target].tolist(), when.tolist(), values.tolist(), strict=True))
    random = np.random.default_rng(0)
    rows = []
    for place in random.integers(0, len(edges), n_rows).tolist():
        u, v, now, _ = edges[place]
        other = edges[random.integers(len(edges))][1] if random.random() < 0.5 else v
        rows.append((u, "nobody" if random.random() < 0.1 and isinstance(u, str) else other, now))
    span = float(when.max() - when.min())
    return Case(edges, rows, None if window is None else window * span)


def test_a_long_window_does_not_drift() -> None:
    random = np.random.default_rng(1)
    n_edges = 20_000
    value = np.where(random.random(n_edges) < 0.01, 1e12, random.random(n_edges))
    edges = pd.DataFrame({"source": random.integers(0, 3, n_edges), "target": random.integers(3, 6, n_edges)})
    edges = edges.assign(t=np.arange(n_edges), x=value)
    rows = pd.DataFrame({"u": [0, 1, 2], "t": [n_edges] * 3})
    found = features(edges, rows, key="u", time="t", window=30, values=["x"])
    last = edges[edges.t >= n_edges - 30]
    for row, node in enumerate([0, 1, 2]):
        given_ = last.x[last.source == node]
        assert found["out_mean_x"][row] == pytest.approx(given_.mean(), rel=1e-9)
        assert found["out_std_x"][row] == pytest.approx(given_.std(ddof=0), rel=1e-9)


def test_equal_values_have_no_deviation() -> None:
    edges = pd.DataFrame({"source": [0] * 7, "target": range(1, 8), "t": range(7), "x": [0.1] * 7})
    found = features(edges, pd.DataFrame({"u": [0], "t": [9]}), key="u", time="t", values=["x"])
    assert found["out_std_x"][0] == 0.0
    assert found["out_mean_x"][0] == 0.1


def test_the_order_of_edges_and_rows_and_the_number_of_threads_change_nothing() -> None:
    random = np.random.default_rng(2)
    edges = pd.DataFrame(random.integers(0, 20, (300, 2)), columns=["a", "b"]).assign(t=random.permutation(300), x=1.5)
    rows = pd.DataFrame(random.integers(0, 20, (50, 2)), columns=["u", "v"]).assign(t=random.integers(0, 300, 50))
    options = {"key": ["u", "v"], "time": "t", "source": "a", "target": "b"}
    expected = features(edges, rows, **options, n_jobs=1)
    order = random.permutation(50)
    shuffled = features(edges.sample(frac=1, random_state=0), rows.iloc[order], **options, n_jobs=2)
    pd.testing.assert_frame_equal(shuffled.loc[range(50)], expected)


@pytest.mark.parametrize(
    ("edge_times", "row_times", "words"),
    [
        (["2024-01-01", "2024-01-02"], [3, 4], "convert one"),
        (["2024-01-01T00:00:00+01:00", "2024-01-02"], ["2024-01-03", "2024-01-04"], "time zone"),
        (["2024-01-01", None], ["2024-01-03", "2024-01-04"], "row 2"),
        (["2024-01-01", "2024-01-02"], ["2024-01-01", "soon"], "time"),
        ([1.0, np.nan], [1.0, 2.0], "row 2"),
    ],
)
def test_times_that_cannot_be_compared_are_refused(edge_times: list, row_times: list, words: str) -> None:
    edges = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "t": edge_times})
    with pytest.raises(ParameterError, match=words):
        features(edges, pd.DataFrame({"id": ["a", "b"], "t": row_times}), key="id", time="t")


def test_dates_of_any_type_are_the_same_times() -> None:
    texts = ["2024-01-01", "2024-01-02T12:00:00", "2024-01-05"]
    rows = ["2024-01-03", "2024-01-02T12:00:00"]
    frames: list[Callable[[list[str]], object]] = [
        list, pd.to_datetime, lambda given: pd.to_datetime(given).astype("datetime64[us]"),
    ]  # fmt: skip
    found = []
    for make in frames:
        edges = pd.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"]})
        edges["t"] = make([pd.Timestamp(text).isoformat() for text in texts])
        table = pd.DataFrame({"id": ["b", "b"]})
        table["t"] = make([pd.Timestamp(text).isoformat() for text in rows])
        found.append(features(edges, table, key="id", time="t").drop(columns="t"))
    pd.testing.assert_frame_equal(found[0], found[1])
    pd.testing.assert_frame_equal(found[0], found[2])
    assert found[0]["since_last"].tolist() == [43_200.0, 129_600.0]
    assert found[0]["degree"].tolist() == [2.0, 1.0]
