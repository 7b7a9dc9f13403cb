"""The parts of the report about time: epochs, the embedding, a whole collection from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from experiments.classification.paper import NAMES
from experiments.classification.report_figures import NETWORKS, Entry
from experiments.classification.summary import RESULTS

PICTURE = Path(__file__).parent / "epoch_time.png"


def table(rows: list[list[str]]) -> str:
    """Return a Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def read(name: str) -> Entry:
    """Return a result, or an empty one if it was not measured."""
    path = RESULTS / name
    found: Entry = json.loads(path.read_text()) if path.exists() else {}
    return found


def epoch_time() -> str:
    """Return the time per epoch of every network."""
    result = read("epoch_time.json")
    if not result:
        return "Not measured yet: `python -m experiments.classification.epoch_time`."
    rows = [["milliseconds", *(NAMES[name] for name in result["data_sets"])]]
    for key in NETWORKS:
        rows.append([NAMES[key], *(f"{1000 * entry[key]:.1f}" for entry in result["data_sets"].values())])
    gin, gcn = result["ratio_to_gin"], result["ratio_to_gcn"]
    return (
        f"{table(rows)}\n\n![Seconds per epoch]({PICTURE.name})\n\n"
        f"VNEstruct takes {gin:.2f} of the time of GIN (target: at most 0.31) and {gcn:.2f} of that of GCN (target: "
        f"0.60) as geometric means. Width {result['width']} for all (CapsGNN: two capsules of 16), the depths of the\n"
        f"published configurations (see `epoch_time.py`), batches of {result['batch']} graphs, one thread, one "
        f"batcher, torch {result['torch']}, commit {result['commit']}."
    )


def embedding_time() -> str:
    """Return the time of all entropies of a collection compared with an epoch of GIN."""
    result = read("embedding_time.json")
    if not result:
        return "Not measured yet: `python -m experiments.classification.embedding_time`."
    names = list(result["one_thread"]["data_sets"])
    rows = [["milliseconds", "threads", *(NAMES[name] for name in names)]]
    titles = {"embedding": "all entropies, R = 4, once", "gin": "one epoch of GIN"}
    shares = {}
    for way in ("one_thread", "default"):
        found = result[way]["data_sets"]
        for key, title in titles.items():
            rows.append([title, str(result[way]["threads"]), *(f"{1000 * found[name][key]:.1f}" for name in names)])
        shares[way] = found["PROTEINS"]["embedding"] / found["PROTEINS"]["gin"]
    held = {way: "met" if share < 1 else "missed" for way, share in shares.items()}
    return (
        f"{table(rows)}\n\nTarget: on PROTEINS, all entropies together take less time than one epoch of GIN, after "
        "warm-up.\n\n"
        f"- Both on one thread, processor time: {shares['one_thread']:.2f} of an epoch: {held['one_thread']}.\n"
        f"- Both with default settings on this machine of {result['cores']} cores, wall clock: "
        f"{shares['default']:.2f} of an epoch: {held['default']}.\n\n"
        f"Timed in alternation, minimum of {result['rounds']} rounds, after compilation; commit {result['commit']}."
    )


def draw() -> None:
    """Draw the time per epoch as bars, with bars for the entropies."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    epochs, entropies = read("epoch_time.json"), read("embedding_time.json")
    if not epochs:
        return
    names = list(epochs["data_sets"])
    bars = {NAMES[key]: [epochs["data_sets"][name][key] for name in names] for key in NETWORKS}
    if entropies:
        bars["all entropies, once"] = [entropies["one_thread"]["data_sets"][name]["embedding"] for name in names]
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    colours = ("#0072B2", "#D55E00", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#999999")
    for place, (label, heights) in enumerate(bars.items()):
        axes.bar(np.arange(len(names)) + place * 0.12, heights, 0.11, color=colours[place], label=label)
    axes.set_yscale("log")
    axes.set_xticks(np.arange(len(names)) + 0.36, [NAMES[name] for name in names])
    axes.set_ylabel("seconds per training epoch")
    axes.legend(fontsize=8, ncols=4)
    figure.savefig(PICTURE, dpi=120)


def end_to_end() -> str:
    """Return the time and memory of a whole collection, from its files to the table of accuracies."""
    result = read("end_to_end.json")
    if not result:
        return "Not measured yet."
    minutes, seconds = divmod(result["seconds"], 60)
    return (
        f"`{result['command']}` took {minutes:.0f} min {seconds:.0f} s with a peak of {result['peak_mb']} MB on "
        f"{result['cores']} cores (target: 3 minutes, 2 GB), commit {result['commit']}."
    )
