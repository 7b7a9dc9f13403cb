"""A working folder for each page, with the data that its code reads."""

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
    """Link the real data that the code names into the folder of its page; skip the test if the data is missing."""
    text = "".join(block.text for block in code)
    names = [name for name in needed_data(page) if Path(name).name in text or f'"{Path(name).stem}"' in text]
    if not names:
        return
    source: Path = request.getfixturevalue("data_folder")
    for name in names:
        if not (source / name).is_file():
            pytest.skip(f"{page.name} needs {name}, which is not in {source}")
        (folder / Path(name).name).symlink_to(source / name)
