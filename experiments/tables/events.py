"""Events and what is known before each: which rating will be negative, which pair will speak again."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import average_precision_score, roc_auc_score

from vnestruct import features

EVENTS = ("bitcoin-otc", "uci-messages", "hospital")
TRAINED = 0.7
COUNTS = ("out_count", "in_count", "since_last")


def load_events(name: str, folder: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """Return events in time order, with columns src, trg and time, and the target of each."""
    if name == "bitcoin-otc":
        events = pd.read_csv(folder / "bitcoin_otc_graph.csv.gz").sort_values("time", kind="stable", ignore_index=True)
        return events.rename(columns={"edgelab": "rating"}), (events["edgelab"] < 0).to_numpy(int)
    if name == "uci-messages":
        events = pd.read_csv(folder / "uci-messages.txt.gz", sep=" ", names=["time", "src", "trg", "characters"])
        events["time"] = pd.to_datetime(events["time"])
    else:
        events = pd.read_csv(folder / "hospital.csv.gz")
    events = events.sort_values("time", kind="stable", ignore_index=True)
    return events, speaks_again(events)


def speaks_again(events: pd.DataFrame) -> np.ndarray:
    """Return whether the same pair has another event later."""
    pair = np.sort(events[["src", "trg"]].to_numpy(), axis=1)
    last = pd.DataFrame(pair).duplicated(keep="last")
    return last.to_numpy(int)


def event_scores(name: str, folder: Path, skip: set[str]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield AUC and average precision of the last events, by set of columns."""
    events, target = load_events(name, folder)
    rows = events[["src", "trg", "time"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        columns = features(events, rows, key=["src", "trg"], time="time").drop(columns=list(rows))
    own = [column for column in events if column not in rows]
    values = [column for column in columns if any(column.endswith(f"_{name}") for name in own)]
    counts = [column for column in columns if column.endswith(COUNTS)]
    structure = [column for column in columns if column not in (*values, *counts)]
    sets = {
        "counts and gaps": counts, "structure": structure, "values": values,
        "structure, counts and gaps": [*structure, *counts], "all": [*columns],
    }  # fmt: skip
    cut = int(TRAINED * len(events))
    for title, chosen in sets.items():
        if title in skip or not chosen:
            continue
        matrix = columns[chosen].to_numpy(float)
        predictions = [
            HistGradientBoostingClassifier(max_iter=150, learning_rate=0.05, random_state=seed)
            .fit(matrix[:cut], target[:cut])
            .predict_proba(matrix[cut:])[:, 1]
            for seed in (0, 1)
        ]
        mean = np.mean(predictions, axis=0)
        yield title, (roc_auc_score(target[cut:], mean), average_precision_score(target[cut:], mean))
