"""The PyTorch Geometric transform, with the real library."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the PyTorch extra is not installed")
pytest.importorskip("torch_geometric", reason="the PyTorch Geometric extra is not installed")

from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset  # noqa: E402
from torch_geometric.transforms import Compose, ToUndirected  # noqa: E402

from tests.cases import for_each  # noqa: E402
from vnestruct import ParameterError, embed  # noqa: E402
from vnestruct.graph import synthetic  # noqa: E402
from vnestruct.pyg import AddVNEstruct  # noqa: E402

GRAPHS = [synthetic.cycle(5), synthetic.star(4), synthetic.path(1), synthetic.clique(4), synthetic.barbell(4, 2)]


def data_of(graph, **attributes):
    index = torch.from_numpy(np.stack([graph.sources, graph.indices]).astype(np.int64))
    return Data(edge_index=index, num_nodes=graph.n_nodes, **attributes)


class InMemory(InMemoryDataset):
    def __init__(self, graphs):
        super().__init__(None)
        self.data, self.slices = self.collate(graphs)


@pytest.fixture
def calls(monkeypatch):
    """The arguments of each call of `embed`."""
    made = []

    def counted(*arguments, **options):
        made.append(arguments)
        return embed(*arguments, **options)

    monkeypatch.setattr("vnestruct.pyg.embed", counted)
    return made


@for_each(
    "options",
    [
        {"radius": 3},
        {"radius": 1, "kind": "exact", "aggregate": "mean"},
        {"kind": "profile"},
    ],
)
def test_own_attribute_holds_the_embedding(options):
    for data, graph in zip(AddVNEstruct(**options)([data_of(graph) for graph in GRAPHS]), GRAPHS, strict=True):
        np.testing.assert_allclose(data.vne.numpy(), embed(graph, **options), rtol=1e-6, atol=1e-6)
    alone = AddVNEstruct(attr_name="signature", **options)(data_of(GRAPHS[4])).signature
    assert alone.dtype == torch.get_default_dtype()
    assert torch.allclose(alone, data.vne)


def test_a_batch_is_transformed_as_its_members():
    batch = AddVNEstruct(radius=2)(Batch.from_data_list([data_of(graph) for graph in GRAPHS]))
    np.testing.assert_allclose(batch.vne.numpy(), np.vstack([embed(graph, 2) for graph in GRAPHS]), atol=1e-6)


@for_each("with_x", [False, True])
def test_a_whole_data_set_takes_one_call(with_x, calls):
    x = [{"x": torch.ones(graph.n_nodes, 3)} if with_x else {} for graph in GRAPHS]
    members = [data_of(graph, y=torch.tensor([i]), **x[i]) for i, graph in enumerate(GRAPHS)]
    for given in (members, InMemory(members), InMemory(members)[[4, 0, 2]]):
        chosen = GRAPHS if len(given) == 5 else [GRAPHS[4], GRAPHS[0], GRAPHS[2]]
        calls.clear()
        result = AddVNEstruct(radius=2)(given)
        assert len(calls) == 1
        assert isinstance(result, InMemoryDataset) == isinstance(given, InMemoryDataset)
        joined = AddVNEstruct(radius=2, attr_name=None)(given)
        for data, appended, before, graph in zip(result, joined, given, chosen, strict=True):
            np.testing.assert_allclose(data.vne.numpy(), embed(graph, 2), atol=1e-6)
            assert appended.x.shape == (graph.n_nodes, 3 * with_x + 2)
            assert torch.equal(appended.x[:, 3 * with_x :], data.vne)
            assert torch.equal(data.y, before.y)
            assert torch.equal(data.edge_index, before.edge_index)
            assert "vne" not in before
    assert AddVNEstruct()([]) == []


ARCS = data_of(GRAPHS[4]).edge_index
ZEROS = (ARCS.sum(0) != 1).double()


@for_each(
    ("other", "weighted"),
    [
        (Data(edge_index=ARCS[:, ARCS[0] < ARCS[1]], num_nodes=10), False),
        (Data(edge_index=torch.cat([torch.tensor([[0], [0]]), ARCS], 1), num_nodes=10), False),
        (Data(edge_index=ARCS.repeat_interleave(2, dim=1), num_nodes=10), False),
        (Data(edge_index=ARCS.to(torch.int32), num_nodes=10), False),
        (Data(edge_index=ARCS, num_nodes=10, edge_weight=ZEROS), True),
        # The weights of the two directions differ.
        (Data(edge_index=ARCS, num_nodes=10, edge_weight=torch.arange(1.0, ARCS.shape[1] + 1)), True),
    ],
)
def test_odd_graphs_of_a_data_set(other, weighted):
    members = [other, other] if weighted or ARCS.dtype != other.edge_index.dtype else [data_of(GRAPHS[0]), other]
    for given in (members, InMemory(members)):
        rows = [data.vne.numpy() for data in AddVNEstruct(2, weighted=weighted)(given)]
        np.testing.assert_allclose(rows[-1], embed(other, 2, weighted=weighted), atol=1e-6)


def test_the_transform_of_a_data_set_is_applied_once():
    given = InMemory([data_of(graph, y=torch.zeros(1)) for graph in GRAPHS])
    given.transform = lambda data: Data(edge_index=data.edge_index, num_nodes=data.num_nodes, y=data.y + 1)
    assert [data.y.item() for data in AddVNEstruct(1)(given)] == [1.0] * len(GRAPHS)


def test_the_cache_is_used_and_not_confused(tmp_path, calls):
    members = [data_of(graph) for graph in GRAPHS]
    first = AddVNEstruct(2, cache=tmp_path / "cache")(members)
    second = AddVNEstruct(2, cache=tmp_path / "cache")(members)
    assert len(calls) == 1
    assert all(torch.equal(one.vne, other.vne) for one, other in zip(first, second, strict=True))
    others = (members[:4], Data(edge_index=members[0].edge_index, num_nodes=9))
    for radius, kind, given in ((1, "approx", members), (2, "exact", members), *((2, "approx", x) for x in others)):
        AddVNEstruct(radius, kind=kind, cache=tmp_path / "cache")(given)
    assert len(calls) == 5


PAPERS = HeteroData()
PAPERS["paper"].x = torch.ones(4, 1)
PAPERS["author"].num_nodes = 3
PAPERS["paper", "cites", "paper"].edge_index = torch.tensor([[0, 1, 2], [1, 2, 3]])
PAPERS["author", "writes", "paper"].edge_index = torch.tensor([[0, 0, 1, 2], [0, 1, 2, 2]])


def test_one_type_of_edges():
    cited = AddVNEstruct(1, edge_type=("paper", "cites", "paper"))(PAPERS.clone())
    np.testing.assert_allclose(cited["paper"].vne.numpy(), embed([(0, 1), (1, 2), (2, 3)], 1), atol=1e-6)
    assert "vne" not in cited["author"]
    written = AddVNEstruct(2, edge_type=("author", "writes", "paper"))(PAPERS.clone())
    names = ["a0", "a1", "a2", "p0", "p1", "p2"]
    expected = embed([("a0", "p0"), ("a0", "p1"), ("a1", "p2"), ("a2", "p2")], 2, nodes=names)
    found = torch.cat([written["author"].vne, written["paper"].vne])
    np.testing.assert_allclose(found.numpy(), np.vstack([expected, np.zeros((1, 2))]), atol=1e-6)
    appended = AddVNEstruct(1, None, edge_type=("paper", "cites", "paper"))(PAPERS.clone())
    assert appended["paper"].x.shape == (4, 2)


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


@for_each(
    ("options", "data", "named"),
    [
        ({"attr_name": "not a name"}, data_of(GRAPHS[0]), "attr_name"),
        ({}, HeteroData(), r"data\.to_homogeneous\(\)"),
        ({}, PAPERS, r"`edge_type`, .*\('paper', 'cites', 'paper'\)"),
        ({}, {}, "dict"),
        ({"source": "a"}, data_of(GRAPHS[0]), "source"),
        ({"weighted": True}, [data_of(GRAPHS[0])], "weights"),
    ],
)
def test_bad_parameters_and_inputs(options, data, named):
    with pytest.raises(ParameterError, match=named):
        AddVNEstruct(**options)(data)
