"""Seconds per training epoch of every network: ``python -m experiments.classification.epoch_time``.

One thread, one batcher, batches of 32 graphs, width 32 for all. Networks alternate epoch by epoch, so that other load
on the machine affects all equally. Depths are those of the published configurations: VNEstruct two layers before
the sum and one after, GFN four and one, GIN four convolutions of two layers, GCN one layer, three convolutions and one
layer, DGCNN four convolutions, CapsGNN four convolutions and two routings. `embedding_time` measures the entropies.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from experiments.classification.models import NETWORKS, network_class, set_data
from experiments.classification.models.messages import MessageTrainer
from experiments.classification.stamp import NETWORK_CODE, commit
from experiments.classification.summary import RESULTS, rounded

from experiments.classification import features, folds
from vnestruct.setmodel.training import Schedule, Split, Trainer

MEASURED = ("MUTAG", "PTC_MR", "IMDB-BINARY", "PROTEINS")
WIDTH, BATCH, RADIUS = 32, 32, 4


def trainer(network: str, name: str, arrays: dict[str, Any]) -> Trainer:
    """Return the trainer of a network on nine folds of a collection."""
    data = set_data(network, arrays, RADIUS)
    options: dict[str, Any] = {"width": 16} if network == "capsgnn" else {"width": WIDTH}
    if network == "dgcnn":
        from experiments.classification.models.dgcnn import published_k

        options["k"] = published_k(data.sizes)
    kind = network_class(network)
    model = kind(1, data.features.shape[1], int(data.classes.max()) + 1, **options)
    split = Split(np.flatnonzero(folds.folds_of(name, 0) != 0))
    return MessageTrainer(model, data, [split], Schedule(batch_size=BATCH), **getattr(kind, "training_options", {}))


def measure(name: str, arrays: dict[str, Any], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of every epoch of every network, measured in alternation."""
    trainers = {network: trainer(network, name, arrays) for network in NETWORKS}
    seconds: dict[str, list[float]] = {network: [] for network in NETWORKS}
    for turn in range(rounds + 1):
        for network, one in trainers.items():
            begin = time.perf_counter()
            one.train_epoch(0)
            if turn:  # the first epoch warms up
                seconds[network].append(time.perf_counter() - begin)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--features", type=Path, default=features.FOLDER)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path, default=RESULTS / "epoch_time.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    result: dict[str, Any] = {
        "commit": commit(*NETWORK_CODE), "width": WIDTH, "batch": BATCH, "radius": RADIUS, "torch": torch.__version__,
        "machine": platform.processor() or platform.machine(), "data_sets": {},
    }  # fmt: skip
    for name in MEASURED:
        times = measure(name, features.load(arguments.features, name), arguments.rounds)
        entry: dict[str, Any] = {network: float(np.median(found)) for network, found in times.items()}
        result["data_sets"][name] = entry
        print(name, {key: f"{1000 * value:.1f} ms" for key, value in entry.items()}, flush=True)
    for other in ("gin", "gcn"):
        ratios = [entry["vnestruct"] / entry[other] for entry in result["data_sets"].values()]
        result[f"ratio_to_{other}"] = float(np.exp(np.mean(np.log(ratios))))
        print(f"VNEstruct / {other.upper()}: {result[f'ratio_to_{other}']:.3f} (geometric mean)")
    arguments.out.parent.mkdir(exist_ok=True)
    arguments.out.write_text(json.dumps(rounded(result), indent=1) + "\n")


if __name__ == "__main__":
    main()
