"""Time of all entropies of a collection, compared with one epoch of GIN: ``python -m ...embedding_time``.

Both are timed in alternation, after the kernels are compiled, and the minimum is reported, because other load can only
increase a time. Measured twice, each time in a separate process: on one thread, in processor time; and with the default
number of threads of `embed` and PyTorch, in wall-clock time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from experiments.classification.epoch_time import MEASURED, RADIUS, trainer
from experiments.classification.stamp import HEAD_CODE, NETWORK_CODE, commit
from experiments.classification.summary import RESULTS, rounded

from experiments.classification import features

Clock = Callable[[], float]


def fastest(tasks: dict[str, Callable[[], Any]], rounds: int, clock: Clock) -> dict[str, float]:
    """Return the minimum time of each task; tasks alternate, and the first round is a warm-up."""
    found = dict.fromkeys(tasks, float("inf"))
    for turn in range(rounds + 1):
        for name, task in tasks.items():
            begin = clock()
            task()
            if turn:
                found[name] = min(found[name], clock() - begin)
    return found


def measure(folder: Path, rounds: int, threads: int | None) -> dict[str, Any]:
    """Return the seconds of an epoch of GIN, and of all entropies, for every collection, on some threads.

    Parameters
    ----------
    folder : Path
        Where the features are.
    rounds : int
        Turns.
    threads : int or None
        Threads of both; None leaves each its default.
    """
    from vnestruct.datasets import load
    from vnestruct.embedding import embed

    if threads is not None:
        torch.set_num_threads(threads)
    clock: Clock = time.process_time if threads == 1 else time.perf_counter
    result: dict[str, Any] = {"threads": torch.get_num_threads(), "data_sets": {}}
    for name in MEASURED:
        collection = load(features.DATA / "tu" / f"{name}.zip")
        gin = trainer("gin", name, features.load(folder, name))
        tasks: dict[str, Callable[[], Any]] = {
            "gin": partial(gin.train_epoch, 0),
            "embedding": partial(embed, collection, RADIUS, n_jobs=threads),
        }
        result["data_sets"][name] = fastest(tasks, rounds, clock)
        shown = {key: f"{1000 * value:.1f} ms" for key, value in result["data_sets"][name].items()}
        print(f"{threads or 'default'} threads, {name}: {shown}", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--features", type=Path, default=features.FOLDER)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path, default=RESULTS / "embedding_time.json")
    arguments = parser.parse_args()
    # Settings in the shell are not defaults.
    os.environ.pop("OMP_NUM_THREADS", None)
    context = multiprocessing.get_context("spawn")
    with context.Pool(1, maxtasksperchild=1) as pool:
        one, default = (pool.apply(measure, (arguments.features, arguments.rounds, threads)) for threads in (1, None))
    result = {"commit": commit(*HEAD_CODE, *NETWORK_CODE), "rounds": arguments.rounds, "cores": os.cpu_count()}
    result |= {"one_thread": one, "default": default}
    arguments.out.write_text(json.dumps(rounded(result), indent=1) + "\n")


if __name__ == "__main__":
    main()
