"""Train the models of some cells of the table at once: encodings x ten folds x five seeds of one network.

All models see the same batches; each trains on the graphs of its own fold, and its batch normalisation uses those
alone. After every epoch all graphs are scored. A model's result is its test accuracy at the epoch with the smallest
validation loss.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from experiments.encodings.batches import Batch, Batches
from experiments.encodings.collections import Task
from experiments.encodings.networks import NETWORKS, RATES, Shape
from numpy.typing import NDArray
from torch import Tensor

N_SEEDS = 5
N_PARTITIONS = 4
"""Ways to divide the graphs into batches; epochs take turns."""


class OutOfTimeError(Exception):
    """The cells cannot be finished within the time limit."""


@dataclass(frozen=True)
class Plan:
    """How a collection is trained."""

    epochs: int
    batch: int
    at_once: int = 6
    """Encodings that are trained together; fewer take less memory."""
    linear_attention: bool = False


PLANS = {
    "ENZYMES": Plan(80, 50),
    "IMDB-BINARY": Plan(50, 64),
    "PROTEINS": Plan(50, 64),
    "NCI1": Plan(60, 128),
    "COLLAB": Plan(25, 100, at_once=4),
    "REDDIT-BINARY": Plan(25, 64, at_once=4, linear_attention=True),
    "brazil-airports": Plan(150, 1),
    "europe-airports": Plan(150, 1),
}


@dataclass
class Masks:
    """The graphs that each model trains on, is validated on and tested on, as shares that add up to 1."""

    trained: Tensor
    validation: Tensor
    test: Tensor

    @classmethod
    def of(cls, task: Task, blocks: int, device: torch.device) -> Masks:
        """Return the masks of all models of a stack: for each encoding and seed the folds in turn."""
        masks = []
        for part in ("train", "validation", "test"):
            rows = torch.zeros(len(task.folds), task.classes.size, device=device)
            for row, fold in zip(rows, task.folds, strict=True):
                row[torch.as_tensor(getattr(fold, part), device=device)] = 1.0
            masks.append(rows.repeat(blocks * N_SEEDS, 1))
        return cls(masks[0] > 0, *(mask / mask.sum(1, keepdim=True) for mask in masks[1:]))


class Trainer:
    """Trains the cells of one collection; batches are made once for all of them.

    Parameters
    ----------
    deadline : float
        When to be finished, as `time.perf_counter` counts.
    """

    def __init__(self, task: Task, plan: Plan, device: torch.device, deadline: float) -> None:
        self.task, self.plan, self.device, self.deadline = task, plan, device, deadline
        self.classes = torch.as_tensor(task.classes, device=device)
        self._prepared: dict[int, tuple[Masks, list[list[Batch]]]] = {}

    def train(
        self, network: str, columns: list[NDArray[Any]], signs: tuple[int, slice] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return test accuracies and chosen epochs, of shape (encodings, seeds, folds).

        Parameters
        ----------
        network : str
            A name in `NETWORKS`.
        columns : list of arrays
            Input columns of the nodes, one array per encoding.
        signs : (int, slice), optional
            Encoding and columns whose signs are arbitrary in each graph; they are drawn again in every batch.

        Raises
        ------
        OutOfTimeError
            If the deadline cannot be met.
        """
        torch.manual_seed(0)
        task, plan, n_folds = self.task, self.plan, len(self.task.folds)
        masks, partitions = self._prepare(len(columns))
        inputs = _joined(columns, self.device)
        shape = Shape(
            tuple(part.shape[1] for part in columns), N_SEEDS * n_folds, int(task.classes.max()) + 1, task.per_node,
            plan.linear_attention,
        )  # fmt: skip
        model = NETWORKS[network](shape).to(self.device)
        optimiser = torch.optim.AdamW(model.parameters(), lr=RATES[network], weight_decay=1e-4)
        n_steps = plan.epochs * len(partitions[0])
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATES[network], total_steps=n_steps, pct_start=0.1)
        best = torch.full((3, shape.models), torch.inf, device=self.device)
        start = time.perf_counter()
        for epoch in range(plan.epochs):
            self._learn(model, partitions[epoch % len(partitions)], inputs, optimiser, schedule, signs)
            loss, right = self._scores(model, partitions[0], inputs)
            validation, test = (loss * masks.validation).sum(1), (right * masks.test).sum(1)
            best = torch.where(
                validation < best[0], torch.stack([validation, test, torch.full_like(test, epoch)]), best
            )
            if epoch in (1, 4):
                best[0].sum().item()  # waits for the device
                needed = (time.perf_counter() - start) / (epoch + 1) * (plan.epochs - epoch - 1)
                if time.perf_counter() + needed > self.deadline:
                    raise OutOfTimeError(f"{needed:.0f} s more are needed for {network} on {task.name}")
        # Models are numbered encoding by encoding, seed by seed, fold by fold.
        sizes = (len(columns), N_SEEDS, n_folds)
        return best[1].double().view(sizes).cpu().numpy(), best[2].long().view(sizes).cpu().numpy()

    def _prepare(self, blocks: int) -> tuple[Masks, list[list[Batch]]]:
        if blocks not in self._prepared:
            self._prepared.clear()
            masks = Masks.of(self.task, blocks, self.device)
            maker = Batches(self.task.collection, masks.trained, self.device, per_node=self.task.per_node)
            n_graphs = len(self.task.collection)
            n_batches = max(1, round(n_graphs / self.plan.batch))
            rng = np.random.default_rng(0)
            orders = [rng.permutation(n_graphs) for _ in range(N_PARTITIONS if n_batches > 1 else 1)]
            parts = [[maker.make(np.sort(part)) for part in np.array_split(order, n_batches)] for order in orders]
            self._prepared[blocks] = (masks, parts)
        return self._prepared[blocks]

    def _rows(self, batch: Batch) -> Tensor:
        return batch.nodes if self.task.per_node else batch.graphs

    def _learn(
        self, model: torch.nn.Module, batches: list[Batch], inputs: Tensor, optimiser: Any, schedule: Any,
        signs: tuple[int, slice] | None,
    ) -> None:  # fmt: skip
        model.train()
        for place in torch.randperm(len(batches)).tolist():
            batch = batches[place]
            x = inputs[:, batch.nodes].float()
            if signs is not None:
                block, columns = signs
                flips = torch.randint(0, 2, (batch.sizes.numel(), x[0, :1, columns].shape[1]), device=x.device)
                x[block, :, columns] *= (flips * 2.0 - 1.0)[batch.graph_of]
            loss = _losses(model(x, batch), self.classes[self._rows(batch)])
            optimiser.zero_grad(set_to_none=True)
            # Models share no weight, so the gradient of the sum trains each on its own mean.
            (loss * batch.graph_share[:, 0]).sum().backward()
            optimiser.step()
            schedule.step()

    @torch.no_grad()
    def _scores(self, model: torch.nn.Module, batches: list[Batch], inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the loss of each model on each graph, and whether it is right."""
        model.eval()
        loss, right = (torch.zeros(model.shape.models, self.classes.numel(), device=self.device) for _ in range(2))
        for batch in batches:
            rows = self._rows(batch)
            scores = model(inputs[:, batch.nodes].float(), batch)
            loss[:, rows] = _losses(scores, self.classes[rows])
            right[:, rows] = (scores.argmax(-1) == self.classes[rows]).float()
        return loss, right


def _joined(columns: list[NDArray[Any]], device: torch.device) -> Tensor:
    """Return the inputs of all encodings with as many columns each; those added are zero."""
    width = max(part.shape[1] for part in columns)
    joined = torch.zeros(len(columns), len(columns[0]), width, device=device, dtype=torch.float16)
    for row, part in zip(joined, columns, strict=True):
        row[:, : part.shape[1]] = torch.as_tensor(part, device=device)
    return joined


def _losses(scores: Tensor, classes: Tensor) -> Tensor:
    return torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), classes.repeat(scores.shape[0]), reduction="none"
    ).view(scores.shape[:2])
