"""Graphs over time: the committed results are whole, and injected anomalies are what they claim to be."""

from __future__ import annotations

import numpy as np
import pytest
from experiments.live_graphs import ANOMALIES, CHANGES, GRAPHS, PEERS, ROLES, SHAPES, STREAMS, injected
from experiments.storage import read_rows
from tests import generators as synthetic


def test_both_events_are_among_the_highest_scores() -> None:
    rows = {(row["data"], row["event"]): row for row in read_rows(CHANGES) if row["method"] == "entropies"}
    limits = {"uci-messages": (196, 10), "us-legislature": (12, 3)}
    for name, (n_periods, limit) in limits.items():
        for event in STREAMS[name]["events"]:
            assert rows[name, event]["periods"] == n_periods
            assert rows[name, event]["rank"] <= limit


def test_every_experiment_has_its_results() -> None:
    assert len(read_rows(CHANGES)) == 5 * 4
    assert len(read_rows(ROLES)) == 2 * 6
    assert len(read_rows(PEERS)) == 2
    assert len(read_rows(ANOMALIES)) == len(GRAPHS) * len(SHAPES) * 3


@pytest.mark.parametrize(("shape", "n_links"), [("clique", 9), ("star", 38), ("bridge", 2)])
def test_injected_nodes_have_the_links_of_their_shape(shape: str, n_links: int) -> None:
    base = synthetic.barabasi_albert(400, 2, 0)
    graph, truth = injected(base, shape, 0)
    gained = graph.degrees - base.degrees
    assert truth.sum() == 20
    assert gained[truth].min() >= min(n_links, 7) - 2
    assert np.median(gained[truth]) >= n_links - 2
    assert graph.n_nodes == base.n_nodes
