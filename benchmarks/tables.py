"""Measured tables inside documents, rendered from results: ``python -m benchmarks readme`` updates them.

The text between ``<!-- table: NAME -->`` and ``<!-- end of table -->`` is generated and never edited by hand. Speed and
scaling come from the JSON files of the benchmarks, graph learning from those of the experiments, and everything else
from the reports of the experiments, which are rendered from their own results.
"""

import csv
import json
import math
import re
import textwrap
from functools import partial
from statistics import mean, stdev

from benchmarks.harness import RESULTS, ROOT, seconds, table, two_digits

DOCUMENTS = (
    "README.md", "docs/choosing.md", "docs/comparison.md", "docs/expressivity.md", "docs/gpu.md", "docs/learning.md",
    "docs/live.md", "docs/molecules.md", "docs/reproducing.md", "docs/scaling.md",
)  # fmt: skip
COMMAND = "python -m benchmarks readme"
EXPERIMENTS = ROOT / "experiments"
ROLES = EXPERIMENTS / "REPORT.md"
SURVEY = EXPERIMENTS / "roles_benchmark" / "REPORT.md"
CLASSES = EXPERIMENTS / "classification" / "REPORT.md"
NONE = "–"
_PLACE = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end of table -->)", flags=re.DOTALL)


def filled(text):
    """Return a document with all of its tables rendered from the current results."""
    return _PLACE.sub(lambda match: f"{match[1]}{TABLES[match[2]]()}{match[3]}", text)


def write_documents():
    """Update the tables of all documents, and return the documents that changed."""
    changed = []
    for path in (ROOT / name for name in DOCUMENTS):
        before = path.read_text(encoding="utf-8")
        if (after := filled(before)) != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed


