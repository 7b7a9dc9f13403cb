"""The page of the documentation, rendered from results alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from experiments.gallery.graphs import EXAMPLES
from experiments.gallery.measures import MANY_NODES

TEMPLATE = Path(__file__).with_name("page.md")
PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"
METHODS = {
    "ours": "`RoleClusterer`", "before": "before", "rolx": "RolX", "degree": "degree", "quantiles": "degree quantiles",
}  # fmt: skip

Figures = dict[str, Any]


def render(results: dict[str, Any], before: dict[str, Any]) -> str:
    """Return the page: the template with names, figures and tables filled in, and its paragraphs wrapped."""
    graphs = results["graphs"]
    for name, entry in graphs.items():
        entry["methods"]["before"] = before["graphs"][name]["methods"]["ours"]
    parts = {name: _example(name, entry) for name, entry in graphs.items()}
    about = results["about"] | {"draws": len(results["about"]["seeds"]), "many": f"{MANY_NODES:,}"}
    text = TEMPLATE.read_text(encoding="utf-8").format(**parts, **_tables(graphs), about=about, before=before["about"])
    return "\n\n".join(map(_wrapped, text.split("\n\n")))


def _tables(graphs: dict[str, Any]) -> dict[str, str]:
    known = {"facebook": "centres in small roles", "brazil": "quartiles of traffic", "calls": "frequency of calls"}
    tables = {
        "quality": _table(graphs, _quality) + _row("mean", _means(graphs)),
        "sizes": _table(graphs, lambda row: f"{row['roles']} / {row['largest']:.0%} / {_seconds(row['seconds'])}"),
        "known": _table({name: graphs[name] for name in known}, _known, lambda name: f": {known[name]}"),
    }
    return {name: table.rstrip() for name, table in tables.items()}


def _example(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return what the template says about one graph."""
    roles = entry["roles"]
    lines = [f"![{EXAMPLES[name].title}: the graph and its roles](images/gallery-{name}.png)", *map(_role, roles)]
    named = {node: f"**{roles[role]['name']}**" for node, role in entry["marked"].items()}
    return {
        "nodes": f"{entry['nodes']:,}",
        "edges": f"{entry['edges']:,}",
        "roles": "<br>".join(lines),
        "of": {int(node) if node.isdigit() else node: text for node, text in named.items()},
        "time": _seconds(entry["methods"]["ours"]["seconds"]),
        "methods": entry["methods"],
    }


def _role(role: dict[str, Any]) -> str:
    text = f"{role['nodes']:,} **{role['name']}**{role['description'].removeprefix(role['name'])}"
    if any(isinstance(node, str) for node in role["examples"]):
        text += f", such as {', '.join(role['examples'])}"
    if role["exceptional"]:
        text += f"; no other node is like {', '.join(map(str, role['exceptional']))}"
    return text


def _table(graphs: dict[str, Any], cell: Callable[[Figures], str], more: Callable[[str], str] = lambda _: "") -> str:
    head = _row("graph", METHODS.values()) + "| --- |" + " ---: |" * len(METHODS) + "\n"
    cells = {name: [cell(entry["methods"][key]) for key in METHODS] for name, entry in graphs.items()}
    return head + "".join(_row(EXAMPLES[name].title + more(name), row) for name, row in cells.items())


def _row(name: str, cells: Any) -> str:
    return f"| {' | '.join([name, *cells])} |\n"


def _quality(row: Figures) -> str:
    purity = f"{row['hub_purity']:.2f}" if "hub_purity" in row else "–"
    return f"{purity} / {row['degree_ratio']:.1f} / {row['stability']:.2f}"


def _means(graphs: dict[str, Any]) -> list[str]:
    cells = []
    for key in METHODS:
        rows = [entry["methods"][key] for entry in graphs.values()]
        mean = {
            "hub_purity": np.mean([row["hub_purity"] for row in rows if "hub_purity" in row]),
            "degree_ratio": np.exp(np.mean([np.log(row["degree_ratio"]) for row in rows])),
            "stability": np.mean([row["stability"] for row in rows]),
        }
        cells.append(_quality(mean))
    return cells


def _known(row: Figures) -> str:
    if "centres" not in row:
        return f"{row['agreement']:.2f}"
    return "{} (of {} nodes)".format(*row["centres"]) if row["centres"][0] else "0"


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 1 else f"{1000 * value:.0f} ms" if value >= 0.001 else "< 1 ms"


def _wrapped(block: str) -> str:
    if block.startswith(("#", "|", "!")):
        return block
    return fill(block, 120, break_long_words=False, break_on_hyphens=False) + "\n" * block.endswith("\n")
