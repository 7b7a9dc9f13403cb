"""A fixture: Chromium, started when a test first asks for it; Playwright allows one per process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = [
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-gpu-compositing",
]  # fmt: skip


def chromium() -> str | None:
    """Where Chromium is, if it is."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-browser")
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed: make test-browser installs it, or set CHROMIUM to its path")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()
