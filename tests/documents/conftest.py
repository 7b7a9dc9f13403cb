"""A folder of one's own for each page, with what its commands take for granted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.pages import Block, needed_data


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def bring_data(page: Path, code: list[Block], folder: Path, request: pytest.FixtureRequest) -> None:
    """Put the real data that code names into the folder of its page; without the data, skip and say so."""
    text = "".join(block.text for block in code)
    names = [name for name in needed_data(page) if Path(name).name in text or f'"{Path(name).stem}"' in text]
    if not names:
        return
    source: Path = request.getfixturevalue("data_folder")
    for name in names:
        if not (source / name).is_file():
            pytest.skip(f"{page.name} works on {name}, which is not in {source}")
        (folder / Path(name).name).symlink_to(source / name)
