"""Estimates: how far they are from exact values, what their audit says of that, and what they do not depend on."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import generators as synthetic
from tests.cases import for_each
from vnestruct import (
    CheckpointMismatchError,
    Graph,
    ParameterError,
    TooLargeError,
    VNEstruct,
    embed,
    embedding_frame,
    read_embedding,
    read_graph,
    write_embedding,
)
from vnestruct.embedding import audited as audited_module
from vnestruct.embedding.neighbours import neighbour_moments
from vnestruct.embedding.plan import rank_graph
from vnestruct.embedding.progress import Progress
from vnestruct.embedding.sketch import Sketch
from vnestruct.execute import ThreadsEngine
from vnestruct.graph import graph_from_ids
from vnestruct.io import write_graph
from vnestruct.store import Audit

TARGET = 0.02


@cache
def social() -> Graph:
    """Hubs, leaves, twins, several components."""
    graph = synthetic.power_law(6_000, 2.0, seed=4, largest_degree=300)
    assert (graph.degrees == 1).mean() > 0.2
    return graph


@cache
def exact(kind: str = "approx", radius: int = 3) -> np.ndarray:
    return embed(social(), radius, kind=kind)


@cache
def estimated(kind: str = "approx", radius: int = 3, seed: int = 0) -> Any:
    return embed(social(), radius, kind=kind, approximate=TARGET, random_state=seed)


def shares(values: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return mean errors as shares of the standard deviation of each column."""
    mean, spread = np.abs(np.asarray(values) - expected).mean(axis=0), expected.std(axis=0)
    return np.divide(mean, spread, out=np.zeros_like(mean), where=spread > 0)


@for_each("kind", ["approx", "quadratic", "unscaled"])
def test_errors_are_within_the_target_and_as_the_audit_says(kind: str) -> None:
    for seed in range(3):
        values = estimated(kind, 3, seed)
        assert isinstance(values.audit, Audit)
        audit, errors = values.audit, np.abs(np.asarray(values) - exact(kind))
        assert max(audit.estimated) > 0.3, "nothing was estimated"
        assert audit.estimated[0] == audit.mean[0] == audit.largest[0] == 0.0, "radius 1 is always exact"
        assert (shares(values, exact(kind)) <= TARGET).all()
        np.testing.assert_allclose(audit.spread, exact(kind).std(axis=0), rtol=0.02)
        assert (audit.shares <= TARGET).all()
        # The audit speaks for all nodes: its mean roughly, its 95% with a margin.
        assert (errors.mean(axis=0) <= 2.5 * np.array(audit.mean) + 1e-12).all()
        assert ((errors <= np.array(audit.within_95)).mean(axis=0) >= 0.95).all()
        assert ((errors == 0.0).mean(axis=0) >= 1.0 - np.array(audit.estimated) - 1e-12).all()


def test_the_audit_is_a_recomputation_of_its_nodes() -> None:
    values, audit = estimated(), estimated().audit
    nodes = np.sort(np.random.default_rng([0]).choice(social().n_nodes, audit.n_nodes, replace=False))
    errors = np.abs(np.asarray(values)[nodes] - exact()[nodes])
    assert audit.n_nodes == audited_module.N_AUDITED
    assert audit.mean == tuple(errors.mean(axis=0))
    assert audit.within_95 == tuple(np.sort(errors, axis=0)[-2])
    assert audit.largest == tuple(errors.max(axis=0))


def test_bits_depend_on_the_seed_alone() -> None:
    for n_jobs in (1, 3):
        again = embed(social(), 3, approximate=TARGET, n_jobs=n_jobs)
        assert np.array_equal(again, estimated())
        assert again.audit == estimated().audit
    assert not np.array_equal(estimated(seed=1), estimated())


def test_what_is_cheap_is_exact() -> None:
    small, sparse = synthetic.barabasi_albert(800, 5, seed=1), synthetic.grid(60, 60, shuffled=2)
    for graph, radius in ((small, 3), (sparse, 3), (social(), 1), (synthetic.path(1_500), 4)):
        values = embed(graph, radius, approximate=0.01)
        assert np.array_equal(values, embed(graph, radius))
        assert values.audit.estimated == values.audit.mean == values.audit.largest == (0.0,) * radius
        assert str(values.audit) == "all rows are exact: that was cheap enough"
    no_edges = graph_from_ids(np.empty(0, np.int64), np.empty(0, np.int64), None, n_nodes=1_200)
    assert not np.asarray(embed(no_edges, 2, approximate=0.5)).any()


def test_a_target_that_samples_cannot_reach_is_met_exactly() -> None:
    values = embed(social(), 2, approximate=1e-9)
    assert np.array_equal(values, exact(radius=2))
    assert values.audit.estimated == (0.0, 0.0)


def test_a_wrong_estimate_is_found_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Sketch.values

    def wrong(self: Sketch, outputs: Any, factor: int = 1) -> tuple[np.ndarray, np.ndarray]:
        values, errors = plain(self, outputs, factor)
        return values + 0.5, errors

    monkeypatch.setattr(Sketch, "values", wrong)
    lines: list[str] = []

    class Listener(Progress):
        def on_message(self, text: str) -> None:
            lines.append(text)

    values = embed(social(), 3, approximate=TARGET, progress=Listener())
    assert np.array_equal(values, exact())
    assert [line.split("(")[0] for line in lines].count("The audit missed the accepted error ") == 4
    assert lines[-1].endswith("computing all rows exactly ...")


