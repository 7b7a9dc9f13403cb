"""The CUDA sources of this folder as text: what the device's compiler is given."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

_FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)


@functools.cache
def read_source(name: str) -> str:
    """Return a source with all it includes written out, each header once.

    CuPy keeps compiled code by the text it was given, and would not notice an edit in a header.

    Examples
    --------
    >>> '#include "' in read_source("balls.cu")
    False
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
def digest() -> str:
    """Return a fingerprint of all sources: results of two versions may differ in their last bits."""
    state = hashlib.blake2b(digest_size=8)
    for path in sorted([*_FOLDER.glob("*.cu"), *_FOLDER.glob("*.cuh")]):
        state.update(path.read_bytes())
    return state.hexdigest()
