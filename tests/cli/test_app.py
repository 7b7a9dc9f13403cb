"""Groups of options: flattened for Typer in the right order, and packed again for the command."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest

from vnestruct.cli.app import flattened
from vnestruct.cli.errors import option_names
from vnestruct.cli.options import argument, option


@dataclass(frozen=True)
class Engine:
    n_jobs: Annotated[int, option("--jobs -j", "N", "Threads.")] = 2
    is_fast: Annotated[bool, option("--fast/--slow", None, "Speed.")] = True


@dataclass(frozen=True, kw_only=True)
class Car:
    colour: Annotated[str, option("--colour", "NAME", "Colour", words=("red", "blue"))] = "red"
    engine: Engine
    plate: Annotated[str, argument("PLATE", "Number plate.")]


def drive(*, far: Annotated[bool, option("--far", None, "Far.")] = False, car: Car) -> None:
    """Drive a car."""
    raise AssertionError(f"far={far}, {car}")


def test_arguments_come_first_and_options_as_declared() -> None:
    parameters = inspect.signature(flattened(drive)).parameters
    assert list(parameters) == ["plate", "far", "colour", "n_jobs", "is_fast"]
    assert parameters["n_jobs"].default == 2
    assert parameters["plate"].default is inspect.Parameter.empty
    assert option_names(flattened(drive)) == {
        "far": ("--far", ""), "colour": ("--colour", ""), "n_jobs": ("--jobs", ""), "is_fast": ("--fast", "--slow"),
    }  # fmt: skip


def test_the_command_receives_its_groups() -> None:
    car = Car(colour="blue", engine=Engine(4, False), plate="X1")
    with pytest.raises(AssertionError) as received:
        flattened(drive)(far=True, plate="X1", colour="blue", n_jobs=4, is_fast=False)
    assert str(received.value) == f"far=True, {car}"


def test_help_lists_what_the_shell_completes() -> None:
    declared = option("--colour", "NAME", "Colour", words=("red", "blue", "beige"))
    assert declared.help == "Colour: red, blue, beige."
    assert declared.autocompletion("red,b") == ["red,blue", "red,beige"]