def test_some_nodes_only() -> None:
    chosen = np.random.default_rng(3).permutation(social().n_nodes)[:2_500]
    values = embed(social(), 3, approximate=TARGET, nodes=social().nodes[chosen])
    assert values.shape == (2_500, 3)
    assert max(values.audit.estimated) > 0.3
    assert (shares(values, exact()[chosen]) <= TARGET).all()
    few = embed(social(), 3, approximate=TARGET, nodes=social().nodes[chosen[:40]])
    assert np.array_equal(few, exact()[chosen[:40]])


def test_statistics_over_neighbours_follow_from_estimates() -> None:
    values = embed(social(), 3, approximate=TARGET, aggregate=["mean", "std"])
    assert np.array_equal(values[:, :3], estimated())
    assert np.array_equal(values[:, 3:], neighbour_moments(social(), np.asarray(estimated()), ("mean", "std")))
    assert values.audit == estimated().audit


def test_checkpoints_resume_and_keep_other_targets_out(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert np.array_equal(embed(social(), 3, approximate=TARGET, checkpoint=folder), estimated())
    shards = sorted(folder.rglob("shard-*.npz"))
    assert {shard.parent.name for shard in shards} == {"run", "columns-2"}
    for shard in shards[::2]:
        shard.unlink()
    assert np.array_equal(embed(social(), 3, approximate=TARGET, checkpoint=folder), estimated())
    for other in ({}, {"approximate": 0.1}, {"approximate": TARGET, "random_state": 1}):
        with pytest.raises(CheckpointMismatchError):
            embed(social(), 3, checkpoint=folder, **other)


def test_within_a_memory_limit(tmp_path: Path) -> None:
    write_graph(social(), tmp_path / "graph.vng")
    mapped = read_graph(tmp_path / "graph.vng")
    assert np.array_equal(embed(mapped, 3, approximate=TARGET, max_memory="2G", n_jobs=2), estimated())
    ranked = rank_graph(social(), weighted=False, direction="all")._replace(limit=100_000)
    with pytest.raises(TooLargeError, match=r"needs \d+ MB for each thread"):
        Sketch(ranked, 3, 0, ThreadsEngine(1))


@for_each("suffix", ["npz", "parquet", "feather"])
def test_files_keep_the_audit(suffix: str, tmp_path: Path) -> None:
    path, columns = tmp_path / f"rows.{suffix}", ["h1", "h2", "h3"]
    write_embedding(path, None, estimated(), columns)
    assert read_embedding(path).audit == estimated().audit
    write_embedding(path, None, exact(), columns, metadata={"audit": "{}"})
    with pytest.raises(ParameterError, match="audit of these signatures cannot be read"):
        _ = read_embedding(path).audit


def test_frames_and_estimators_have_the_audit() -> None:
    pytest.importorskip("pandas")
    frame = embedding_frame(social(), 3, approximate="2%", library="pandas")
    assert frame.attrs["audit"] == estimated().audit
    model = VNEstruct(3, approximate=TARGET)
    rows = model.fit_transform(social())
    assert np.array_equal(rows, estimated())
    assert rows.audit == estimated().audit
    assert model.set_output(transform="pandas").transform(social()).attrs["audit"] == estimated().audit


@for_each(
    ("options", "words"),
    [
        ({"kind": "exact"}, "approximate covers 'approx', 'quadratic', 'unscaled', not kind='exact'"),
        ({"kind": ["approx", "sizes"]}, "not kind='sizes'"),
        ({"weighted": True}, "leave out weighted"),
        ({"direction": "out"}, "leave out direction"),
        ({"approximate": 0}, "must be a share between 0 and 1"),
        ({"approximate": "much"}, "not 'much'"),
        ({"approximate": "100%"}, "must be a share"),
        ({"random_state": -1}, "random_state"),
        ({"part": "1/2", "checkpoint": "nowhere"}, "part shares all nodes, and cannot be used with approximate"),
    ],
)
def test_refusals(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as caught:
        embed([(0, 1)], 2, **{"approximate": 0.01, **options})
    assert words in str(caught.value).replace("`", "")


def test_a_sample_of_all_edges_counts_them() -> None:
    graph = synthetic.barabasi_albert(900, 4, seed=2)
    ranked = rank_graph(graph)
    sketch = Sketch(ranked, 3, 0, ThreadsEngine(2))
    sketch.grow()
    assert sketch.n_sampled == sketch.n_edges == graph.n_edges
    parts = embed(graph, 3, kind="sizes")[ranked.node]
    np.testing.assert_allclose(sketch.edges().T, parts[:, 4:6])
    values, errors = sketch.values(["approx"])
    assert np.abs(values[0].T - embed(graph, 3)[ranked.node][:, 1:]).mean() < 0.05
    assert (errors >= 0.0).all()
