"""The names that the package exports, and what importing it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import vnestruct.roles


def test_exported_names_exist_and_stay_what_they_are() -> None:
    for name in vnestruct.roles.__all__:
        first = getattr(vnestruct.roles, name)
        # A module of the same name would take the place of a function once it is imported.
        assert getattr(vnestruct.roles, name) is first
        assert not isinstance(first, type(sys))
    assert sorted(vnestruct.roles.__all__) == dir(vnestruct.roles)
    with pytest.raises(AttributeError, match="no attribute 'role_of'"):
        vnestruct.roles.role_of


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, vnestruct.roles;"
        "from vnestruct.roles import similar_nodes, match_nodes;"
        "print(sorted(set(sys.modules) & {'sklearn', 'matplotlib', 'igraph', 'networkx', 'pandas', 'torch', 'rich'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"
