"""Measure what is missing, draw the pictures, write the page: ``python -m experiments.gallery``.

``render`` finds the default's roles again (seconds), after a change of names, and leaves the figures as they are.
``before`` measures `RoleClusterer` of another checkout: ``PYTHONPATH=CHECKOUT/src:. python -m experiments.gallery
before``. Both figures are for two threads. Delete an entry of ``results.json`` to measure a graph again.
"""

from __future__ import annotations

import argparse
import subprocess
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.harness import machine
from experiments.gallery.graphs import CENTRES, EXAMPLES, Example
from experiments.gallery.measures import SEEDS, measured, other_methods, vnestruct_roles
from experiments.storage import read_json, write_json
from PIL import Image

import vnestruct
from vnestruct.roles import RoleClusterer

FOLDER = Path(__file__).parent
RESULTS, BEFORE = FOLDER / "results.json", FOLDER / "before.json"
ROOT = FOLDER.parent.parent
IMAGES = ROOT / "docs" / "images"
_DPI, _COLOURS = 100, 128


def measure(path: Path, others: bool) -> None:
    """Add the figures of the graphs that a result file does not have, `RoleClusterer`'s alone or all."""
    results: dict[str, Any] = read_json(path) or {"graphs": {}}
    for name in [name for name in EXAMPLES if name not in results["graphs"]]:
        example = EXAMPLES[name]
        graph, classes = example.read()
        given = graph, classes, CENTRES if example.marked is CENTRES else ()
        found = {"ours": measured(vnestruct_roles(example.options), *given)}
        for method, find in other_methods(found["ours"]["roles"]).items() if others else ():
            found[method] = measured(find, *given)
        print(name, {method: round(row["seconds"], 2) for method, row in found.items()}, flush=True)
        results["graphs"][name] = {"nodes": graph.n_nodes, "edges": graph.n_arcs if graph.directed else graph.n_edges}
        results["graphs"][name] |= {"methods": found}
        results["about"] = {"commit": _commit(), "seeds": SEEDS, "date": str(date.today()), **machine()}
        results["graphs"] = {name: results["graphs"][name] for name in EXAMPLES if name in results["graphs"]}
        write_json(path, results)


def describe() -> None:
    """Find the roles of the default again, for their names, and draw them."""
    results = read_json(RESULTS)
    for name, example in EXAMPLES.items():
        graph, _ = example.read()
        model = RoleClusterer(**example.options).fit(graph)
        keys = ("name", "description", "nodes", "examples", "exceptional")
        entry = results["graphs"][name]
        entry["roles"] = [{key: getattr(role, key) for key in keys} for role in model.describe()]
        entry["marked"] = {str(node): int(model.labels_[graph.position(node)]) for node in example.marked}
        _draw(name, example, model)
    write_json(RESULTS, results)


def _draw(name: str, example: Example, model: RoleClusterer) -> None:
    """Draw roles with few colours, which makes a small file."""
    content = BytesIO()
    model.plot(title=example.title).savefig(content, dpi=_DPI)
    picture = (
        Image.open(content).convert("RGB").quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    )
    picture.save(IMAGES / f"gallery-{name}.png", optimize=True)


def _commit() -> str:
    place = Path(vnestruct.__file__).parent
    return subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=place, capture_output=True, text=True
    ).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m experiments.gallery", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("task", nargs="?", default="all", choices=["all", "render", "before"])
    task = parser.parse_args().task
    if task == "before":
        measure(BEFORE, others=False)
        return
    if task == "all":
        measure(RESULTS, others=True)
    describe()
    from experiments.gallery.page import PAGE, render

    PAGE.write_text(render(read_json(RESULTS), read_json(BEFORE)), encoding="utf-8")
    print(f"Written to {PAGE}")


if __name__ == "__main__":
    main()
