"""One opened graph file: plain bytes of any compression, in blocks of whole lines, with bounded memory.

Every failure to read leaves here as a `GraphFormatError` that names the file and the remedy.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from vnestruct.errors import GraphFormatError
from vnestruct.files.compression import DAMAGE, FIRST_BYTES, SUFFIXES, expands_too_far, open_compressed
from vnestruct.graph.columns import ColumnRequest
from vnestruct.graph.columns import shown as shown
from vnestruct.graph.validate import MAX_NODES
from vnestruct.types import FilePath

BLOCK_BYTES = 4 << 20  # bytes read at a time
MAX_LINE_BYTES = 16 << 20  # the longest line that is accepted
MAX_CONTENT_BYTES = 2 << 30  # the largest file of a format that is read whole
IGNORE_WEIGHTS = "ignore weights with `weight=0`"
OnRead = Callable[[float, float], object] | None  # hears of the bytes read so far, and of all of the file

_HEAD_BYTES = 64 << 10
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class ReadOptions(ColumnRequest):
    """What the caller says about a file: columns, directions, sides, and whether labels stay text."""

    directed: bool | None = None
    text_labels: bool = False
    bipartite: bool | None = None


class LineBlock(NamedTuple):
    """Some whole lines of a file and the number, from 1, of the first."""

    data: bytes
    first_line: int


class Source:
    """A graph file, or standard input for ``-``, opened for reading; by request, `read` does not wait for more."""

    def __init__(self, path: FilePath, *, as_it_arrives: bool = False, progress: OnRead = None) -> None:
        name = os.fspath(path)
        self.standard_input = name == "-"
        self.path = "standard input" if self.standard_input else name
        self.file = Path(name)
        self.compression: str | None = None
        self.head = b""
        self.n_read = 0
        self._as_it_arrives, self._progress = as_it_arrives, None if self.standard_input else progress
        self._closing = ExitStack()

    def __enter__(self) -> Source:
        try:
            self._raw = raw = self._open()
            head = raw.peek(_HEAD_BYTES)
            self.compression = next((name for first, name in FIRST_BYTES.items() if head.startswith(first)), None)
            self._stream: IO[bytes] = raw
            if self.compression is not None:
                self._stream = self._closing.enter_context(open_compressed(raw, self.compression, "rb"))
            if not self._as_it_arrives:
                head = self.read(_HEAD_BYTES)
                if head.startswith(_UTF16):
                    raise self.error("the file is UTF-16; convert it with iconv -f utf-16 -t utf-8", 1)
                self.head = head.removeprefix(b"\xef\xbb\xbf")
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def _open(self) -> io.BufferedReader:
        if self.standard_input:
            given: Any = sys.stdin.buffer
            return given if hasattr(given, "peek") else io.BufferedReader(given)
        try:
            if self.file.is_dir():
                raise self.error("this is a folder; name a file in it")
            return self._closing.enter_context(self.file.open("rb"))
        except FileNotFoundError:
            named = [self.file.with_name(self.file.name + suffix) for suffix in SUFFIXES] if self.file.name else []
            other = next((f"did you mean {path}?" for path in named if path.exists()), None)
            raise self.error(f"no such file; {other or 'check the name and the folder you are in'}") from None
        except PermissionError:
            raise self.error("no permission to read this file; try chmod u+r, or ask its owner") from None
        except (OSError, ValueError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
            raise self.error(f"cannot be opened ({reason}); check the name and the disk") from None

    def error(self, message: str, line: int | None = None) -> GraphFormatError:
        """Return the error for this file: what is wrong and how to fix it, in one line."""
        return GraphFormatError(re.sub(r"\s+", " ", message), self.path, line)

    def read(self, size: int) -> bytes:
        """Return the next bytes, none at the end."""
        try:
            read = self._stream.read
            data: bytes = (getattr(self._stream, "read1", read) if self._as_it_arrives else read)(size)
        except DAMAGE as problem:
            if self.compression is None:
                raise self.error(f"reading failed ({problem}); check the disk and try again") from None
            wrong = f"the {self.compression} data are damaged or cut short ({problem}); "
            raise self.error(wrong + "download or compress the file again") from None
        self.n_read += len(data)
        if data and self._progress is not None:
            self._progress(self._raw.tell(), self.file_bytes())
        is_file = self.compression is not None and not self.standard_input
        if is_file and expands_too_far(self.file_bytes(), self.n_read):
            wrong = f"{self.file_bytes():,} bytes of {self.compression} data expand to more than {self.n_read:,}, "
            raise self.error(wrong + "which no graph does; unpack the file and read the result if you trust it")
        return data

    def content(self) -> bytes:
        """Return all bytes of a file of bounded size."""
        parts, size = [self.head], len(self.head)
        while part := self.read(BLOCK_BYTES):
            parts.append(part)
            size += len(part)
            if size > MAX_CONTENT_BYTES:
                wrong = f"more than {MAX_CONTENT_BYTES >> 30} GiB in a format that is read whole; "
                raise self.error(wrong + "convert it to an edge list or Parquet")
        return b"".join(parts)

    def text(self) -> str:
        """Return all of a text file of bounded size; refuse what is not UTF-8, naming the line."""
        data = self.content()
        if b"\0" in data:
            raise self._nul(1 + data.count(b"\n", 0, data.index(b"\0")))
        if not data.strip():
            raise self.empty()
        return self.decoded(data, 1)

    def decoded(self, data: bytes, first_line: int) -> str:
        """Return bytes as text, or raise the error that names the line that is not UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as problem:
            line = first_line + data.count(b"\n", 0, problem.start)
            wrong = f"byte 0x{data[problem.start]:02x} is not UTF-8; "
            raise self.error(wrong + "convert the file, for example with iconv -f latin1 -t utf-8", line) from None

    def file_bytes(self) -> int:
        """Return the size of the file on disk, or of what was read of standard input."""
        return self.n_read if self.standard_input else self.file.stat().st_size

    def blocks(self) -> Iterator[LineBlock]:
        """Yield the file as blocks of whole lines, without byte order mark; NUL bytes are refused."""
        rest, line, chunk = b"", 1, self.head
        only_returns = b"\n" not in chunk and b"\r" in chunk
        if chunk:
            chunk += self.read(BLOCK_BYTES - len(chunk))
        while chunk:
            if b"\0" in chunk:
                raise self._nul(line + (rest + chunk[: chunk.index(b"\0")]).count(b"\n"))
            if only_returns:
                chunk = chunk.replace(b"\r", b"\n")
            cut = chunk.rfind(b"\n") + 1
            if cut:
                block = rest + chunk[:cut]
                yield LineBlock(block, line)
                line += block.count(b"\n")
                rest = chunk[cut:]
            else:
                rest += chunk
            if len(rest) > MAX_LINE_BYTES:
                wrong = f"a line of more than {MAX_LINE_BYTES >> 20} MiB; write one edge per line, or set `format`"
                raise self.error(wrong, line)
            chunk = self.read(BLOCK_BYTES)
        if rest:
            yield LineBlock(rest + b"\n", line)

    def empty(self) -> GraphFormatError:
        """Return the error for a file with nothing in it."""
        return self.error("the file is empty; check the program that wrote it")

    def no_edges(self) -> GraphFormatError:
        """Return the error for a file without data."""
        return self.error("no edges, only blank lines, comments or column names; check the program that wrote it")

    def check_declared(self, n_nodes: int, line: int | None = None) -> None:
        """Refuse a declared number of nodes that a file of the bytes read so far cannot mean."""
        # A wrong digit must not allocate the memory of the machine.
        limit = min(MAX_NODES, max(10_000_000, 64 * self.n_read))
        if n_nodes > limit:
            wrong = f"{n_nodes} nodes are declared, more than the {limit} that a file of {self.n_read} bytes may have; "
            raise self.error(wrong + "correct the size, or write the graph as an edge list", line)

    def _nul(self, line: int) -> GraphFormatError:
        if self.head.startswith(b"PK\x03\x04"):
            return self.error("this is a zip archive; unpack it and read the file inside", line)
        remedy = "set `format`, or convert UTF-16 with iconv -f utf-16 -t utf-8"
        return self.error(f"a NUL byte, so this is not plain text; {remedy}", line)
