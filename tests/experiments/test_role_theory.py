"""The theory experiments, against the package and against cases that are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from experiments.continuity import at_one_node, compare
from experiments.entropy_quality import ball, dense_laplacian, entropies
from experiments.illustrations import two_parts
from experiments.methods import BY_NAME
from tests import generators as synthetic

from experiments import cost
from vnestruct import continuity_bound, embed, entropy


def test_entropies_agree_with_the_package() -> None:
    graph = synthetic.erdos_renyi(40, 0.15, seed=2)
    exact, quadratic, approx = entropies(dense_laplacian(graph))
    assert exact == pytest.approx(entropy(graph, "exact"), abs=1e-9)
    assert quadratic == pytest.approx(entropy(graph, "quadratic"), abs=1e-9)
    assert approx == pytest.approx(entropy(graph, "approx"), abs=1e-9)
    signatures = embed(graph, 2, n_jobs=1)
    for node in range(0, 40, 7):
        for radius in (1, 2):
            members = ball(graph, node, radius, 100)
            assert members is not None
            assert entropies(dense_laplacian(graph, members))[2] == pytest.approx(
                signatures[node, radius - 1], abs=1e-9
            )
    assert ball(graph, 0, 3, 5) is None


def test_the_bound_is_that_of_the_package() -> None:
    before = synthetic.cycle(200)
    after = at_one_node(before, 4, 0)
    assert after.n_edges == 204
    assert after.degrees.max() == 6
    found = compare(dense_laplacian(before), dense_laplacian(after))
    change, bound = continuity_bound(before, after)
    assert found["exact_change"] == pytest.approx(change, abs=1e-9)
    assert found["bound"] == pytest.approx(bound, abs=1e-9)
    # The approximate entropy breaks it.
    assert found["approx_change"] > found["bound"] > found["exact_change"]


def test_the_two_nodes_of_the_first_figure() -> None:
    graph, u, v, places = two_parts()
    assert places.shape == (graph.n_nodes, 2)
    signatures = embed(graph, 2, n_jobs=1)
    assert signatures[u, 0] == pytest.approx(signatures[v, 0], abs=1e-12)
    assert abs(signatures[u, 1] - signatures[v, 1]) > 0.1


def test_a_run_past_its_limit_says_so() -> None:
    # To compare all pairs of a thousand nodes takes many seconds.
    assert cost.measured("struc2vec", "1000", 1, tried=True)["outcome"] == "out of time"
    done = cost.measured("control", "1000", 20, tried=True)
    assert (done["outcome"], done["nodes"], done["edges"]) == ("done", 1000, 4975)


def test_after_a_failure_larger_graphs_are_not_tried() -> None:
    rows = cost.measured_rows()
    for family, names in cost.FAMILIES.items():
        for method in {row["method"] for row in rows}:
            outcomes = [
                row["outcome"] for name in names for row in rows if (row["method"], row["graph"]) == (method, name)
            ]
            failures = [i for i, outcome in enumerate(outcomes) if outcome != "done"]
            assert all(outcomes[i] == "not tried" for i in failures[1:]), (family, method)
            assert np.all(np.diff(failures) == 1)


def test_what_is_measured_again_with_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"family": "Barabasi-Albert", "graph": name, "method": "refex", "limit_s": 60}
        | {"nodes": "", "edges": "", "outcome": outcome, "seconds": "", "peak_mib": ""}
        for name, outcome in (("100", "done"), ("1000", "out of time"), ("10000", "not tried"), ("100000", "failed"))
    ]
    monkeypatch.setattr(cost, "PATH", tmp_path / "cost.csv")
    monkeypatch.setattr(cost, "FAMILIES", {"Barabasi-Albert": ("100", "1000", "10000", "100000")})
    asked: list[tuple[str, bool]] = []

    def measured(method: str, graph: str, limit: int, *, tried: bool) -> dict[str, object]:
        asked.append((graph, tried))
        return {"nodes": 1, "edges": 0, "outcome": "done", "seconds": 1.0, "peak_mib": 1.0}

    monkeypatch.setattr(cost, "measured", measured)
    for limit, expected in ((60, []), (600, [("1000", True), ("10000", True)])):
        cost.write_rows(cost.PATH, rows)
        cost.run(limit, [BY_NAME["refex"]])
        assert asked == expected
    assert [row["outcome"] for row in cost.measured_rows()] == ["done", "done", "done", "failed"]
