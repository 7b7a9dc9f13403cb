"""A hook of MkDocs: pages link to source files of the repository, which are not part of the site."""

from __future__ import annotations

import re
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Keep the text of such links and drop their targets."""
    return re.sub(r"\[([^\]]+)\]\(\.\./src/[^)]*\)", r"\1", markdown)
