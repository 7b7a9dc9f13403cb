"""Streams: periods, windows, late events, change scores and anomalies."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from itertools import combinations

import numpy as np
import pytest

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import edges_of, from_edges
from vnestruct import GraphFormatError, ParameterError, embed, embed_stream, entropy, graph_distance
from vnestruct.graph import graph_from_pairs
from vnestruct.live import anomalies, anomaly_scores, change_scores, read_events
from vnestruct.live.events import parse_duration, seconds_of
from vnestruct.live.stream import Stream
from vnestruct.roles import RoleClusterer


def random_events(seed, n_events=400, n_nodes=25):
    generator = np.random.default_rng(seed)
    times = np.sort(generator.uniform(0, 999, n_events)).round(1).tolist()
    ends, weights = generator.integers(0, n_nodes, (n_events, 2)).tolist(), generator.uniform(0.1, 9.0, n_events)
    return [(time, f"n{u}", f"n{v}", weight) for time, (u, v), weight in zip(times, ends, weights, strict=True)]


def with_graphs(periods, events, window, every):
    """Each period with the graph of its window, whose nodes are in the order of the period."""
    for period in periods:
        end = period.start + every
        edges = [event[1:] for event in events if end - window <= event[0] < end and event[1] != event[2]]
        yield period, graph_from_pairs(*zip(*edges, strict=True), nodes=period.nodes)


@for_each("window", [100, 250, 60])
@for_each("weighted", [False, True])
def test_periods_are_the_graphs_of_their_windows(window, weighted):
    # A period of self-loops only has no edges and no entropy.
    events = [*random_events(window), (1500, "n1", "n1", 1.0)]
    *periods, last = embed_stream(events, window=window, every=100, weighted=weighted)
    assert (last.start, last.nodes.size, last.entropies) == (1500.0, 0, (0.0, 0.0))
    assert [period.start for period in periods] == [100.0 * i for i in range(10)]
    rows, before = {}, None
    for period, graph in with_graphs(periods, events, window, 100):
        assert len(period.nodes) == np.count_nonzero(graph.degrees)
        expected = embed(graph, 1, weighted=weighted)
        np.testing.assert_allclose(period.signatures, expected, rtol=0, atol=1e-12 if weighted else 0)
        assert period.n_edges == graph.n_edges
        entropies = [entropy(graph, kind, weighted=weighted) for kind in ("approx", "quadratic")]
        np.testing.assert_allclose(period.entropies, entropies, rtol=0, atol=1e-9)
        now = dict(zip(period.nodes.tolist(), period.signatures[:, 0].tolist(), strict=True))
        np.testing.assert_array_equal(period.moved, [abs(now[node] - rows.get(node, math.nan)) for node in now])
        if before is not None:
            distance = graph_distance(before, graph, method="signatures", radius=1, weighted=weighted)
            assert period.distance == pytest.approx(distance, abs=1e-9)
        rows, before = now, graph


def test_late_events_count_from_now_on_or_are_dropped():
    problems = []
    events = [(5, "a", "b"), (25, "b", "c"), (12, "c", "d"), (2, "d", "e"), (28, "e", "a"), (31, "a", "b")]
    stream = Stream(1, window=15, every=10, report=lambda line, problem: problems.append((line, problem[:4])))
    periods = list(stream.periods(events))
    assert [period.start for period in periods] == [0.0, 20.0, 30.0]
    # The late edge of time 12 is not in the window (15, 30] when the period ends.
    assert [sorted(period.nodes.tolist()) for period in periods] == [["a", "b"], list("abce"), list("abce")]
    assert [(period.late, period.dropped) for period in periods] == [(0, 0), (1, 1), (0, 0)]
    assert problems == [(3, "late"), (4, "drop")]


def test_nodes_without_an_edge_are_forgotten_and_nothing_else_changes():
    events = random_events(3, n_events=12_000, n_nodes=100_000)
    stream = Stream(1, window=150, every=100)
    for period, graph in with_graphs(stream.periods(events), events, 150, 100):
        assert np.array_equal(period.signatures, embed(graph, 1))
    assert len(stream._live.nodes) < 12_000


@for_each("kind", ["roles", "profile", "noisy"])
def test_kinds_without_a_radius_are_computed_from_each_snapshot(kind):
    events = random_events(2)
    for period, graph in with_graphs(embed_stream(events, window=150, every=100, kind=kind), events, 150, 100):
        np.testing.assert_allclose(period.signatures, embed(graph, kind=kind), rtol=0, atol=1e-12)
    with pytest.raises(ParameterError, match="`radius`"):
        embed_stream(events, 2, window=150, every=100, kind=kind)


# One model of kind "roles", whatever the stream itself computes.
@for_each("options", [{"kind": "roles"}, {}, {"radius": 2, "kind": ["approx", "quadratic"]}])
def test_saved_roles_are_predicted_and_surprise_is_a_rare_move_among_the_same_role(options, tmp_path):
    RoleClusterer().fit(synthetic.barabasi_albert(60, 2, 0)).save(tmp_path / "model.roles")
    model, events = RoleClusterer.load(tmp_path / "model.roles"), random_events(2)
    periods = embed_stream(events, window=150, every=100, roles=model, **options)
    for period, graph in with_graphs(periods, events, 150, 100):
        assert period.roles.tolist() == model.predict(graph).tolist()
        assert np.array_equal(np.isnan(period.surprise), np.isnan(period.moved))
        for role, moved, surprise in zip(period.roles, period.moved, period.surprise, strict=True):
            same = period.moved[(period.roles == role) & ~np.isnan(period.moved)]
            assert np.isnan(moved) or surprise == pytest.approx(-np.log(np.mean(same >= moved)))


@for_each(
    ("text", "options", "event"),
    [
        ('"2004-03-23 20:11:55" 3 4 17\n', {"time": 1, "weight": 4}, (1080072715.0, "3", "4", 17.0)),
        ("src,trg,time\nx,y,12.5\n", {"time": "time", "source": "src", "target": "trg"}, (12.5, "x", "y", 1.0)),
        ("time;from;to;weight\n1;a;b;9", {"time": "time"}, (1.0, "a", "b", 1.0)),
        ("% comment\n\n7\t8\t1970-01-02T01:00:00+01:00\n", {"time": 3}, (86400.0, "7", "8", 1.0)),
        ('a,6,"b, c"\r\n', {"time": "2"}, (6.0, "a", "b, c", 1.0)),
    ],
)
def test_events_of_many_layouts(text, options, event, tmp_path):
    (tmp_path / "events.txt").write_bytes(text.encode())
    [batch] = read_events(str(tmp_path / "events.txt"), **options)
    assert (batch.times[0], batch.source[0], batch.target[0], batch.weights[0]) == event


def test_lines_that_are_no_events_are_reported_by_number(tmp_path):
    wrong = ["never,a,b,2", "2,a", "3,,b,2", "4,a,b,-1", "5,a,b,x", "nan,a,b,2", '5,"a,b,2', "5,\xff,b,2"]
    (tmp_path / "events.csv").write_bytes("\n".join(["1,a,b,2", *wrong, '6,"a,b",c,2']).encode("latin-1"))
    problems = {}
    batches = list(read_events(str(tmp_path / "events.csv"), time=1, weight=4, report=problems.__setitem__))
    assert [[*batch.lines, *batch.source] for batch in batches] == [[1, "a"], [10, "a,b"]]
    assert list(problems) == list(range(2, 10))
    for line, value in {2: "'never'", 5: "'-1'", 6: "'x'", 7: "'nan'", 9: "0xff"}.items():
        assert value in problems[line]
    with pytest.raises(GraphFormatError, match="'when'") as caught:
        list(read_events(str(tmp_path / "events.csv"), time="when"))
    assert caught.value.line == 1


def test_times_and_time_spans_may_be_many_things():
    times = ("1970-01-01T01:00", 3600, "3.6e3", np.datetime64("1970-01-01T01:00"), datetime.fromtimestamp(3600, UTC))
    assert {seconds_of(time) for time in times} == {3600.0}
    spans = ("60", "60s", "1min", 60, timedelta(minutes=1), np.timedelta64(1, "m"))
    assert {parse_duration("window", span) for span in spans} == {60.0}
    assert [parse_duration("window", span) for span in ("2h", "7d", "0.5w")] == [7200.0, 604800.0, 302400.0]


def test_change_scores_find_a_jump_and_nothing_else():
    values = np.random.default_rng(0).normal(1.0, 0.01, (60, 2))
    values[40:] *= [1.5, 0.7]
    scores = change_scores(values)
    assert np.argmax(scores) == 40
    assert scores[40] > 5 * np.delete(scores, 40).max()
    assert not scores[:14].any()
    np.testing.assert_allclose(change_scores(values * [3.0, 1e-3]), scores, rtol=1e-9)
    with pytest.raises(ParameterError, match=r"\(2,\)"):
        change_scores([1.0, 2.0])


def test_injected_structures_are_anomalies_and_the_sentence_says_which():
    base = edges_of(synthetic.watts_strogatz(600, 6, 0.05, 1))
    star, pair = [(0, 600 + leaf) for leaf in range(40)], [(150, v) for v in (*range(400, 405), *range(500, 505))]
    clique = list(combinations(range(300, 312), 2))
    graph = from_edges(sorted({tuple(sorted(edge)) for edge in base + star + clique + pair}), 640)
    found = {anomaly.node: anomaly.sentence for anomaly in anomalies(graph, top=25)}
    assert "star" in found[0]
    assert "bridge" in found[150]
    scores = anomaly_scores(graph)
    assert np.median(scores[300:312]) > np.quantile(scores, 0.9)
    assert not scores[600:].any()
    # A symmetric graph has none.
    assert not anomaly_scores(synthetic.cycle(80)).any()
    assert anomalies(from_edges([], 0)) == []
