"""`DeepSetsClassifier`: classify graphs by a network on the sets of their nodes."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import count
from typing import Any, ClassVar, cast

import numpy as np
from scipy.special import log_softmax, logsumexp

from vnestruct.embedding.progress import as_progress
from vnestruct.errors import MissingExtraError, ParameterError, one_of, whole_number
from vnestruct.graph import GraphSet
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, History, Report, Tried, chosen_epochs, pairs
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.types import Array, ValueArray

try:
    import torch

    from vnestruct.setmodel.network import POOLINGS, SetNetwork, train
except ImportError as error:
    raise MissingExtraError('DeepSetsClassifier needs PyTorch: pip install "vnestruct[torch]"') from error

_ROWS = 1 << 20  # largest number of nodes in a batch of prediction
_WINDOW = 11  # number of epochs over which validation accuracies are averaged


@dataclass(eq=False, repr=False)
class DeepSetsClassifier(GraphClassifier):
    """Classify graphs by a network on the set of their nodes: psi(sum of phi([X || H])).

    No messages are passed: structure enters through the entropies H, which are computed once. The result does not
    depend on the order of nodes or on how graphs are batched. A node type that did not occur in training counts as no
    type. Graphs with one node, and graphs without edges, are allowed; if all nodes of all training graphs have the same
    vector there is nothing to learn from, and `fit` raises `ParameterError`.

    Parameters
    ----------
    radius, kind, n_jobs
        See `NodeFeatures`.
    width : int, default 32
        Channels of every layer.
    node_layers, graph_layers : int, default 2 and 1
        Number of layers of phi, before the sum, and of psi, after it.
    dropout : float, default 0.5
        Share of the channels of psi that is dropped while training.
    pooling : {"sum", "sum+mean+max"}, default "sum"
        How node vectors are combined into a graph vector.
    average : bool, default False
        Whether to train one network for every radius from 1 to `radius` and each of three widths (`width`, half of it,
        a quarter), and to predict the mean of their probabilities. On few graphs, choosing one of them is mostly luck;
        the mean needs no choice. With radius 4 and width 32 these are the twelve networks of the paper's grid.
    epochs : int, default 300
        Passes over the training graphs; the learning rate is multiplied by 0.3 every 50.
    batch_size : int, default 64
        Graphs per step.
    learning_rate : float, default 0.01
        Learning rate of Adam.
    random_state : int, default 0
        Seed of weights, order and dropout; equal seeds give equal models on the same kind of machine.
    device : {"auto", "cpu", "cuda"}, default "auto"
        Where to train; prediction runs on the CPU, in double precision.
    progress : bool or callable, default False
        Whether to show a progress bar on standard error; or a function of (done, total) epochs.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    curve_ : ndarray
        Mean training loss of each epoch, over all networks if several are averaged.

    Examples
    --------
    >>> from vnestruct.setmodel import DeepSetsClassifier
    >>> ring = [(i, (i + 1) % 6) for i in range(6)]
    >>> star = [(0, i) for i in range(1, 6)]
    >>> model = DeepSetsClassifier(radius=1, epochs=20).fit([ring, star] * 8, ["ring", "star"] * 8)
    >>> model.predict([star, ring])
    array(['star', 'ring'], dtype='<U4')
    """

    name: ClassVar[str] = "deepsets"

    radius: int = 2
    _: KW_ONLY
    kind: Any = "approx"
    width: int = 32
    node_layers: int = 2
    graph_layers: int = 1
    dropout: float = 0.5
    pooling: str = "sum"
    average: bool = False
    epochs: int = 300
    batch_size: int = 64
    learning_rate: float = 0.01
    random_state: int = 0
    device: str = "auto"
    n_jobs: int | None = None
    progress: bool | Callable[[float, float], None] = False

    def make_features(self) -> NodeFeatures:
        """Check all parameters and return unfitted node features."""
        for name, least in (("width", 1), ("node_layers", 1), ("graph_layers", 0), ("epochs", 1), ("batch_size", 1)):
            whole_number(name, getattr(self, name), least)
        one_of("pooling", self.pooling, POOLINGS)
        if not 0.0 <= self.dropout < 1.0:
            raise ParameterError(f"dropout must be at least 0 and less than 1, not {self.dropout!r}")
        if not self.learning_rate > 0.0:
            raise ParameterError(f"learning_rate must be positive, not {self.learning_rate!r}")
        if not isinstance(self.average, bool | np.bool_):
            raise ParameterError(f"average must be True or False, not {self.average!r}")
        chosen_device(self.device)
        return NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs)

    def evaluate(self, nodes: GraphSet, codes: Codes, fold: Codes, seed: int, protocol: str, report: Report) -> Tried:
        """Train a network without each fold and test every epoch on it; see `cross_validate`."""
        n_folds = int(fold.max()) + 1
        # Averaged networks leave nothing to choose, so there are no inner runs.
        is_inner = protocol == "honest" and not self.average
        left_out = [(k,) for k in range(n_folds)] + (pairs(n_folds) if is_inner else [])
        advance = _counted(report, len(left_out) * len(self.shapes()) * int(self.epochs))
        runs = {}
        for number, out in enumerate(left_out):
            kept = ~np.isin(fold, out)
            graphs, *watched = (nodes.subset(np.flatnonzero(part)) for part in (kept, *(fold == k for k in out)))
            run_seed = int(self.random_state) + 1000 * seed + number
            *_, runs[out] = self._train(graphs, codes[kept], watched, run_seed, advance)
        outer = [runs[k,] for k in range(n_folds)]
        answers = [run.scores[0].argmax(axis=2) for run in outer]
        tried = [{f"epoch {epoch}": classes for epoch, classes in enumerate(own, 1)} for own in answers]
        if self.average:
            tried = [{f"mean of {len(self.shapes())} networks": own[-1]} for own in answers]
        elif is_inner:
            epochs = [f"epoch {epoch + 1}" for epoch, *_ in chosen_epochs(runs, fold, codes, _WINDOW)]
            tried = [{epoch: own[epoch]} for own, epoch in zip(tried, epochs, strict=True)]
        tests = [(own == codes[fold == k]).mean(axis=1) for k, own in enumerate(answers)]
        loss = np.mean([run.loss for run in outer], axis=0)
        return tried, {"training loss": loss, "test accuracy": np.mean(tests, axis=0)}

    def shapes(self) -> list[tuple[int, int]]:
        """Return the radius and the width of each network: several if they are averaged."""
        largest, width = int(self.radius), int(self.width)
        if not self.average:
            return [(largest, width)]
        widths = sorted({max(width // part, 1) for part in (1, 2, 4)})
        radii = range(1, largest + 1) if largest else (0,)
        return [(radius, width) for radius in radii for width in widths]

    def _make_network(self, n_inputs: int, n_classes: int, width: int) -> SetNetwork:
        names = ("node_layers", "graph_layers", "dropout", "pooling")
        return SetNetwork(n_inputs, n_classes, width=width, **{name: getattr(self, name) for name in names})

    def fit_nodes(self, nodes: GraphSet, codes: Codes) -> None:
        """Train on graphs whose classes are numbered from 0."""
        advance = _counted(as_progress(self.progress).advance, len(self.shapes()) * int(self.epochs))
        self.features_, self.networks_, history = self._train(nodes, codes, [], int(self.random_state), advance)
        self.curve_ = history.loss

    def _train(
        self, nodes: GraphSet, codes: Codes, watched: list[GraphSet], seed: int, advance: Callable[[], None]
    ) -> tuple[NodeFeatures, torch.nn.ModuleList, History]:
        """Train a network of each shape; the history is that of their mean."""
        features, device = self.make_features().fit_nodes(nodes), chosen_device(self.device)
        sets = [(each, features.rows(each).astype(np.float32)) for each in (nodes, *watched)]
        if not len(sets[0][1]) or not np.ptp(sets[0][1], axis=0).any():
            problem = "all nodes of the training graphs are equal, so only their number differs between graphs"
            raise ParameterError(f"{problem}; use SignatureClassifier, which counts nodes and edges")
        networks, histories = torch.nn.ModuleList(), []
        with torch.random.fork_rng(devices=[]):
            for radius, width in self.shapes():
                columns = features.columns_up_to(radius)
                graphs, *tested = (_by_graph(each, values[:, columns], device) for each, values in sets)
                torch.manual_seed(seed)
                network = self._make_network(columns.size, int(codes.max()) + 1, width).to(device)
                histories.append(
                    train(
                        network, graphs, torch.from_numpy(codes).to(device), tested, epochs=int(self.epochs),
                        batch_size=int(self.batch_size), learning_rate=float(self.learning_rate), on_epoch=advance,
                    )
                )  # fmt: skip
                networks.append(network)
        scores = [mean_scores(each) for each in zip(*(history.scores for history in histories), strict=True)]
        return (
            features,
            networks.cpu().double().eval(),
            History(np.mean([history.loss for history in histories], axis=0), scores),
        )

    def score_nodes(self, nodes: GraphSet) -> ValueArray:
        """Return the score of each class for each graph."""
        values, columns_up_to = self.features_.rows(nodes), self.features_.columns_up_to
        every = []
        for (radius, _), network in zip(self.shapes(), self.networks_, strict=True):
            graphs = _by_graph(nodes, values[:, columns_up_to(radius)], "cpu")
            batches = np.split(np.arange(len(graphs)), np.flatnonzero(np.diff(nodes.offsets[1:] // _ROWS)) + 1)
            with torch.no_grad():
                every.append(torch.cat([network([graphs[i] for i in batch]) for batch in batches]).numpy())
        return mean_scores(every)

    def state(self) -> dict[str, Any]:
        """Return everything learned but the classes, as arrays and JSON values."""
        weights = {name: tensor.numpy() for name, tensor in self.networks_.state_dict().items()}
        return {"features": self.features_.state(), "curve": self.curve_, **weights}

    def restore(self, learned: dict[str, Any]) -> None:
        """Set everything learned to what `state` returned."""
        self.curve_ = learned["curve"]
        self.features_ = features = self.make_features().restore(learned["features"])
        self.networks_ = torch.nn.ModuleList(
            self._make_network(features.columns_up_to(radius).size, len(self.classes_), width)
            for radius, width in self.shapes()
        )
        self.networks_.double().eval()
        weights = {name: torch.from_numpy(learned[name]) for name in self.networks_.state_dict()}
        self.networks_.load_state_dict(weights)


def chosen_device(name: str) -> str:
    """Return "cuda" or "cpu" for "auto", "cuda" or "cpu"; raise `ParameterError` if there is no such device."""
    one_of("device", name, ("auto", "cpu", "cuda"))
    if name == "cuda" and not torch.cuda.is_available():
        raise ParameterError("`device='cuda'` was requested, but PyTorch finds no CUDA device; use 'auto' or 'cpu'")
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"


def mean_scores(scores: Sequence[ValueArray]) -> ValueArray:
    """Return the scores of one network, or the logarithm of the mean probability of each class over several."""
    if len(scores) == 1:
        return scores[0]
    return cast(ValueArray, logsumexp(log_softmax(np.stack(scores), axis=-1), axis=0) - np.log(len(scores)))


def _by_graph(nodes: GraphSet, values: Array, device: str) -> Sequence[torch.Tensor]:
    """Return the rows of each graph."""
    return torch.split(torch.from_numpy(values).to(device), np.diff(nodes.offsets).tolist())


def _counted(report: Report, total: int) -> Callable[[], None]:
    """Return a function that reports one epoch more each time."""
    numbers = count(1)
    return lambda: report(next(numbers), total)
