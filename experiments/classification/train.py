"""Train what is pending: ``python -m experiments.classification.train --features DIR --out DIR``.

Needs NumPy, PyTorch and, for the networks that pass messages, PyTorch Geometric; no kernel is compiled. Each job leaves
one ``KEY.npz`` of curves in the output folder; a job whose file is there is not trained again, so an interrupted run
resumes where it stopped. After ``--time-limit`` seconds no job is started, and of a running job only the finished seeds
of folds are kept. Of the grid of VNEstruct the probabilities are kept, too: they are averaged later.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from experiments.classification.jobs import GROUPS, Job
from experiments.classification.models import network_class, set_data
from experiments.classification.models.messages import MessageData, MessageTrainer
from experiments.classification.stamp import NETWORK_CODE, commit

from experiments.classification import features, folds
from vnestruct.setmodel.evaluation import pairs
from vnestruct.setmodel.training import Schedule, Split, Trainer

PORTION = 50
"""Epochs over which probabilities are averaged where they are kept: the learning rate does not change within."""


class TimeIsUp(Exception):
    """The limit was reached within a job."""


class MeanProbabilities:
    """Predictions of a trainer's networks for the graphs it evaluates, averaged over portions of the epochs."""

    def __init__(self, trainer: Trainer, n_slots: int) -> None:
        self.trainer = trainer
        self.n_slots = n_slots
        watched = [graphs for split in trainer.splits for graphs in split.watched]
        every = np.full((len(watched), n_slots), trainer.batcher.n_graphs, dtype=np.int64)
        for row, graphs in zip(every, watched, strict=True):
            row[: len(graphs)] = graphs
        # All sets of a replica are in one batch, with empty slots at their ends.
        self.batch = trainer.batcher.batch(torch.from_numpy(every.reshape(len(trainer.splits), -1)))
        self.totals: list[torch.Tensor] = []
        self.counts: list[int] = []

    @torch.no_grad()
    def add(self, epoch: int) -> None:
        """Add the probabilities after an epoch; the networks are in evaluation mode."""
        found = torch.softmax(self.trainer.scores(self.batch), dim=2)
        if epoch % PORTION == 0:
            self.totals.append(found)
            self.counts.append(1)
        else:
            self.totals[-1] += found
            self.counts[-1] += 1

    def array(self) -> Any:
        """Return an array of shape (replicas, portions, sets, slots, classes)."""
        means = [(total / count).cpu().numpy() for total, count in zip(self.totals, self.counts, strict=True)]
        joined = np.stack(means, axis=1)
        return joined.reshape(*joined.shape[:2], -1, self.n_slots, joined.shape[3])


def splits(name: str, seeds: tuple[int, ...], inner: bool) -> list[Split]:
    """Return one split per replica: for each seed those that leave out one fold, then those that leave out two."""
    found = []
    for seed in seeds:
        fold = folds.folds_of(name, seed)
        nothing = np.zeros(0, dtype=np.int64)
        left_out: list[tuple[int, ...]] = [(k,) for k in range(folds.N_FOLDS)]
        for number, out in enumerate(left_out + (list(pairs(folds.N_FOLDS)) if inner else [])):
            train = np.flatnonzero(~np.isin(fold, out))
            watched = [np.flatnonzero(fold == k) for k in out] + [nothing] * (2 - len(out))
            found.append(Split(train, watched[: 1 + inner], seed=1000 * seed + number))
    return found


