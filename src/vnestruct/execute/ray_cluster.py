"""Reaching a Ray cluster: one that runs already, or one of our own on this machine."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from vnestruct.errors import EngineError, MissingExtraError, ParameterError
from vnestruct.execute.cpus import resolve_n_jobs

REACH_SECONDS = 3.0  # how long a cluster may take to answer the first knock; Ray itself would wait for minutes
_CLIENT = "ray://"
_LOCAL = "local"


@dataclass
class Connection:
    """A cluster in use: how many workers it gives us, how many blocks may be under way, whether we started it."""

    ray: Any
    n_workers: int
    n_in_flight: int
    is_ours: bool

    def close(self) -> None:
        """Stop a cluster that we started; leave any other as it is."""
        if self.is_ours:
            self.is_ours = False
            self.ray.shutdown()


def connect(address: str | None, n_jobs: int | None) -> Connection:
    """Connect for `n_jobs` blocks at once to a cluster: ours, that of RAY_ADDRESS, or a new one for no address."""
    n_here = resolve_n_jobs(n_jobs)
    ray = check_cluster(address)
    is_ours = False
    if ray.is_initialized():
        _check_same(ray, address)
    else:
        address = address or os.environ.get("RAY_ADDRESS") or _LOCAL
        is_ours = address == _LOCAL
        _start(ray, address, n_here)
    number = int(ray.cluster_resources().get("CPU", 0)) or 1
    n_workers = number if n_jobs is None else n_jobs if n_jobs > 0 else max(1, number + 1 + n_jobs)
    # Where all CPUs are ours, blocks may queue at the workers, which then never wait for this process.
    n_in_flight = n_workers if n_workers < number else 2 * number
    return Connection(ray, min(n_workers, number), n_in_flight, is_ours)


def check_cluster(address: str | None) -> Any:
    """Check that Ray is installed and that a cluster answers at `address`, if given; return Ray."""
    place = None if address is None or address == _LOCAL else _host_and_port(address)
    # The chatter of a library has no place on the standard error of a command.
    os.environ.setdefault("RAY_SCHEDULER_EVENTS", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("`engine='ray'` needs Ray: pip install 'vnestruct[ray]'") from error
    if place is not None and not ray.is_initialized():
        try:
            _knock(*place)
        except OSError as error:
            raise _unreachable(address, error.strerror or str(error)) from error
    return ray


def _start(ray: Any, address: str, n_cpus: int) -> None:
    """Start a cluster of so many CPUs on this machine, or join the one at another address."""
    ours = {"num_cpus": n_cpus, "include_dashboard": False} if address == _LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **ours)
    except Exception as error:
        if isinstance(error, ImportError) and not ours:
            wrong = "an address of ray://... needs Ray's client: pip install 'vnestruct[ray]'"
            raise MissingExtraError(wrong) from error
        with suppress(Exception):
            ray.shutdown()
        reason = line_of(error, 0)
        if not ours:
            raise _unreachable(address, reason) from error
        raise EngineError(f"could not start Ray on this machine: {reason}; `engine='threads'` does without") from error


def _knock(host: str, port: int) -> None:
    """See that somebody answers, and in the language of Ray, gRPC; otherwise Ray would try for minutes."""
    with socket.create_connection((host, port), timeout=REACH_SECONDS):
        if os.environ.get("RAY_USE_TLS", "0") != "0":
            return
    try:
        import grpc
    except ImportError:  # Ray without its client: Ray finds out by itself, more slowly
        return
    with grpc.insecure_channel(f"{host}:{port}", [("grpc.enable_http_proxy", 0)]) as channel:
        try:
            channel.unary_unary("/ray.rpc.NodeInfoGcsService/CheckAlive")(b"", timeout=REACH_SECONDS)
        except grpc.RpcError as error:
            # A server of Ray may refuse the call, but in gRPC; a web server refuses it with a status of HTTP.
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                raise OSError("timed out") from None
            broken = error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)
            if broken or "http2 header" in (error.details() or ""):
                raise OSError("something else listens there") from None


def _host_and_port(address: str) -> tuple[str, int] | None:
    """Return where to knock; None if only Ray knows. Refuse what is no address."""
    rest = address.removeprefix(_CLIENT) if isinstance(address, str) else ""
    if address == "auto" or "://" in rest:
        return None
    host, _, port = rest.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ParameterError(f"`address` must be 'auto', 'host:port' or 'ray://host:port', not {address!r}")
    return host.strip("[]"), int(port)


def _check_same(ray: Any, address: str | None) -> None:
    """Refuse an address other than that of the cluster this process is connected to."""
    if address in (None, "auto") or (str(address).startswith(_CLIENT) and ray.util.client.ray.is_connected()):
        return
    current = ray.get_runtime_context().gcs_address
    if address != current:
        wrong = f"this process is connected to the cluster at {current}, not {address}; call ray.shutdown() first"
        raise EngineError(wrong)


def _unreachable(address: str | None, reason: str) -> EngineError:
    wrong = f"no Ray cluster answers at address {address!r}: {reason}; start one with 'ray start --head', "
    return EngineError(wrong + "or leave the address out for one on this machine")


def line_of(error: BaseException, place: int) -> str:
    """Return one line, that is not blank, of what an error says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[place] if lines else type(error).__name__
