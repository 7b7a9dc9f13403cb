"""The HTML of a page: everything it needs is inside, and only its own scripts can run.

The data of a page is one compressed text: a JSON head, then arrays of numbers in binary.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

import numpy.typing as npt

_TYPES = {"uint8": "Uint8Array", "uint16": "Uint16Array", "int32": "Int32Array", "float32": "Float32Array",
          "float64": "Float64Array"}  # fmt: skip
"""The element types of arrays in a page, and their names in the browser."""

_SCRIPTS = ("data.js", "similar.js", "scales.js", "pictures.js", "panels.js", "search.js", "start.js")


def page_text(title: str, data: str, items: Mapping[str, Any]) -> str:
    """Return the page, from its title as plain text, the packed data and Bokeh's JSON for each picture.

    A content security policy in the page lets the browser run only the scripts whose digests it lists, and lets it
    contact no host: even a mistake in escaping could not run or send anything.
    """
    from bokeh.resources import Resources

    own = "\n".join(_asset(name) for name in _SCRIPTS)
    scripts = [
        # Bokeh would warn about empty pictures, which these are until their data is read.
        *(_inert(text) for text in Resources("inline", components=["bokeh", "bokeh-gl"], log_level="error").js_raw),
        f'"use strict";\n(() => {{\n{own}\n}})();\n',
    ]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts]
    digests = " ".join(f"'sha256-{value}'" for value in hashes)
    # Bokeh's WebGL compiles its drawing functions from text.
    policy = (
        f"default-src 'none'; script-src {digests} 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(_asset("page.html")).substitute(
        policy=policy,
        title=html.escape(title),
        style=_asset("page.css"),
        scripts="\n".join(f"<script>{text}</script>" for text in scripts),
        # Without characters that are special in HTML.
        items=json.dumps(items, separators=(",", ":")).translate({ord(mark): f"\\u{ord(mark):04x}" for mark in "&<>"}),
        data=data,
    )


def _asset(name: str) -> str:
    return files("vnestruct.explore").joinpath("assets", name).read_text(encoding="utf-8")


def _inert(script: str) -> str:
    """Keep the text of a library from ending its own element; within its strings both spellings mean the same."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def pack(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return data as base64 of gzip, the same for the same data.

    The bytes are the length of the head (8 bytes, little-endian), the head, and the arrays, each padded with zeros to
    a multiple of 8 bytes. The head has their names, types and lengths under ``arrays``.
    """
    listed = [[name, _TYPES[array.dtype.name], int(array.size)] for name, array in arrays.items()]
    # Half of a surrogate pair, which files may contain, is not text that a browser can show: it becomes "?".
    text = json.dumps({**head, "arrays": listed}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    contents = [text, *(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays.values())]
    parts = [len(text).to_bytes(8, "little"), *(data + b"\0" * (-len(data) % 8) for data in contents)]
    # Level 6: most of a large page is signatures, which no higher level compresses further.
    return base64.b64encode(gzip.compress(b"".join(parts), 6, mtime=0)).decode("ascii")
