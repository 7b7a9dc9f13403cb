"""First commands and first mistakes: each ends with the exact result, or with what to type next."""

from __future__ import annotations

import json
import re
import socket
import threading
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke, invoke  # noqa: F401
from vnestruct import read_graph, similar_nodes
from vnestruct.graph.synthetic import barbell
from vnestruct.io import write_graph
from vnestruct.roles import read_labels

FLIGHTS = "origin,dest,seats\na,b,5\na,c,1\nb,c,1\nc,d,2\nd,e,9\n"


@pytest.fixture
def flights(tmp_path: Path) -> Path:
    path = tmp_path / "flights.csv"
    path.write_text(FLIGHTS)
    return path


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


@pytest.fixture
def signatures(graph_file: Path, tmp_path: Path, invoke: Invoke) -> Path:  # noqa: F811
    path = tmp_path / "signatures.csv"
    assert invoke("embed", graph_file, "--kind", "roles", "-o", path, "-q").code == 0
    return path


def test_known_words_need_no_options(flights: Path, invoke: Invoke) -> None:  # noqa: F811
    plain = invoke("embed", flights, "-q")
    named = invoke("embed", flights, "--source", "origin", "--target", "dest", "-q")
    assert plain.code == named.code == 0
    assert plain.out == named.out
    assert [line.split(",")[0] for line in plain.out.splitlines()] == ["node", *"abcde"]


