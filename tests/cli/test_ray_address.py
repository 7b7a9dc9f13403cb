"""What answers at the address of a cluster is checked before the graph is read."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke


def test_another_server_at_the_address_of_ray(edges: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """A web server that speaks HTTP/2, but not gRPC, is told apart at once and without lines of Ray's own."""
    ray = pytest.importorskip("ray", reason="the ray extra is not installed")
    # Other tests of this process may have left a cluster connected, and then no address is tried.
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr("vnestruct.execute.ray.REACH_SECONDS", 30.0)  # other tests may keep the CPUs busy
    settings, refusal = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]), bytes([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x8D])

    def answer(server: socket.socket) -> None:
        server.accept()[0].close()  # the first look whether anybody is there
        line, _ = server.accept()
        with line:
            line.recv(4096)
            line.sendall(settings + refusal)
            line.recv(4096)

    with socket.socket() as server:
        server.settimeout(60)
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        ended = invoke("embed", edges, "--engine", "ray", "--address", address)
        thread.join()
    assert ended.code == 1
    # The graph has not been read, and the one line is ours.
    assert ended.error == (
        f"vnestruct: no Ray cluster answers at address '{address}': something else listens there; start one with "
        "'ray start --head', or leave the address out for one on this machine"
    )
