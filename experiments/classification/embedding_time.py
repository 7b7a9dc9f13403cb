"""What the entropies of a whole collection cost beside one epoch of GIN: ``python -m ...embedding_time``.

Both run on one thread and take turns, after the kernels are compiled. Times are those of the processor, not of the
clock, and the least of all turns counts: whatever else the machine does can only add to a time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from experiments.classification.epoch_time import MEASURED, RADIUS, trainer
from experiments.classification.stamp import HEAD_CODE, NETWORK_CODE, commit
from experiments.classification.summary import RESULTS, rounded

from experiments.classification import features


def fastest(tasks: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Return the least processor time of each task; they take turns, and the first turn warms up."""
    found = dict.fromkeys(tasks, float("inf"))
    for turn in range(rounds + 1):
        for name, task in tasks.items():
            begin = time.process_time()
            task()
            if turn:
                found[name] = min(found[name], time.process_time() - begin)
    return found


def measure(name: str, folder: Path, rounds: int) -> dict[str, float]:
    """Return the seconds of an epoch of GIN on a collection, and of all its entropies."""
    from vnestruct.datasets import load
    from vnestruct.embedding import embed

    collection = load(features.DATA / "tu" / f"{name}.zip")
    gin = trainer("gin", name, features.load(folder, name))
    tasks: dict[str, Callable[[], Any]] = {
        "gin": lambda: gin.train_epoch(0),
        "embedding": lambda: embed(collection, RADIUS, n_jobs=1),
    }
    return fastest(tasks, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--features", type=Path, default=features.FOLDER)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--out", type=Path, default=RESULTS / "embedding_time.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    result: dict[str, Any] = {"commit": commit(*HEAD_CODE, *NETWORK_CODE), "rounds": arguments.rounds, "data_sets": {}}
    for name in MEASURED:
        result["data_sets"][name] = measure(name, arguments.features, arguments.rounds)
        print(name, {key: f"{1000 * value:.1f} ms" for key, value in result["data_sets"][name].items()}, flush=True)
    arguments.out.write_text(json.dumps(rounded(result), indent=1) + "\n")


if __name__ == "__main__":
    main()
