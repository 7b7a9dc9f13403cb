"""What tests of the GPU engine share: a real device where there is one, an emulated one elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.cuda import emulated_cupy
from vnestruct.kernels.cuda import balls, device, has_device


def _forget() -> None:
    device.limits.cache_clear()
    device.compiled.cache_clear()


@pytest.fixture(scope="session")
def gpu() -> None:
    """Skip where there is no GPU."""
    try:
        device.count_devices()
    except Exception as error:
        pytest.skip(f"no GPU: {error}")
    assert has_device()


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Put an emulated device in the place of CuPy, with blocks of few threads, which it runs one after the other."""
    if emulated_cupy.COMPILER is None:
        pytest.skip("emulating a GPU needs g++")
    module = emulated_cupy.make_module()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(balls, "LARGE", emulated_cupy.with_few_threads(balls.LARGE))
    _forget()
    yield module
    _forget()
