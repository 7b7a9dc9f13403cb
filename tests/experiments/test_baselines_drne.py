"""DRNE against plain NumPy: the recurrent cell, the padded batch, the loss, and the order of neighbours."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids

torch = pytest.importorskip("torch")
from experiments.baselines import drne  # noqa: E402


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def numpy_step(lstm: drne.LayerNormalisedLSTM, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple:
    """One step for one sequence, written from the equations."""
    w_x, bias = lstm.from_input.weight.detach().numpy(), lstm.from_input.bias.detach().numpy()
    w_h = lstm.from_output.weight.detach().numpy()
    gain, shift = lstm.normalise.weight.detach().numpy(), lstm.normalise.bias.detach().numpy()
    enter, forget, leave, candidate = np.split(w_x @ x + bias + w_h @ h, 4)
    c = sigmoid(forget) * c + sigmoid(enter) * np.tanh(candidate)
    c = gain * (c - c.mean()) / np.sqrt(c.var() + 1e-5) + shift
    return sigmoid(leave) * np.tanh(c), c


def numpy_output(lstm: drne.LayerNormalisedLSTM, sequence: np.ndarray) -> np.ndarray:
    h = c = np.zeros(lstm.from_output.in_features)
    for x in sequence:
        h, c = numpy_step(lstm, x, h, c)
    return h


def random_lstm(dimension: int) -> drne.LayerNormalisedLSTM:
    torch.manual_seed(0)
    lstm = drne.LayerNormalisedLSTM(dimension).double()
    with torch.no_grad():
        for parameter in lstm.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return lstm


def test_cell_is_its_equations():
    lstm = random_lstm(5)
    rng = np.random.default_rng(0)
    x, h, c = rng.normal(size=(3, 5))
    projected = lstm.from_input(torch.from_numpy(x)[None])
    output, cell = lstm.step(projected, torch.from_numpy(h)[None], torch.from_numpy(c)[None])
    expected_output, expected_cell = numpy_step(lstm, x, h, c)
    np.testing.assert_allclose(output.detach().numpy()[0], expected_output, atol=1e-12)
    np.testing.assert_allclose(cell.detach().numpy()[0], expected_cell, atol=1e-12)


def test_padding_is_not_read():
    lstm = random_lstm(4)
    lengths = [6, 6, 3, 1, 0, 0]
    sequences = np.random.default_rng(1).normal(size=(6, 6, 4))
    output = lstm(torch.from_numpy(sequences), torch.tensor(lengths)).detach().numpy()
    for row, length in enumerate(lengths):
        np.testing.assert_allclose(output[row], numpy_output(lstm, sequences[row, :length]), atol=1e-12)


def test_a_batch_of_empty_sequences_gives_zero():
    output = random_lstm(4)(torch.zeros(3, 0, 4, dtype=torch.float64), torch.tensor([0, 0, 0]))
    assert output.abs().max() == 0


def test_neighbours_come_in_order_of_degree():
    graph = nx.barabasi_albert_graph(60, 3, seed=1)
    neighbours = drne.DegreeSortedNeighbours(as_graph(graph), 300, np.random.default_rng(0))
    for node in graph:
        expected = sorted(graph[node], key=lambda other: (graph.degree(other), other))
        assert neighbours.of(node).tolist() == expected


def test_long_neighbourhoods_are_sampled_by_degree():
    graph = nx.star_graph(5)  # centre 0
    graph.add_edges_from((leaf, 5 + 10 * leaf + i) for leaf in range(1, 6) for i in range(leaf))
    graph = nx.convert_node_labels_to_integers(graph, ordering="default")
    neighbours = drne.DegreeSortedNeighbours(as_graph(graph), 1, np.random.default_rng(0))
    drawn = np.array([neighbours.of(0)[0] for _ in range(6000)])
    degree = np.array([graph.degree(node) for node in sorted(graph[0])])
    counts = np.array([(drawn == node).sum() for node in sorted(graph[0])])
    expected = 6000 * degree / degree.sum()
    assert ((counts - expected) ** 2 / expected).sum() < 18.5  # chi-square, 4 degrees, .001
    several = drne.DegreeSortedNeighbours(as_graph(graph), 3, np.random.default_rng(0)).of(0)
    assert len(set(several.tolist())) == 3
    assert (np.diff([graph.degree(node) for node in several]) >= 0).all()


def test_batches_split_all_nodes_by_degree():
    degree = np.random.default_rng(0).integers(0, 50, 100)
    batches = drne.degree_batches(degree, 30, np.random.default_rng(1))
    assert sorted(np.concatenate(batches).tolist()) == list(range(100))
    ranges = sorted((degree[batch].min(), degree[batch].max()) for batch in batches)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def test_loss_is_its_definition():
    graph = nx.disjoint_union(nx.lollipop_graph(4, 3), nx.empty_graph(1))
    degree = np.array([graph.degree(node) for node in range(8)])
    log_degree = torch.from_numpy(np.log(degree + 1.0))
    torch.manual_seed(3)
    network = drne.RecursiveNetwork(log_degree, 5).double()
    torch.nn.init.normal_(network.vectors.weight)
    neighbours = drne.DegreeSortedNeighbours(as_graph(graph), 300, np.random.default_rng(0))
    batch = map(torch.from_numpy, neighbours.batch(np.arange(8)))
    loss = network.loss(*batch, log_degree, 0.7).item()

    vectors = network.vectors.weight.detach().numpy()
    weight = network.readout[0].weight.detach().numpy()[0]
    bias = network.readout[0].bias.detach().numpy()[0]
    expected = 0.0
    for node in range(8):
        around = sorted(graph[node], key=lambda other: (degree[other], other))
        output = numpy_output(network.aggregate, vectors[around])
        guess = max(weight @ output + bias, 0.0)
        expected += ((vectors[node] - output) ** 2).sum() + 0.7 * (np.log(degree[node] + 1) - guess) ** 2
    assert loss == pytest.approx(expected / 8, rel=1e-10)


def test_training_makes_vectors_recursive_and_tells_roles_apart():
    graph = as_graph(nx.barbell_graph(6, 3))
    vectors = drne.embed(graph, seed=1, dimension=8, min_steps=250, learning_rate=0.01)
    clique, bridge = [*range(5), *range(10, 15)], [6, 7, 8]
    within = np.linalg.norm(vectors[clique] - vectors[clique].mean(axis=0), axis=1).max()
    between = np.linalg.norm(vectors[clique].mean(axis=0) - vectors[bridge], axis=1).min()
    assert between > 2 * within


def test_vectors_repeat_by_seed_and_leave_the_global_generator_alone():
    graph = as_graph(nx.karate_club_graph())
    state = torch.random.get_rng_state()
    vectors = drne.embed(graph, seed=4, epochs=2, min_steps=2)
    assert torch.equal(state, torch.random.get_rng_state())
    np.testing.assert_array_equal(vectors, drne.embed(graph, seed=4, epochs=2, min_steps=2))
    assert (vectors != drne.embed(graph, seed=5, epochs=2, min_steps=2)).any()


def test_bad_parameters_are_named():
    graph = as_graph(nx.path_graph(3))
    with pytest.raises(ParameterError, match="dimension is 1; layer normalisation needs at least 2"):
        drne.embed(graph, dimension=1)
    with pytest.raises(ParameterError, match=r"degree_weight is -1\.0"):
        drne.embed(graph, degree_weight=-1.0)
