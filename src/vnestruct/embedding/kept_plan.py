"""The plan of an interrupted run on disk: a folder of arrays, which a later run maps instead of planning again."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct.embedding.plan import Plan, unpacked_plan
from vnestruct.files.atomic import temporary_folder
from vnestruct.kernels.workspace import Arcs, RankedGraph
from vnestruct.types import IdArray, ValueArray

LEAST_ARCS = 2_000_000  # arcs of a graph whose plan is worth keeping: a smaller one is planned in a second
_CONTENT = "content.json"
_NODES = ("rank", "node", "leader", "leaf_of")  # arrays of a plan with an entry per node


def keep_plan(folder: Path, plan: Plan, work: IdArray, first: ValueArray | None) -> None:
    """Save a plan, the nodes to work on and radius 1; without room on the disk, do nothing."""
    arrays = {name: getattr(plan, name) for name in _NODES} | {"work": work, "first": first}
    arrays |= {f"graph_{name}": array for name, array in plan.graph._asdict().items()}
    arrays |= {"component_of": plan.components.of, "component_size": plan.components.size}
    if plan.search.indices is not plan.graph.indices:
        arrays |= {f"search_{name}": array for name, array in plan.search._asdict().items()}
    kept = {name: array for name, array in arrays.items() if array is not None}
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(folder.parent) as place:
            for name, array in kept.items():
                with (place / f"{name}.npy").open("wb") as file:
                    np.save(file, array)
                    file.flush()
                    os.fsync(file.fileno())
            (place / _CONTENT).write_text(json.dumps({"scale": plan.scale, "arrays": list(kept)}), encoding="utf-8")
            # Fails if another process has kept the same plan meanwhile.
            place.rename(folder)


def kept_plan(folder: Path) -> tuple[Plan, IdArray, ValueArray | None] | None:
    """Return what was saved in a folder, mapped from there; None if that is nothing, or damaged."""
    try:
        content = json.loads((folder / _CONTENT).read_text(encoding="utf-8"))
        arrays: dict[str, Any] = {
            name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))
            for name in content["arrays"]
        }
        if not _is_sound(arrays):
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    rows: dict[str, Any] = {name: arrays.get(f"graph_{name}") for name in RankedGraph._fields}
    search = Arcs(*(arrays.get(f"search_{name}", arrays[f"graph_{name}"]) for name in Arcs._fields))
    components = arrays["component_of"], arrays["component_size"]
    nodes = tuple(arrays[name] for name in _NODES)
    plan = unpacked_plan(nodes, components, None, content["scale"], RankedGraph(**rows), search)
    return plan, arrays["work"], arrays.get("first")


def _is_sound(arrays: dict[str, Any]) -> bool:
    """Tell whether kernels may follow every number: a checkpoint may come from a stranger."""
    n_nodes, n_components = arrays["rank"].size, arrays["component_size"].size
    per_node = dict.fromkeys(("rank", "node", "leader"), n_nodes) | {"component_of": n_components}
    limits = per_node | dict.fromkeys(("work", "graph_indices", "search_indices", "leaf_of"), n_nodes)
    for name, limit in limits.items():
        array = arrays.get(name)
        if array is None:
            continue
        least = -1 if name == "leaf_of" else 0
        if array.ndim != 1 or array.dtype.kind != "i" or array.min(initial=0) < least or array.max(initial=-1) >= limit:
            return False
    first, copies, weights = (arrays.get(name) for name in ("first", "graph_copies", "graph_weights"))
    rows = [(arrays[f"{a}_indptr"], arrays[f"{a}_indices"]) for a in ("graph", "search") if f"{a}_indptr" in arrays]
    lengths, split = np.diff(arrays["graph_indptr"]), arrays["graph_split"]
    return (
        all(arrays[name].size == n_nodes for name in (*per_node, "leaf_of", "graph_split"))
        and all(ptr.shape == (n_nodes + 1,) and ptr[0] == 0 and ptr[-1] == columns.size for ptr, columns in rows)
        and all(bool((np.diff(ptr) >= 0).all()) for ptr, _ in rows)
        and bool(((split >= 0) & (split <= lengths)).all())
        and (first is None or (first.ndim == 2 and len(first) == n_nodes))
        and (copies is None or copies.shape == (n_nodes,))
        and (weights is None or weights.shape == arrays["graph_indices"].shape)
    )
