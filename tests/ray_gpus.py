"""A node with two GPUs for the Ray cluster of the tests: Ray only counts them, and an emulator stands for CuPy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cuda import emulated_cupy
from tests.ray_cluster import ThreeNodes

ROOT = Path(__file__).resolve().parent.parent
# Files in the folder of CuPy that say what happens when a process imports it.
NOT_INSTALLED, FREE_BYTES, DEADLY, BOTH = "not-installed", "free-bytes", "deadly", "both"

CUPY = f"""
import os, signal, sys, time
from pathlib import Path
folder = Path(__file__).parent
if (folder / "{NOT_INSTALLED}").exists():
    raise ImportError("no CuPy")
if (folder / "{DEADLY}").exists():
    (folder / "{DEADLY}").rename(folder / "died")
    os.kill(os.getpid(), signal.SIGKILL)
(folder / f"process-{{os.getpid()}}").write_text(os.environ["CUDA_VISIBLE_DEVICES"])
deadline = time.monotonic() + 60
while (folder / "{BOTH}").exists() and len(list(folder.glob("process-*"))) < 2 and time.monotonic() < deadline:
    time.sleep(0.01)
sys.path.insert(0, {str(ROOT)!r})
from tests.cuda import emulated_cupy
from vnestruct.kernels.cuda import balls
balls.LARGE = emulated_cupy.with_few_threads(balls.LARGE)
limit = folder / "{FREE_BYTES}"
sys.modules["cupy"] = emulated_cupy.make_module(free_bytes=int(limit.read_text()) if limit.exists() else 1 << 28)
"""


@pytest.fixture(scope="module")
def gpu_node(three_nodes: ThreeNodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Add the node; return the folder that its processes import CuPy from."""
    if emulated_cupy.COMPILER is None:
        pytest.skip("emulating a GPU needs g++")
    folder = tmp_path_factory.mktemp("cupy")
    (folder / "cupy.py").write_text(CUPY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
        node = three_nodes.add(num_cpus=0, num_gpus=2, resources={"accelerator_type:H200": 1})
    yield folder
    three_nodes.remove(node)


@pytest.fixture
def gpus(gpu_node: Path) -> Iterator[Path]:
    """The node as it was first, whatever a test did to its CuPy."""
    yield gpu_node
    for file in gpu_node.iterdir():
        if file.name != "cupy.py" and file.is_file():
            file.unlink()
