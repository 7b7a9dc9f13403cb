"""What was cleaned when a graph was read."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CleaningReport:
    """What building a graph read and what it dropped.

    Examples
    --------
    >>> print(CleaningReport(edges_read=5, self_loops_dropped=1, parallel_merged=2))
    Read 5 edges; dropped 1 self-loop; merged 2 parallel edges.
    """

    edges_read: int = 0
    self_loops_dropped: int = 0
    parallel_merged: int = 0
    zero_weight_dropped: int = 0
    isolated_nodes: int = 0

    def __str__(self) -> str:
        changes = [
            (self.self_loops_dropped, f"dropped {_count_noun(self.self_loops_dropped, 'self-loop')}"),
            (self.parallel_merged, f"merged {_count_noun(self.parallel_merged, 'parallel edge')}"),
            (self.zero_weight_dropped, f"dropped {_count_noun(self.zero_weight_dropped, 'edge')} of weight 0"),
            (self.isolated_nodes, f"kept {_count_noun(self.isolated_nodes, 'isolated node')}"),
        ]
        texts = [f"Read {_count_noun(self.edges_read, 'edge')}", *(text for count, text in changes if count)]
        return "; ".join(texts) + "."


def _count_noun(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