def results(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def measured_on(found):
    """Return when and where something was measured."""
    processor = re.sub(r"\(R\)|\(TM\)|Processor |CPU ", "", found["machine"]["processor"]).replace(" @ ", ", ").strip()
    return f"Measured {found['date']} on {found['machine']['cpus']} cores of an {processor}."


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def radius_two():
    return [row for row in results("core")["tables"]["speed"] if row["radius"] == 2]


def speed():
    """Return the README's speed table and the sentences below it."""
    core, [stream] = results("core"), results("variants")["tables"]["stream"]
    peers = {row["graph"]: row for row in core["tables"]["radius_1_and_triangles_in_igraph"]}
    [memory] = core["tables"]["memory"]
    rows = [
        [row["graph"], f"{row['nodes']:,}", f"{row['edges']:,}", seconds(peers[row["graph"]]["ours_s"]),
         seconds(peers[row["graph"]]["igraph_s"]), seconds(row["two_threads_s"]),
         f"{seconds(row['naive_s'])} ({row['naive_ratio']:,.0f}x)"]
        for row in radius_two()
    ]  # fmt: skip
    header = ["graph", "nodes", "edges", "radius 1", "triangles in igraph", "radius 2", "plain networkx, radius 2"]
    return f"{table(header, rows)}\n" + paragraph(
        f"{measured_on(core)} Radius 1 and igraph use one thread and were timed in alternation: both count triangles, "
        "igraph in C. Radius 2 uses two threads; the networkx time is extrapolated from a sample of nodes. Peak memory "
        f"on top of the graph, {memory['graph']} at radius {memory['radius']}: {memory['peak_mb']:.0f} MB. After one "
        f"edge changes, `update` takes {stream['share']:.1%} of the time of a full run at radius 1."
    )


def targets():
    """Return the speed and memory targets, and whether each is met."""
    rows = [
        [f"one GPU: {row['what']}" if name == "cuda" else row["what"], row["target"], row["measured"],
         "yes" if row["met"] else "**no**"]
        for name in ("core", "variants", "reading", "scale", "cuda")
        for row in results(name)["targets"]
    ]  # fmt: skip
    return table(["what", "target", "measured", "met"], rows)


def cuda():
    """Return times on a GPU."""
    found = results("cuda")
    rows = [
        [row["graph"], str(row["radius"]), seconds(row["device_s"]), seconds(row["whole_s"])]
        for row in found["tables"]["graphs"]
    ]
    note = paragraph(
        f"Medians, measured {found['date']} on one {found['settings']['device']} with CuPy "
        f"{found['settings']['cupy']}. *On the device* starts with the plan and the graph on the GPU and ends with the "
        "rows in host memory; *whole call* is `embed` from `Graph` to matrix."
    )
    return table(["graph", "radius", "on the device", "whole call"], rows) + "\n" + note


def live():
    """Return changes per second of a live graph."""
    found = results("live")
    rows = [
        [row["graph"], *(f"{1000 * round(row[f'{labels}_per_second'] / 1000):,}" for labels in ("integers", "strings")),
         f"{row['against_update_ratio']:.0f}", f"{row['peak_bytes_per_arc']:.0f}", f"{row['recomputed_share']:.0%}"]
        for row in found["tables"]["graphs"]
    ]  # fmt: skip
    note = paragraph(
        f"{measured_on(found)} One thread, per second of processor time, half of the changes removals; signatures are "
        f"read after every {found['settings']['batch']:,} changes. *Beside update* compares with `update`, one edge at "
        "a time, in the same run. *Bytes per arc* is the peak while the graph grows. *Recomputed* is the share of "
        f"nodes that radius 2 computes after {found['settings']['changes_at_radius_2']:,} changes."
    )
    header = ["graph", "changes/s, integers", "strings", "beside update", "bytes per arc", "recomputed"]
    return table(header, rows) + "\n" + note


def ray():
    """Return the time of a small Ray cluster compared with threads."""
    found = results("scale")
    [row] = found["tables"]["cluster"]
    names = {
        "2 threads": "threads_s",
        "Ray, 2 workers, including cluster start": "ray_s",
        "Ray, 2 workers, cluster running": "ray_running_s",
    }
    rows = [[name, seconds(row[key]), f"{row[key] / row['threads_s']:.2f}x"] for name, key in names.items()]
    same = "identical to the last bit" if row["identical"] else "**not identical**"
    note = paragraph(
        f"{measured_on(found)} A generated scale-free graph of {row['nodes']:,} nodes and {row['edges']:,} edges, "
        f"radius {row['radius']}. The rows are {same}."
    )
    return table(["engine", "time", "relative to threads"], rows) + "\n" + note


def workers():
    """Return the private memory of Ray workers that share a graph."""
    [row] = results("scale")["tables"]["workers"]
    idle, busy, hubs = (max(row[key]) for key in ("baseline_mb", "above_mb", "above_at_hubs_mb"))
    return paragraph(
        f"Measured with two workers that share a graph of {row['nodes']:,} nodes ({row['graph_mb']:.0f} MB): an idle "
        f"worker uses {idle:.0f} MB of private memory, a working one at most {busy:.0f} MB more, or {hubs:.0f} MB more "
        "for the balls of the largest hubs."
    )


def mapped():
    """Return time and memory of a graph that is mapped from disk."""
    found = results("scale")
    [row] = found["tables"]["mapped"]
    names = {"private memory": "own_mb", "pages of mapped files": "mapped_mb", "both together": "together_mb"}
    note = paragraph(
        f"{measured_on(found)} A generated graph of {row['nodes']:,} nodes and {row['edges']:,} edges "
        f"({row['file_mb']:,.0f} MB as `.vng`), radius 1, `--max-memory` of {row['limit_mb']:,.0f} MB, which the "
        f"operating system enforced for private memory: {seconds(row['seconds_s'])}, or {row['ns_per_edge']:.0f} ns of "
        "processor time per edge. The three peaks need not occur at the same moment."
    )
    return table(["peak of", "memory"], [[name, f"{row[key]:,.0f} MB"] for name, key in names.items()]) + "\n" + note


def unit_costs():
    """Return how large 2-balls are, and what one of their arcs costs."""
    rows = [
        [row["graph"], *(f"{row[key]:,}" for key in ("nodes", "largest_degree")), f"{row['arcs']:,.0f}",
         f"{row['arcs'] / row['nodes']:,.0f}", f"{two_digits(1e9 * row['processor_s'] / row['arcs'])} ns"]
        for row in sorted(radius_two(), key=lambda row: -row["arcs"] / row["nodes"])
    ]  # fmt: skip
    header = ["graph", "nodes", "largest degree", "arcs in all 2-balls", "arcs per ball", "time per arc"]
    note = f"Processor time. {measured_on(results('core'))} An edge counts as two arcs."
    return table(header, rows) + "\n" + paragraph(note)


def billion():
    """Return the worked plan for a billion edges, from measured unit costs."""
    per_edge = results("scale")["tables"]["mapped"][0]["ns_per_edge"] * 1e-9
    [musae] = [row for row in radius_two() if row["graph"] == "musae_github"]
    per_arc = musae["processor_s"] / musae["arcs"]
    balls, arcs, edges, cpus = 3.3e7, 3e5, 1e9, 64
    whole, unit = 2 * edges * per_arc, f"{two_digits(per_arc * 1e9)} ns"
    plans = {
        "radius 2": (f"33 million balls x 300,000 arcs x {unit}", balls * arcs * per_arc),
        "radius 2, large hubs": ("ten times as much", 10 * balls * arcs * per_arc),
        "radius 3, all nodes": (f"33 million balls x 2 billion arcs x {unit}", balls * whole),
        "radius 3, 1,000 nodes (`--nodes`)": (f"1,000 balls x 2 billion arcs x {unit}", 1000 * whole),
    }
    first = ["radius 1, one machine", f"1 billion edges x {per_edge * 1e9:.0f} ns", seconds(edges * per_edge), "-"]
    rows = [[what, how, seconds(total), seconds(total / cpus)] for what, (how, total) in plans.items()]
    return table(["run", "arithmetic", "CPU time", "4 machines with 16 CPUs each"], [first, *rows], words=2)


def report_tables(path, heading):
    """Return the tables below a heading of a report, each as rows of cells with the header first."""
    found = re.search(
        rf"^#+ {re.escape(heading)}.*?\n(.*?)(?=^#|\Z)", path.read_text(encoding="utf-8"), re.DOTALL | re.M
    )
    blocks = re.findall(r"(?:^\|.*\n?)+", found[1], re.M)
    return [
        [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in block.splitlines()
            if set(line) - set("|-: ")
        ]
        for block in blocks
    ]


def report_table(path, heading, columns=None, words=1):
    """Return the first table below a heading of a report, or its first columns."""
    header, *rows = (row[:columns] for row in report_tables(path, heading)[0])
    return table(header, rows, words=words)


def rings():
    """Return the accuracy of every method on rings of shapes, clean and perturbed."""
    titles = {
        "houses, not perturbed": "houses", "houses, 5 rewired": "houses, 5 links rewired",
        "varied, not perturbed": "all shapes", "varied, 10 rewired": "all shapes, 10 links rewired",
    }  # fmt: skip
    cells = {}
    for heading in titles:
        header, *rows = report_tables(ROLES, heading)[0]
        measured = [dict(zip(header, row, strict=True)) for row in rows]
        most = max(int(row["graphs"]) for row in measured)
        for row in measured:
            scope = "" if int(row["graphs"]) == most else f" ({row['graphs']} of {most})"
            cells.setdefault(row["method"], []).append(row["accuracy"] + scope)
    return table(["method", *titles.values()], [[name, *values] for name, values in cells.items()])


SETS = ("Basic", "Basic Perturbed", "Varied", "Varied Perturbed")


def published(cell, first, words=1):
    """Return something of every row of the paper's four tables of rings."""
    cells = {}
    for name in SETS:
        for row in report_tables(ROLES, f"Published graphs: {name}")[0][1:]:
            if cell(row):
                cells.setdefault(row[0], []).append(cell(row))
    return table([first, *SETS], [[name, *values] for name, values in cells.items()], words=words)


def accuracy_cell(row):
    """Return accuracy and macro-F1, and on how many graphs."""
    return f"{row[4]} / {row[5]}" + ("" if row[6] in ("", "20") else f" ({row[6]} of 20)")


def published_settings():
    """Return how near GraphWave and RolX come to print in other settings, without the repeated random starts."""
    rows = report_tables(ROLES, "What the rows of GraphWave and RolX depend on")[0]
    return table(rows[0], [row for row in rows[1:] if not re.match(r"start \d", row[1])], words=2)


def cost():
    """Return time and memory of every method on random graphs of increasing size."""
    rows = report_tables(ROLES, "Cost")[0]
    return table(["method", *rows[0][1:]], rows[1:])


def airports():
    """Return the accuracy of node classification on graphs with known roles."""
    rows = report_tables(ROLES, "Airports, actor, film")[0]
    kept = [0] + [place for place, words in enumerate(rows[0]) if words.endswith("logistic")]
    header = [rows[0][place].removesuffix(", logistic") for place in kept]
    return table(header, [[row[place] for place in kept] for row in rows[1:]])


def class_rows():
    """Return header and rows of the accuracy of graph classifiers under both protocols."""
    rows = report_tables(CLASSES, "Accuracy in percent")[0]
    name, kept = "", []
    for row in rows[1:]:
        name = row[0].strip("*") or name
        if row[1] in ("honest, ours", "optimistic, ours"):
            kept.append([name, row[1].removesuffix(", ours"), *row[2:]])
        elif row[1] == "averaged, ours":
            # No choice depends on a test fold.
            kept.append([f"{name}, averaged", "honest", *row[2:]])
    return [rows[0], *sorted(kept, key=lambda row: row[1])]


def classification():
    """Return the accuracy of graph classifiers under both protocols."""
    header, *rows = class_rows()
    return table(header, rows, words=2)


def molecules():
    """Return the accuracy of classifiers on MUTAG under the honest protocol, best first."""
    header, *rows = class_rows()
    found = [[row[0], row[header.index("MUTAG")]] for row in rows if row[1] == "honest"]
    return table(["model", "MUTAG"], sorted(found, key=lambda row: -float(row[1].split()[0])))


CATEGORIES = {
    "basic": "basic", "regular": "regular", "str": "strongly regular", "4vtx": "4-vertex condition",
    "dr": "distance-regular", "extension": "extension", "cfi": "CFI",
}  # fmt: skip
SHOWN = (
    "quadratic, radius 2", "approx, radius 1", "approx, radius 2", "approx, radius 4", "exact, radius 1",
    "exact, radius 2", "exact, radius 4", "normalized, radius 2", "normalized, radius 4", "punctured, radius 2",
    "punctured, radius 4", "exact, mean and std", "all kinds, mean and std", "all kinds, mean and std, radius 4",
)  # fmt: skip
COLLECTIONS = ("PROTEINS", "NCI1", "ENZYMES", "IMDB-BINARY", "REDDIT-BINARY", "COLLAB")
STUDENT = 2.262
"""The 97.5% quantile of Student's t with nine degrees of freedom: intervals are over ten folds."""


def learned(folder, name):
    return json.loads((EXPERIMENTS / "results" / folder / f"{name}.json").read_text(encoding="utf-8"))


def expressivity():
    """Return how many pairs of BREC each signature separates, by category."""
    kinds, large, deck = (learned("expressivity", part) for part in ("all_kinds", "large_radii", "deck"))
    last, cards, protocol = list(large)[-1], deck["deck of exact, radius 2"], kinds["protocol"]
    rows = {name: kinds["signatures"][name] for name in SHOWN}
    rows |= {name: row for name, row in large.items() if name.endswith(("radius 6", "radius 8")) or name == last}
    rows["the last row, and decks"] = large[last] | {"dr": cards["dr"]}
    rows[f"{protocol['signature']}, BREC's own test"] = protocol
    lines = []
    for name, row in [*rows.items(), ("*pairs*", kinds["pairs"])]:
        counts, mark = [row[key] for key in CATEGORIES], "" if name == "*pairs*" else "**"
        lines.append([name, *map(str, counts), f"{mark}{sum(counts)}{mark}"])
    return table(["signature", *CATEGORIES.values(), "all"], lines)


def accuracies(network):
    """Return the accuracy of a network with each encoding: means and 95% intervals over folds."""
    found = {}
    for cell in learned("encodings", "accuracies"):
        if cell["network"] == network:
            folds = [mean(column) for column in zip(*cell["accuracies"], strict=True)]
            found[cell["collection"], cell["encoding"]] = mean(folds), STUDENT * stdev(folds) / math.sqrt(len(folds))
    names = [name for name in (*COLLECTIONS, "brazil-airports", "europe-airports") if (name, "none") in found]
    lines = []
    for encoding in dict.fromkeys(encoding for _, encoding in found):
        line = [encoding]
        for name in names:
            value = found.get((name, encoding))
            text = NONE if value is None else f"{100 * value[0]:.1f} ± {100 * value[1]:.1f}"
            best = max(one for (collection, _), one in found.items() if collection == name)
            line.append(f"**{text}**" if value and value[0] == best[0] else text)
        lines.append(line)
    return table([network, *names], lines)


def encoding_time():
    """Return the CPU time of each encoding."""
    times = learned("encodings", "seconds")
    lines = [[one, *(seconds(times[name][one]) for name in COLLECTIONS)] for one in times[COLLECTIONS[0]]]
    for radius in (1, 2):
        ratios = [times[name]["random walk"] / times[name][f"vnestruct, radius {radius}"] for name in COLLECTIONS]
        lines.append([f"random walk / vnestruct, radius {radius}", *(f"{ratio:.1f}x" for ratio in ratios)])
    return table(["CPU time", *COLLECTIONS], lines)


def fair_splits():
    """Return the accuracy of signature heads on the published splits, next to published figures."""
    known, lines = learned("fair_splits", "published"), []
    for name, figures in known["rows"].items():
        ours = learned("fair_splits", name)
        text = f"{100 * ours['accuracy']:.1f} ± {100 * ours['deviation']:.1f}"
        lines.append([name, text, *(NONE if figure is None else str(figure) for figure in figures)])
    return table(["collection", "signature heads", *known["columns"]], lines)


def matching():
    """Return the precision at 1 and 10 of matching nodes with a copy that has lost edges."""
    with (EXPERIMENTS / "results" / "matching.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cells = {}
    for row in rows:
        text = " / ".join(f"{float(row[f'precision at {k}']):.3f}".lstrip("0") for k in (1, 10))
        cells.setdefault((row["graph"], row["removed"]), {})[row["method"]] = text
    methods = list(dict.fromkeys(row["method"] for row in rows))
    lines = [
        [graph, f"{removed}%", *(own.get(one, NONE) for one in methods)] for (graph, removed), own in cells.items()
    ]
    return table(["graph", "edges removed", *methods], lines)


TABLES = {
    "speed": speed, "targets": targets, "rings": rings,
    "claims": partial(report_table, ROLES, "The paper's claims", 2, 2), "cost": cost, "airports": airports,
    "published": partial(published, accuracy_cell, "accuracy / macro-F1"),
    "published-rows": partial(published, lambda row: row[7], "row", words=5),
    "published-settings": published_settings, "published-enron": partial(report_table, ROLES, "Everyone clustered"),
    "survey": partial(report_table, SURVEY, "All rows"), "verdict": partial(report_table, SURVEY, "Verdict"),
    "search": partial(report_table, SURVEY, "Search for rare roles: precision@5"),
    "clusters": partial(report_table, SURVEY, "Clustering without labels"),
    "enron": partial(report_table, ROLES, "Without unknown positions", 5),
    "classification": classification, "molecules": molecules, "cuda": cuda, "live": live, "ray": ray,
    "workers": workers, "mapped": mapped, "unit-costs": unit_costs, "billion": billion, "expressivity": expressivity,
    "gin": partial(accuracies, "GIN"), "gps": partial(accuracies, "GPS"), "encoding-time": encoding_time,
    "fair-splits": fair_splits, "matching": matching,
}  # fmt: skip
