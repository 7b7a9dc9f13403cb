"""`LiveGraph` against `embed` of its snapshot, and against a plain multiset of edges."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import edges_of, weighted_copy
from vnestruct import LiveGraph, ParameterError, UnknownNodeError, embed, update
from vnestruct.graph import graph_from_pairs

KINDS = ["approx", "quadratic"]
NAMED = ("roles", "profile", "noisy", ["approx", "roles"])
TIMES = (None, "soon", np.inf)


def check(live, edges):
    """The graph is that of a multiset of edges, and the signatures are those of `embed`, bit for bit."""
    graph = live.snapshot()
    labels = graph.nodes.tolist()
    assert {frozenset((labels[u], labels[v])) for u, v in edges_of(graph)} == set(edges)
    assert live.n_edges == len(edges)
    assert np.array_equal(live.signatures(), embed(graph, 1, kind=KINDS, n_jobs=1))


@pytest.mark.parametrize("n_changes", [100, pytest.param(20_000, marks=pytest.mark.full)])
def test_exact_after_each_of_many_changes(n_changes):
    for graph in (synthetic.barabasi_albert(40, 3, 1), synthetic.star(30), synthetic.clique(12)):
        generator, live = np.random.default_rng(1), LiveGraph(graph, kind=KINDS)
        edges = Counter(map(frozenset, edges_of(graph)))
        for _ in range(n_changes):
            if edges and generator.random() < 0.5:
                # Hubs lose edges as often as others do, and leaves their last one.
                pair = list(edges)[generator.integers(len(edges))]
                live.remove(*generator.permutation(list(pair)).tolist())
                edges -= Counter([pair])
            else:
                # New nodes, self-loops and repeated edges among them.
                u, v = generator.integers(0, graph.n_nodes + 3, 2).tolist()
                live.add(u, v)
                edges.update([frozenset((u, v))] if u != v else [])
            check(live, edges)


class Changes(RuleBasedStateMachine):
    """Any order of single changes, batches and expiry in a window of 20 additions."""

    nodes = st.sampled_from(["a", "b", ("c", 1), 4, 5, "f"])

    def __init__(self):
        super().__init__()
        self.live = LiveGraph(kind=KINDS, window=20)
        self.added = []

    @rule(edges=st.lists(st.tuples(nodes, nodes), max_size=30))
    def add(self, edges):
        self.live.apply(edges)
        self.added = (self.added + [(edge, True) for edge in edges if edge[0] != edge[1]])[-20:]

    @precondition(lambda self: any(counts for _, counts in self.added))
    @rule(data=st.data())
    def remove(self, data):
        u, v = data.draw(st.sampled_from([edge for edge, counts in self.added if counts]))
        self.live.remove(v, u)
        oldest = next(i for i, (edge, counts) in enumerate(self.added) if counts and set(edge) == {u, v})
        self.added[oldest] = ((u, v), False)

    @invariant()
    def equals_fresh_computation(self):
        check(self.live, Counter(frozenset(edge) for edge, counts in self.added if counts))


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=20, stateful_step_count=20, deadline=None, derandomize=True, database=None)


def test_all_ways_to_give_a_batch_agree():
    edges = [(3, 9), (9, 7), (7, 3), (1, 3)]
    frame = pd.DataFrame(edges, columns=["source", "target"])
    for batch in (edges, np.array(edges), np.array(edges, float), frame, iter(edges), [(u, v, 2.0) for u, v in edges]):
        live = LiveGraph()
        live.apply(batch)
        assert live.snapshot() == graph_from_pairs(*np.transpose(edges))


def test_labels_may_be_integers_far_apart_and_stop_being_integers():
    generator = np.random.default_rng(0)
    edges, live = generator.choice(generator.integers(-(2**62), 2**62, 300), (5_000, 2)), LiveGraph()
    for batch in np.array_split(edges, 7):
        live.apply(batch)
    assert live.snapshot() == graph_from_pairs(*edges.T)
    live.apply([(int(edges[0, 0]), "x"), ("x", "y"), ("x", "y")], sign=[1, 1, -1])
    assert live.nodes.tolist()[-2:] == ["x", "y"]
    assert live.signature("x") == embed([(0, 1), (2, 3)], 1)[0]


def test_what_has_changed_since_the_last_call():
    live = LiveGraph([(0, 1), (1, 2), (3, 4)])
    assert live.changed().tolist() == [0, 1, 2, 3, 4]
    for expected in ([0, 1, 2], []):
        live.add(0, 2)
        assert live.changed().tolist() == expected


@for_each("options", [{"radius": 2}, {"radius": 3, "kind": "exact"}, {"radius": 1, "weighted": True}])
def test_other_signatures_are_computed_where_balls_changed(options):
    graph = synthetic.watts_strogatz(60, 4, 0.05, 3)
    graph = weighted_copy(graph, 3) if options.get("weighted") else graph
    live = LiveGraph(graph, **options)
    assert (live.pending().nodes, live.pending().seconds) == (60, None)
    live.signatures()
    assert live.changed().size == 60
    live.add(0, 30)
    live.remove(*edges_of(graph)[0], weight=1e-3)
    pending = live.pending()
    expected = update(graph, embed(graph, **options), added=[(0, 30)], **options)
    assert 60 > pending.nodes == round(60 * pending.share) >= len(expected.changed)
    assert pending.seconds > 0.0
    np.testing.assert_allclose(live.signatures(), embed(live.snapshot(), **options), rtol=0, atol=1e-12)
    assert live.changed().size == pending.nodes
    assert live.pending().nodes == 0


def test_weights_of_occurrences_add_up_and_edges_that_are_dropped_do_not_expire():
    live = LiveGraph(weighted=True)
    live.apply([(0, 1, 2.0), (1, 0, 0.5), (1, 2, 1.0)])
    live.remove(0, 1, 2.0)
    assert live.snapshot().weights.tolist() == [0.5, 0.5, 1.0, 1.0]
    live = LiveGraph(weighted=True, window=3)
    live.apply([(0, 1, 0.0), (2, 2, 1.0), (0, 1, 1.0), (1, 2, 1.0), (2, 3, 0.0), (3, 0, 1.0), (0, 2, 4.0)])
    assert live.snapshot() == graph_from_pairs([1, 3, 0], [2, 0, 2], [1, 1, 4], nodes=[0, 1, 2, 3])


def test_a_window_by_time():
    live = LiveGraph(window="1h")
    live.apply([(0, 1), (1, 2), (0, 1)], time=[0, 1800, 5000])
    n_edges = [live.n_edges]
    for time in (1000, 1500):  # late: already outside the window, and just inside
        live.add(2, 3, time=time)
        n_edges.append(live.n_edges)
    for time in (5100.5, 8600, 8601):
        live.advance(time)
        n_edges.append(live.n_edges)
    assert n_edges == [2, 2, 3, 2, 1, 0]


def test_memory_follows_the_edges_down():
    generator, live = np.random.default_rng(1), LiveGraph(window=2_000)
    for _ in range(50):
        live.apply(generator.integers(0, 300, (2_000, 2)))
    assert live.nbytes < 120 * 2 * live.n_edges + 100 * live.n_nodes


@for_each(
    ("call", "value"),
    [
        (lambda live: live.apply([("a", "c"), ("b", "b"), ("d", "e")], sign=[1, -1, 1]), "('b', 'b')"),
        (lambda live: live.remove("a", "z"), "'z'"),
        (lambda live: live.signature("z"), "'z'"),
        (lambda live: live.add("a", None), "None"),
        (lambda live: live.add("a", ["list"]), "['list']"),
        (lambda live: live.apply([("a", "b")], sign=0), "`sign`"),
        (lambda live: live.add("a", "b", time=3), "`time`"),
        (lambda live: live.advance(3), "`window`"),
        *((lambda live, time=time: LiveGraph(window="7d").add("a", "b", time=time), "`time`") for time in TIMES),
        (lambda live: LiveGraph(window="7 days"), "'7 days'"),
        (lambda live: LiveGraph([("a", "b")], window=3), "`window`"),
        (lambda live: live.apply("ab"), "'ab'"),
        *((lambda live, kind=kind: LiveGraph(kind=kind), f"embed(live.snapshot(), kind={kind!r})") for kind in NAMED),
    ],
)
def test_errors_name_the_value_and_what_was_done_before_stays(call, value):
    live = LiveGraph([("a", "b")])
    with pytest.raises((ParameterError, UnknownNodeError), match=re.escape(value)):
        call(live)
    # Only the edge before one that cannot be removed is added, and the labels of the batch are known.
    n_nodes = live.n_nodes
    assert (live.nodes.tolist(), live.n_edges) == (list("abcde")[:n_nodes], 2 if n_nodes == 5 else 1)
