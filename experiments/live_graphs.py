"""Graphs over time: change points, roles over time, and injected anomalies.

Change points: days of uci-messages with a message (196), sessions of us-legislature (12). Each period is its own graph,
with edge weights. Events are those of LAD (Huang et al., KDD 2020), counted from 0; LAD itself was run by code of
commit 28d35c7. The degree control scores ln(1 + nodes) and ln(1 + edges) with the same function as the entropies.

Roles over time: hospital (job of each person) and bitcoin-otc (trusted or fraudulent trader). A person is described by
the mean and standard deviation of its columns over the periods in which it has a link, and the share of such periods;
logistic regression, balanced, on standardised columns, ten stratified folds, five times; micro and macro F1.
Those of Temporal-SIR-GN were scored in the same way by code of commit 28d35c7.

Anomalies: 20 nodes get the links of a clique of 10, a star of 40 or a bridge between two places; area under the ROC
curve, mean over five seeds.
"""

import csv
import gzip

import numpy as np
from experiments.baselines import refex
from experiments.baselines.structure import control
from experiments.storage import RESULTS, data_folder, write_rows

from vnestruct import embed, embed_stream, read_graph
from vnestruct.graph import graph_from_ids, graph_from_pairs
from vnestruct.live import anomaly_scores, change_scores, read_events

CHANGES = RESULTS / "live_changes.csv"
ROLES = RESULTS / "live_roles.csv"
PEERS = RESULTS / "live_peers.csv"
ANOMALIES = RESULTS / "live_anomalies.csv"
STREAMS = {
    "uci-messages": {
        "file": "uci-messages.txt.gz",
        "every": "1d",
        "events": (65, 158),
        "contexts": (7, 14),
        "within": 1,
    },
    "us-legislature": {"file": "us-legislature.csv.gz", "every": 1, "events": (3, 7), "contexts": (1, 2), "within": 0},
}
LABELLED = {"hospital": 3600.0, "bitcoin-otc": 90 * 86400.0}
"""Graphs with known classes, and the length of a period in seconds."""
GRAPHS = ("email-Eu-core.txt.gz", "ca-GrQc.txt.gz", "facebook_combined.txt.gz")
SHAPES = ("clique", "star", "bridge")
SEEDS = range(100, 105)
"""The score was chosen on seed 0."""


def run():
    """Compute what is missing."""
    for path, compute in ((CHANGES, change_rows), (ROLES, role_rows), (ANOMALIES, anomaly_rows)):
        if not path.exists():
            write_rows(path, list(compute()))
            print(f"Written to {path}", flush=True)


def change_rows():
    """Yield the rank of each event among all periods, by method."""
    for name, facts in STREAMS.items():
        path = str(data_folder() / "temporal" / str(facts["file"]))
        events = read_events(path, time=1, weight=4)
        periods = list(embed_stream(events, window=facts["every"], every=facts["every"], weighted=True))
        short, long = facts["contexts"]
        sizes = np.log1p([[len(period.nodes), period.n_edges] for period in periods])
        distances = np.array([[0.0 if np.isnan(period.distance) else period.distance] for period in periods])
        scores = {
            "entropies": change_scores([period.entropies for period in periods], short=short, long=long),
            "signatures": change_scores(distances, short=short, long=long),
            "degree control": change_scores(sizes, short=short, long=long),
        }
        for method, score in scores.items():
            assert len(score) == len(periods)
            order = np.argsort(-score, kind="stable").tolist()
            for event in facts["events"]:
                near = range(event - facts["within"], event + facts["within"] + 1)
                ranks = {"rank": min(order.index(period) + 1 for period in near), "exact": order.index(event) + 1}
                yield {"data": name, "periods": len(periods), "method": method, "event": event, **ranks}


def role_rows():
    """Yield how well classes are predicted from windows, from the whole graph, and from degrees."""
    for name, every in LABELLED.items():
        file = "hospital.csv.gz" if name == "hospital" else "bitcoin_otc_graph.csv.gz"
        path = str(data_folder() / "temporal" / file)
        batches = list(read_events(path, time="time", source="src", target="trg"))
        classes = _classes("hospital_labels.csv.gz" if name == "hospital" else "otc_gt.csv.gz")
        ends = [[end for batch in batches for end in getattr(batch, side)] for side in ("source", "target")]
        graph = graph_from_pairs(*ends)
        known = [label for label in graph.nodes.tolist() if label in classes]
        rows = graph.positions(known)
        truth = np.array([classes[label] for label in known])
        kinds = {"kind": ["approx", "quadratic"]}
        periods = list(embed_stream(batches, window=every, every=every, **kinds))
        places = [dict(zip(period.nodes.tolist(), range(len(period.nodes)), strict=True)) for period in periods]
        degrees = list(_period_degrees(batches, every))
        features = {
            "signatures over time": _moments(known, places, [period.signatures for period in periods]),
            "degrees over time": _moments(known, *zip(*degrees, strict=True)),
            "static signatures, R = 1": embed(graph, 1, **kinds)[rows],
            "static signatures, R = 2": embed(graph, 2, **kinds)[rows],
            "degree control": control(graph)[rows],
        }
        features["signatures over time and static, R = 2"] = np.hstack(
            [features["signatures over time"], features["static signatures, R = 2"]]
        )
        for method, values in features.items():
            micro, macro = _cross_validated(values, truth)
            yield {"data": name, "method": method, "nodes": len(known), "columns": values.shape[1],
                   "micro_f1": micro, "macro_f1": macro}  # fmt: skip


