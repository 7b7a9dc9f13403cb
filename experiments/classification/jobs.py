"""What is trained: one job is one network in one configuration on one collection, with all its folds and seeds."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

MAIN = ("MUTAG", "PTC_MR", "PTC_DGCNN", "IMDB-BINARY", "PROTEINS")
MORE = ("ENZYMES", "NCI1", "REDDIT-BINARY", "DD")
RADII = (1, 2, 3, 4)
WIDTHS = (8, 16, 32)
ONE_RADIUS, ONE_WIDTH = 2, 32
"""The single configuration of VNEstruct for collections without a grid."""


@dataclass(frozen=True)
class Job:
    """A network, its configuration and a collection."""

    data_set: str
    network: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    radius: int = 4
    features: str = "X+H"
    schedule: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of its file."""
        return f"{self.data_set}.{self.name}"

    @property
    def is_grid(self) -> bool:
        """Whether it is one of the paper's grid for VNEstruct."""
        return self.name.startswith("vnestruct-r")


def grid(data_set: str) -> list[Job]:
    """Return the paper's grid for VNEstruct."""
    return [
        Job(data_set, "vnestruct", f"vnestruct-r{radius}-w{width}", {"width": width}, radius)
        for radius, width in product(RADII, WIDTHS)
    ]


def baselines(data_set: str) -> list[Job]:
    """Return one published configuration of each other network."""
    slow = {"learning_rate": 0.001, "batch_size": 128}
    return [
        Job(data_set, "gin", "gin", {"width": 32, "layers": 4}, schedule={"batch_size": 32}),
        Job(data_set, "gcn", "gcn", {"width": 128, "layers": 3}, schedule=slow),
        Job(data_set, "gfn", "gfn", {"width": 128, "layers": 3}, schedule=slow),
        Job(data_set, "dgcnn", "dgcnn", {}, schedule={"learning_rate": 0.001, "batch_size": 50}),
    ]


def capsules(data_set: str) -> list[Job]:
    """Return the published configuration of CapsGNN, without a grid."""
    return [Job(data_set, "capsgnn", "capsgnn", {}, schedule={"learning_rate": 0.001, "batch_size": 64})]


def ablation(data_set: str) -> list[Job]:
    """Return the variants outside the grid: without H, H only, and the richer signature of roles."""
    width = {"width": ONE_WIDTH}
    jobs = [
        Job(data_set, "vnestruct", "ablation-without-H", width, features="X"),
        Job(data_set, "vnestruct", "ablation-H-only", width, radius=4, features="H"),
        Job(data_set, "vnestruct", "ablation-rich", width, radius=2, features="X+H+rich"),
    ]
    if data_set == "PROTEINS":
        jobs.append(Job(data_set, "vnestruct", "ablation-attributes", width, radius=2, features="X+H+attributes"))
    return jobs


def single(data_set: str) -> list[Job]:
    """Return VNEstruct in one configuration."""
    features = "X+H+attributes" if data_set == "ENZYMES" else "X+H"
    options = {"width": ONE_WIDTH}
    return [Job(data_set, "vnestruct", "vnestruct-one", options, ONE_RADIUS, features, {"batch_size": 128})]


def tried(data_set: str) -> list[Job]:
    """Return the variants tried in addition to the paper's grid, for collections that missed a target."""
    jobs = []
    for radius in RADII:
        changes: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
            "no-dropout": ({"dropout": 0.0}, {}),
            "slow": ({}, {"batch_size": 32, "learning_rate": 0.003}),
            "pooling": ({"pooling": "sum+mean+max"}, {}),
        }
        if radius == RADII[-1]:
            changes |= {
                "small-batches": ({}, {"batch_size": 16}),
                "large-batches": ({}, {"batch_size": 128}),
                "wide": ({"width": 64}, {}),
                "deep": ({"node_layers": 3, "graph_layers": 2}, {}),
            }
        for name, (options, schedule) in changes.items():
            options = {"width": ONE_WIDTH, **options}
            jobs.append(Job(data_set, "vnestruct", f"tried-{name}-r{radius}", options, radius, schedule=schedule))
    return jobs


GROUPS: dict[str, list[Job]] = {
    "grid": [job for name in MAIN for job in grid(name)],
    "baselines": [job for name in MAIN for job in baselines(name)],
    "ablation": [job for name in MAIN for job in ablation(name)],
    "single": [job for name in MORE for job in single(name)],
    "capsules": [job for name in MAIN for job in capsules(name)],
    "tried": [job for name in ("PTC_MR", "MUTAG") for job in tried(name)],
}
"""In the order in which they are trained."""
