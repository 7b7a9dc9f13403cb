"""Links lead to existing files and headings, and external addresses are well formed."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from experiments.gallery.graphs import EXAMPLES

from tests.documents.pages import DOCUMENTS, ROOT, anchors, prose


def test_links_have_targets() -> None:
    for page in DOCUMENTS:
        text = prose(page)
        inline = re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", text)
        for target in inline + re.findall(r"^\[[^\]]+\]: (\S+)", text, re.MULTILINE):
            check_link(page, target)


def test_the_main_documents_are_checked() -> None:
    names = {str(page.relative_to(ROOT)) for page in DOCUMENTS}
    assert {"README.md", "CHANGELOG.md", "docs/index.md", "benchmarks/README.md", "experiments/README.md"} <= names
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= names
    assert "CONTRIBUTING.md" in names or not (ROOT / "CONTRIBUTING.md").exists()


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n## A part\n")
    check_link(page, "#a-part")
    check_link(page, "https://example.org/x")
    for target in ("gone.md", "#gone", "http://example.org", "https://nohost"):
        with pytest.raises(AssertionError, match="links to"):
            check_link(page, target)


def check_link(page: Path, target: str) -> None:
    """Check that a file and heading exist, or that an address is well formed."""
    place = f"{page.name} links to {target}"
    if re.match(r"[a-z]+:", target):
        parts = urlsplit(target)
        assert parts.scheme in ("https", "mailto"), f"{place}, which is not https"
        assert parts.scheme == "mailto" or re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc), f"{place}, without a host"
        return
    name, _, anchor = target.partition("#")
    file = page.parent / name if name else page
    assert file.exists(), f"{place}, which does not exist"
    if anchor:
        assert anchor in anchors(file), f"{place}; its headings are {sorted(anchors(file))}"


def test_pages_of_the_site_link_to_pages_of_the_site() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)\s#]+)", prose(page)):
            # Links to source files are turned into text when the site is built (docs/source_links.py).
            if not re.match(r"[a-z]+:|\.\./src/", target):
                assert ".." not in target, f"{page.name} links to {target}, outside the site"


def test_every_page_is_in_the_site_and_every_picture_in_a_page() -> None:
    listed = set(re.findall(r"([\w-]+\.md)", (ROOT / "mkdocs.yml").read_text()))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert listed == pages
    text = "".join(path.read_text() for path in DOCUMENTS)
    for picture in (ROOT / "docs" / "images").iterdir():
        assert f"images/{picture.name}" in text, f"no page shows {picture.name}"


def test_every_picture_has_a_description() -> None:
    for page in DOCUMENTS:
        for description in re.findall(r"!\[([^\]]*)\]\(", prose(page)):
            assert len(description.split()) >= 2, f"{page.name}: a picture without a description"


def test_every_picture_is_drawn_by_code_in_the_repository() -> None:
    drawn = (ROOT / "docs" / "pictures.py").read_text() + (ROOT / "docs" / "diagrams.py").read_text()
    drawn += "".join(f'"gallery-{name}.png"' for name in EXAMPLES)
    for picture in (ROOT / "docs" / "images").iterdir():
        assert f'"{picture.name}"' in drawn or f'("{picture.stem}", ' in drawn, f"nothing draws {picture.name}"


def test_no_picture_comes_from_another_host() -> None:
    for page in DOCUMENTS:
        assert not re.search(r"!\[[^\]]*\]\(https?:", page.read_text()), f"{page.name} shows a picture from elsewhere"
        assert "```mermaid" not in page.read_text(), f"{page.name}: Mermaid would load a program from another host"
