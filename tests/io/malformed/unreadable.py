"""Files that may not be read, also where the tests run as the superuser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def unreadable(path: Path) -> Iterator[None]:
    """Take away the permission to read a file; the superuser, whom permissions do not bind, becomes nobody."""
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        path.chmod(0o600)
