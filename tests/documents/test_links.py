"""Links lead to existing files and headings, and external addresses are well formed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from experiments.gallery.graphs import EXAMPLES

from tests.documents.pages import DOCUMENTS, ROOT, anchors, links, tokens

PAGES = sorted((ROOT / "docs").glob("*.md"))
PICTURES = sorted((ROOT / "docs" / "images").iterdir())


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_targets(page: Path) -> None:
    for target in links(page):
        if re.match(r"[a-z]+:", target):
            assert re.match(r"https://[\w-]+(\.[\w-]+)+(/|$)|mailto:", target), target
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}: the headings of the page are {sorted(anchors(file))}"
        # Links to source files are turned into text when the site is built (docs/source_links.py).
        assert page not in PAGES or ".." not in target.removeprefix("../src/"), f"{target} is outside the site"


def test_every_page_is_in_the_site() -> None:
    listed = re.findall(r"([\w-]+\.md)", (ROOT / "mkdocs.yml").read_text())
    assert sorted(listed) == [page.name for page in PAGES]


def test_every_picture_is_drawn_by_code_and_shown_in_a_page() -> None:
    shown = "".join(path.read_text() for path in DOCUMENTS)
    drawn = (ROOT / "docs" / "pictures.py").read_text() + (ROOT / "docs" / "diagrams.py").read_text()
    drawn += "".join(f'"gallery-{name}.png"' for name in EXAMPLES)
    for picture in PICTURES:
        assert f"images/{picture.name}" in shown, f"no page shows {picture.name}"
        assert f'"{picture.name}"' in drawn or f'("{picture.stem}", ' in drawn, f"nothing draws {picture.name}"


def test_pictures_have_descriptions_and_come_from_the_site_itself() -> None:
    for page in DOCUMENTS:
        for picture in (token for token in tokens(page) if token.type == "image"):
            assert len(picture.content.split()) >= 2, f"{page.name}: {picture.attrs['src']} has no description"
            assert not str(picture.attrs["src"]).startswith("http"), f"{page.name} shows a picture from elsewhere"