def _classes(file):
    with gzip.open(data_folder() / "temporal" / file, "rt") as stream:
        return {row["node"]: row["label"] for row in csv.DictReader(stream)}


def _period_degrees(batches, every):
    """Yield place and ln(1 + degree), ln(1 + contacts) of each node in each period."""
    edges = {}
    for batch in batches:
        for time, u, v in zip(batch.times, batch.source, batch.target, strict=True):
            edges.setdefault(time // every, []).append((u, v))
    for period in edges.values():
        graph = graph_from_pairs(*zip(*period, strict=True))
        ends, contacts = np.unique([end for edge in period for end in edge], return_counts=True)
        order = dict(zip(ends.tolist(), contacts.tolist(), strict=True))
        labels = graph.nodes.tolist()
        values = np.log1p(np.column_stack([graph.degrees, [order[label] for label in labels]]))
        yield {label: i for i, label in enumerate(labels)}, values


def _moments(known, places, values):
    """Return mean and deviation of each node's columns over the periods that have it, and the share of these."""
    rows = []
    for label in known:
        own = np.array([row[place[label]] for place, row in zip(places, values, strict=True) if label in place])
        rows.append(np.concatenate([own.mean(axis=0), own.std(axis=0), [len(own) / len(places)]]))
    return np.array(rows)


def _cross_validated(values, truth):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000, class_weight="balanced"))
    scores = []
    for seed in range(5):
        n_folds = min(10, int(np.unique(truth, return_counts=True)[1].min()))
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        found = cross_val_predict(model, values, truth, cv=folds)
        scores.append([f1_score(truth, found, average=average) for average in ("micro", "macro")])
    micro, macro = np.mean(scores, axis=0)
    return float(micro), float(macro)


def anomaly_rows():
    """Yield the mean area under the ROC curve for each graph, shape and method."""
    from sklearn.metrics import roc_auc_score

    methods = {
        "entropies given size and edges": anomaly_scores,
        "isolation forest on ReFeX": lambda graph: _isolation(refex.recursive_features(graph).values),
        "isolation forest on the degree control": lambda graph: _isolation(control(graph)),
    }
    for file in GRAPHS:
        base = read_graph(data_folder() / "graphs" / file, directed=False)
        for shape in SHAPES:
            cases = [injected(base, shape, seed) for seed in SEEDS]
            for method, score in methods.items():
                areas = [roc_auc_score(truth, score(graph)) for graph, truth in cases]
                yield {"graph": file.partition(".")[0], "shape": shape, "method": method,
                       "area": float(np.mean(areas)), "deviation": float(np.std(areas))}  # fmt: skip


def _isolation(values):
    from sklearn.ensemble import IsolationForest

    logarithms = np.log1p(np.maximum(values, 0.0))
    return -IsolationForest(n_estimators=200, random_state=0).fit(logarithms).score_samples(logarithms)


def injected(graph, shape, seed):
    """Return a graph with 20 nodes that have the links of an anomaly, and which they are."""
    generator = np.random.default_rng(seed)
    nodes = generator.choice(graph.n_nodes, 20, replace=False)
    rows = graph.sources
    edges = [np.stack([rows, graph.indices], axis=1)]
    if shape == "clique":
        edges += [np.array([(u, v) for u in half for v in half if u < v]) for half in (nodes[:10], nodes[10:])]
    for node in nodes if shape != "clique" else ():
        ends = generator.choice(graph.n_nodes, 40 if shape == "star" else 2, replace=False)
        if shape == "bridge":
            # Two places: a random node and up to four of its neighbours.
            ends = np.concatenate(
                [[end, *graph.indices[graph.indptr[end] : graph.indptr[end + 1]][:4]] for end in ends]
            )
        edges.append(np.column_stack([np.full(ends.size, node), ends]))
    pairs = np.concatenate(edges)
    return graph_from_ids(pairs[:, 0], pairs[:, 1], n_nodes=graph.n_nodes), np.isin(np.arange(graph.n_nodes), nodes)
