"""Stacks of networks: equal to PyTorch Geometric's layers, and the models of a stack do not see each other."""

import copy
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.datasets import as_collection

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")
from experiments.encodings import layers  # noqa: E402
from experiments.encodings.batches import Batches  # noqa: E402
from experiments.encodings.collections import Fold, Task  # noqa: E402
from experiments.encodings.encode import base_columns, data_list, standardised  # noqa: E402
from experiments.encodings.train import OutOfTimeError, Plan, Trainer  # noqa: E402
from torch_geometric.data import Batch as PyGBatch  # noqa: E402
from torch_geometric.nn import GINConv, GPSConv, global_add_pool, global_mean_pool  # noqa: E402

CHANNELS, HEADS = 8, 2
GRAPHS = {
    "sizes": [nx.path_graph(3), nx.star_graph(12), nx.cycle_graph(5), nx.complete_graph(9)],
    "equal sizes": [nx.cycle_graph(8), nx.wheel_graph(8), nx.complete_graph(8)],
}
CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def batch_of(name, models=1, dense=False):
    collection = as_collection([list(graph.edges) for graph in GRAPHS[name]])
    maker = Batches(collection, torch.ones(models, len(collection), dtype=torch.bool), CPU)
    maker.dense = dense
    return maker.make(np.arange(len(collection))), PyGBatch.from_data_list(data_list(collection))


def torch_linear(stack):
    linear = torch.nn.Linear(stack.weight.shape[1], stack.weight.shape[2], bias=stack.bias is not None)
    linear.weight.data = stack.weight.data[0].T.clone()
    if stack.bias is not None:
        linear.bias.data = stack.bias.data[0, 0].clone()
    return linear


def same(stack, x, batch, reference, union):
    """Assert equal outputs and equal gradients of the input, with gradients that differ between rows."""
    mine, theirs = (x.clone().requires_grad_() for _ in range(2))
    out, expected = stack(mine[None], batch)[0], reference(theirs, union)
    torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-5)
    weight = torch.linspace(-1, 1, out.numel()).view_as(out)
    (out * weight).sum().backward()
    (expected * weight).sum().backward()
    torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-3, atol=1e-5)


def gin_conv(stack, *between):
    """GINConv with the weights of a layer; it draws new ones when it is made."""
    first, second = torch_linear(stack.first), torch_linear(stack.second)
    weights = [copy.deepcopy(linear.state_dict()) for linear in (first, second)]
    conv = GINConv(torch.nn.Sequential(first, *between, second))
    for linear, kept in zip((first, second), weights, strict=True):
        linear.load_state_dict(kept)
    return conv


@for_each("name", GRAPHS)
@for_each("dense", [False, True])
def test_gin_layer_is_ginconv(name, dense):
    torch.manual_seed(0)
    batch, union = batch_of(name, dense=dense)
    stack = layers.GINLayer(1, CHANNELS, normalised=True)
    conv = gin_conv(stack, torch.nn.BatchNorm1d(CHANNELS), torch.nn.ReLU())
    same(stack, torch.randn(union.num_nodes, CHANNELS), batch, lambda x, u: conv(x, u.edge_index), union)


