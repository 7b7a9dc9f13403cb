"""Networks trained together equal networks trained separately, and segment sums equal sums over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from vnestruct.setmodel.evaluation import stratified_folds

torch = pytest.importorskip("torch")

from vnestruct.setmodel.network import Batcher, ReplicaNorm, SetNetwork, draw_weights, mean_scores  # noqa: E402
from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer  # noqa: E402

SIZES = np.array([3, 1, 0, 4, 2])


def data(seed: int = 0) -> SetData:
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 8, 40)
    features = random.normal(size=(sizes.sum(), 3))
    classes = np.array([int(part.mean() > 0) for part in np.split(features[:, 0], np.cumsum(sizes)[:-1])])
    return SetData(sizes, features, classes, np.array([True, True, False]))


def test_segments_are_graphs() -> None:
    """Graph 5 stands for an empty slot: there are five graphs."""
    features = torch.rand(11, 2)
    features[10] = 0.0
    bounds = np.concatenate([[0], np.cumsum(SIZES), [10]])
    for graphs in ([[0, 3, 1]], [[0, 3, 1], [4, 2, 5]]):
        batch = Batcher(SIZES).batch(torch.tensor(graphs))
        values = features[batch.nodes]
        for replica, row in enumerate(graphs):
            for slot, graph in enumerate(row):
                own = features[bounds[graph] : bounds[graph + 1]] if graph < 5 else features[:0]
                torch.testing.assert_close(batch.pooled(values, "sum")[replica, slot], own.sum(0))
                largest = own.max(0).values if len(own) else torch.zeros(2)
                torch.testing.assert_close(batch.pooled(values, "max")[replica, slot], largest)


def test_norm_equals_pytorch_on_the_real_rows() -> None:
    values = torch.randn(2, 6, 3)
    mask = torch.ones(2, 6, 1)
    mask[1, 4:] = 0.0
    norm = ReplicaNorm(2, 3)
    for _ in range(3):
        found = norm(values, mask)
    for replica, count in ((0, 6), (1, 4)):
        own = torch.nn.BatchNorm1d(3)
        for _ in range(3):
            expected = own(values[replica, :count])
        torch.testing.assert_close(found[replica, :count], expected, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(norm.running_mean[replica, 0], own.running_mean)
        torch.testing.assert_close(norm.running_variance[replica, 0], own.running_var)


def test_a_single_row_can_be_normalised() -> None:
    norm = ReplicaNorm(1, 2)
    found = norm(torch.tensor([[[3.0, -1.0]]]), torch.ones(1, 1, 1))
    assert torch.equal(found, torch.zeros(1, 1, 2))


def test_replicas_train_as_if_alone() -> None:
    """Without dropout nothing random is shared, so only the order of sums differs.

    In double precision, because the constants before a normalisation have gradient zero up to rounding errors, which
    Adam turns into full steps in single precision.
    """
    collection = data()
    folds = stratified_folds(collection.classes, 4, 0)
    splits = [Split(np.flatnonzero(folds != k), [np.flatnonzero(folds == k)], seed=10 + k) for k in range(4)]
    schedule = Schedule(epochs=5, batch_size=8, learning_rate=0.02)

    def curves(chosen: list[Split]) -> np.ndarray:
        network = SetNetwork(len(chosen), 3, 2, width=8, dropout=0.0).double()
        trainer = Trainer(network, collection, chosen, schedule)
        trainer.features = trainer.features.double()
        return trainer.run().loss[:, :, 0]

    together = curves(splits)
    alone = np.vstack([curves([split]) for split in splits])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert together[:, -1].mean() < together[:, 0].mean()


def test_scaling_uses_only_the_training_graphs() -> None:
    collection = data()
    train = np.arange(10)
    trainer = Trainer(SetNetwork(1, 3, 2, width=4), collection, [Split(train)], Schedule(epochs=1))
    batch = trainer.batcher.batch(torch.from_numpy(train).view(1, -1))
    seen = (trainer.features[batch.nodes] - trainer.shift) * trainer.scale
    torch.testing.assert_close(seen[0, :, :2].mean(0), torch.zeros(2), atol=1e-6, rtol=0)
    torch.testing.assert_close(seen[0, :, :2].std(0, unbiased=False), torch.ones(2), atol=1e-5, rtol=0)
    own = collection.features[: collection.sizes[:10].sum(), 2].astype(np.float32)
    torch.testing.assert_close(seen[0, :, 2], torch.from_numpy(own))


def test_every_graph_is_used_once_per_epoch() -> None:
    batcher = Batcher(np.ones(50))
    members = [np.arange(50), np.arange(0, 47)]
    random = [np.random.default_rng(seed) for seed in (1, 2)]
    steps = batcher.shuffled(members, 16, random)
    for replica, graphs in enumerate(members):
        seen = torch.cat([step[replica] for step in steps])
        assert sorted(seen[seen < 50].tolist()) == graphs.tolist()
    assert len(steps) == 3


def test_weights_do_not_depend_on_other_replicas() -> None:
    one, two = SetNetwork(1, 3, 2, width=4), SetNetwork(2, 3, 2, width=4)
    draw_weights(one, [9])
    draw_weights(two, [1, 9])
    for name, value in one.state_dict().items():
        torch.testing.assert_close(two.state_dict()[name][1], value[0], atol=0, rtol=0)


def test_the_learning_rate_falls_every_fifty_epochs() -> None:
    collection = data()
    trainer = Trainer(SetNetwork(1, 3, 2, width=4), collection, [Split(np.arange(8))], Schedule(learning_rate=0.01))
    rates = []
    for epoch in (0, 49, 50, 100):
        trainer.train_epoch(epoch)
        rates.append(trainer.optimizer.param_groups[0]["lr"])
    np.testing.assert_allclose(rates, [0.01, 0.01, 0.003, 0.0009])


def test_scores_of_several_networks_are_those_of_their_mean_probabilities() -> None:
    sure, unsure = torch.tensor([[0.0, 50.0]]), torch.tensor([[0.0, 0.0]])
    torch.testing.assert_close(torch.softmax(mean_scores([sure, unsure]), dim=1), torch.tensor([[0.25, 0.75]]))
