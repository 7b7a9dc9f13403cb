"""Is this version slower than another? ``python -m benchmarks turns --other COMMIT_OR_CHECKOUT [--rounds 3]``.

Fresh processes of the two versions take turns, graph by graph; the best time of each case counts, and rows are
compared. Radius 1 is also compared with igraph, and 1,000 molecules are embedded one by one. The cold start is the
first ``embed(karate, 2)`` of a process with an empty compile cache. About 25 minutes on two processors; results are
printed and written after each graph, so an interrupted run keeps what it has measured.
"""

import io
import json
import subprocess
import tarfile
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import gmean

from benchmarks.harness import ROOT, in_fresh_process, say, target
from benchmarks.turns_worker import MOLECULES

COLD = "karate, cold start"
THREADS = (1, 2)
SMALL, LARGE = ("ca-GrQc", "email-Eu-core"), ("facebook_combined", "dblp-2010", "usroads", "email-Enron")
OTHERS = ("weighted", "out")
CASES = [
    (COLD, 2, None, "plain"), (MOLECULES, 2, 1, "plain"),
    *product((*SMALL, *LARGE, "musae_github"), (1,), THREADS, ("plain",)),
    *product((*SMALL, *LARGE), (2,), THREADS, ("plain",)), ("musae_github", 2, 2, "plain"),
    *product((*SMALL, *LARGE[:3]), (3,), THREADS, ("plain",)), ("email-Enron", 3, 2, "plain"),
    *product(SMALL, (1, 2, 3), THREADS, OTHERS), *product(LARGE, (1, 2), (2,), OTHERS),
    *product((*SMALL, "facebook_combined", "email-Enron"), (1,), THREADS, ("exact",)),
    *product(("ca-GrQc",), (2, 3), (2,), ("exact",)), ("facebook_combined", 1, 2, "punctured"),
]  # fmt: skip
"""Graph, radius, threads, other parameters; radius 1 on one thread, which igraph is compared with, comes first."""


def checkout_of(other, folder):
    """Return a checkout: the given one, or a commit's files, unpacked."""
    if Path(other).is_dir():
        return Path(other).resolve()
    packed = subprocess.run(["git", "archive", other, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder / "other", filter="data")
    return folder / "other"


def turns(quick, other, rounds, keep):
    """Measure two versions in turns; `keep` is called with the results so far after each graph."""
    names = ("graph", "radius", "threads", "how")
    rows = [dict(zip(names, case, strict=True)) for case in CASES if not quick or case[0] in (COLD, "ca-GrQc")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sides = {"other": checkout_of(other, folder), "this": ROOT}
        for turn, graph in product(range(rounds), dict.fromkeys(row["graph"] for row in rows)):
            measured = f"round {turn + 1} of {rounds}, {graph}"
            say(measured)
            own = [row for row in rows if row["graph"] == graph]
            for side, checkout in sides.items():
                command = ["benchmarks.turns_worker", json.dumps(own), folder / side]
                if graph == COLD:
                    command = ["benchmarks.cold_start"]
                cache = folder / f"cache-{side}{turn if graph == COLD else ''}"
                times = in_fresh_process(*command, PYTHONPATH=checkout / "src", NUMBA_CACHE_DIR=cache)
                for row, seconds in zip(own, times, strict=False):
                    row[f"{side}_s"] = min(seconds, row.get(f"{side}_s", seconds))
                if len(times) > len(own):
                    own[0]["igraph_s"] = min(times[-1], own[0].get("igraph_s", times[-1]))
            for i, row in enumerate(own):
                row["this_over_other_ratio"] = row["this_s"] / row["other_s"]
                kept = [folder / f"{side}-{graph}-{i}.npy" for side in sides]
                if kept[0].exists():
                    row["difference"] = float(np.abs(np.subtract(*map(np.load, kept))).max())
                if "igraph_s" in row:
                    row["this_over_igraph_ratio"] = row["this_s"] / row["igraph_s"]
                say(row)
            found = [row for row in rows if "this_s" in row]
            settings = {"rounds": rounds, "other": str(other), "measured": measured}
            results = {"settings": settings, "targets": targets_of(found), "tables": {"turns": found}}
            keep(results)
    return results


def targets_of(rows):
    """Return the targets that can be judged by these rows."""
    special = {row["graph"]: row for row in rows if row["graph"] in (COLD, MOLECULES)}
    targets = [target("first embed(karate, 2), empty caches", special[COLD]["this_s"], " s", at_most=2.0)]
    if MOLECULES in special:
        alone = special[MOLECULES]["this_over_other_ratio"]
        targets.append(target("molecules over the other version", alone, "x", at_most=3.0))
    ratios = [row["this_over_other_ratio"] for row in rows if row["graph"] not in special]
    if ratios:
        peers = [row["this_over_igraph_ratio"] for row in rows if "igraph_s" in row]
        targets += [
            target("largest time over that of the other version", max(ratios), "x", at_most=1.1),
            target("geometric mean of these", float(gmean(ratios)), "x", at_most=1.03),
            target("largest time at radius 1 over igraph's", max(peers), "x", at_most=1.0),
        ]
    return targets
