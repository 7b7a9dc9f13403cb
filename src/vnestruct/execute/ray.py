"""The engine for clusters: blocks as tasks of Ray, on this machine or on many.

A process of the cluster computes one block at a time, and keeps the task and its workspace for the next one.
"""

import os
import pickle
import socket
import time
import uuid
import warnings
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from vnestruct.errors import EngineError, MissingExtraError, ParameterError, VNEstructError
from vnestruct.execute import (
    Block,
    Task,
    block_failure,
    costliest_first,
    describe_block,
    reason_of,
    resolve_n_jobs,
)
from vnestruct.types import ValueArray

MAX_ATTEMPTS = 4  # how often a block is tried: machines die, but a block that kills each of them must end
WITHOUT_WORKERS_SECONDS = 60.0  # how long a cluster may be without any CPU, while its machines are replaced
REACH_SECONDS = 3.0  # how long a cluster may take to answer the first knock; Ray itself would wait for minutes
_LOOK_SECONDS = 5.0
_MAX_NAMED = 20
_CLIENT, _LOCAL = "ray://", "local"


class RayEngine:
    """Run a task over blocks on a Ray cluster.

    The task, with all its arrays, is put into the object store once; the processes of a machine share one copy of it.
    Blocks that are lost with a process or a machine are tried again elsewhere. `n_jobs` blocks run at once,
    None for as many as the cluster has CPUs. `address` is ``"auto"``, ``"host:port"`` or ``"ray://host:port"``, None
    for the cluster that this process is connected to, the one that RAY_ADDRESS names, or a new one on this machine,
    which `close` stops.
    """

    def __init__(self, n_jobs: int | None = None, address: str | None = None) -> None:
        n_here = resolve_n_jobs(n_jobs)
        self._ray = check_cluster(address)
        self._is_ours = False
        if self._ray.is_initialized():
            _check_same(self._ray, address)
        else:
            address = address or os.environ.get("RAY_ADDRESS") or _LOCAL
            self._is_ours = address == _LOCAL
            _start(self._ray, address, n_here)
        number = int(self._ray.cluster_resources().get("CPU", 0)) or 1
        wanted = -1 if n_jobs is None else n_jobs
        self.n_workers = min(wanted if wanted > 0 else max(1, number + 1 + wanted), number)
        # Where all CPUs are ours, blocks may queue at the workers, which then never wait for this process.
        self._n_in_flight = self.n_workers if self.n_workers < number else 2 * number

    def close(self) -> None:
        """Stop the cluster if this engine started it."""
        if self._is_ours:
            self._is_ours = False
            self._ray.shutdown()

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start costliest first.

        When the loop over this generator ends early, the blocks under way are forgotten. Blocks that cannot be finished
        raise an `EngineError` after all others have been yielded; at once if workers cannot start, or if a block says
        that the request itself is wrong.
        """
        if not blocks:
            return
        ray, pending = self._ray, deque(costliest_first(blocks))
        running: dict[Any, Block] = {}
        given_up: list[tuple[Block, BaseException]] = []
        # Ray tries again what is lost with a process or a machine.
        remote = ray.remote(num_cpus=1, max_retries=MAX_ATTEMPTS - 1, retry_exceptions=[MemoryError])(compute)
        try:
            request = uuid.uuid4().hex, [ray.put(task)]
        except ray.exceptions.RayError as error:
            raise EngineError(f"the object store did not take the graph: {reason_of(error)}") from error

        def submit() -> None:
            while pending and len(running) < self._n_in_flight:
                block = pending.popleft()
                running[remote.remote(*request, block)] = block

        # Blocks under way end by themselves: `ray.cancel` ends the program if a task finishes meanwhile (Ray 2.60).
        alive = time.monotonic()
        while pending or running:
            submit()
            ready, _ = ray.wait([*running], timeout=_LOOK_SECONDS)
            if ready or ray.cluster_resources().get("CPU", 0) >= 1:
                alive = time.monotonic()
            elif time.monotonic() - alive > WITHOUT_WORKERS_SECONDS:
                left = f"{len(pending) + len(running)} blocks are left"
                raise EngineError(f"the cluster has had no CPU for {WITHOUT_WORKERS_SECONDS:.0f} s; {left}")
            if not ready:
                continue
            block, rows, cautions = running.pop(ready[0]), None, []
            try:
                rows, cautions = ray.get(ready[0])
            except (ray.exceptions.RayError, MemoryError) as error:
                if isinstance(error, ray.exceptions.RayTaskError) and not isinstance(error, MemoryError):
                    # Our function returns what happens inside it: this one could not even be loaded there.
                    remedy = "every machine needs the same version of vnestruct"
                    raise EngineError(f"workers cannot start: {_line_of(error, -1)}; {remedy}") from error
                rows = error
            for caution in cautions:
                warnings.warn(caution, RuntimeWarning, stacklevel=2)
            if not isinstance(rows, Exception):
                submit()  # nobody waits while the caller is busy with these rows
                yield block, rows
            elif isinstance(rows, EngineError):
                raise rows
            elif isinstance(rows, VNEstructError):
                raise block_failure(task, block, rows) from rows
            else:
                given_up.append((block, rows))
        if given_up:
            raise _given_up(task, given_up, len(blocks)) from given_up[0][1]


def _given_up(task: Task, lost: list[tuple[Block, BaseException]], n_blocks: int) -> EngineError:
    """Name the nodes of all blocks that could not be finished."""
    ordered = sorted((block for block, _ in lost), key=lambda block: block.start)
    named = "; ".join(describe_block(task, block) for block in ordered[:_MAX_NAMED])
    more = f"; and {len(ordered) - _MAX_NAMED} more" if len(ordered) > _MAX_NAMED else ""
    wrong = f"could not finish {len(lost)} of {n_blocks} blocks: {named}{more} ({reason_of(lost[0][1])}); "
    return EngineError(wrong + "all other rows are done, and kept where there is a checkpoint")


_state: tuple[str, Task, Any] | None = None  # a task's name, the task and its workspace, from one block to the next


def compute(name: str, reference: list[Any], block: Block) -> tuple[ValueArray | Exception, list[str]]:
    """Compute one block in a process of the cluster; return its rows or an error, and the warnings that came along."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = _rows(name, reference, block)
    return rows, [str(warning.message) for warning in caught if warning.category is RuntimeWarning]


