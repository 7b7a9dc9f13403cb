"""XML read event by event, without document types, entities or encodings that could hide them."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.parsers import expat

from vnestruct.errors import GraphFormatError
from vnestruct.io.source import Source

_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_ENCODINGS = {b"utf-8", b"utf8", b"us-ascii", b"ascii", b"iso-8859-1", b"latin-1", b"latin1"}
_REFUSED = re.compile(rb"<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)
_MAX_DEPTH = 64
_MAX_TEXT = 16 << 20
_BUFFER_BYTES = 1 << 16
_FEED_BYTES = 1 << 20
_OVERLAP = 16

Start = Callable[[str, dict[str, str], int], None]
End = Callable[[str, str, int], None]


def parse_markup(source: Source, start: Start, end: End) -> None:
    """Call `start(tag, attributes, line)` and `end(tag, text, line)` for the elements of a file.

    Namespaces are taken off tags; `text` is what stood directly inside the element.

    Parameters
    ----------
    source : Source
        The file.
    start, end : callable
        Called at the beginning and at the end of each element.
    """
    _check_encoding(source)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.buffer_size = _BUFFER_BYTES
    texts: list[list[str]] = []

    def on_start(tag: str, attributes: dict[str, str]) -> None:
        if len(texts) >= _MAX_DEPTH:
            raise source.error(
                f"elements nested deeper than {_MAX_DEPTH}; check the program that wrote it",
                parser.CurrentLineNumber,
            )
        texts.append([])
        start(tag.rpartition(" ")[2], attributes, parser.CurrentLineNumber)

    def on_end(tag: str) -> None:
        end(tag.rpartition(" ")[2], "".join(texts.pop()), parser.CurrentLineNumber)

    def on_text(text: str) -> None:
        texts[-1].append(text)
        if len(texts[-1]) * _BUFFER_BYTES > _MAX_TEXT:
            raise _too_long(source, parser.CurrentLineNumber)

    def on_doctype(*_: object) -> None:
        raise _refused(source, parser.CurrentLineNumber)

    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.CharacterDataHandler = on_text
    # The bytes are searched before the parser sees them; this stands behind that search.
    parser.StartDoctypeDeclHandler = on_doctype
    parser.EntityDeclHandler = on_doctype
    _feed(source, parser)


def _feed(source: Source, parser: expat.XMLParserType) -> None:
    data, tail, line, n_fed = source.head, b"", 1, 0
    try:
        while data:
            found = _REFUSED.search(tail + data)
            if found is not None:
                raise _refused(source, line + (tail + data).count(b"\n", 0, found.start()))
            parser.Parse(data, False)
            n_fed += len(data)
            # What has not led to an event yet is one tag, held in memory until it ends.
            if n_fed - parser.CurrentByteIndex > _MAX_TEXT:
                raise _too_long(source, parser.CurrentLineNumber)
            line += (tail + data).count(b"\n", 0, -_OVERLAP)
            tail = (tail + data)[-_OVERLAP:]
            data = source.read(_FEED_BYTES)
        parser.Parse(b"", True)
    except expat.ExpatError as problem:
        raise source.error(
            f"not well-formed XML ({expat.ErrorString(problem.code)}); check the program that wrote it",
            problem.lineno,
        ) from None


def _check_encoding(source: Source) -> None:
    head = source.head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:64]:
        raise source.error("the file is not UTF-8; convert it, for example with iconv -f utf-16 -t utf-8", 1)
    declared = _DECLARED.search(head[:1024])
    if declared is not None and declared[1].lower() not in _ENCODINGS:
        raise source.error(
            f"encoding {declared[1].decode('ascii')} is not read; convert the file to UTF-8 with iconv", 1
        )


def _too_long(source: Source, line: int) -> GraphFormatError:
    return source.error(f"one tag or text of more than {_MAX_TEXT >> 20} MiB; check the program that wrote it", line)


def _refused(source: Source, line: int) -> GraphFormatError:
    return source.error(
        "document types and entities are not read, since they can exhaust memory or fetch files; "
        "delete the <!DOCTYPE ...> declaration",
        line,
    )
