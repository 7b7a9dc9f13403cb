"""What signatures can and cannot tell apart: BREC's 400 pairs of graphs that are hard to distinguish."""
