"""A page put together from its parts, with everything inside and nothing that could run but its own scripts."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

_SCRIPTS = ("data.js", "similar.js", "scales.js", "pictures.js", "panels.js", "search.js", "start.js")


def page_text(title: str, data: str, items: Mapping[str, Any]) -> str:
    """Return the page.

    A policy within the page lets the browser run the scripts whose digests it names and no other, and lets it ask no
    host for anything: not even a mistake in escaping could run or send something.

    Parameters
    ----------
    title : str
        Title, as plain text.
    data : str
        What `vnestruct.explore.packing.pack` made.
    items : mapping
        Bokeh's JSON of each picture.
    """
    from bokeh.resources import Resources

    own = "\n".join(_asset(name) for name in _SCRIPTS)
    scripts = [
        # Bokeh would warn of pictures that are empty, which these are until their data is read.
        *(_inert(text) for text in Resources("inline", components=["bokeh", "bokeh-gl"], log_level="error").js_raw),
        f'"use strict";\n(() => {{\n{own}\n}})();\n',
    ]
    digests = " ".join(f"'sha256-{_digest(text)}'" for text in scripts)
    policy = (
        # Bokeh's WebGL compiles its drawing functions from text.
        f"default-src 'none'; script-src {digests} 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(_asset("page.html")).substitute(
        policy=policy,
        title=html.escape(title),
        style=_asset("page.css"),
        scripts="\n".join(f"<script>{text}</script>" for text in scripts),
        items=_as_json(items),
        data=data,
    )


def _asset(name: str) -> str:
    return files("vnestruct.explore").joinpath("assets", name).read_text(encoding="utf-8")


def _inert(script: str) -> str:
    """Keep the text of a library from ending its own element; within its strings the two spellings are the same."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _as_json(value: Any) -> str:
    """Write JSON in which no character means anything to HTML."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
