"""Compilation: announced before it happens, and done ahead by `vnestruct warmup`."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

import vnestruct
from tests.cli.conftest import finish
from tests.graphs import edges_of
from vnestruct import GraphSet, kernels
from vnestruct.cli.commands.warmup import use_every_kernel
from vnestruct.embedding.parameters import KINDS
from vnestruct.graph.synthetic import barabasi_albert, grid, star
from vnestruct.io import read_vng, write_graph

NOTE = f"Compiling kernels for this machine, about {kernels._SECONDS} s, once"


def variants() -> dict[tuple[str, str], set[Any]]:
    """Return the types that each kernel was compiled or loaded for in this process."""
    return {
        (module.name, name): set(function.overloads)
        for module in pkgutil.iter_modules(kernels.__path__)
        if module.name != "cuda"
        for name, function in vars(importlib.import_module(f"vnestruct.kernels.{module.name}")).items()
        if isinstance(function, Dispatcher)
    }


def test_nothing_is_compiled_after_warmup(tmp_path: Path) -> None:
    use_every_kernel()
    before = variants()
    chance = np.random.default_rng(0)
    pairs = chance.integers(0, 40, (90, 2))
    words = [(f"a{tail}", f"b{head}") for tail, head in pairs]
    weighted = vnestruct.as_graph(np.column_stack([pairs, chance.random(90)]), directed=True)
    large = barabasi_albert(300, 3, seed=1)
    with_leaves = [*edges_of(large), *((u, 1000 * copy + u) for u in range(300) for copy in (1, 2, 3))]
    small = (words, star(9), grid(5, 5), GraphSet.from_graphs([star(4)] * 2))
    for kind in KINDS:
        # All eigenvalues of large balls take too long.
        for graph, radius in product(
            (*small, large, with_leaves) if KINDS[kind].endswith("BallTask") else small, (1, 3)
        ):
            vnestruct.embed(graph, radius, kind=kind, aggregate=("mean", "std"), n_jobs=2)
        vnestruct.embed(words, 2, kind=kind, nodes=[words[0][0]])
        for direction in ("all", "out", "in"):
            options: dict[str, Any] = {"kind": kind, "direction": direction, "weighted": direction != "in"}
            values = vnestruct.embed(weighted, 2, **options)
            vnestruct.update(weighted, values, added=[(*weighted.nodes[[0, 7]].tolist(), 0.5)], **options)
        for graph in (grid(3, 4), large) if kind not in ("punctured", "sizes") else ():  # the large one is eliminated
            vnestruct.entropy(weighted, kind, weighted=True)
            vnestruct.entropy(graph, kind)
    write_graph(grid(6, 6), tmp_path / "grid.vng")
    for radius in (1, 2):
        vnestruct.embed(read_vng(tmp_path / "grid.vng"), radius, max_memory="1G")
    for is_weighted in (False, True):
        live = vnestruct.LiveGraph(weighted=is_weighted, kind=["approx", "sizes"])
        live.apply(pairs.tolist())
        live.remove(*pairs[pairs[:, 0] != pairs[:, 1]][0].tolist())
        assert len(live.signatures()) == len(live.changed()) == live.snapshot().n_nodes
    vnestruct.embed(weighted, kind="profile", weighted=True, direction="out")
    vnestruct.graph_distance(star(3), grid(2, 3), method="signatures")
    vnestruct.continuity_bound(star(3), grid(2, 2))
    after = variants()
    assert {name: after[name] - known for name, known in before.items() if after[name] != known} == {}
    # The command finds nothing to compile; other tests may fill the same cache at the same time.
    for _ in range(5):
        ended = finish("warmup", "--json")
        result = json.loads(ended.out)
        if result["compiled"] == 0:
            break
    assert (result["compiled"], Path(result["folder"])) == (0, kernels.FOLDER)
    assert ended.err.endswith(f"all kernels are in {kernels.FOLDER}.\n")


def test_commands_announce_compilation(tmp_path: Path) -> None:
    """Into a pipe: the note stands between what was read and the result, once per machine; quiet commands are quiet."""
    edges = tmp_path / "path.txt"
    edges.write_text("".join(f"{node} {node + 1}\n" for node in range(99)))  # too many nodes to do without kernels
    for folder, words, n_notes in (("a", [], 3), ("a", [], 2), ("b", ["-q"], 0)):
        ended = finish("embed", edges, "-r", "1", *words, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / folder)})
        notes = ended.err.splitlines()
        assert (ended.code, len(ended.out.splitlines()), len(notes), NOTE in notes) == (0, 101, n_notes, n_notes == 3)
