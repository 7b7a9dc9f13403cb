"""Access to the devices: CuPy, how many GPUs there are, the CUDA sources of this folder, and compiled kernels."""

import functools
import importlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import EngineError, MissingExtraError

_RESERVED = 1 << 10  # bytes of shared memory that the driver takes from each block
_MOST_PINNED = 1 << 26  # bytes of an array that is downloaded into pinned memory, which CuPy keeps for the next one
_POLL_SECONDS = 2e-4
_FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)


class DeviceMemoryError(EngineError):
    """The memory of the device does not hold what a ball, or the graph, needs."""


def import_cupy() -> Any:
    """Import CuPy, or say which extra brings it."""
    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        remedy = "pip install 'vnestruct[cuda]' for CUDA 12, or 'vnestruct[cuda13]' for CUDA 13"
        raise MissingExtraError(f"`engine='cuda'` needs CuPy: {remedy}") from error


@contextmanager
def fitting(what: str) -> Iterator[Any]:
    """Yield CuPy; if the device runs out of memory meanwhile, a `DeviceMemoryError` says that `what` does not fit."""
    cupy = import_cupy()
    try:
        yield cupy
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise DeviceMemoryError(f"{what} does not fit into the memory of the GPU: {error}") from error


def downloaded(array: Any) -> Any:
    """Copy an array to the host; where it pays, into memory that the device can write to directly."""
    if not 0 < array.nbytes <= _MOST_PINNED:
        return array.get()
    memory = import_cupy().cuda.alloc_pinned_memory(array.nbytes)
    return array.get(out=np.frombuffer(memory, array.dtype, array.size).reshape(array.shape))


def wait(cancel: Any, is_cancelled: Callable[[], bool]) -> None:
    """Wait for all launches of this thread; pass a wish to stop on to them, by the byte that they read."""
    cupy = import_cupy()
    event = cupy.cuda.Event()
    event.record()
    while not event.done:
        if is_cancelled():
            # A copy on a stream of its own needs no room among the blocks of running kernels.
            cancel.set(np.ones(1, np.uint8), stream=cupy.cuda.Stream(non_blocking=True))
        time.sleep(_POLL_SECONDS)
    event.synchronize()


def count_devices() -> int:
    """Return the number of GPUs; `MissingExtraError` without CuPy, `EngineError` if no GPU can be used."""
    cupy = import_cupy()
    try:
        count = int(cupy.cuda.runtime.getDeviceCount())
        reason = "the driver reports none"
    except Exception as error:
        count, reason = 0, str(error) or type(error).__name__
    if count < 1:
        raise EngineError(f"engine='cuda' found no NVIDIA GPU to use: {reason}; engine='threads' does without")
    return count


def has_device() -> bool:
    """Tell whether there is CuPy and a GPU for it."""
    try:
        return count_devices() > 0
    except (MissingExtraError, EngineError):
        return False


class Limits(NamedTuple):
    """What a device can hold."""

    processors: int
    shared_per_processor: int
    shared_per_block: int
    threads_per_processor: int

    def blocks(self, threads: int, shared: int, most: int = 32) -> int:
        """Return how many blocks fit on the device at once, registers aside."""
        by_memory = self.shared_per_processor // (shared + _RESERVED)
        return self.processors * max(1, min(by_memory, self.threads_per_processor // threads, most))


@functools.cache
def limits(device: int) -> Limits:
    """Return the limits of a device."""
    attributes = import_cupy().cuda.Device(device).attributes
    shared = attributes["MaxSharedMemoryPerMultiprocessor"], attributes["MaxSharedMemoryPerBlockOptin"]
    return Limits(attributes["MultiProcessorCount"], *shared, attributes["MaxThreadsPerMultiProcessor"])


@functools.cache
def read_source(name: str) -> str:
    """Return a source with all it includes written out, each header once.

    CuPy keeps compiled code by the text it was given, and would not notice an edit in a header.
    """
    seen: set[str] = set()

    def written_out(file: str) -> str:
        if file in seen:
            return ""
        seen.add(file)
        text = (_FOLDER / file).read_text(encoding="utf-8").replace("#pragma once\n", "")
        return _INCLUDE.sub(lambda match: written_out(match[1]), text)

    return written_out(name)


@functools.cache
def compiled(device: int, source: str, kernel: str, **definitions: int) -> Any:
    """Return a function of a source file, compiled with these definitions for `device`, the current one."""
    cupy = import_cupy()
    options = ("-std=c++17", *(f"-D{name}={value}" for name, value in definitions.items()))
    return cupy.RawModule(code=read_source(source), options=options).get_function(kernel)
