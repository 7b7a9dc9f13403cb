"""Pages over time: what they hold about each period."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.explore.pages import changing_graph, content_of
from vnestruct.explore import content, write_page

pytest.importorskip("igraph")


SCORES = [0.0, 0.5, 2.0, 0.25]


def test_a_page_has_the_role_of_every_node_in_every_period(tmp_path: Path) -> None:
    changing = changing_graph()
    write_page(tmp_path / "p.html", changing.graph, changing.model, periods=changing.periods, scores=SCORES)
    head, arrays = content_of(tmp_path / "p.html")
    assert head["periods"] == {"start": [0.0, 10.0, 20.0, 30.0], "links": [6, 6, 21, 6], "scores": SCORES, "left": 0}
    found = arrays["periodRoles"].reshape(4, changing.graph.n_nodes)
    assert np.array_equal(found, changing.roles())
    # A star, the same star, a clique of its nodes, and the star with another hub: 0 is a hub, 1 a leaf.
    assert found[0].tolist() == found[1].tolist() == [0, 1, 1, 1, 1, 1, 1, 65535]
    assert found[2].tolist() == [2] * 7 + [65535]
    assert found[3].tolist() == [1, 0, 1, 1, 1, 1, 65535, 1]


def test_of_many_periods_the_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changing = changing_graph()
    for cells, kept in ((31, 3), (16, 2), (1, 1)):
        monkeypatch.setattr(content, "PERIOD_CELLS", cells)
        write_page(tmp_path / "p.html", changing.graph, changing.model, periods=changing.periods, scores=SCORES)
        head, arrays = content_of(tmp_path / "p.html")
        assert head["periods"]["start"] == [0.0, 10.0, 20.0, 30.0][-kept:]
        assert head["periods"]["scores"] == SCORES[-kept:]
        assert head["periods"]["left"] == 4 - kept
        assert np.array_equal(arrays["periodRoles"], changing.roles()[-kept:].ravel())
