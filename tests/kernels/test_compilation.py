"""What the compiler of kernels leaves out: signatures that are known, machine code that nobody runs."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core import types
from numba.extending import overload

from vnestruct.kernels import compilation
from vnestruct.kernels.compilation import KernelCompiler

quickly = {"pipeline_class": KernelCompiler, "no_cfunc_wrapper": True}


def add_neighbours(values: Any) -> float:
    total = 0.0
    for i in range(1, len(values) - 1):
        total += values[i - 1] + values[i] + values[i + 1]
    return total


def test_signatures_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted for a kind of array that no kernel has."""
    asked: list[Any] = []
    plain = types.Function.get_call_type

    def note(function: types.Function, context: Any, args: Any, kws: Any) -> Any:
        asked.append((function.typing_key, *args))
        return plain(function, context, args, kws)

    monkeypatch.setattr(types.Function, "get_call_type", note)
    values = np.arange(12, dtype=np.float32)[::2]
    counts = []
    for options, newest in ((quickly, (0, 1000)), (quickly, (0, 1)), ({}, (0, 1000))):
        monkeypatch.setattr(compilation, "_NEWEST", newest)
        asked.clear()
        assert njit(add_neighbours, **options)(values) == 3 * (2 + 4 + 6 + 8)
        counts.append(asked.count((operator.getitem, types.Array(types.float32, 1, "A"), types.int64)))
    assert counts[0] == 1
    assert counts[1] == counts[2] >= 3, "a Numba that is not known compiles by itself"


def test_a_function_learns_new_types_later() -> None:
    def name_of(value: Any) -> str:
        raise NotImplementedError

    overload(name_of)(lambda value: (lambda value: "whole") if isinstance(value, types.Integer) else None)
    named = njit(lambda value: name_of(value), **quickly)
    assert named(1) == "whole"
    overload(name_of)(lambda value: (lambda value: "real") if isinstance(value, types.Float) else None)
    assert [named(1), named(1.0), njit(lambda value: name_of(value))(2.0)] == ["whole", "real", "real"]


def test_parts_are_machine_code_only_inside_kernels() -> None:
    @njit(no_cpython_wrapper=True, **quickly)
    def root_of(value: float) -> float:
        if value < 0:
            raise ValueError("no root of", value)  # reads the environment of this function
        return np.sqrt(value)

    @njit(**quickly)
    def length(x: float, y: float) -> float:
        return root_of(x * x + y) + 1.0

    assert length(3.0, 16.0) == 6.0
    with pytest.raises(ValueError, match="no root of") as caught:
        length(1.0, -3.5)
    assert caught.value.args == ("no root of", -2.5)
    [part], [whole] = root_of.overloads.values(), length.overloads.values()
    assert whole.library.get_pointer_to_function(whole.fndesc.llvm_func_name)
    engine = whole.library.codegen._engine
    assert not engine.is_symbol_defined(part.fndesc.llvm_cpython_wrapper_name)
    # Kept in the cache without machine code, which it is given when it is read.
    name, kind, _ = stored = part.library.serialize_using_object_code()
    assert (name, kind) == (root_of.py_func.__qualname__, "bitcode")
    read = whole.library.codegen.unserialize_library(stored)
    assert read.get_pointer_to_function(part.fndesc.llvm_func_name)
