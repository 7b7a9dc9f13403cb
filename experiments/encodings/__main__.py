"""Encode collections, then train networks on them: ``python -m experiments.encodings encode`` and ``... train``.

``encode`` computes and times all encodings on one thread and keeps them in a folder. ``train`` trains the cells of the
table that are not in the result file yet, and writes the file after each group of cells; it is best run on a GPU.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from experiments.encodings.collections import AIRPORTS, NAMES, Task, load_task
from experiments.encodings.encode import ENCODINGS, base_columns, encode, input_columns
from experiments.encodings.networks import NETWORKS
from experiments.encodings.train import PLANS, OutOfTimeError, Trainer
from experiments.storage import RESULTS, data_folder

FILE = RESULTS / "encodings" / "accuracies.json"
Cell = dict[str, Any]


def read_cells(path: Path) -> list[Cell]:
    """Return the finished cells of a result file; none if there is no such file."""
    return json.loads(path.read_text()) if path.exists() else []


def _write_cells(path: Path, cells: list[Cell]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("[\n" + ",\n".join(json.dumps(cell) for cell in cells) + "\n]\n")
    partial.replace(path)


def _train(options: argparse.Namespace) -> None:
    torch.backends.cuda.matmul.allow_tf32 = True
    deadline = time.perf_counter() + options.budget
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    for name in options.collections:
        done = {(cell["network"], cell["encoding"]) for cell in read_cells(options.out) if cell["collection"] == name}
        if all((network, encoding) in done for network in options.networks for encoding in options.encodings):
            continue
        task = load_task(name, options.data)
        plan = PLANS[name]
        if options.epochs:
            plan = dataclasses.replace(plan, epochs=options.epochs)
        trainer = Trainer(task, plan, device, deadline)
        for network in options.networks:
            missing = [encoding for encoding in options.encodings if (network, encoding) not in done]
            for first in range(0, len(missing), plan.at_once):
                try:
                    _train_group(trainer, task, network, missing[first : first + plan.at_once], options)
                except OutOfTimeError as reason:
                    print(f"stopped: {reason}; run again to continue", flush=True)
                    return


def _train_group(trainer: Trainer, task: Task, network: str, group: list[str], options: argparse.Namespace) -> None:
    base = base_columns(task.collection)
    columns = [input_columns(base, task.name, encoding, options.folder) for encoding in group]
    signs = None
    if "Laplacian" in group:
        block = group.index("Laplacian")
        signs = (block, slice(base.shape[1], columns[block].shape[1]))
    start = time.perf_counter()
    accuracies, epochs = trainer.train(network, columns, signs)
    seconds = time.perf_counter() - start
    machine = torch.cuda.get_device_name() if trainer.device.type == "cuda" else "CPU"
    cells = read_cells(options.out)
    for encoding, scores, chosen in zip(group, accuracies, epochs, strict=True):
        cells.append({
            "collection": task.name, "network": network, "encoding": encoding, "epochs": trainer.plan.epochs,
            "seconds": round(seconds / len(group), 2), "machine": machine, "torch": torch.__version__,
            "accuracies": scores.round(6).tolist(), "chosen": chosen.tolist(),
        })  # fmt: skip
        print(f"{task.name}, {network}, {encoding}: {scores.mean():.4f}, {cells[-1]['seconds']} s", flush=True)
    _write_cells(options.out, cells)
    if trainer.device.type == "cuda":
        print(f"  {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB at most", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m experiments.encodings", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("action", choices=["encode", "train"])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder with tu/, splits/ and roles/")
    parser.add_argument("--folder", type=Path, default=Path(".encodings"), help="folder of the encodings")
    parser.add_argument("--collections", nargs="+", default=[*NAMES, *AIRPORTS], choices=[*NAMES, *AIRPORTS])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--encodings", nargs="+", default=list(ENCODINGS), choices=list(ENCODINGS))
    parser.add_argument("--budget", type=float, default=1e9, help="seconds; what cannot be finished is not started")
    parser.add_argument("--out", type=Path, default=FILE, help="result file; cells in it are not trained again")
    parser.add_argument("--device", help="such as cpu or cuda; by default a GPU if there is one")
    parser.add_argument("--jobs", type=int, default=1, help="processes that compute the encodings")
    parser.add_argument("--epochs", type=int, help="other than planned, for a trial")
    options = parser.parse_args(arguments)
    if options.action == "encode":
        for name in options.collections:
            encode(name, options.data, options.folder, options.jobs)
    else:
        _train(options)


if __name__ == "__main__":
    main()
