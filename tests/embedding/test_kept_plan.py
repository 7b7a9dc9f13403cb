"""Plans in checkpoints: a later run maps them, gets the same bits, and plans again if they are not whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import Graph, as_graph, embed
from vnestruct.embedding import kept_plan, pipeline
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.progress import Progress
from vnestruct.graph.synthetic import barabasi_albert, barbell


class Impatient(Progress):
    """Stops a run after its first block."""

    forecast_above = np.inf

    def advance(self, done: float, total: float) -> None:
        if done > 0:
            raise KeyboardInterrupt


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds that were planned rather than found in a checkpoint; every graph is worth keeping."""
    kinds: list[str] = []
    plan = pipeline._planned

    def count(graph: Any, settings: Any, signature: Any, *others: Any) -> Any:
        kinds.append(signature.kind)
        return plan(graph, settings, signature, *others)

    monkeypatch.setattr(pipeline, "_planned", count)
    monkeypatch.setattr(pipeline, "LEAST_ARCS", 0)
    return kinds


def weighted_arcs() -> Graph:
    chance = np.random.default_rng(0)
    return as_graph(np.column_stack([chance.integers(0, 60, (200, 2)), chance.random(200)]), directed=True)


@for_each(
    ("graph", "options"),
    [
        (barabasi_albert(400, 3, seed=1), {"kind": ["approx", "quadratic", "punctured"]}),
        (barbell(20, 9), {}),  # with twins, so that its rows are copied
        (weighted_arcs(), {"weighted": True, "direction": "out+in", "kind": "exact"}),
    ],
)
def test_an_interrupted_run_is_not_planned_again(
    graph: Graph, options: dict[str, Any], planned: list[str], tmp_path: Path
) -> None:
    expected = embed(graph, 2, **options)
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    with pytest.raises(KeyboardInterrupt):
        embed(graph, 2, **options, checkpoint=folder, progress=Impatient())
    planned.clear()
    assert np.array_equal(embed(graph, 2, **options, checkpoint=folder), expected)
    # The plan of the first pass was kept.
    assert len(planned) == len(pipeline.planned_passes(checked_settings(2, **options))) - 1
    planned.clear()
    assert np.array_equal(embed(graph, 2, **options, checkpoint=folder), expected)
    assert planned == []


def test_damaged_plans_are_made_again(planned: list[str], tmp_path: Path) -> None:
    graph = barabasi_albert(400, 3, seed=1)
    expected = embed(graph, 2, checkpoint=tmp_path)
    [folder] = (tmp_path / "plans").iterdir()
    damages = (
        lambda: (folder / "leader.npy").write_bytes((folder / "leader.npy").read_bytes()[:200]),
        lambda: (folder / "rank.npy").unlink(),
        lambda: (folder / "content.json").write_text("{"),
    )
    for damage in damages:
        damage()
        for shard in tmp_path.glob("shard-*"):
            shard.unlink()
        planned.clear()
        assert np.array_equal(embed(graph, 2, checkpoint=tmp_path), expected)
        assert planned == ["approx"]


@for_each(
    ("name", "value"),
    [
        ("graph_indices", 10**6),
        ("leader", -2),
        ("node", 400),
        ("component_of", 9),
        ("graph_split", 10**6),
        ("work", -1),
    ],
)
def test_numbers_that_lead_nowhere_are_not_followed(name: str, value: int, planned: list[str], tmp_path: Path) -> None:
    """A checkpoint may come from a stranger, and kernels do not check where numbers lead."""
    graph, folder = barabasi_albert(400, 3, seed=1), tmp_path / name
    expected = embed(graph, 2, checkpoint=folder)
    [plan] = (folder / "plans").iterdir()
    array = np.load(plan / f"{name}.npy")
    array[7] = value
    np.save(plan / f"{name}.npy", array)
    for shard in folder.glob("shard-*"):
        shard.unlink()
    planned.clear()
    assert np.array_equal(embed(graph, 2, checkpoint=folder), expected)
    assert planned == ["approx"]


def test_a_plan_of_some_nodes_is_not_kept(planned: list[str], tmp_path: Path) -> None:
    graph = barabasi_albert(400, 3, seed=1)
    embed(graph, 2, nodes=[3, 4], checkpoint=tmp_path)
    assert not (tmp_path / "plans").exists()


def test_no_room_on_the_disk_is_no_failure(planned: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*words: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_plan.np, "save", refuse)
    graph = barabasi_albert(400, 3, seed=1)
    assert np.array_equal(embed(graph, 2, checkpoint=tmp_path), embed(graph, 2))
    assert list((tmp_path / "plans").iterdir()) == []
