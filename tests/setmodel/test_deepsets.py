"""The network on sets, its training, averages of networks, and which epoch a training part chooses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.setmodel.graphs import molecules
from vnestruct.setmodel import cross_validate
from vnestruct.setmodel.evaluation import History, chosen_epochs, pairs

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402
from vnestruct.setmodel.network import SetNetwork, train  # noqa: E402

OPTIONS: dict[str, Any] = {"radius": 2, "width": 8, "epochs": 12, "batch_size": 16}


@pytest.mark.parametrize("pooling", ["sum", "sum+mean+max"])
def test_scores_follow_the_definition_on_sets(pooling: str) -> None:
    network = SetNetwork(2, 3, width=4, pooling=pooling).double().eval()
    graphs = [torch.rand(n, 2, dtype=torch.double) for n in (3, 1, 0, 4)]
    empty = torch.zeros(1, 4, dtype=torch.double)
    how = {"sum": lambda x: x.sum(0), "mean": lambda x: x.mean(0), "max": lambda x: x.max(0).values}
    for graph, found in zip(graphs, network(graphs), strict=True):
        hidden = network.phi(graph) if len(graph) else empty
        pooled = torch.cat([how[word](hidden) for word in pooling.split("+")])
        torch.testing.assert_close(found, network.psi(pooled[None])[0])


def test_a_batch_of_one_row_can_be_trained_on() -> None:
    graphs = [torch.rand(1, 2), torch.rand(1, 2)]
    history = train(SetNetwork(2, 2, width=4), graphs, torch.tensor([0, 1]), [graphs], epochs=3, batch_size=1)
    assert np.isfinite(history.scores[0]).all()
    assert history.scores[0].shape == (3, 2, 2)


class Scalar(torch.nn.Module):  # type: ignore[misc]
    """Scores proportional to the only number of each graph, which is noted when it is seen."""

    def __init__(self) -> None:
        super().__init__()
        self.weight, self.seen = torch.nn.Parameter(torch.zeros(2)), []

    def forward(self, graphs: list[Any]) -> Any:
        self.seen += [float(graph) for graph in graphs]
        return torch.stack([self.weight * graph[0, 0] for graph in graphs])


def test_the_learning_rate_falls_every_fifty_epochs_and_every_graph_is_used_once_per_epoch() -> None:
    network, weights = Scalar(), []
    graphs = [torch.full((1, 1), float(place)) for place in range(1, 51)]
    ones = torch.ones(50, dtype=torch.long)
    train(
        network,
        graphs,
        ones,
        epochs=51,
        batch_size=16,
        on_epoch=lambda: weights.append(network.weight.detach()[1].item()),
    )
    first, second = network.seen[:50], network.seen[50:100]
    assert sorted(first) == sorted(second) == [float(graph) for graph in graphs]
    assert first != second
    steps = np.diff(weights)
    assert steps[49] < 0.4 * steps[48]


def test_radius_4_and_width_32_average_the_grid_of_the_paper() -> None:
    def shapes(radius: int, width: int) -> list[tuple[int, int]]:
        return DeepSetsClassifier(radius, width=width, average=True).shapes()

    assert set(shapes(4, 32)) == {(radius, width) for radius in (1, 2, 3, 4) for width in (8, 16, 32)}
    assert len(shapes(1, 1)) == 1
    assert shapes(0, 3) == [(0, 1), (0, 3)]


def test_probabilities_are_the_mean_of_those_of_single_networks() -> None:
    """Each network of the average is the one that is trained alone with its radius and width."""
    graphs, fresh = molecules(24), molecules(12, seed=7)
    averaged = DeepSetsClassifier(**OPTIONS, average=True).fit(graphs)
    alone = [
        DeepSetsClassifier(**OPTIONS | {"radius": radius, "width": width}).fit(graphs)
        for radius in (1, 2)
        for width in (2, 4, 8)
    ]
    expected = np.mean([model.predict_proba(fresh) for model in alone], axis=0)
    np.testing.assert_allclose(averaged.predict_proba(fresh), expected, atol=1e-7)
    np.testing.assert_allclose(averaged.curve_, np.mean([model.curve_ for model in alone], axis=0))


@pytest.mark.parametrize("protocol", ["honest", "optimistic"])
def test_averages_are_trained_on_each_training_part_and_choose_no_epoch(protocol: str) -> None:
    graphs, options = molecules(36, seed=2), OPTIONS | {"average": True, "device": "cpu"}
    found = cross_validate(DeepSetsClassifier(**options), graphs, folds=3, seeds=1, protocol=protocol)
    assert found.chosen == [["mean of 6 networks"] * 3]
    for number in range(3):
        train, test = (np.flatnonzero(where) for where in (found.folds[0] != number, found.folds[0] == number))
        alone = DeepSetsClassifier(**options, random_state=number).fit(graphs.subset(train))
        assert alone.score(graphs.subset(test)) == found.accuracies[0, number]


FOLD = np.arange(30) % 10
CODES = np.arange(30) // 10 % 2


def random_runs(seed: int = 0) -> dict[tuple[int, ...], History]:
    random = np.random.default_rng(seed)
    return {out: History(np.zeros(50), list(random.random((len(out), 50, 3, 2)))) for out in pairs(10)}


def test_the_honest_choice_does_not_look_at_its_test_fold() -> None:
    runs = random_runs()
    before = chosen_epochs(runs, FOLD, CODES, 1)
    for fold in range(10):
        changed, used = dict(runs), set()
        for out in runs:
            if fold in out:
                scores = list(runs[out].scores)
                scores[out.index(fold)] = scores[out.index(fold)][::-1]
                changed[out] = History(np.zeros(50), scores)
                used |= {*out} - {fold}
        assert chosen_epochs(changed, FOLD, CODES, 1)[fold] == before[fold]
        assert chosen_epochs(runs, FOLD, np.where(fold == FOLD, 1 - CODES, CODES), 1)[fold] == before[fold]
        assert len(used) == 4


def test_the_best_accuracy_wins_and_the_smaller_loss_breaks_ties() -> None:
    runs = {}
    for out in pairs(3):
        scores = []
        for fold in out:
            right = np.eye(2)[CODES[fold == FOLD % 3]]
            scores.append(np.stack([1 - right, right, 5 * right, 5 * right, 1 - right]))
        runs[out] = History(np.zeros(5), scores)
    assert [choice[:2] for choice in chosen_epochs(runs, FOLD % 3, CODES, 1)] == [(2, 1.0)] * 3
