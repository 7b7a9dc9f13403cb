"""The PyTorch Geometric transform, with the real library."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the PyTorch extra is not installed")
pytest.importorskip("torch_geometric", reason="the PyTorch Geometric extra is not installed")

from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset  # noqa: E402
from torch_geometric.transforms import Compose, ToUndirected  # noqa: E402

from vnestruct import ParameterError, embed  # noqa: E402
from vnestruct.graph import synthetic  # noqa: E402
from vnestruct.pyg import AddVNEstruct  # noqa: E402


def data_of(graph, **attributes):
    rows = graph.sources
    index = torch.from_numpy(np.stack([rows, graph.indices.astype(np.int64)]))
    return Data(edge_index=index, num_nodes=graph.n_nodes, **attributes)


def test_own_attribute_holds_the_embedding():
    graph = synthetic.barabasi_albert(40, 2, 0)
    data = AddVNEstruct(radius=3)(data_of(graph))
    assert data.vne.dtype == torch.get_default_dtype()
    np.testing.assert_allclose(data.vne.numpy(), embed(graph, 3), atol=1e-6)


def test_appended_to_x_or_becoming_x():
    graph = synthetic.cycle(5)
    x = torch.arange(10.0).view(5, 2)
    data = AddVNEstruct(radius=1, attr_name=None)(data_of(graph, x=x))
    assert torch.equal(data.x[:, :2], x)
    np.testing.assert_allclose(data.x[:, 2:].numpy(), embed(graph, 1), atol=1e-6)
    assert AddVNEstruct(radius=2, attr_name=None)(data_of(graph)).x.shape == (5, 2)


def test_a_batch_is_transformed_as_its_members():
    graphs = [synthetic.cycle(5), synthetic.star(4), synthetic.path(1), synthetic.clique(4)]
    batch = AddVNEstruct(radius=2)(Batch.from_data_list([data_of(graph) for graph in graphs]))
    np.testing.assert_allclose(batch.vne.numpy(), np.vstack([embed(graph, 2) for graph in graphs]), atol=1e-6)


class InMemory(InMemoryDataset):
    def __init__(self, graphs):
        super().__init__(None)
        self.data, self.slices = self.collate(graphs)


GRAPHS = [synthetic.cycle(5), synthetic.star(4), synthetic.path(1), synthetic.clique(4), synthetic.barbell(4, 2)]


def test_a_whole_data_set_takes_one_call(monkeypatch):
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments)
        return embed(*arguments, **options)

    monkeypatch.setattr("vnestruct.pyg.embed", counted)
    for with_x in (False, True):
        x = [{"x": torch.ones(graph.n_nodes, 3)} if with_x else {} for graph in GRAPHS]
        members = [data_of(graph, y=torch.tensor([i]), **x[i]) for i, graph in enumerate(GRAPHS)]
        for given in (InMemory(members), members, tuple(members), InMemory(members)[[4, 0, 2]]):
            chosen = GRAPHS if len(given) == 5 else [GRAPHS[4], GRAPHS[0], GRAPHS[2]]
            calls.clear()
            result = AddVNEstruct(radius=2)(given)
            assert len(calls) == 1
            assert len(result) == len(chosen)
            assert isinstance(result, InMemoryDataset) == isinstance(given, InMemoryDataset)
            for data, before, graph in zip(result, given, chosen, strict=True):
                np.testing.assert_allclose(data.vne.numpy(), embed(graph, 2), atol=1e-6)
                assert torch.equal(data.y, before.y)
                assert data.num_nodes == graph.n_nodes
                assert torch.equal(data.edge_index, before.edge_index)
                assert "vne" not in before
            joined = AddVNEstruct(radius=2, attr_name=None)(given)
            for data, graph in zip(joined, chosen, strict=True):
                np.testing.assert_allclose(data.x[:, 3 * with_x :].numpy(), embed(graph, 2), atol=1e-6)
                assert data.x.shape == (graph.n_nodes, 3 * with_x + 2)


def test_weights_and_embeddings_of_a_data_set():
    weights = [torch.arange(1.0, graph.indices.size + 1) for graph in GRAPHS]
    members = [
        Data(edge_index=data_of(graph).edge_index, edge_weight=weight, num_nodes=graph.n_nodes)
        for graph, weight in zip(GRAPHS, weights, strict=True)
    ]
    # The weights of the two directions differ, so all of these graphs are directed.
    expected = [embed(member, 2, weighted=True) for member in members if member.num_edges]
    transform = AddVNEstruct(2, weighted=True)
    for given in (InMemory(members), members):
        found = [data.vne.numpy() for data in transform(given) if data.num_edges]
        for values, own in zip(found, expected, strict=True):
            np.testing.assert_allclose(values, own, atol=1e-6)
    single = InMemory([data_of(GRAPHS[4])])
    np.testing.assert_allclose(AddVNEstruct(2)(single)[0].vne.numpy(), embed(GRAPHS[4], 2), atol=1e-6)
    assert "vne" not in single[0]
    unweighted = [data_of(graph) for graph in GRAPHS]
    np.testing.assert_allclose(embed(InMemory(unweighted)), embed(unweighted), atol=1e-12)
    assert AddVNEstruct()([]) == []


def test_odd_graphs_of_a_data_set(tmp_path):
    plain = [data_of(graph) for graph in GRAPHS]
    arcs = plain[4].edge_index
    loop = torch.tensor([[0], [0]])
    others = {
        "not sorted": Data(edge_index=arcs.flip(1), num_nodes=10),
        "one way": Data(edge_index=arcs[:, arcs[0] < arcs[1]], num_nodes=10),
        "self-loop": Data(edge_index=torch.cat([loop, arcs], 1), num_nodes=10),
        "repeated": Data(edge_index=arcs.repeat_interleave(2, dim=1), num_nodes=10),
        "short integers": Data(edge_index=arcs.to(torch.int32), num_nodes=10),
        "weights of zero": Data(edge_index=arcs, num_nodes=10, edge_weight=(arcs.sum(0) != 1).double()),
        "weights in edge_attr": Data(edge_index=arcs, num_nodes=10, edge_attr=(arcs.sum(0) != 1).double()),
    }
    for name, other in others.items():
        weighted = "weights" in name
        members = [other, other] if weighted or name == "short integers" else [*plain, other]
        for given in (members, InMemory(members)):
            rows = [data.vne.numpy() for data in AddVNEstruct(2, weighted=weighted)(given)]
            np.testing.assert_allclose(rows[-1], embed(other, 2, weighted=weighted), atol=1e-6, err_msg=name)
    # What names the signatures in the cache is all of the data.
    kept = AddVNEstruct(2, cache=tmp_path)
    assert torch.equal(kept(plain)[4].vne, AddVNEstruct(2)(plain)[4].vne)
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ParameterError, match="no columns"):
        AddVNEstruct(2, source="a")(plain)
    with pytest.raises(ParameterError, match="no weights"):
        AddVNEstruct(2, weighted=True)(plain)


@pytest.mark.parametrize("kind", ["roles", "profile", "noisy"])
def test_kinds_without_a_radius(kind):
    for data, graph in zip(AddVNEstruct(kind=kind)([data_of(graph) for graph in GRAPHS]), GRAPHS, strict=True):
        np.testing.assert_allclose(data.vne.numpy(), embed(graph, kind=kind), rtol=1e-6, atol=1e-6)


def test_the_transform_of_a_data_set_is_applied_once():
    given = InMemory([data_of(graph, y=torch.zeros(1)) for graph in GRAPHS])
    given.transform = lambda data: Data(edge_index=data.edge_index, num_nodes=data.num_nodes, y=data.y + 1)
    assert [data.y.item() for data in AddVNEstruct(1)(given)] == [1.0] * len(GRAPHS)


def test_the_cache_is_used_and_not_confused(tmp_path, monkeypatch):
    members = [data_of(graph) for graph in GRAPHS]
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments)
        return embed(*arguments, **options)

    monkeypatch.setattr("vnestruct.pyg.embed", counted)
    first = AddVNEstruct(2, cache=tmp_path / "cache")(members)
    second = AddVNEstruct(2, cache=tmp_path / "cache")(members)
    assert len(calls) == 1
    assert all(torch.equal(one.vne, other.vne) for one, other in zip(first, second, strict=True))
    AddVNEstruct(1, cache=tmp_path / "cache")(members)
    AddVNEstruct(2, kind="exact", cache=tmp_path / "cache")(members)
    AddVNEstruct(2, cache=tmp_path / "cache")(members[:4])
    AddVNEstruct(2, cache=tmp_path / "cache")(Data(edge_index=members[0].edge_index, num_nodes=9))
    assert len(calls) == 5


def test_one_type_of_edges():
    data = HeteroData()
    data["paper"].x = torch.ones(4, 1)
    data["author"].num_nodes = 3
    data["paper", "cites", "paper"].edge_index = torch.tensor([[0, 1, 2], [1, 2, 3]])
    data["author", "writes", "paper"].edge_index = torch.tensor([[0, 0, 1, 2], [0, 1, 2, 2]])
    cited = AddVNEstruct(1, edge_type=("paper", "cites", "paper"))(data.clone())
    np.testing.assert_allclose(cited["paper"].vne.numpy(), embed([(0, 1), (1, 2), (2, 3)], 1), atol=1e-6)
    assert "vne" not in cited["author"]
    written = AddVNEstruct(2, edge_type=("author", "writes", "paper"))(data.clone())
    names = ["a0", "a1", "a2", "p0", "p1", "p2"]
    expected = embed([("a0", "p0"), ("a0", "p1"), ("a1", "p2"), ("a2", "p2")], 2, nodes=names)
    np.testing.assert_allclose(written["author"].vne.numpy(), expected[:3], atol=1e-6)
    np.testing.assert_allclose(written["paper"].vne.numpy()[:3], expected[3:], atol=1e-6)
    assert written["paper"].vne[3].tolist() == [0.0, 0.0]
    appended = AddVNEstruct(1, None, edge_type=("paper", "cites", "paper"))(data.clone())
    assert appended["paper"].x.shape == (4, 2)
    for edge_type in (None, ("author", "reads", "paper")):
        with pytest.raises(ParameterError, match=r"choose one with `edge_type`, of \('paper', 'cites', 'paper'\), "):
            AddVNEstruct(1, edge_type=edge_type)(data)


def test_in_a_chain_and_as_pre_transform(tmp_path):
    class Rings(InMemoryDataset):
        def __init__(self, root, pre_transform):
            super().__init__(root, pre_transform=pre_transform)
            self.load(self.processed_paths[0])

        @property
        def processed_file_names(self):
            return ["rings.pt"]

        def process(self):
            rings = [Data(edge_index=torch.tensor([range(n), [*range(1, n), 0]]), num_nodes=n) for n in (4, 6)]
            self.save([self.pre_transform(ring) for ring in rings], self.processed_paths[0])

    rings = Rings(str(tmp_path), Compose([ToUndirected(), AddVNEstruct(radius=2)]))
    for ring, n_nodes in zip(rings, (4, 6), strict=True):
        np.testing.assert_allclose(ring.vne.numpy(), embed(synthetic.cycle(n_nodes), 2), atol=1e-6)


def test_options_reach_the_embedding():
    graph = synthetic.star(3)
    data = AddVNEstruct(1, "signature", kind="exact", aggregate="mean")(data_of(graph))
    np.testing.assert_allclose(data.signature.numpy(), embed(graph, 1, kind="exact", aggregate="mean"), atol=1e-6)


def test_bad_parameters_and_inputs():
    with pytest.raises(ParameterError, match="attr_name"):
        AddVNEstruct(2, "not a name")
    with pytest.raises(ParameterError, match=r"or pass data\.to_homogeneous\(\)"):
        AddVNEstruct(2)(HeteroData())
    with pytest.raises(ParameterError, match="or a batch, list or data set of them, not dict"):
        AddVNEstruct(2)({})
    with pytest.raises(ParameterError, match="radius"):
        AddVNEstruct(0)(data_of(synthetic.cycle(4)))
