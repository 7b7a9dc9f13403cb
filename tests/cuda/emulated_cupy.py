"""As much of CuPy as the engine uses, on the CPU: arrays are NumPy's, kernels run by ``emulator.h``.

It shows that kernels and the code around them compute what they should; it says nothing about speed, nor about races
between threads that the emulator never runs at the same time.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np

COMPILER = shutil.which("g++")
_FOLDER = Path(tempfile.gettempdir()) / "vnestruct-emulated"
_HEADER = Path(__file__).with_name("emulator.h")
_SHARED = (
    ("extern __shared__ __align__(16) unsigned char memory[];", "memory"),
    ("extern __shared__ __align__(16) unsigned char shared[];", "shared"),
)


class Array(np.ndarray):
    """A NumPy array that looks like one on a device."""

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self, out: Any = None) -> Any:
        if out is None:
            return np.array(self)
        out[...] = self
        return out


def asarray(values: Any) -> Array:
    return np.array(values, order="C").view(Array)


class OutOfMemoryError(MemoryError):
    """No memory on the device."""


class RawModule:
    """Kernels, compiled for this CPU."""

    def __init__(self, code: str, options: tuple[str, ...]) -> None:
        for declaration, name in _SHARED:
            pointer = f"unsigned char* {name} = (unsigned char*)(((size_t)emulator::shared.data() + 63) & ~(size_t)63);"
            code = code.replace(declaration, pointer)
        # Every kernel of a library is found by its plain name.
        text = _HEADER.read_text() + code
        flags = [
            "-std=c++17",
            "-O1",
            "-w",
            "-U_FORTIFY_SOURCE",
            "-shared",
            "-fPIC",
            "-fno-gnu-unique",  # each library has its own memory of blocks
            *(one for one in options if one.startswith("-D")),
        ]
        name = hashlib.blake2b((text + repr(flags)).encode(), digest_size=8).hexdigest()
        library = _FOLDER / f"{name}.so"
        if not library.exists():
            _FOLDER.mkdir(exist_ok=True)
            # Other processes and threads may compile the same.
            own = f"{os.getpid()}-{threading.get_ident()}"
            source, begun = (library.with_suffix(f".{own}.{kind}") for kind in ("cpp", "begun"))
            source.write_text(text)
            assert COMPILER is not None
            subprocess.run([COMPILER, *flags, str(source), "-o", str(begun)], check=True)
            begun.rename(library)
        self._library = ctypes.CDLL(str(library))

    def get_function(self, name: str) -> Any:
        return _Kernel(self._library, name)


class _Kernel:
    max_dynamic_shared_size_bytes = 0
    one_at_a_time = threading.Lock()  # the emulator has one state per library

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self._launch = library.emulator_launch
        self._address = ctypes.cast(getattr(library, name), ctypes.c_void_p)

    def __call__(
        self, grid: tuple[int, ...], block: tuple[int], arguments: tuple[Any, ...], shared_mem: int = 0
    ) -> None:
        words = [one.ctypes.data if isinstance(one, np.ndarray) else int(one) for one in arguments]
        assert len(words) <= 8
        packed = (ctypes.c_ulonglong * 8)(*words)
        assert grid[0] > 0
        assert shared_mem <= max(self.max_dynamic_shared_size_bytes, 48 << 10)
        with self.one_at_a_time:
            stuck = self._launch(self._address, packed, *(*grid, 1)[:2], block[0], shared_mem)
        assert not stuck, "threads wait for others that never come"


class _Device:
    attributes: ClassVar[dict[str, int]] = {
        "MultiProcessorCount": 2,
        "MaxSharedMemoryPerMultiprocessor": 233_472,
        "MaxSharedMemoryPerBlockOptin": 232_448,
        "MaxThreadsPerMultiProcessor": 2048,
    }

    def __init__(self, number: int = 0) -> None:
        self.id = number

    def use(self) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass

    @property
    def mem_info(self) -> tuple[int, int]:
        return module.free_bytes, 1 << 34


class _Event:
    done = True

    def record(self) -> None:
        pass

    def synchronize(self) -> None:
        pass


class _Stream:
    def __init__(self, non_blocking: bool) -> None:
        assert non_blocking

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


def _empty(shape: Any, dtype: Any) -> Array:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if size > module.free_bytes:
        raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes")
    # Memory of a device holds anything.
    return np.full(size, 0xA5, np.uint8).view(dtype).reshape(shape).view(Array)


def with_few_threads(large: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the kernels that give a block to each ball with blocks of few threads, which run one after the other."""
    first, last = (kernel._replace(threads=64, shared=64) for kernel in large)
    return first, last._replace(per_processor=1)


def make_module(n_devices: int = 1, free_bytes: int = 1 << 28) -> Any:
    """Return a module to be found as ``cupy``."""
    module.free_bytes = free_bytes
    module.cuda.runtime.getDeviceCount = lambda: n_devices
    return module


module: Any = ModuleType("cupy")
module.free_bytes = 1 << 28
module.RawModule = RawModule
module.asarray = asarray
module.empty = _empty
module.zeros = lambda shape, dtype: np.zeros(shape, dtype).view(Array)
module.argsort = lambda values: np.argsort(values, kind="stable").view(Array)
module.arange = lambda stop, dtype: np.arange(stop, dtype=dtype).view(Array)
module.diff = lambda values: np.diff(values).view(Array)
module.flatnonzero = lambda values: np.flatnonzero(values).view(Array)
module.cumsum = np.cumsum
module.sort = np.sort
module.get_default_memory_pool = lambda: SimpleNamespace(
    free_all_blocks=lambda: None, free_bytes=lambda: 0, total_bytes=lambda: 0
)
module.cuda = SimpleNamespace(
    Device=_Device,
    Event=_Event,
    Stream=_Stream,
    alloc_pinned_memory=bytearray,
    memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
    runtime=SimpleNamespace(getDeviceCount=lambda: 1),
)
