"""What the bits of a row depend on besides the graph, the parameters and the kernels."""

import functools
import hashlib
import math
import struct
from collections.abc import Mapping
from importlib import import_module

CONSTANTS = {
    "embedding.tasks": "CERTAINTY",
    "embedding.plan": "_FEW_TWINS",
    "kernels.bounds": "CLEAR _POWER_STEPS FEW_NODES",
    "kernels.dense_balls": "SPARSE_FROM SPARSE REDUCTION ELIMINATED",
    "kernels.elimination": "DENSE SCATTERED ROWS COLUMNS ANCHOR FLAT",
    "kernels.lanczos": "RESIDUAL FINE_RESIDUAL FEW_ROWS ALONE ALONE_ARCS",
    "kernels.local_rows": "MANY_TWINS",
    "kernels.spectral_sums": "LINEAR SQUARE CONSTANT SHORT SHORT_CONSTANT SHORT_LINEAR SHORT_SQUARE FLUSH",
    "kernels.tridiagonal": "EACH _EVERY _ROUNDS _LAST_BIT _LEAST _JUMP _DOUBTFUL _CLOSE _SMALL _FLAT _TINY _LARGE",
    "kernels.vector": "WIDTH",
}
"""The tuning constants, by module. Those of GPU kernels are part of their fingerprint, which covers all sources."""

_N_LOGARITHMS = 20_000  # arguments at which logarithms are compared: two versions of a library differ at some


def bits_identity(machine: Mapping[str, object]) -> dict[str, object]:
    """Return what two runs must share, as far as both state it, for their rows to have the same bits.

    Sums, products and square roots are the same on every CPU, for kernels are compiled without contraction: neither
    the instruction set nor the version of Numba or LLVM matters to them. Logarithms come from the C library, which
    chooses among several versions by the instruction set, so their values are compared. SciPy computes no bit of a row.
    `machine` is what a back end adds, such as the kind of GPU.
    """
    stated: dict[str, object] = {"logarithms": _logarithms()}
    for module, names in CONSTANTS.items():
        for name in names.split():
            stated[f"{module}.{name}"] = getattr(import_module(f"vnestruct.{module}"), name)
    return stated | dict(machine)


@functools.cache
def _logarithms() -> str:
    from numba import config

    values = (math.log((number + 0.5) / _N_LOGARITHMS) for number in range(_N_LOGARITHMS))
    digest = hashlib.blake2b(struct.pack(f"<{_N_LOGARITHMS}d", *values), digest_size=8).hexdigest()
    # Intel's vector library, which Numba uses where it is installed, has logarithms of its own.
    return f"{digest}-svml" if config.USING_SVML else digest
