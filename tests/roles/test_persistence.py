"""Saved roles come back bit for bit, and files of other kinds are refused in words."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.generators import power_law
from vnestruct import GraphFormatError, ParameterError
from vnestruct.graph.synthetic import barbell
from vnestruct.roles import RoleClusterer

FIXTURE = Path(__file__).parent / "fixtures" / "barbell-format-1.roles"
FITTED = ("labels_", "centroids_", "scales_", "signatures_", "nodes_", "n_roles_", "columns_", "silhouettes_")


def assert_same(first: RoleClusterer, second: RoleClusterer) -> None:
    for name in FITTED:
        one, other = getattr(first, name), getattr(second, name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist()
            if one.dtype != object:
                assert one.tobytes() == other.tobytes()
        else:
            assert one == other


def test_everything_comes_back_bit_for_bit(tmp_path: Path) -> None:
    for method in ["ward", "kmeans"]:
        network = power_law(200, 2.4, seed=1)
        model = RoleClusterer(method=method, scaling="standard", kind=["approx", "quadratic"], aggregate=("mean",))
        model.fit(network).save(tmp_path / "model.roles")
        loaded = RoleClusterer.load(tmp_path / "model.roles")
        assert_same(model, loaded)
        assert loaded.get_params() == model.get_params(), method
        other = power_law(150, 2.2, seed=2)
        np.testing.assert_array_equal(loaded.predict(other), model.predict(other))


def test_equal_models_give_equal_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        RoleClusterer(5, radius=3).fit(barbell(10, 7)).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_labels_keep_their_types(tmp_path: Path) -> None:
    for labels in [
        ["a", "é", "a,b", "tail\0"],
        [1, "1", 2.5, None],
        [("x", 1), ("x", ("y", 2.0)), True, 0],
        [10**30, -5, "z", float("inf")],
    ]:
        model = RoleClusterer(2).fit_signatures([[0.0], [0.0], [1.0], [1.0]], nodes=labels)
        model.save(tmp_path / "model")
        found = RoleClusterer.load(tmp_path / "model").nodes_.tolist()
        assert found == labels, labels
        assert list(map(type, found)) == list(map(type, labels)), labels


def test_a_label_that_no_file_can_hold(tmp_path: Path) -> None:
    model = RoleClusterer(2).fit_signatures([[0.0], [1.0]], nodes=[frozenset("a"), "b"])
    with pytest.raises(ParameterError, match="frozenset"):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_nothing_in_the_file_is_a_pickle(tmp_path: Path) -> None:
    RoleClusterer(2).fit_signatures([[0.0], [1.0]], nodes=["a", "b"]).save(tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "model") as archive:
        assert sorted(archive.namelist()) == [
            "centroids.npy",
            "labels.npy",
            "roles.json",
            "scales.npy",
            "signatures.npy",
        ]
        for name in archive.namelist():
            if name.endswith(".npy"):
                with archive.open(name) as file:
                    np.lib.format.read_array(file, allow_pickle=False)


def test_a_file_of_format_1_can_still_be_read() -> None:
    loaded = RoleClusterer.load(FIXTURE)
    fitted = RoleClusterer(radius=3).fit(barbell(10, 7))
    assert loaded.labels_.tolist() == fitted.labels_.tolist()
    assert loaded.silhouettes_ == pytest.approx(fitted.silhouettes_)
    np.testing.assert_allclose(loaded.centroids_, fitted.centroids_, atol=1e-8)
    assert loaded.predict(barbell(10, 7)).tolist() == loaded.labels_.tolist()


def rewritten(source: Path, target: Path, **changes: object) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "roles.json":
                content = json.dumps({**json.loads(content), **changes}).encode()
            new.writestr(name, content)
    return target


def test_bad_files(tmp_path: Path) -> None:
    later = rewritten(FIXTURE, tmp_path / "later", format_version=99)
    with pytest.raises(GraphFormatError, match=r"format 99 is newer than 1.*upgrade vnestruct"):
        RoleClusterer.load(later)
    other = rewritten(FIXTURE, tmp_path / "other", format="vnestruct graphs")
    with pytest.raises(GraphFormatError, match="this is 'vnestruct graphs', not a roles file"):
        RoleClusterer.load(other)
    no_parameters = rewritten(FIXTURE, tmp_path / "none", parameters={})
    with pytest.raises(GraphFormatError, match="not a readable roles file"):
        RoleClusterer.load(no_parameters)
    text = tmp_path / "text"
    text.write_text("node,role\n")
    with pytest.raises(GraphFormatError, match="not a readable roles file"):
        RoleClusterer.load(text)
    cut = tmp_path / "cut"
    cut.write_bytes(FIXTURE.read_bytes()[:-40])
    with pytest.raises(GraphFormatError, match="not a readable roles file"):
        RoleClusterer.load(cut)
    with pytest.raises(GraphFormatError, match="there is no such file"):
        RoleClusterer.load(tmp_path / "missing")
