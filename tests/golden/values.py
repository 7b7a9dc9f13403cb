"""What must not change while the code does: rows and roles to the bit, hashes of graphs, errors of malformed files.

Only public names are used, so that the values can be computed again whatever becomes of the code behind them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import math
import os
import re
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import igraph
import networkx
import numpy as np
import pandas
import polars
from scipy import sparse

from tests import generators
from tests.generators import planted
from tests.graphs import ZOO, edges_of
from tests.io.malformed.builders import BUILT
from tests.io.malformed.cases import CASES
from tests.io.malformed.cases import FOLDER as MALFORMED
from vnestruct import Graph, RoleClusterer, VNEstructError, as_graph, embed, read_graph
from vnestruct.cli import main
from vnestruct.io import write_graph

FOLDER = Path(__file__).parent
FILES = FOLDER / "files"
DATA = Path(os.environ.get("VNESTRUCT_DATA") or FOLDER.parents[2] / "shared" / "data")

SIZES = "sizes"  # the kind that gives the numbers the other cheap kinds are made of
CHEAP = {"approx": "approx", "quadratic": "quadratic", "unscaled": "unscaled", "sizes": SIZES}
DIRECTIONS = ("all", "out", "in", "out+in")

# Graphs of at most 50 nodes may be computed in another way; with a path beside them, none is that small.
PADDING = [(node, node + 1) for node in range(59)]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def logarithms() -> str:
    """Tell C libraries apart whose logarithms differ in their last bits."""
    return digest(struct.pack("<20000d", *(math.log((number + 0.5) / 20_000) for number in range(20_000))))


def graph_of(edges: np.ndarray, n_nodes: int, *, weighted: bool = False, directed: bool = False) -> Graph:
    """A graph on 0..n-1 with weights, many of them equal, that follow from the labels of the two ends."""
    source, target = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64)
    weights = ((source * 7919 + target * 104_729) % 97 // 4 + 1) / 8 if weighted else np.ones(len(edges))
    matrix = sparse.csr_array((weights, (source, target)), shape=(n_nodes, n_nodes))
    return as_graph(matrix if directed else matrix + matrix.T, directed=directed)


def arcs_of(edges: np.ndarray) -> np.ndarray:
    """A third of the edges one way, a third the other way, a third both ways."""
    way = (edges[:, 0] * 31 + edges[:, 1] * 17) % 3
    return np.concatenate([edges[way != 1], edges[way != 0][:, ::-1]])


Call = tuple[str, Any, dict[str, Any]]


def calls(edges: np.ndarray, n_nodes: int, arcs: np.ndarray, largest: int) -> Iterator[Call]:
    """Names, graphs and options of `embed`."""
    plain, weighted = (graph_of(edges, n_nodes, weighted=one) for one in (False, True))
    directed, both = (graph_of(arcs, n_nodes, weighted=one, directed=True) for one in (False, True))
    every = list(CHEAP.values())
    for radius in range(1, largest + 1):
        for name, kind in CHEAP.items():
            yield f"{name} {radius}", plain, {"radius": radius, "kind": kind}
        yield f"weighted {radius}", weighted, {"radius": radius, "kind": every, "weighted": True}
        for direction in DIRECTIONS:
            options = {"radius": radius, "kind": every, "direction": direction}
            yield f"{direction} {radius}", directed, options
            yield f"weighted {direction} {radius}", both, options | {"weighted": True}
    for name, kind in CHEAP.items():
        yield f"weighted {name}", weighted, {"radius": largest, "kind": kind, "weighted": True}
    moments = {"radius": 2, "kind": every, "aggregate": ("mean", "std")}
    yield "several kinds, mean and std", plain, moments
    yield "weighted out+in, mean and std", both, moments | {"weighted": True, "direction": "out+in"}
    some = np.r_[np.arange(n_nodes)[::-3], 0, 0]
    yield "some nodes", plain, {"radius": largest, "nodes": some}
    yield "some nodes, weighted in, std", both, {
        "radius": 2, "nodes": some, "weighted": True, "direction": "in", "aggregate": "std",
    }  # fmt: skip
    yield "two graphs", [plain, weighted], {"radius": 2}
    for kind in ("roles", "profile", "noisy"):
        yield kind, plain, {"kind": kind}
    yield "weighted profile", weighted, {"kind": "profile", "weighted": True}
    yield "roles out+in", directed, {"kind": "roles", "direction": "out+in"}
    yield "profile out+in", directed, {"kind": "profile", "direction": "out+in"}
    yield "roles of two sides", as_graph(arcs, bipartite=True), {"kind": "roles"}


def rows(edges: np.ndarray, n_nodes: int, arcs: np.ndarray, largest: int = 3, names: str = "") -> dict[str, str]:
    """Digests of all rows, by one thread and by two; of the calls whose name matches a pattern."""
    found = {}
    for name, graph, options in calls(edges, n_nodes, arcs, largest):
        if re.search(names, name):
            found[name], again = (digest(embed(graph, n_jobs=jobs, **options).tobytes()) for jobs in (1, 2))
            if again != found[name]:
                found[name] += f", by two threads {again}"
    return found


def zoo() -> Iterator[tuple[str, np.ndarray, int]]:
    """The zoo, each graph beside a path of 60 nodes."""
    for name, graph in ZOO.items():
        n_nodes = graph.n_nodes
        yield name, np.array(edges_of(graph) + [(n_nodes + u, n_nodes + v) for u, v in PADDING]), n_nodes + 60


def rows_of_zoo() -> dict[str, dict[str, str]]:
    return {name: rows(edges, n_nodes, arcs_of(edges)) for name, edges, n_nodes in zoo()}


# Largest radius, and which calls.
ALL_CALLS, SOME_CALLS = "", r" 1$|^(approx|weighted|weighted out\+in) 2$|^(roles|profile|noisy)"
REAL = {
    "facebook_combined.txt.gz": (3, ALL_CALLS),
    "ca-GrQc.txt.gz": (3, ALL_CALLS),
    "email-Eu-core.txt.gz": (3, ALL_CALLS),
    "email-Enron.txt.gz": (2, SOME_CALLS),
    "musae_github_edges.csv.gz": (2, SOME_CALLS),
    "dblp-2010.txt.gz": (2, SOME_CALLS),
}


def rows_of_file(name: str, names: str | None = None) -> dict[str, str]:
    """All rows of a file, or those of other calls than usual."""
    largest, usual = REAL[name]
    graph = read_graph(DATA / "graphs" / name)
    pairs = np.column_stack([np.repeat(np.arange(graph.n_nodes), graph.degrees), graph.indices])
    arcs = arcs_of(pairs[pairs[:, 0] < pairs[:, 1]])
    if name == "email-Eu-core.txt.gz":  # which lists arcs
        labels = np.loadtxt(DATA / "graphs" / name, dtype=np.int64, usecols=(0, 1))
        pairs = np.unique(np.unique(labels, return_inverse=True)[1].reshape(-1, 2), axis=0)
        arcs = pairs[pairs[:, 0] != pairs[:, 1]]
    edges = np.unique(np.sort(arcs, axis=1), axis=0)
    return {"graph": graph.hash} | rows(edges, graph.n_nodes, arcs, largest, usual if names is None else names)


def ring(name: str) -> Graph:
    """One of the published rings with noise."""
    with zipfile.ZipFile(DATA / RINGS[name]) as archive:
        name = next(one for one in archive.namelist() if one.endswith(f"_{name.split()[1]}.edgelist"))
        return as_graph(np.loadtxt(io.BytesIO(archive.read(name)), usecols=(0, 1)).astype(np.int64))


# Graphs on which roles are measured: files of the data folder, rings in archives of it, and graphs made here.
ROLE_FILES = {
    **{name.split(".")[0]: f"graphs/{name}" for name in REAL if "dblp" not in name},
    **{name: f"roles/{name}-airports.edgelist" for name in ("brazil", "europe")},
    **{name: f"roles/{name}.edge.gz" for name in ("br-wiki-talk", "cy-wiki-talk", "ht-wiki-talk", "actor", "film")},
    "usa": "survey/usa-airports.edgelist",
    "reality-call": "survey/reality-call.edge.gz",
    "otc": "temporal/bitcoin_otc_graph.csv.gz",
}
RINGS = {
    f"{kind} {number}": f"published/rings/{kind}_perturbed.zip" for kind in ("basic", "varied") for number in range(10)
}
ROLES_MADE: dict[str, Callable[[], Graph]] = {
    "karate": lambda: as_graph(networkx.karate_club_graph()),
    "lesmis": lambda: as_graph(networkx.les_miserables_graph()),
    "barbell": lambda: generators.barbell(10, 7),
    "caves": lambda: planted.ring_of_caves()[0],
    "calls": planted.phone_calls,
    "talk": planted.talk_pages,
    "brokers 0": lambda: planted.planted_brokers(0)[0],
    "brokers 1": lambda: planted.planted_brokers(1, n_groups=5, groups=2)[0],
    "brokers 2": lambda: planted.planted_brokers(2, size=100, n_groups=20, n_brokers=15, groups=4, links=5)[0],
    "brokers 3": lambda: planted.planted_brokers(3, density=0.6)[0],
    "accounts 1": lambda: planted.planted_accounts(1)[0],
    "accounts 2": lambda: planted.planted_accounts(2)[0],
    "broadcasters 0": lambda: planted.planted_broadcasters(0)[0],
    "broadcasters 1": lambda: planted.planted_broadcasters(1)[0],
    "grid": lambda: generators.grid(30, 30),
    "4-regular": lambda: generators.random_regular(200, 4, seed=1),
    "8-regular": lambda: generators.random_regular(2000, 8, seed=1),
    "small world": lambda: generators.watts_strogatz(2000, 4, 0.05, seed=3),
    "random": lambda: generators.erdos_renyi(1000, 0.05, seed=3),
    "tree": lambda: generators.balanced_tree(3, 6),
}


# Every name, and the file it needs.
ROLES = ROLE_FILES | RINGS | dict.fromkeys(ROLES_MADE, __file__)


def roles_of(name: str) -> dict[str, Any]:
    """The hash of the graph and its roles."""
    if name in ROLES_MADE:
        graph = ROLES_MADE[name]()
    elif name in RINGS:
        graph = ring(name)
    else:
        options = {"source": 1, "target": 2, "weight": 0} if name == "otc" else {}
        graph = read_graph(DATA / ROLE_FILES[name], **options)
    direction = "out+in" if name.startswith("broadcasters") else "all"
    roles = RoleClusterer(direction=direction).fit(graph)
    labels = np.asarray(roles.labels_, dtype=np.int64)
    return {"graph": graph.hash, "n_roles": int(roles.n_roles_), "labels": digest(labels.tobytes())}


def hash_or_error(obj: Any, options: dict[str, Any]) -> str:
    try:
        return as_graph(obj, **options).hash
    except VNEstructError as error:
        return type(error).__name__


READING: dict[str, dict[str, Any]] = {
    "": {},
    "directed": {"directed": True},
    "undirected": {"directed": False},
    "bipartite": {"bipartite": True},
    "no sides": {"bipartite": False},
    "no weights": {"weight": False},
    "weights": {"weight": True},
    "columns 2, 1": {"source": 2, "target": 1},
    "columns 2, 1, directed": {"source": 2, "target": 1, "directed": True},
    "named columns": {"source": "to", "target": "from", "weight": "amount"},
}


def objects() -> dict[str, Any]:
    pairs = [("ann", "bob"), ("bob", "eve"), ("eve", "ann"), ("eve", "dan"), ("dan", "dan"), ("bob", "ann")]
    triples = np.array([(3, 1, 0.5), (1, 7, 2.0), (7, 3, 1.0), (9, 7, 0.25)])
    matrix = sparse.csr_array(([1.0, 2.0, 0.5], ([0, 1, 3], [1, 2, 0])), shape=(5, 5))
    frame = {"from": ["a", "b", "d"], "to": ["b", "c", "a"], "amount": [1.0, 0.5, 2.0]}
    network = networkx.DiGraph()
    network.add_weighted_edges_from([(5, 3, 1.5), (3, 4, 0.5), (4, 3, 2.0)])
    sided = networkx.Graph()
    sided.add_nodes_from([1, 2], bipartite=0)
    sided.add_nodes_from(["x", "y"], bipartite=1)
    sided.add_edges_from([(1, "x"), (1, "y"), (2, "y")])
    return {
        "pairs": pairs,
        "array": triples[:, :2].astype(int),
        "weighted array": triples,
        "dict": {1: [2, 3], 2: [3], 9: []},
        "sparse": matrix,
        "rectangular": sparse.csr_array(np.array([[1, 0, 1], [0, 1, 1]])),
        "networkx": networkx.karate_club_graph(),
        "networkx directed": network,
        "networkx bipartite": sided,
        "igraph": igraph.Graph(edges=[(0, 1), (1, 2), (3, 1)], directed=True, edge_attrs={"weight": [1.0, 2.0, 3.0]}),
        "pandas": pandas.DataFrame(frame),
        "polars": polars.DataFrame(frame),
    }


def hashes() -> dict[str, dict[str, str]]:
    """`Graph.hash` by file and way of reading; of objects; and of what `.vng` files give back."""
    found: dict[str, dict[str, str]] = {}
    given: dict[str, Any] = {path.name: path for path in sorted(FILES.iterdir())} | objects()
    for name, obj in given.items():
        found[name] = {way: hash_or_error(obj, options) for way, options in READING.items()}
        if isinstance(obj, Path):
            form = "groups" if name.startswith("groups") else name.removesuffix(".gz").rpartition(".")[2]
            found[name]["text"] = hash_or_error(obj, {"format": f"{form}+text"})
    with tempfile.TemporaryDirectory() as folder:
        for name, way in itertools.product(("plain.csv", "weighted.gml", "directed.gml", "sided.csv"), ("", "weights")):
            with contextlib.suppress(VNEstructError):
                path = Path(folder) / "graph.vng"
                write_graph(read_graph(FILES / name, **READING[way]), path)
                found[name][f".vng {way}".strip()] = read_graph(path).hash
    return found


def malformed() -> dict[str, dict[str, Any]]:
    """The errors of all malformed files, in Python and on the command line."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in (*CASES, *BUILT):
            path = MALFORMED / case.name
            if case in BUILT:
                (Path(folder) / case.name).mkdir()
                path = Path(folder) / case.name / case.name
                case.make(path)
            found[case.name] = errors_of(path, getattr(case, "options", {}))
    return found


def errors_of(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    try:
        read_graph(path, **options)
    except VNEstructError as error:
        found = {"error": type(error).__name__, "line": getattr(error, "line", None), "message": str(error)}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with contextlib.redirect_stderr(io.StringIO()) as stream, contextlib.redirect_stdout(io.StringIO()):
        found["exit"] = main(["info", str(path), *words])
    found["command"] = stream.getvalue().splitlines()[-1]
    return {
        name: value.replace(str(path), "FILE") if isinstance(value, str) else value for name, value in found.items()
    }


def promises_of(error: dict[str, Any]) -> dict[str, Any]:
    """What an error must keep, whatever its words: class, line, exit code, and the place named in both texts."""
    place = "FILE" if error["line"] is None else f"FILE, line {error['line']}"
    named = {name: bool(re.search(rf"{place}\b", error[name])) for name in ("message", "command")}
    return {name: error[name] for name in ("error", "line", "exit")} | named
