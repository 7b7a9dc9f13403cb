"""Compressed streams, recognised by their first bytes rather than by their names."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

from vnestruct.errors import MissingExtraError

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstandard"}
"""What each suffix of a compressed file stands for."""

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)  # what the decompressors raise on damaged data
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstandard"}


def compression_of(head: bytes) -> str | None:
    """Return the name of the compression that data starting with `head` are in, None if they are plain."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def decompressed(stream: IO[bytes], compression: str) -> IO[bytes]:
    """Return a stream of the plain bytes behind a compressed one."""
    return _OPENERS[compression](stream, "rb")


def compressing(stream: IO[bytes], compression: str) -> IO[bytes]:
    """Return a stream that compresses what is written to it into another one."""
    return _OPENERS[compression](stream, "wb")


def _gzip(stream: IO[bytes], mode: str) -> IO[bytes]:
    # No name and no time in the header: the same graph gives the same bytes.
    return gzip.GzipFile(filename="", fileobj=stream, mode=mode, mtime=0)  # type: ignore[return-value]


def _zstandard(stream: IO[bytes], mode: str) -> IO[bytes]:
    module = _first_of("compression.zstd", "zstandard", "pyarrow")
    if module is None:
        raise MissingExtraError("zstandard files need another library: pip install 'vnestruct[parquet]', or zstandard")
    opened: IO[bytes]
    if module.__name__ == "compression.zstd":
        opened = module.ZstdFile(stream, mode)
    elif module.__name__ == "zstandard" and mode == "rb":
        opened = module.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False)
    elif module.__name__ == "zstandard":
        opened = module.ZstdCompressor().stream_writer(stream, closefd=False)
    elif mode == "rb":
        opened = module.CompressedInputStream(module.PythonFile(_Lent(stream), "r"), "zstd")
    else:
        opened = module.CompressedOutputStream(module.PythonFile(_Lent(stream), "w"), "zstd")
    return opened


def _first_of(*names: str) -> Any:
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


class _Lent:
    """A stream for Arrow, which closes what it is given, while its owner still needs it open."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)

    def write(self, data: Any) -> int:
        return self._stream.write(data)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self.closed = True


_OPENERS: dict[str, Callable[[IO[bytes], Any], IO[bytes]]] = {
    "gzip": _gzip,
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstandard": _zstandard,
}
