"""`DeepSetsClassifier`: classes of graphs from sets of node vectors, with scikit-learn's interface."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.datasets import as_collection
from vnestruct.errors import MissingExtraError, ParameterError
from vnestruct.setmodel.classes import training_classes
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.persistence import load_model, save_model
from vnestruct.setmodel.progress import training_progress
from vnestruct.types import ValueArray

try:
    import torch

    from vnestruct.setmodel.averaging import Shape, columns_up_to, mean_scores, shapes
    from vnestruct.setmodel.batches import Batch, Batcher
    from vnestruct.setmodel.network import POOLINGS, SetNetwork
    from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer
except ImportError as error:
    raise MissingExtraError('DeepSetsClassifier needs PyTorch: pip install "vnestruct[torch]"') from error

KIND = "deepsets"
_ROWS = 1 << 20
"""Most nodes of a batch of prediction."""

_NETWORK = ("width", "node_layers", "graph_layers", "dropout", "pooling")


class DeepSetsClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify graphs by a network on the set of their nodes: psi(sum of phi([X || H])).

    No messages are passed: structure enters through the entropies H, which are computed once. The result does not
    depend on the order of nodes or on how graphs are batched. A node type that did not occur in training counts as no
    type. Graphs of one node, and graphs without edges, are graphs like others; only if all nodes of all training graphs
    are alike is there nothing to learn from, and fitting says so.

    Parameters
    ----------
    radius : int, default 2
        Largest radius of the entropies; 0 leaves them out.
    kind : str or list of str, default "approx"
        Which entropy.
    width : int, default 32
        Channels of every layer.
    node_layers, graph_layers : int, default 2 and 1
        Layers of phi before the sum, and of psi after it.
    dropout : float, default 0.5
        Share of channels of psi dropped while training.
    pooling : {"sum", "sum+mean+max"}, default "sum"
        How nodes become a graph.
    average : bool, default False
        Whether to train a network for every radius from 1 to `radius`, with `width`, half of it and a quarter, and to
        answer by the mean of their probabilities. Choosing one of them on few graphs is choosing by luck; their mean
        needs no choice. With radius 4 and width 32 these are the twelve networks of the paper's grid.
    epochs : int, default 300
        Times to go through the training graphs; the learning rate falls to 0.3 of itself every 50.
    batch_size : int, default 64
        Graphs a step.
    learning_rate : float, default 0.01
        Of Adam.
    random_state : int, default 0
        Seed of weights, order and dropout; equal seeds give equal models on one kind of machine.
    device : {"auto", "cpu", "cuda"}, default "auto"
        Where to train; prediction is on the CPU, in double precision.
    n_jobs : int, optional
        Threads that compute entropies.
    progress : bool or callable, default False
        Whether to show a bar on standard error; or a function of (done, total) epochs.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    curve_ : ndarray
        Mean training loss of each epoch, over all networks where several are averaged.

    Examples
    --------
    >>> from vnestruct.setmodel import DeepSetsClassifier
    >>> ring = [(i, (i + 1) % 6) for i in range(6)]
    >>> star = [(0, i) for i in range(1, 6)]
    >>> model = DeepSetsClassifier(radius=1, epochs=20).fit([ring, star] * 8, ["ring", "star"] * 8)
    >>> model.predict([star, ring])
    array(['star', 'ring'], dtype='<U4')
    """

    def __init__(
        self,
        radius: int = 2,
        *,
        kind: Any = "approx",
        width: int = 32,
        node_layers: int = 2,
        graph_layers: int = 1,
        dropout: float = 0.5,
        pooling: str = "sum",
        average: bool = False,
        epochs: int = 300,
        batch_size: int = 64,
        learning_rate: float = 0.01,
        random_state: int = 0,
        device: str = "auto",
        n_jobs: int | None = None,
        progress: bool | Callable[[float, float], None] = False,
    ) -> None:
        self.radius = radius
        self.kind = kind
        self.width = width
        self.node_layers = node_layers
        self.graph_layers = graph_layers
        self.dropout = dropout
        self.pooling = pooling
        self.average = average
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.device = device
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any | None = None) -> DeepSetsClassifier:
        """Train on graphs: whatever `vnestruct.datasets.as_collection` takes, and one class a graph."""
        self.check_parameters()
        collection = as_collection(X, y)
        self.classes_, codes = training_classes(collection)
        self.features_ = NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs).fit(collection)
        values = self.features_.transform(collection)
        if not len(values) or not np.ptp(values, axis=0).any():
            raise ParameterError(
                "all nodes of the training graphs are alike, so their set tells no more than their number; use "
                "SignatureClassifier, which counts nodes and edges"
            )
        split = Split(np.arange(len(collection)), seed=int(self.random_state))
        schedule = Schedule(int(self.epochs), int(self.batch_size), float(self.learning_rate))
        made = self._shapes()
        self.networks_, curves = [], []
        with (
            training_progress(self.progress, len(made) * schedule.epochs) as on_epoch,
            torch.random.fork_rng(devices=[]),
        ):
            for number, shape in enumerate(made):
                columns = columns_up_to(self.features_, shape.radius)
                data = SetData(np.diff(collection.offsets), values[:, columns], codes)
                network = self.make_network(columns.size, len(self.classes_), width=shape.width)
                trainer = Trainer(network, data, [split], schedule, chosen_device(self.device))
                before = number * schedule.epochs
                tell = None if on_epoch is None else lambda epoch, n=before, to=on_epoch: to(n + epoch)
                curves.append(trainer.run(tell).training_loss[0])
                self.networks_.append(network.cpu().double().eval())
        self.curve_ = np.mean(curves, axis=0)
        return self

    def decision_function(self, X: Any) -> ValueArray:
        """Return the score of each class for each graph; of averaged networks, the logarithm of its probability."""
        check_is_fitted(self, "networks_")
        collection = as_collection(X)
        values = torch.from_numpy(self.features_.transform(collection))
        batcher = Batcher(np.diff(collection.offsets))
        padded = torch.vstack([values, values.new_zeros(1, values.shape[1])])
        scores = [np.zeros((0, len(self.classes_)))]
        with torch.no_grad():
            for graphs in _portions(np.diff(collection.offsets)):
                batch = batcher.batch(torch.from_numpy(graphs).view(1, -1))
                scores.append(self._scores(padded[batch.nodes], batch)[0].numpy())
        return np.concatenate(scores)

    def predict_proba(self, X: Any) -> ValueArray:
        """Return the probability of each class for each graph, in the order of `classes_`."""
        scores = self.decision_function(X)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        shares: ValueArray = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each graph."""
        scores = self.decision_function(X)
        predicted: npt.NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return predicted

    def score(self, X: Any, y: Any | None = None, sample_weight: Any = None) -> float:
        """Return the share of graphs whose class is predicted right."""
        collection = as_collection(X, y)
        if collection.labels is None:
            raise ParameterError("the graphs have no labels to compare with; pass y")
        return float(np.average(self.predict(collection) == collection.labels, weights=sample_weight))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to one safetensors file, with everything else as JSON in its header."""
        check_is_fitted(self, "networks_")
        parameters = {name: value for name, value in self.get_params().items() if name != "progress"}
        notes = {"features": self.features_.state(), "n_inputs": len(self.features_.names)}
        arrays = {
            f"{self._prefix(number)}{name}": tensor.numpy()
            for number, network in enumerate(self.networks_)
            for name, tensor in network.state_dict().items()
        }
        save_model(path, KIND, parameters, arrays | {"curve": self.curve_}, self.classes_, notes)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> DeepSetsClassifier:
        """Read what `save` wrote; predictions are the same to the last bit."""
        parameters, arrays, classes, notes = load_model(path, KIND)
        model = cls(**parameters)
        model.classes_ = classes
        model.curve_ = arrays.pop("curve")
        model.features_ = NodeFeatures.from_state(notes["features"])
        model.networks_ = []
        for number, shape in enumerate(model._shapes()):
            n_inputs = columns_up_to(model.features_, shape.radius).size
            network = model.make_network(n_inputs, len(classes), width=shape.width).double()
            prefix = model._prefix(number)
            network.load_state_dict(
                {name: torch.from_numpy(arrays[f"{prefix}{name}"]) for name in network.state_dict()}
            )
            model.networks_.append(network.eval())
        return model

    def make_network(self, n_inputs: int, n_classes: int, n_replicas: int = 1, **changes: Any) -> SetNetwork:
        """Return a new network of this classifier's shape but for changes, for several trainings at once if need be."""
        options = {name: getattr(self, name) for name in _NETWORK}
        return SetNetwork(n_replicas, n_inputs, n_classes, **options | changes)

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first parameter that makes no sense."""
        for name, least in (("width", 1), ("node_layers", 1), ("graph_layers", 0), ("epochs", 1), ("batch_size", 1)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ParameterError(f"{name} is {value!r}; it must be a whole number of at least {least}")
        if self.pooling not in POOLINGS:
            raise ParameterError(f"pooling is {self.pooling!r}; it must be one of {', '.join(map(repr, POOLINGS))}")
        if not 0.0 <= self.dropout < 1.0:
            raise ParameterError(f"dropout is {self.dropout!r}; it must be at least 0 and less than 1")
        if not self.learning_rate > 0.0:
            raise ParameterError(f"learning_rate is {self.learning_rate!r}; it must be positive")
        if not isinstance(self.average, bool | np.bool_):
            raise ParameterError(f"average is {self.average!r}; it must be True or False")
        chosen_device(self.device)

    def _shapes(self) -> list[Shape]:
        radius, width = int(self.radius), int(self.width)
        return shapes(radius, width) if self.average else [Shape(radius, width)]

    def _prefix(self, number: int) -> str:
        return f"{number}." if self.average else ""

    def _scores(self, x: torch.Tensor, batch: Batch) -> torch.Tensor:
        if not self.average:
            return cast(torch.Tensor, self.networks_[0](x, batch))
        found = []
        for shape, network in zip(self._shapes(), self.networks_, strict=True):
            found.append(network(x[:, :, columns_up_to(self.features_, shape.radius)], batch))
        return mean_scores(found)


def chosen_device(name: str) -> str:
    """Return "cuda" or "cpu" for "auto", "cuda" or "cpu"; refuse what is not there."""
    if name not in ("auto", "cpu", "cuda"):
        raise ParameterError(f"device is {name!r}; it must be 'auto', 'cpu' or 'cuda'")
    if name == "cuda" and not torch.cuda.is_available():
        raise ParameterError("device is 'cuda', but PyTorch finds no CUDA device; use 'auto' or 'cpu'")
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"


def _portions(sizes: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Cut graphs into batches of bounded size."""
    if not sizes.size:
        return []
    part = np.cumsum(sizes) // _ROWS
    return np.split(np.arange(sizes.size), np.flatnonzero(np.diff(part)) + 1)