def curves(job: Job, data: MessageData, arguments: argparse.Namespace, deadline: float) -> dict[str, Any]:
    """Train all replicas, some at a time; return their hits and losses after every epoch."""
    schedule = Schedule(**{"epochs": arguments.epochs, **job.schedule})
    options = dict(job.options)
    if job.network == "dgcnn":
        from experiments.classification.models.dgcnn import published_k

        options.setdefault("k", published_k(data.sizes))
    seeds = folds.DRAWS[arguments.draw][: arguments.seeds]
    n_seeds, every = len(seeds), splits(job.data_set, seeds, arguments.inner)
    n_slots = max(len(graphs) for split in every for graphs in split.watched)
    at_once = arguments.at_once or (1000 if arguments.device == "cuda" else 10)
    at_once = max(1, min(at_once, int(arguments.rows // (schedule.batch_size * data.sizes.mean()))))
    hits, losses, probabilities = [], [], []
    for first in range(0, len(every), at_once):
        chosen = every[first : first + at_once]
        kind = network_class(job.network)
        network = kind(len(chosen), data.features.shape[1], int(data.classes.max()) + 1, **options)
        how = getattr(kind, "training_options", {})
        trainer = MessageTrainer(network, data, chosen, schedule, arguments.device, **how)
        means = MeanProbabilities(trainer, n_slots) if job.is_grid else None

        def on_epoch(epoch: int, means: MeanProbabilities | None = means) -> None:
            if time.time() > deadline:
                raise TimeIsUp
            if means is not None:
                means.add(epoch)

        try:
            found = trainer.run(on_epoch)
        except TimeIsUp:
            seeds = seeds[: sum(map(len, hits)) // (len(every) // n_seeds)]
            if not seeds:
                raise
            break
        hits.append(found.hits)
        losses.append(found.loss)
        probabilities += [means.array()] if means is not None else []

    def by_seed(parts: list[Any], kind: Any) -> Any:
        joined = np.concatenate(parts).astype(kind)
        n_runs = len(every) // n_seeds
        return joined[: len(seeds) * n_runs].reshape(len(seeds), n_runs, *joined.shape[1:])

    result = {"seeds": np.array(seeds), "at_once": np.int64(at_once)}
    result |= {"hits": by_seed(hits, np.uint16), "loss": by_seed(losses, np.float16)}
    return result | ({"probabilities": by_seed(probabilities, np.float16)} if probabilities else {})


def train(job: Job, arguments: argparse.Namespace, deadline: float) -> str:
    """Train one job and write its file."""
    begin = time.perf_counter()
    arrays = features.load(arguments.features, job.data_set)
    data = set_data(job.network, arrays, job.radius, job.features)
    result = curves(job, data, arguments, deadline)
    seconds = time.perf_counter() - begin
    result["seconds"] = np.float64(seconds)
    result["commit"] = np.array(arguments.commit)
    result["where"] = np.array(f"{device_name(arguments.device)}, torch {torch.__version__}")
    partial = arguments.out / f".{job.key}.partial.npz"
    np.savez_compressed(partial, **result)
    partial.replace(arguments.out / f"{job.key}.npz")
    best = (result["hits"][0, : folds.N_FOLDS, :, 0].sum(0, dtype=np.int64) / data.classes.size).max()
    return f"{job.key}: {seconds:.0f} s, optimistic {100 * best:.2f}"


def device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else "CPU"


def work(packed: tuple[Job, argparse.Namespace, float]) -> str:
    job, arguments, deadline = packed
    if time.time() > deadline:
        return f"{job.key}: not begun"
    torch.set_num_threads(1)
    if arguments.device == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        return train(job, arguments, deadline)
    except TimeIsUp:
        return f"{job.key}: not finished in time"
    except RuntimeError as error:  # for example a full GPU: the other jobs continue
        return f"{job.key}: failed, {error}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--features", type=Path, default=features.FOLDER)
    parser.add_argument("--out", type=Path, default=Path("build/classification/curves"))
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=float("inf"))
    parser.add_argument("--groups", default=",".join(GROUPS), help="comma-separated: " + ", ".join(GROUPS))
    parser.add_argument("--only", default="", help="comma-separated texts; keys that contain one, in this order")
    parser.add_argument("--commit", default=commit(*NETWORK_CODE), help="what the curves are stamped with")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--draw", default="first", choices=list(folds.DRAWS), help="which seeds of folds")
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--at-once", type=int, default=0, help="replicas trained side by side")
    parser.add_argument("--rows", type=float, default=6e6, help="most rows of a batch over all replicas")
    parser.add_argument(
        "--no-inner", dest="inner", action="store_false", help="leave out what the honest protocol needs"
    )
    arguments = parser.parse_args()
    deadline = time.time() + arguments.time_limit
    arguments.out.mkdir(parents=True, exist_ok=True)
    jobs = [job for group in arguments.groups.split(",") for job in GROUPS[group]]
    chosen = {job.key: job for word in arguments.only.split(",") for job in jobs if word in job.key}
    jobs = list(chosen.values())
    pending = [job for job in jobs if not (arguments.out / f"{job.key}.npz").exists()]
    print(f"{len(pending)} of {len(jobs)} jobs pending", flush=True)
    packed = [(job, arguments, deadline) for job in pending]
    if arguments.workers == 1:
        for one in packed:
            print(work(one), flush=True)
        return
    with multiprocessing.get_context("spawn").Pool(arguments.workers) as pool:
        for text in pool.imap_unordered(work, packed):
            print(text, flush=True)


if __name__ == "__main__":
    main()
