"""Saved models: values and types come back, equal models give equal bytes, other and damaged files are refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import GraphFormatError, ParameterError
from vnestruct.files.container import ALIGNMENT, MAGIC, decode_value, encode_value, load_model, save_model

ARRAYS: dict[str, np.ndarray] = {
    "empty": np.zeros((0, 3)),
    "flags": np.array([True, False]),
    "ids": np.arange(7, dtype=np.int32),
    "matrix": np.asfortranarray(np.arange(6.0).reshape(2, 3) / 3),
    "other order": np.arange(3, dtype=">i8"),
    "scalar": np.array(2.5),
    "texts": np.array(["a", "Zoë"]),
}


@for_each("value", [None, True, 3, "a", 0.1, float("inf"), (1, ("b", 2.5)), [1, (2,)], np.float64(0.5), np.int32(7)])
def test_values_keep_their_types(value: Any) -> None:
    again = decode_value(json.loads(json.dumps(encode_value(value))))
    assert again == value
    assert type(again) is type(value.item() if isinstance(value, np.generic) else value)
    with pytest.raises(ParameterError, match="frozenset"):
        encode_value([value, frozenset("a")])


def test_models_come_back(tmp_path: Path) -> None:
    path = tmp_path / "model"
    save_model(path, "roles", 3, {"note": "ünï"}, ARRAYS)
    notes, arrays = load_model(path, "roles", 3)
    assert notes == {"note": "ünï"}
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)
        assert arrays[name].dtype == array.dtype.newbyteorder("<")
        assert arrays[name].flags.writeable
    save_model(tmp_path / "again", "roles", 3, {"note": "ünï"}, ARRAYS)
    assert path.read_bytes() == (tmp_path / "again").read_bytes()
    assert path.read_bytes().index(ARRAYS["matrix"].tobytes()) % ALIGNMENT == 0


@for_each(("what", "version", "named"), [("classifier", 2, "'vnestruct roles'"), ("roles", 1, "2 .* 1, .*upgrade")])
def test_other_files_are_refused(what: str, version: int, named: str, tmp_path: Path) -> None:
    save_model(tmp_path / "model", "roles", 2, {}, ARRAYS)
    with pytest.raises(GraphFormatError, match=named):
        load_model(tmp_path / "model", what, version)


def test_any_damage_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with pytest.raises(GraphFormatError):
        load_model(path, "roles", 1)
    save_model(path, "roles", 1, {"note": "x"}, {"a": np.arange(5.0), "b": np.arange(3)})
    content = path.read_bytes()
    damaged = [content[:cut] for cut in range(0, len(content), 7)]
    places = (0, 9, 17, 40, 200, content.index(b"\x3f"))
    damaged += [content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :] for at in places]
    for bad in damaged:
        path.write_bytes(bad)
        with pytest.raises(GraphFormatError):
            load_model(path, "roles", 1)


@for_each(
    "header",
    [
        [],
        {},
        {"format": "vnestruct roles"},
        {"format": "vnestruct roles", "format_version": "1"},
        *(
            {"format": "vnestruct roles", "format_version": 1, "notes": {}, "arrays": {"a": entry}}
            for entry in (
                7,
                ["|O8", [1], 0, ""],
                ["<V8", [1], 0, ""],
                ["<f8", [-1, -1], 0, ""],
                ["<f8", [10**12], 0, ""],
                ["<f8", [1], -8, ""],
                ["<U99", [1], 0, hashlib.blake2b(b"", digest_size=16).hexdigest()],
            )
        ),
        "[" * 200_000,
    ],
)
def test_a_stranger_with_right_checksums(header: Any, tmp_path: Path) -> None:
    text = header.encode() if isinstance(header, str) else json.dumps(header).encode()
    sums = len(text).to_bytes(8, "little") + hashlib.blake2b(text, digest_size=16).digest()
    (tmp_path / "model").write_bytes(MAGIC + sums + text)
    with pytest.raises(GraphFormatError):
        load_model(tmp_path / "model", "roles", 1)
