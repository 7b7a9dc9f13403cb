"""A fitted clusterer shows itself: its summary is a data frame, its pictures figures, its page inline."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from vnestruct import ParameterError, RoleClusterer

CLUB = nx.karate_club_graph()


def test_summary_is_a_data_frame() -> None:
    roles = RoleClusterer().fit(CLUB)
    frame = roles.summary()
    assert isinstance(frame, pd.DataFrame)
    assert frame["nodes"].tolist() == np.bincount(roles.labels_).tolist()
    assert frame["share"].sum() == pytest.approx(1.0)
    for name in frame.columns:
        assert frame[name].tolist() == [getattr(role, name) for role in roles.describe()]
    alone = RoleClusterer(3).fit(roles.signatures_)
    assert alone.summary().columns.tolist() == ["role", "nodes", "share", "examples", "x1", "x2", "x3", "x4", "x5"]
    np.testing.assert_array_equal(alone.summary()[["x1", "x2", "x3", "x4", "x5"]].to_numpy(), alone.centres_)
    assert alone.summary(CLUB)["description"].tolist() == [role.description for role in alone.describe(CLUB)]


def test_pictures_and_pages() -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    pytest.importorskip("igraph", reason="the plot extra is not installed")
    roles = RoleClusterer(3).fit(CLUB)
    figure = roles.plot(title="A club")
    assert figure.get_suptitle() == "A club"
    assert len(figure.axes) == 2
    assert figure._repr_png_().startswith(b"\x89PNG")
    alone = RoleClusterer(3).fit(roles.signatures_)
    assert alone.show(CLUB, title="A club").html != ""
    for view in ("plot", "show"):
        with pytest.raises(ParameterError, match=rf"{view}\(graph\)"):
            getattr(alone, view)()
