"""Fixtures of all tests: real graphs where they are available, and the settings of Hypothesis."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from vnestruct import Graph, read_graph
from vnestruct.embedding import parameters

# A Ray cluster and a browser, which start when a test first asks for them.
pytest_plugins = ["tests.ray_cluster", "tests.chromium"]

ROOT = Path(__file__).resolve().parent.parent

# The first call of a kernel compiles for seconds, which must not count as a slow example.
settings.register_profile("vnestruct", deadline=None)
settings.load_profile("vnestruct")


# Long files of few tests, which several processes start first, so that none is the last and alone.
LONG = (
    "test_ray_signatures.py", "test_ray.py", "test_explore.py", "test_site.py", "test_faults.py",
    "test_interruptions.py", "test_watch.py", "test_warmup.py", "test_out_of_core.py", "test_cache.py",
    "test_wheel.py", "test_interrupt.py", "test_two_at_once.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first, in their order; all others keep theirs."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


# Tests of larger graphs, whose small examples the kernels must compute, not the definition they are compared with.
OF_KERNELS = ("kernels", "embedding", "golden", "properties", "cuda", "live", "soak", "adapters")


@pytest.fixture(scope="module", autouse=True)
def kernels_compute_small_graphs(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have kernels compute graphs of any size in the tests that are about them."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.relative_to(Path(__file__).parent).parts[0] in OF_KERNELS:
            patch.setattr(parameters, "SMALL_GRAPH", 0)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real graphs: VNESTRUCT_DATA, or ../shared/data."""
    folder = Path(os.environ.get("VNESTRUCT_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no data folder at {folder}; set VNESTRUCT_DATA to one")
    return folder


@pytest.fixture(scope="session")
def real_graph(data_folder: Path) -> Callable[[str], Graph]:
    """Read a graph of the data folder by name, once per session."""
    known: dict[str, Graph] = {}

    def read(name: str) -> Graph:
        path = data_folder / "graphs" / f"{name}.txt.gz"
        if not path.is_file():
            pytest.skip(f"{path} is missing")
        if name not in known:
            known[name] = read_graph(path)
        return known[name]

    return read
