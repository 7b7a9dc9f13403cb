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
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
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
    with pytest.raises(ParameterError, match="HeteroData"):
        AddVNEstruct(2)(HeteroData())
    with pytest.raises(ParameterError, match="radius"):
        AddVNEstruct(0)(data_of(synthetic.cycle(4)))
