"""Check that the built site loads nothing from other hosts, and that every internal link has a target.

``python docs/check_site.py site``; `make docs` runs it.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
LINKS_THAT_LOAD = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "modulepreload",
    "manifest",
}


class Page(HTMLParser):
    """What a page loads, its links, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record what an element refers to."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if "mermaid" in given.get("class", "").split():
            self.loads.append("https://unpkg.com/mermaid")
        if LOADED.get(tag) in given:
            self.loads.append(given[LOADED[tag]])
        if tag == "link" and set(given.get("rel", "").split()) & LINKS_THAT_LOAD:
            self.loads.append(given.get("href", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


def problems(site: Path) -> list[str]:
    """Return the problems of a site, one sentence each."""
    pages = {path.resolve(): read(path) for path in sorted(site.rglob("*.html"))}
    found = [f"{site} holds no pages"] if not pages else []
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        found += [f"{name} loads {address}" for address in page.loads if is_external(address)]
        # The 404 page has links from the root of a host.
        inside = [link for link in page.links if not re.match(r"[a-z]+:|//", link)] if path.name != "404.html" else []
        for link in inside:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{name} links to {link}, which does not exist")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name} links to {link}, and that page has no such anchor")
    for style in site.rglob("*.css"):
        addresses = re.findall(r"""url\(\s*["']?([^"')]+)""", style.read_text(encoding="utf-8"))
        found += [f"{style.name} loads {address}" for address in addresses if is_external(address)]
    return found


def is_external(address: str) -> bool:
    """Return whether an address is on another host."""
    return bool(re.match(r"(https?:)?//", address))


def read(path: Path) -> Page:
    """Read a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]))
    print("\n".join(wrong) or f"{sys.argv[1]}: loads nothing from other hosts, and all links have targets.")
    raise SystemExit(bool(wrong))
