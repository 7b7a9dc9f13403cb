"""PyTorch Geometric: signatures as a transform, like its positional encodings."""

from __future__ import annotations

from typing import Any

from vnestruct.embedding import embed
from vnestruct.errors import MissingExtraError, ParameterError

try:
    import torch
    from torch_geometric.data import Data
    from torch_geometric.transforms import BaseTransform
except ImportError as error:
    raise MissingExtraError('vnestruct.pyg needs PyTorch Geometric: pip install "vnestruct[pyg]"') from error


class AddVNEstruct(BaseTransform):  # type: ignore[misc]
    """Add the entropy signature of every node to a `torch_geometric.data.Data` or batch.

    Parameters
    ----------
    radius : int, default 2
        Largest number of hops.
    attr_name : str or None, default "vne"
        Attribute that receives the (number of nodes, number of columns) tensor; None appends it to ``x``.
    **options
        Other parameters of `vnestruct.embed`.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from vnestruct.pyg import AddVNEstruct
    >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
    >>> AddVNEstruct(radius=1)(path).vne.numpy().round(3).ravel()
    array([0.   , 0.108, 0.   ], dtype=float32)
    """

    def __init__(self, radius: int = 2, attr_name: str | None = "vne", **options: Any) -> None:
        if attr_name is not None and not (isinstance(attr_name, str) and attr_name.isidentifier()):
            raise ParameterError(
                f"attr_name must be an identifier such as 'vne', or None to append to x, not {attr_name!r}"
            )
        self.radius = radius
        self.attr_name = attr_name
        self.options = options

    def forward(self, data: Any) -> Any:
        """Return `data` with the signatures added."""
        if not isinstance(data, Data):
            raise ParameterError(f"AddVNEstruct takes a Data object or a batch of them, not {type(data).__name__}")
        values = torch.from_numpy(embed(data, self.radius, **self.options)).to(torch.get_default_dtype())
        values = values.to(data.edge_index.device) if data.edge_index is not None else values
        if self.attr_name is not None:
            data[self.attr_name] = values
        elif data.x is None:
            data.x = values
        else:
            own = data.x.view(-1, 1) if data.x.dim() == 1 else data.x
            data.x = torch.cat([own, values.to(own.device, own.dtype)], dim=-1)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(radius={self.radius}, attr_name={self.attr_name!r})"
