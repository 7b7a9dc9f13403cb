"""Links lead somewhere: to files, to headings in them, and elsewhere at least in form."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.documents.pages import DOCUMENTS, NAMES, ROOT, anchors, prose


@pytest.mark.parametrize("page", DOCUMENTS, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    text = prose(page)
    for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", text) + re.findall(
        r"^\[[^\]]+\]: (\S+)", text, re.MULTILINE
    ):
        where = f"{page.name} links to {target}"
        if re.match(r"[a-z]+:", target):
            parts = urlsplit(target)
            assert parts.scheme in ("https", "mailto"), f"{where}, not by https"
            assert parts.scheme == "mailto" or re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc), f"{where}, no host"
            continue
        name, _, anchor = target.partition("#")
        file = page if not name else (page.parent / name)
        assert file.exists(), f"{where}, which is not there"
        if anchor:
            assert anchor in anchors(file), f"{where}; its headings are {sorted(anchors(file))}"


def test_pages_of_the_site_link_to_pages_of_the_site() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)\s#]+)", prose(page)):
            if not re.match(r"[a-z]+:", target):
                assert ".." not in target, f"{page.name} links to {target}, outside the site"


def test_every_page_is_in_the_site_and_every_picture_in_a_page() -> None:
    listed = set(re.findall(r"([\w-]+\.md)", (ROOT / "mkdocs.yml").read_text()))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert listed == pages
    text = "".join(path.read_text() for path in DOCUMENTS)
    for picture in (ROOT / "docs" / "images").iterdir():
        assert f"images/{picture.name}" in text, f"no page shows {picture.name}"


def test_every_picture_has_words_for_those_who_do_not_see_it() -> None:
    for page in DOCUMENTS:
        for words in re.findall(r"!\[([^\]]*)\]\(", prose(page)):
            assert len(words.split()) >= 2, f"{page.name}: a picture without a description"


def test_every_picture_is_drawn_by_our_own_code() -> None:
    drawn = (ROOT / "docs" / "pictures.py").read_text() + (ROOT / "docs" / "diagrams.py").read_text()
    for picture in (ROOT / "docs" / "images").iterdir():
        assert f'"{picture.name}"' in drawn or f'("{picture.stem}", ' in drawn, f"nothing draws {picture.name}"


def test_nothing_is_drawn_by_another_host() -> None:
    for page in DOCUMENTS:
        assert not re.search(r"!\[[^\]]*\]\(https?:", page.read_text()), f"{page.name} shows a picture from elsewhere"
        assert "```mermaid" not in page.read_text(), f"{page.name}: the program that draws Mermaid comes from elsewhere"