@for_each(
    ("header", "words", "advice"),
    [
        ("origin,dest,n", ["--source", "orign"], "no column 'orign' among 'origin', 'dest', 'n'; try: --source origin "
         "--target dest"),
        ("who,whom,n", [], "among 'who', 'whom', 'n'; try: --source who --target whom"),
        ("first stop,last stop,n", [], "; try: --source 'first stop' --target 'last stop'"),
        ("origin,dest,n", ["--weight", "N"], None),
        ("origin,dest,flights", ["--weight", "flight"], "among 'origin', 'dest', 'flights'; try: --weight flights"),
        ("Unnamed: 0,who,whom", [], "; try: --source who --target whom"),
    ],
)  # fmt: skip
def test_wrong_columns(header: str, words: list[str], advice: str | None, invoke: Invoke, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "edges.csv"
    path.write_text(f"{header}\n1,2,3\n2,3,4\n")
    ended = invoke("info", path, *words, "-q")
    if advice is None:
        assert ended.code == 0
        return
    assert ended.code == 2
    assert ended.error.endswith(advice)
    # What it says can be typed.
    again = re.search("try: (.*)", ended.error)
    assert again is not None
    fixed = re.findall(r"'([^']*)'|(\S+)", again[1])
    others = words if "--weight" not in words else []
    assert invoke("info", path, *(a or b for a, b in fixed), *(w for w in others if w not in words), "-q").code == 0


def test_weights_that_are_not_used_are_mentioned(flights: Path, invoke: Invoke) -> None:  # noqa: F811
    assert "Wrote 5 rows of 1 column to" in invoke("embed", flights, "-r", 1).err
    note = "Weights are not used; --weighted uses them."
    for command in (["embed"], ["entropy"], ["roles", "--roles", "2"], ["similar", "--node", "a"]):
        name, *rest = command
        assert note in invoke(name, flights, *rest, "--weight", "seats").err, command
        assert note not in invoke(name, flights, *rest).err, command
        if name != "roles":
            assert note not in invoke(name, flights, *rest, "--weight", "seats", "--weighted").err, command


@for_each("suffix", ["csv", "tsv", "npz", "parquet", "feather", "npy", "emb"])
def test_roles_and_similar_nodes_of_saved_signatures(suffix: str, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
    graph_file, saved = tmp_path / "graph.csv", tmp_path / f"rows.{suffix}"
    write_graph(barbell(10, 7), graph_file)
    for kind in (("--kind", "approx", "-r", 1), ("--kind", "roles"), ("--kind", "approx")):
        assert invoke("embed", graph_file, *kind, "-o", saved, "-q").code == 0
        words = ("--roles", 3, "-q", "-o")
        assert invoke("roles", graph_file, *kind, *words, tmp_path / "direct.csv").code == 0
        shown = invoke("roles", saved, *words, tmp_path / "stored.csv")
        assert shown.code == 0
        # Names of roles need the graph.
        assert read_labels(tmp_path / "stored.csv") == read_labels(tmp_path / "direct.csv")
        assert shown.out.splitlines()[0].split()[:4] == ["role", "nodes", "share", "examples"]
        assert "by degree" not in shown.out
        direct = json.loads(invoke("similar", graph_file, *kind, "--node", 9, "--json", "-q").out)
        stored = json.loads(invoke("similar", saved, "--node", 9, "--json", "-q").out)
        assert [(row["node"], row["distance"]) for row in stored["similar"]] == [
            (row["node"], row["distance"]) for row in direct["similar"]
        ]
        assert invoke("similar", saved, "--node", 9, "-q").out.splitlines()[0].split() == ["node", "distance"]


def test_saved_signatures_with_their_graph(
    signatures: Path,
    graph_file: Path,
    tmp_path: Path,
    invoke: Invoke,  # noqa: F811
) -> None:
    direct = invoke("roles", graph_file, "--roles", 3, "--stability", "-q")
    assert "The split by degree has as many groups." in direct.out
    assert invoke("roles", signatures, "--graph", graph_file, "--roles", 3, "--stability", "-q").out == direct.out
    graph = read_graph(graph_file)
    expected = [node for node, _ in similar_nodes(graph, 9, 3, kind="roles")]
    shown = invoke("similar", signatures, "--graph", graph_file, "--node", 9, "-k", 3, "-q").out.splitlines()
    assert shown[0].split() == ["node", "distance", "degree"]
    assert [int(line.split()[0]) for line in shown[2:]] == expected
    pytest.importorskip("igraph", reason="the explore extra is not installed")
    page = tmp_path / "page.html"
    assert invoke("explore", signatures, "--graph", graph_file, "-o", page, "--title", "x", "-q").code == 0
    other = tmp_path / "direct.html"
    assert invoke("explore", graph_file, "-o", other, "--title", "x", "-q").code == 0
    assert page.read_bytes() == other.read_bytes()


def test_mistakes_with_saved_signatures(
    signatures: Path,
    graph_file: Path,
    flights: Path,
    tmp_path: Path,
    invoke: Invoke,  # noqa: F811
) -> None:
    for words, complaint in (
        (["explore", signatures, "-o", tmp_path / "page.html"],
         f"{signatures} holds signatures only, and a page shows the graph as well; add --graph FILE with the graph"),
        (["roles", signatures, "--plot", tmp_path / "x.png"], "--plot needs the graph as well; add --graph FILE"),
        (["similar", signatures, "--node", 1, "-r", 3], "holds signatures, which --radius would not change"),
        (["roles", signatures, "--kind", "exact"], "options such as --kind and --weighted would not change them"),
        (["roles", signatures, "--graph", flights], f"{signatures} has 27 rows, but the graph has 5 nodes"),
        (["roles", graph_file, "--graph", flights], f"--graph is for signatures, and {graph_file} is read as a graph"),
        (["info", signatures], "these are signatures, not edges: RoleClusterer or vnestruct roles takes them"),
    ):  # fmt: skip
        ended = invoke(*words, "-q")
        assert ended.code == 2, words
        assert complaint in ended.error, words


@for_each("kind", ["approx", "roles", "profile", "noisy"])
def test_signatures_are_not_taken_for_edges(kind: str, graph_file: Path, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    assert invoke("embed", graph_file, "--kind", kind, "-o", tmp_path / "rows.csv", "-q").code == 0
    ended = invoke("embed", tmp_path / "rows.csv", "-q")
    assert ended.code == 2
    assert "these are signatures, not edges: RoleClusterer or vnestruct roles takes them" in ended.error


LABELS = {
    "swapped": ("".join(f"{node % 3} {node}\n" for node in range(27)),
                "already has a label; delete one of the lines, or name the right columns"),
    "swapped and all different": ("".join(f"x{node} {node}\n" for node in range(8)),
                                  "they are those of another graph, or the columns of nodes and labels are others"),
    "names": ("id,name,job\n" + "".join(f"{node},n{node},{node % 3}\n" for node in range(27)),
              "all 27 labels differ, so column 2 holds no classes; choose another of 3 columns ('id', 'name', 'job')"),
    "others": ("".join(f"{node} {node % 3}\n" for node in range(100, 140)),
               "none of the 27 nodes has a known label; the labels are for nodes such as 100, but the graph has nodes "
               "such as 0: they are those of another graph, or the columns of nodes and labels are others"),
}  # fmt: skip


@for_each("name", list(LABELS))
def test_labels_that_do_not_fit(name: str, graph_file: Path, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    content, advice = LABELS[name]
    path = tmp_path / "labels.txt"
    path.write_text(content)
    for command in (["roles"], ["explore", "-o", tmp_path / "page.html"]):
        ended = invoke(command[0], graph_file, *command[1:], "--labels", path, "-q")
        assert ended.code == 2, command
        assert advice in ended.error
        assert "np." not in ended.error


def test_the_advice_for_labels_works(graph_file: Path, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    right, swapped, wide = tmp_path / "right.txt", tmp_path / "swapped.txt", tmp_path / "wide.csv"
    known = {node: int(node in (9, 17)) for node in range(27)}
    right.write_text("".join(f"{node} {label}\n" for node, label in known.items()))
    swapped.write_text("".join(f"{label} {node}\n" for node, label in known.items()))
    wide.write_text("id,name,job\n" + "".join(f"{node},n{node},{label}\n" for node, label in known.items()))
    words = ("roles", graph_file, "--roles", 3, "--json", "-q", "--labels")
    expected = json.loads(invoke(*words, right).out)["agreement"]
    assert json.loads(invoke(*words, swapped, "--node-column", 2, "--label-column", 1).out)["agreement"] == expected
    assert json.loads(invoke(*words, wide, "--label-column", "job").out)["agreement"] == expected
    assert json.loads(invoke(*words, wide, "--label-column", "3").out)["agreement"] == expected


def test_labels_of_other_nodes_are_mentioned(graph_file: Path, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    path = tmp_path / "labels.txt"
    path.write_text("".join(f"{node} {node % 2}\n" for node in range(100)))
    shown = invoke("roles", graph_file, "--roles", 3, "--labels", path)
    assert f"{path}: 73 of 100 labelled nodes are not in the graph, e.g. 27; check that the labels belong" in shown.err


def test_what_is_no_collection(graph_file: Path, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    layout = "is not a collection of graphs: a folder or zip archive in the TU Dortmund layout, with NAME_A.txt for"
    ended = invoke("classify", graph_file)
    assert ended.code == 2
    assert f"{graph_file} {layout}" in ended.error
    assert ended.error.endswith(f"for the nodes of a single graph use: vnestruct roles {graph_file}")
    folder = tmp_path / "folder"
    (folder / "TINY").mkdir(parents=True)
    ended = invoke("classify", folder)
    assert f"{folder} {layout}" in ended.error
    assert ended.error.endswith("for the class of each graph")
    (folder / "TINY" / "TINY_A.txt").write_text("1, 2\n")
    assert invoke("classify", folder).error.endswith(f"contains TINY: name one, such as {folder / 'TINY'}")


def test_a_memory_limit_without_unit_is_refused_before_reading(invoke: Invoke) -> None:  # noqa: F811
    for command in (["embed"], ["roles"], ["similar", "--node", "a"], ["explore", "-o", "page.html"]):
        ended = invoke(command[0], "missing.vng", *command[1:], "--max-memory", "8")
        assert ended.code == 2
        assert ended.error == "vnestruct: --max-memory is '8', which is 8 bytes; write 8G for 8 gigabytes"


def test_another_server_at_the_address_of_ray(
    flights: Path,
    invoke: Invoke,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A web server that speaks HTTP/2, but not gRPC, is told apart at once and without lines of Ray's own."""
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    # Other tests of this process may have left a cluster connected, and then no address is tried.
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr("vnestruct.execute.ray.REACH_SECONDS", 30.0)  # other tests may keep the CPUs busy
    settings, refusal = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]), bytes([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x8D])

    def answer(server: socket.socket) -> None:
        server.accept()[0].close()  # the first look whether anybody is there
        line, _ = server.accept()
        with line:
            line.recv(4096)
            line.sendall(settings + refusal)
            line.recv(4096)

    with socket.socket() as server:
        server.settimeout(60)
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        ended = invoke("embed", flights, "--engine", "ray", "--address", address)
        thread.join()
    assert ended.code == 1
    # The graph has not been read, and the one line is ours.
    assert ended.error == (
        f"vnestruct: no Ray cluster answers at address '{address}': something else listens there; start one with "
        "'ray start --head', or leave the address out for one on this machine"
    )
