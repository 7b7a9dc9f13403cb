"""The engine of clusters where there is none: no Ray, nobody at the address, nonsense for an address."""

from __future__ import annotations

import socket
import sys
import time

import pytest
from tests.cases import for_each

from vnestruct import VNEstruct, embed
from vnestruct.cli import main
from vnestruct.errors import EngineError, MissingExtraError, ParameterError
from vnestruct.execute.ray import RayEngine

PATH = [(0, 1), (1, 2)]


@pytest.fixture
def unconnected(monkeypatch):
    """As in a fresh process, whatever cluster other tests have left this one connected to."""
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)


def test_without_ray_the_extra_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    for call in (lambda: embed(PATH, engine="ray"), lambda: VNEstruct(engine="ray").fit_transform(PATH)):
        with pytest.raises(MissingExtraError, match=r"`engine='ray'` needs Ray: pip install 'vnestruct\[ray\]'"):
            call()
    edges = tmp_path / "path.txt"
    edges.write_text("0 1\n1 2\n")
    assert main(["embed", str(edges), "--engine", "ray", "-q"]) == 2
    assert capsys.readouterr().err == "vnestruct: --engine ray needs Ray: pip install 'vnestruct[ray]'\n"


def test_threads_take_no_address():
    with pytest.raises(ParameterError, match="takes no address; got 'auto'"):
        embed(PATH, address="auto")


@for_each("address", ["nowhere", "host:", ":6379", "host:99999", "ray://host", 6379])
def test_an_invalid_address(address):
    with pytest.raises(ParameterError, match="`address` must be 'auto', 'host:port' or 'ray://host:port', not "):
        RayEngine(address=address)


@pytest.mark.parametrize("prefix", ["", "ray://"])
def test_nobody_at_the_address(prefix, unconnected):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"{prefix}127.0.0.1:{taken.getsockname()[1]}"
        begin = time.monotonic()
        with pytest.raises(EngineError, match=f"no Ray cluster answers at address '{address}': Connection refused"):
            embed(PATH, engine="ray", address=address)
        assert time.monotonic() - begin < 5


def test_somebody_else_at_the_address(unconnected):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        begin = time.monotonic()
        with pytest.raises(EngineError, match=f"no Ray cluster answers at address '{address}': timed out"):
            embed(PATH, engine="ray", address=address)
        assert time.monotonic() - begin < 10


def test_without_the_library_of_rays_client_nobody_is_asked(monkeypatch, unconnected):
    """Ray itself would find out; a run as small as this does without a cluster."""
    monkeypatch.setitem(sys.modules, "grpc", None)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        found = embed(PATH, engine="ray", address=f"127.0.0.1:{silent.getsockname()[1]}")
    assert found.tolist() == embed(PATH).tolist()