@for_each("linear", [False, True])
@for_each("name", GRAPHS)
def test_gps_layer_is_gpsconv(linear, name):
    if linear and name == "sizes":
        return  # PyTorch Geometric's linear attention counts padding as nodes; ours does not
    torch.manual_seed(0)
    batch, union = batch_of(name)
    stack = layers.GPSLayer(1, CHANNELS, HEADS, linear=linear)
    conv = gin_conv(stack.conv, torch.nn.ReLU())
    options = {"attn_type": "performer", "attn_kwargs": {"head_channels": CHANNELS // HEADS}} if linear else {}
    gps = GPSConv(CHANNELS, conv, HEADS, **options)
    gps.mlp[0], gps.mlp[3] = torch_linear(stack.first), torch_linear(stack.second)
    joined = torch_linear(stack.attention.inputs)
    if linear:
        gps.attn.fast_attn.projection_matrix = stack.attention.projection
        for part, weight in zip((gps.attn.q, gps.attn.k, gps.attn.v), joined.weight.data.chunk(3), strict=True):
            part.weight.data = weight.clone()
        gps.attn.attn_out = torch_linear(stack.attention.output)
    else:
        gps.attn.in_proj_weight.data, gps.attn.in_proj_bias.data = joined.weight.data, joined.bias.data
        output = torch_linear(stack.attention.output)
        gps.attn.out_proj.weight.data, gps.attn.out_proj.bias.data = output.weight.data, output.bias.data
    same(stack, torch.randn(union.num_nodes, CHANNELS), batch, lambda x, u: gps(x, u.edge_index, u.batch), union)


def test_pooling_is_mean_and_sum():
    batch, union = batch_of("sizes")
    x = torch.randn(union.num_nodes, CHANNELS)
    expected = torch.cat([global_mean_pool(x, union.batch), global_add_pool(x, union.batch)], -1)
    torch.testing.assert_close(layers.pooled(x[None], batch)[0], expected)


def test_normalisation_uses_the_rows_that_a_model_trains_on():
    x, own = torch.randn(2, 6, 3) * 3 + 1, torch.tensor([[1, 1, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0]], dtype=torch.bool)
    norm = layers.BatchNorm(2, 3)
    y = norm(x, (own / own.sum(1, keepdim=True))[:, None])
    for model in range(2):
        rows = x[model, own[model]]
        expected = (x[model] - rows.mean(0)) / (rows.var(0, unbiased=False) + 1e-5).sqrt()
        torch.testing.assert_close(y[model], expected)
        torch.testing.assert_close(norm.mean[model, 0], 0.1 * rows.mean(0))


def tiny_task(changed=()):
    """Rings and stars; the classes of the graphs in `changed` are swapped."""
    graphs = [list(nx.cycle_graph(n).edges) for n in range(4, 14)] + [
        list(nx.star_graph(n).edges) for n in range(3, 13)
    ]
    classes = np.repeat([0, 1], 10)
    classes[list(changed)] = 1 - classes[list(changed)]
    rows = np.arange(20)
    folds = [
        Fold(rows[(rows % 4 != k) & (rows % 4 != k + 2)], rows[rows % 4 == k], rows[rows % 4 == k + 2]) for k in (0, 1)
    ]
    return Task("tiny", as_collection(graphs), classes, folds)


def result(task, network="GIN", **plan):
    trainer = Trainer(task, replace(Plan(20, 10), **plan), CPU, np.inf)
    degrees = standardised(task.collection.graph.degrees[:, np.newaxis].astype(np.float32))
    return trainer.train(network, [base_columns(task.collection), degrees])


@for_each("network", ["GIN", "GPS"])
def test_rings_and_stars_are_learned(network):
    accuracies, epochs = result(tiny_task(), network)
    assert accuracies.shape == epochs.shape == (2, 5, 2)
    assert accuracies.mean() > 0.9
    assert epochs.min() >= 0
    assert epochs.max() < 20


def test_test_classes_have_no_influence():
    """Graph 2 is tested in the first fold and trained on in the second, so only the first is as before."""
    before, after = result(tiny_task()), result(tiny_task(changed=[2]))
    np.testing.assert_array_equal(before[1][:, :, 0], after[1][:, :, 0])
    # One of the five test graphs has another class: right becomes wrong or wrong becomes right.
    np.testing.assert_allclose(np.abs(before[0] - after[0])[:, :, 0], 1 / 5, atol=1e-6)


def test_a_group_that_cannot_be_finished_is_given_up():
    with pytest.raises(OutOfTimeError, match="GIN on tiny"):
        Trainer(tiny_task(), Plan(8, 5), CPU, 0.0).train("GIN", [base_columns(tiny_task().collection)])