def _rows(name: str, reference: list[Any], block: Block) -> ValueArray | Exception:
    import ray

    global _state
    try:
        if _state is None or _state[0] != name:
            _state = None
            # Arrays are not copied: they are views of the object store, which all processes of a machine share.
            task = ray.get(reference[0])
            _state = name, task, task.scratch()
    except ray.exceptions.RaySystemError as error:
        # The task is there but cannot be unpacked; the reason is the last line of a text that quotes a traceback.
        return _not_ready(str(error).strip().rpartition("\n")[2].partition(": ")[2])
    except MemoryError:
        raise
    except Exception as error:
        return _not_ready(reason_of(error))
    try:
        # Whoever wants the work to end ends the process: the flag is never set.
        _, task, scratch = _state
        return task(block, scratch, np.zeros(1, np.uint8))
    except MemoryError:
        raise
    except Exception as error:
        return _portable(error)


def _not_ready(reason: str) -> EngineError:
    return EngineError(f"a worker could not make ready: {reason}")


def _portable(error: Exception) -> Exception:
    """Return an error that the other side can unpickle."""
    error.__traceback__ = None
    with suppress(Exception):
        pickle.loads(pickle.dumps(error))
        return error
    return RuntimeError(reason_of(error))


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
        reason = _line_of(error, 0)
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


def _line_of(error: BaseException, place: int) -> str:
    """Return one line, that is not blank, of what an error says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[place] if lines else type(error).__name__
