"""Graphs over time: change points, roles, injected anomalies."""

from experiments.live_graphs import ANOMALIES, CHANGES, LABELLED, PEERS, ROLES, STREAMS
from experiments.report.tables import number, table
from experiments.storage import read_rows


def render():
    """Return the sections on graphs over time."""
    return "\n".join([_changes(), _roles(), _anomalies()])


def _columns(rows, *names):
    """Return the distinct values of some columns, in order."""
    return [dict(zip(names, key, strict=True)) for key in dict.fromkeys(tuple(row[n] for n in names) for row in rows)]


def _only(rows, **values):
    [row] = [row for row in rows if all(row[name] == value for name, value in values.items())]
    return row


def _changes():
    rows = read_rows(CHANGES)
    cases = _columns(rows, "data", "event")
    lines = []
    for method in (one["method"] for one in _columns(rows, "method")):
        cells = [_only(rows, method=method, **case) for case in cases]
        lines.append([method, *(f"{cell['rank']} ({cell['exact']})" for cell in cells)])
    names = [f"{case['data']}, {case['event']}" for case in cases]
    days, sessions = (_only(_columns(rows, "data", "periods"), data=name)["periods"] for name in STREAMS)
    return f"""## Change points

Rank of each event, counted from 0, among {days} days of uci-messages, where the day before or after counts, too, and
{sessions} sessions of us-legislature; in brackets, the rank of the very period. *Entropies* scores the two entropies of
each period's graph, with weights; *signatures*, the distance between the signatures of consecutive periods; the *degree
control*, numbers of nodes and edges, with the same function. LAD (Huang, Hitti, Rabusseau, Rabbany, "Laplacian Change
Point Detection for Dynamic Graphs", KDD 2020) is run on the undirected graphs by its description (six eigenvalues,
contexts of 7 and 14 days, 1 and 2 sessions), and in its authors' way: messages are directed, and the last one of a
pair counts. Their code, run on their data (github.com/shenyangHuang/LAD, commit 5833023), gives the same ranks,
except among periods without an increase; it names days 65, 73, 94, 115, 122, 142, 157, 177, 180 and 191, and sessions
3 and 7. The text of the paper was not available; only its abstract was found. Notes in an earlier state of that
repository (commit 09faade) list sessions 3 and 7 for a context of one session, 5 and 10 for contexts of 1 and 2, and
ten days for each of eight choices of contexts: day 65 is among them once, day 158 or a day next to it never. How
entropies are scored was chosen among several hundred variants with these four events in view, so their ranks show what
is possible, and not what to expect elsewhere; LAD had no such help.

{table(["method", *names], lines)}"""


def _roles():
    rows = sorted(read_rows(ROLES) + read_rows(PEERS), key=lambda row: list(LABELLED).index(row["data"]))
    lines = [
        [row["data"], row["method"], str(row["nodes"]), str(row["columns"]), number(row["micro_f1"]),
         number(row["macro_f1"])]
        for row in rows
    ]  # fmt: skip
    hours, days = LABELLED["hospital"] / 3600, LABELLED["bitcoin-otc"] / 86400
    return f"""## Roles over time

Jobs of the people in a hospital ward (periods of {hours:g} hour) and trusted or fraudulent traders of bitcoin-otc
(periods of {days:g} days), predicted by balanced logistic regression; ten folds, or as many as the rarest class has
members, five times. *Over time*: mean and standard deviation over the periods, and the share of periods with a link.
Ratings are not used. Temporal-SIR-GN (Layne, Carpenter, Serra, Gullo, PVLDB 16(9), 2023) is its authors' code with the
parameters that they recommend for these graphs (github.com/janetlayne2/Temporal-SIR-GN, commit e5ee325; bitcoin-otc as
a directed graph), scored in the same way. Its published figures were not found: the repository and its appendix have
none for these graphs, and a search for the paper found abstracts only.

{table(["data", "method", "nodes", "columns", "micro-F1", "macro-F1"], lines, texts=2)}"""


def _anomalies():
    rows = read_rows(ANOMALIES)
    cases = _columns(rows, "graph", "shape")
    lines = []
    for method in (one["method"] for one in _columns(rows, "method")):
        cells = [_only(rows, method=method, **case) for case in cases]
        lines.append([method, *(number(cell["area"], 2) for cell in cells)])
    return f"""## Injected anomalies

Area under the ROC curve for finding 20 nodes that were given the links of two cliques of 10, of stars of 40, or of
bridges between two places of the graph; mean over five seeds that were not used to choose the score. Degrees alone
reveal stars and cliques in sparse graphs.

{table(["method", *(f"{case['graph']}, {case['shape']}" for case in cases)], lines)}"""
