"""`DeepSetsClassifier`: classify graphs by a network on the sets of their nodes."""

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from vnestruct.checks import one_of, whole_number
from vnestruct.embedding.progress import as_progress
from vnestruct.errors import MissingExtraError, ParameterError
from vnestruct.files.container import Arrays
from vnestruct.graph import GraphSet
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, Evaluation, Report, best_epoch, inner_choices, pairs, scored
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.types import ValueArray

try:
    import torch

    from vnestruct.setmodel.network import POOLINGS, Batcher, SetNetwork, mean_scores
    from vnestruct.setmodel.training import Curves, Schedule, SetData, Split, Trainer, chosen_device
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
    _unsaved: ClassVar[frozenset[str]] = frozenset({"progress"})

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

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first invalid parameter."""
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
        as_progress(self.progress)

    def evaluate(
        self, collection: GraphSet, codes: Codes, folds: list[Codes], protocol: str, report: Report
    ) -> Evaluation:
        """Train the networks of all folds and seeds at once; see `cross_validate`."""
        self.check_parameters()
        n_folds = int(folds[0].max()) + 1
        # Averaged networks leave nothing to choose, so there are no inner runs.
        is_honest = protocol == "honest" and not self.average
        left_out = [(k,) for k in range(n_folds)] + (pairs(n_folds) if is_honest else [])
        splits = []
        for seed, fold in enumerate(folds):
            for number, out in enumerate(left_out):
                watched = [np.flatnonzero(fold == k) for k in out] + [np.zeros(0, dtype=np.int64)] * (2 - len(out))
                train = np.flatnonzero(~np.isin(fold, out))
                splits.append(Split(train, watched[: 1 + is_honest], int(self.random_state) + 1000 * seed + number))
        features = NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs).fit(collection)
        values = features.transform(collection)
        scaled = np.arange(values.shape[1]) >= values.shape[1] - len(features.mean)
        data = SetData(np.diff(collection.offsets), values, codes, scaled)
        with torch.random.fork_rng(devices=[]):
            trained = self._trained(features, data, splits, report)
            if self.average:
                answers, shown = _averaged_answers(trained)
                chosen = [[f"mean of {len(self.shapes())} networks"] * n_folds for _ in folds]
                by_seed = [answers[first : first + n_folds] for first in range(0, len(splits), n_folds)]
                accuracies, predictions = scored(folds, by_seed, codes)
                return Evaluation(self.name, protocol, accuracies, chosen, shown, predictions)
            [(_, curves)] = trained
        shape = (len(folds), len(left_out), int(self.epochs), 1 + is_honest)
        hits, loss = curves.hits.reshape(shape), curves.loss.reshape(shape)
        sizes = np.array([np.bincount(fold, minlength=n_folds) for fold in folds])
        tests = hits[:, :n_folds, :, 0] / np.maximum(sizes, 1)[:, :, np.newaxis]
        training = curves.training_loss.reshape(shape[:3])[:, :n_folds].mean(axis=(0, 1))
        shown = {"training loss": training, "test accuracy": tests.mean(axis=(0, 1))}
        if is_honest:
            choices = [inner_choices(*results, _WINDOW) for results in zip(hits, loss, sizes, strict=True)]
            epochs = [[choice.epoch for choice in row] for row in choices]
        else:
            epochs = [[best_epoch(hits[0, :, :, 0], sizes[0])[0]] * n_folds]
        chosen = [[f"epoch {epoch + 1}" for epoch in row] for row in epochs]
        every = curves.answers.reshape(*shape[:3], -1)
        by_seed = [[every[seed, fold, epoch] for fold, epoch in enumerate(row)] for seed, row in enumerate(epochs)]
        accuracies, predictions = scored(folds, by_seed, codes)
        return Evaluation(self.name, protocol, accuracies, chosen, shown, predictions)

    def make_network(self, n_inputs: int, n_classes: int, n_replicas: int = 1, **changes: Any) -> SetNetwork:
        """Return a new network with this classifier's parameters, except for `changes`."""
        names = ("width", "node_layers", "graph_layers", "dropout", "pooling")
        return SetNetwork(n_replicas, n_inputs, n_classes, **{name: getattr(self, name) for name in names} | changes)

    def shapes(self) -> list[tuple[int, int]]:
        """Return the radius and the width of each network: several if they are averaged."""
        largest, width = int(self.radius), int(self.width)
        if not self.average:
            return [(largest, width)]
        widths = sorted({max(width // part, 1) for part in (1, 2, 4)})
        radii = range(1, largest + 1) if largest else (0,)
        return [(radius, width) for radius in radii for width in widths]

    def _fit(self, collection: GraphSet, codes: Codes) -> None:
        self.features_ = NodeFeatures(self.radius, self.kind, n_jobs=self.n_jobs).fit(collection)
        values = self.features_.transform(collection)
        if not len(values) or not np.ptp(values, axis=0).any():
            problem = "all nodes of the training graphs are equal, so only their number differs between graphs"
            raise ParameterError(f"{problem}; use SignatureClassifier, which counts nodes and edges")
        data = SetData(np.diff(collection.offsets), values, codes)
        split = Split(np.arange(len(collection)), seed=int(self.random_state))
        self.networks_, losses = [], []
        with torch.random.fork_rng(devices=[]):
            for trainer, curves in self._trained(self.features_, data, [split], as_progress(self.progress).advance):
                losses.append(curves.training_loss[0])
                self.networks_.append(trainer.network.cpu().double().eval())
        self.curve_ = np.mean(losses, axis=0)

    def _trained(
        self, features: NodeFeatures, data: SetData, splits: list[Split], report: Report
    ) -> Iterator[tuple[Trainer, Curves]]:
        """Train a network of each shape on all splits."""
        shapes = self.shapes()
        schedule = Schedule(int(self.epochs), int(self.batch_size), float(self.learning_rate))
        for number, (radius, width) in enumerate(shapes):
            part = data.columns(features.columns_up_to(radius))
            n_inputs, n_classes = part.features.shape[1], int(data.classes.max()) + 1
            network = self.make_network(n_inputs, n_classes, len(splits), width=width)
            trainer = Trainer(network, part, splits, schedule, chosen_device(self.device))

            def show(epoch: int, before: int = number * schedule.epochs) -> None:
                report(float(before + epoch + 1), float(len(shapes) * schedule.epochs))

            yield trainer, trainer.run(show)

    def _scores(self, collection: GraphSet) -> ValueArray:
        values = torch.from_numpy(self.features_.transform(collection))
        sizes = np.diff(collection.offsets)
        batcher = Batcher(sizes)
        padded = torch.vstack([values, values.new_zeros(1, values.shape[1])])
        scores, columns = [], self.features_.columns_up_to
        ends = np.flatnonzero(np.diff(np.cumsum(sizes) // _ROWS)) + 1
        with torch.no_grad():
            for graphs in np.split(np.arange(sizes.size), ends):
                batch = batcher.batch(torch.from_numpy(graphs).view(1, -1))
                x, networks = padded[batch.nodes], zip(self.shapes(), self.networks_, strict=True)
                every = [network(x[:, :, columns(radius)], batch) for (radius, _), network in networks]
                scores.append((mean_scores(every) if self.average else every[0])[0].numpy())
        return np.concatenate(scores)

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        arrays = {
            f"{number}.{name}": tensor.numpy()
            for number, network in enumerate(self.networks_)
            for name, tensor in network.state_dict().items()
        }
        return {"features": self.features_.state()}, arrays | {"curve": self.curve_}

    def _restore(self, learned: dict[str, Any], arrays: Arrays) -> None:
        self.curve_ = arrays["curve"]
        self.features_ = NodeFeatures.from_state(learned["features"], self.n_jobs)
        self.networks_ = []
        for number, (radius, width) in enumerate(self.shapes()):
            n_inputs = self.features_.columns_up_to(radius).size
            network = self.make_network(n_inputs, len(self.classes_), width=width).double()
            network.load_state_dict(
                {name: torch.from_numpy(arrays[f"{number}.{name}"]) for name in network.state_dict()}
            )
            self.networks_.append(network.eval())


def _averaged_answers(
    trained: Iterator[tuple[Trainer, Curves]],
) -> tuple[list[Codes], dict[str, ValueArray]]:
    """Return the answers of the averages of networks for the test graphs of each split, and the mean curves."""
    scores, training, test_curves = [], [], []
    for trainer, curves in trained:
        with torch.no_grad():
            scores.append(trainer.scores(trainer.batcher.batch(trainer.watched_graphs(0))).cpu())
        training.append(curves.training_loss.mean(axis=0))
        sizes = [[max(len(split.watched[0]), 1)] for split in trainer.splits]
        test_curves.append((curves.hits[:, :, 0] / sizes).mean(axis=0))
    answers = list(mean_scores(scores).argmax(dim=2).numpy())
    return answers, {"training loss": np.mean(training, axis=0), "test accuracy": np.mean(test_curves, axis=0)}
