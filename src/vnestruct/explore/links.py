"""The links that a page holds, so that it can draw the ego network of every node, as a few bytes for each."""

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray

MOST_LINKS = 2_000_000  # most links of a page: two or three bytes each


def kept_links(graph: Graph, most: int = MOST_LINKS) -> tuple[Graph, str]:
    """Return the graph of the links that a page holds, and which they are, in one sentence.

    All up to `most`. Otherwise each node keeps those to its neighbours of largest degree, as many as fit; its other
    links are there if the neighbour keeps them.
    """
    if graph.n_edges <= most:
        return graph, "All links of the graph"
    each = max(1, most // graph.n_nodes)
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    order = np.lexsort((graph.indices, -graph.degrees[graph.indices], source))
    place = np.arange(source.size) - np.repeat(graph.indptr[:-1], graph.degrees)
    kept = order[place < each]
    links = graph_from_ids(source[kept], graph.indices[kept].astype(np.int64), n_nodes=graph.n_nodes)
    which = f"to the {each} largest neighbours" if each > 1 else "to the largest neighbour"
    return links, f"{links.n_edges:,} of {graph.n_edges:,} links: those of each node {which}"


def link_arrays(graph: Graph) -> dict[str, npt.NDArray[np.uint8]]:
    """Return each link once, with the node of smaller position: how many each has, and the steps between them."""
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    upper = source < graph.indices
    source, target = source[upper], graph.indices[upper].astype(np.int64)
    before = np.concatenate([source[:1], np.where(source[1:] == source[:-1], target[:-1], source[1:])])
    counts = np.bincount(source, minlength=graph.n_nodes)
    return {"linkCounts": varints(counts), "linkSteps": varints(target - before)}


def varints(numbers: OffsetArray) -> npt.NDArray[np.uint8]:
    """Return whole numbers from 0 in as few bytes as possible: seven bits in each, lowest first, the last below 128."""
    rest = numbers.astype(np.uint64)
    sizes = np.ones(rest.size, np.int64)
    for bits in range(7, 64, 7):
        sizes += rest >= np.uint64(1 << bits)
    place = np.cumsum(sizes) - sizes
    coded = np.empty(int(sizes.sum()), np.uint8)
    while rest.size:
        more = sizes > 1
        coded[place] = (rest & np.uint64(127)) | np.where(more, np.uint64(128), np.uint64(0))
        rest, place, sizes = rest[more] >> np.uint64(7), place[more] + 1, sizes[more] - 1
    return coded
