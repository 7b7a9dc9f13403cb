"""The networks of the comparison: each against its formula, and all against order, batches and neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from experiments.classification.models import NETWORKS, network_class, normalised_arcs, set_data  # noqa: E402
from experiments.classification.models.messages import MessageBatcher  # noqa: E402
from tests.cases import for_each  # noqa: E402

from vnestruct.setmodel.batches import Batcher  # noqa: E402
from vnestruct.setmodel.network import draw_weights  # noqa: E402

SIZES = np.array([5, 3, 6, 1, 4])
OPTIONS: dict[str, dict[str, Any]] = {"dgcnn": {"k": 10}}


def arrays(order: Any = None) -> dict[str, Any]:
    """Five small graphs; with an order, their nodes in another one."""
    random = np.random.default_rng(0)
    pairs = []
    for first, size in zip(np.cumsum(SIZES) - SIZES, SIZES, strict=True):
        pairs += [(first + i, first + random.integers(0, i)) for i in range(1, size)]
        pairs += [(first, first + size - 1)] if size > 3 else []
    edges = np.unique(np.sort(np.array(pairs), axis=1), axis=0)
    arcs = np.hstack([edges.T, edges.T[::-1]])
    n = int(SIZES.sum())
    types, entropies = np.eye(3, dtype=np.uint8)[random.integers(0, 3, n)], random.random((n, 4)).astype(np.float32)
    if order is not None:
        arcs, types, entropies = order[arcs], types[np.argsort(order)], entropies[np.argsort(order)]
    arcs = arcs[:, np.lexsort((arcs[1], arcs[0]))]
    return {"sizes": SIZES, "classes": np.array([0, 1, 0, 1, 0]), "arcs": arcs, "X": types, "H": entropies}


def scores(name: str, network: Any, found: dict[str, Any], graphs: list[list[int]]) -> Any:
    data = set_data(name, found)
    batcher = Batcher(data.sizes) if data.arcs is None else MessageBatcher(data.sizes, data.arcs)
    batch = batcher.batch(torch.tensor(graphs))
    features = torch.from_numpy(np.vstack([data.features, np.zeros((1, data.features.shape[1]))])).double()
    more = []
    if data.arc_weights is not None:
        more = [torch.from_numpy(data.arc_weights)[batch.arc_entries]]
    with torch.no_grad():
        return network(features[batch.nodes], batch, *more)


def make(name: str, n_replicas: int = 1, seeds: tuple[int, ...] = (3,)) -> Any:
    torch.manual_seed(0)
    columns = set_data(name, arrays()).features.shape[1]
    network = network_class(name)(n_replicas, columns, 2, **OPTIONS.get(name, {}))
    draw_weights(network, seeds)
    return network.double().eval()


@for_each("name", NETWORKS)
def test_order_of_nodes_and_batches_do_not_matter(name: str) -> None:
    network = make(name)
    together = scores(name, network, arrays(), [[0, 1, 2, 3, 4]])[0]
    assert together.std() > 1e-6
    alone = torch.stack([scores(name, network, arrays(), [[graph]])[0, 0] for graph in range(5)])
    torch.testing.assert_close(together, alone, atol=1e-9, rtol=1e-6)
    random = np.random.default_rng(1)
    starts = np.cumsum(SIZES) - SIZES
    order = np.concatenate([first + random.permutation(size) for first, size in zip(starts, SIZES, strict=True)])
    torch.testing.assert_close(
        scores(name, network, arrays(order), [[0, 1, 2, 3, 4]])[0], together, atol=1e-7, rtol=1e-7
    )


@for_each("name", NETWORKS)
def test_replicas_are_what_they_are_alone(name: str) -> None:
    both = scores(name, make(name, 2, (3, 4)), arrays(), [[0, 2, 4], [1, 3, 5]])
    torch.testing.assert_close(both[0], scores(name, make(name, 1, (3,)), arrays(), [[0, 2, 4]])[0])
    torch.testing.assert_close(both[1, :2], scores(name, make(name, 1, (4,)), arrays(), [[1, 3]])[0])


def dense(found: dict[str, Any], loops: bool) -> Any:
    n = len(found["X"])
    matrix = np.zeros((n, n))
    matrix[found["arcs"][0], found["arcs"][1]] = 1.0
    return matrix + np.eye(n) if loops else matrix


def test_gin_adds_neighbours_to_self() -> None:
    """One layer, whose perceptron is made the identity on what it gets; readout of the layer alone."""
    from experiments.classification.models.gin import GIN

    network = GIN(1, 3, 3, width=3, layers=1, dropout=0.0)
    draw_weights(network, [0])
    with torch.no_grad():
        for layer in network.maps[0].perceptron.maps:
            layer.weight[:] = torch.eye(3)
            layer.bias[:] = 0.0
        for norm in network.maps[0].perceptron.norms:
            norm.weight[:] = (1.0 + norm.epsilon) ** 0.5
        for place, readout in enumerate(network.readouts):
            readout.weight[:] = torch.eye(3) * place
            readout.bias[:] = 0.0
    found = arrays()
    got = scores("gin", network.double().eval(), found, [[0, 1, 2, 3, 4]])[0]
    sums = dense(found, loops=True) @ found["X"]
    expected = np.add.reduceat(sums, np.cumsum(SIZES) - SIZES, axis=0)
    np.testing.assert_allclose(got.numpy(), expected, atol=1e-5)


def test_arcs_lead_to_the_right_rows() -> None:
    arcs = np.array([[0, 1, 1, 2, 4, 5], [1, 0, 2, 1, 5, 4]])
    batch = MessageBatcher(np.array([3, 1, 0, 4, 2]), arcs).batch(torch.tensor([[3, 0], [0, 2]]))
    nodes = batch.nodes.flatten()
    found = sorted(zip(nodes[batch.arcs[0]].tolist(), nodes[batch.arcs[1]].tolist(), strict=True))
    assert found == sorted([(0, 1), (1, 0), (1, 2), (2, 1)] * 2 + [(4, 5), (5, 4)])
    n_rows = batch.nodes.shape[1]
    assert ((batch.arcs[0] // n_rows) == (batch.arcs[1] // n_rows)).all()


@pytest.mark.parametrize("how", ["symmetric", "row"])
def test_gcn_and_dgcnn_weigh_arcs_as_published(how: str) -> None:
    from experiments.classification.models.layers import GraphConvolution

    found = arrays()
    n = len(found["X"])
    arcs, weights = normalised_arcs(found["arcs"], n, how)
    layer = GraphConvolution(1, 3, 2)
    draw_weights(layer, [1])
    layer = layer.double()
    batch = MessageBatcher(SIZES, arcs).batch(torch.arange(5).view(1, -1))
    features = torch.from_numpy(found["X"].astype(float)).unsqueeze(0)
    got = layer(features, batch, torch.from_numpy(weights)[batch.arc_entries])[0]
    adjacency = dense(found, loops=True)
    degrees = adjacency.sum(axis=1)
    scaled = adjacency / degrees[:, None] if how == "row" else adjacency / np.sqrt(np.outer(degrees, degrees))
    linear = layer.convolution.lin
    expected = scaled @ (found["X"] @ linear.weight[0].detach().numpy() + linear.bias[0].detach().numpy())
    np.testing.assert_allclose(got.detach().numpy(), expected, atol=1e-9)


def test_dgcnn_reads_nodes_in_the_order_of_the_last_channel() -> None:
    from experiments.classification.models.dgcnn import published_k

    network = make("dgcnn")
    chosen = network.sort(torch.tensor([[1.0, 5.0], [2.0, 9.0], [3.0, 7.0]]).double(), torch.tensor([0, 0, 0]))
    assert chosen.view(network.k, 2)[:3, 1].tolist() == [9.0, 7.0, 5.0]
    assert not chosen.view(network.k, 2)[3:].any()
    sizes = np.arange(1, 101)
    assert (sizes >= published_k(sizes)).mean() >= 0.6


def test_gfn_features_are_powers_of_the_adjacency() -> None:
    found = arrays()
    adjacency = dense(found, loops=True)
    degrees = adjacency.sum(axis=1)
    scaled = adjacency / np.sqrt(np.outer(degrees, degrees))
    data = set_data("gfn", found)
    powers = [np.linalg.matrix_power(scaled, k) @ found["X"] for k in range(4)]
    np.testing.assert_allclose(data.features, np.hstack([degrees[:, None] - 1, *powers]), atol=1e-6)
    assert data.arcs is None


def test_capsules_stay_short_and_the_loss_wants_the_right_one_long() -> None:
    from experiments.classification.models.capsgnn import margin_loss, routed, squash

    values = torch.randn(4, 7, 5) * 100
    assert (squash(values).norm(dim=-1) < 1).all()
    torch.testing.assert_close(torch.cosine_similarity(squash(values), values, dim=-1), torch.ones(4, 7))
    good, bad = torch.tensor([[[0.95, 0.05]]]), torch.tensor([[[0.05, 0.95]]])
    right = torch.tensor([[0]])
    assert margin_loss(good, right).item() == 0.0
    np.testing.assert_allclose(margin_loss(bad, right).item(), 0.85**2 + 0.5 * 0.85**2, rtol=1e-5)
    # Votes that agree are followed: ten equal ones against one that points elsewhere.
    votes = torch.zeros(1, 1, 11, 2, 3)
    votes[0, 0, :10, 0] = torch.tensor([1.0, 0.0, 0.0])
    votes[0, 0, 10, 0] = torch.tensor([0.0, 1.0, 0.0])
    assert torch.cosine_similarity(routed(votes)[0, 0, 0], torch.tensor([1.0, 0.0, 0.0]), dim=0) > 0.99


def test_vnestruct_sees_types_and_entropies_up_to_its_radius() -> None:
    found = arrays()
    data = set_data("vnestruct", found, radius=2)
    np.testing.assert_array_equal(data.features, np.hstack([found["X"], found["H"][:, :2]]))
    assert data.scaled is not None
    assert data.scaled.tolist() == [False] * 3 + [True] * 2
    assert data.arcs is None


def test_sums_of_neighbours_repeat_and_are_sums() -> None:
    from experiments.classification.models.layers import RepeatableSum

    rows = torch.from_numpy(np.random.default_rng(1).random((40, 3)))
    index = torch.from_numpy(np.random.default_rng(2).integers(0, 6, 40))
    expected = np.zeros((7, 3))
    np.add.at(expected, index.numpy(), rows.numpy())
    found = RepeatableSum()(rows, index, dim_size=7)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
