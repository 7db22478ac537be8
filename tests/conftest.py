"""Shared by all tests: the app's folder, and a cache of parsed files that is not the person's own."""

from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
collect_ignore = ["saved"]  # scripts that people keep, run by test_saved.py


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    import os

    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session", autouse=True)
def _installed_packages_are_read_once():
    """Each AppTest reads what every installed package says of itself, in search of components, for a third of a second."""
    from streamlit.components.v2 import manifest_scanner

    patch = pytest.MonkeyPatch()
    patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
    yield
    patch.undo()
