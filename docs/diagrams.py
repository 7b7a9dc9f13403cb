"""Diagrams of the documentation: boxes and arrows, written as SVG, so that they work offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

INK, MUTED, LINE, GROUND = "#17191d", "#52585f", "#7a828c", "#ffffff"
FONT = "DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif"
LINE_HEIGHT = 16


@dataclass(frozen=True)
class Box:
    """A box with a name and a few lines of text."""

    x: int
    y: int
    width: int
    height: int
    name: str
    lines: tuple[str, ...] = ()
    fill: str = "#eaf2fb"

    def side(self, which: str) -> tuple[float, float]:
        """Return the middle of a side: left, right, top or bottom."""
        across = {"left": 0.0, "right": 1.0}.get(which, 0.5)
        down = {"top": 0.0, "bottom": 1.0}.get(which, 0.5)
        return self.x + across * self.width, self.y + down * self.height

    def svg(self) -> str:
        """Return the elements of the box."""
        middle, top = self.x + self.width / 2, self.y + self.height / 2
        top -= LINE_HEIGHT * len(self.lines) / 2 - 5
        words = [_text(middle, top, self.name, 14, INK, weight=600)]
        words += [
            _text(middle, top + LINE_HEIGHT * (place + 1), line, 12, MUTED) for place, line in enumerate(self.lines)
        ]
        frame = (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="8" fill="{self.fill}" '
            f'stroke="{LINE}"/>'
        )
        return frame + "".join(words)


def _text(x: float, y: float, words: str, size: int, colour: str, weight: int = 400, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def arrow(
    start: tuple[float, float], end: tuple[float, float], words: Sequence[str] = (), *, dashed: bool = False
) -> str:
    """Return a straight arrow with words above its middle, or to the right if it is vertical."""
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    line = (
        f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke="{LINE}" '
        f'stroke-width="1.6" marker-end="url(#tip)"{dashes}/>'
    )
    middle, upright = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), abs(start[0] - end[0]) < 1
    texts = []
    for place, one in enumerate(words):
        if upright:
            y = middle[1] + 4 + (place - (len(words) - 1) / 2) * 15
            texts.append(_text(middle[0] + 8, y, one, 12, MUTED, anchor="start"))
        else:
            texts.append(_text(middle[0], middle[1] - 7 - 15 * (len(words) - 1 - place), one, 12, MUTED))
    return line + "".join(texts)


def frame(x: int, y: int, width: int, height: int, words: str) -> str:
    """Return a dashed frame around several boxes, with words at its top."""
    box = (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="none" stroke="{LINE}" '
        'stroke-dasharray="3 4"/>'
    )
    return box + _text(x + 12, y + 20, words, 12, MUTED, anchor="start")


def picture(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """Return a whole SVG file, with its own background, for light and dark pages."""
    tip = (
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        f'orient="auto"><path d="M0 0L10 5L0 10z" fill="{LINE}"/></marker></defs>'
    )
    inside = "\n".join([tip, f'<rect width="{width}" height="{height}" rx="12" fill="{GROUND}"/>', *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="{FONT}">\n<title>{escape(title)}</title>\n{inside}\n</svg>\n'
    )


def architecture() -> str:
    """Draw how data flows through the package."""
    warm, green, grey = "#fdf1dc", "#e3f4ee", "#f0f1f3"
    reader = Box(20, 120, 120, 64, "io", ("readers of files", "and objects"))
    graph = Box(176, 120, 120, 64, "graph", ("one clean CSR", "with labels"))
    plan = Box(332, 120, 136, 64, "embedding", ("plan: ranks, leaves,", "twins, blocks"))
    execute = Box(516, 120, 148, 64, "execute", ("threads, Ray, GPU:", "runs blocks"))
    kernels = Box(516, 20, 148, 64, "kernels", ("arrays in,", "arrays out"), warm)
    result = Box(712, 120, 128, 64, "embedding", ("rows joined", "in node order"))
    store = Box(712, 20, 128, 64, "store", ("checkpoints,", "files"), warm)
    uses = [
        Box(176, 250, 140, 64, "graph_entropy", ("whole graphs,", "bounds"), green),
        Box(332, 250, 136, 64, "distance, pyg", ("compare graphs,", "feed PyTorch"), green),
        Box(516, 250, 148, 64, "setmodel", ("classify graphs", "(+ datasets)"), green),
        Box(712, 250, 128, 64, "roles", ("cluster, describe,", "compare, draw"), green),
    ]
    explore = Box(712, 356, 128, 48, "explore", ("one offline page",), green)
    cli = Box(20, 356, 644, 48, "cli", ("one file per command, uses everything else",), grey)
    parts = [one.svg() for one in (reader, graph, plan, execute, kernels, result, store, *uses, explore, cli)]
    chain = [reader, graph, plan, execute, result]
    parts += [arrow(a.side("right"), b.side("left")) for a, b in pairwise(chain)]
    parts.append(arrow(execute.side("top"), kernels.side("bottom")))
    parts.append(arrow(result.side("top"), store.side("bottom")))
    parts.append(arrow(result.side("bottom"), uses[3].side("top"), ("signatures",)))
    # One line from the signatures to all packages that use them.
    middle = result.side("bottom")[0]
    parts.append(f'<path d="M{middle:g} 218H246" fill="none" stroke="{LINE}" stroke-width="1.6"/>')
    parts += [arrow((one.side("top")[0], 218), one.side("top")) for one in uses[:3]]
    parts.append(arrow(uses[3].side("bottom"), explore.side("top")))
    return picture(860, 424, "How data flows through vnestruct", parts)


def cluster() -> str:
    """Draw how the work flows on a cluster."""
    warm, green = "#fdf1dc", "#e3f4ee"
    graph = Box(40, 60, 100, 56, "graph")
    plan = Box(180, 60, 180, 56, "plan", ("ranks, leaves, twins, costs;", "radius 1"))
    blocks = Box(180, 200, 180, 56, "blocks", ("of equal cost,", "most expensive first"))
    rows = Box(180, 290, 180, 56, "rows, progress")
    saved = Box(40, 262, 100, 44, "checkpoint", (), warm)
    matrix = Box(40, 330, 100, 44, "matrix", (), warm)
    stored = Box(560, 60, 220, 56, "object store", ("or a .vng on a shared disk",), warm)
    workers = Box(560, 204, 220, 142, "workers", ("one CPU each: kernels,", "private workspace"), green)
    parts = [frame(20, 20, 370, 400, "driver: the process that calls embed"), frame(530, 20, 280, 400, "each machine")]
    parts += [one.svg() for one in (graph, plan, blocks, rows, saved, matrix, stored, workers)]
    parts.append(arrow(graph.side("right"), plan.side("left")))
    parts.append(arrow(plan.side("bottom"), blocks.side("top")))
    parts.append(arrow(plan.side("right"), stored.side("left"), ("once",)))
    parts.append(arrow(stored.side("bottom"), workers.side("top"), ("shared, not copied",)))
    parts.append(arrow((360, 228), (560, 228), ("two per CPU at a time",)))
    parts.append(arrow((560, 318), (360, 318), ("rows as they finish",)))
    parts.append(arrow((180, 310), (140, 288)))
    parts.append(arrow((180, 326), (140, 348)))
    parts.append(_text(670, 372, "if a worker is lost, its blocks", 12, MUTED))
    parts.append(_text(670, 388, "are retried, up to 4 times", 12, MUTED))
    return picture(830, 440, "How the work flows on a cluster", parts)


def draw_diagrams(folder: Path) -> None:
    """Write every diagram into a folder."""
    for name, draw in (("architecture", architecture), ("cluster", cluster)):
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8")
