"""Shared by all tests: which process runs what, and a cache of parsed files that is not the person's own."""

import gc
import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
collect_ignore = ["saved"]  # scripts that people keep, run by test_saved.py

# Folders whose tests share something that starts slowly (a server and a browser, worker processes, a cluster): one
# process of pytest-xdist runs all tests of such a folder, and begins with them, since they take longest.
TOGETHER = ("tests/browser/", "tests/learners/sweep/")
FIRST = (*TOGETHER, "tests/pages/")

# Each process of pytest-xdist has a core to itself at best: threads of NumPy, scikit-learn and LightGBM would only wait
# for each other. They read this when they are imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# No example may fail because the machine is busy, so none has a deadline; --hypothesis-profile=thorough tries more.
settings.register_profile("patient", settings(deadline=None))
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("patient")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)
    items.sort(
        key=lambda item: next((n for n, folder in enumerate(FIRST) if item.nodeid.startswith(folder)), len(FIRST))
    )


def pytest_collection_finish():
    gc.freeze()  # the garbage collector need not look at thousands of tests again and again


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody asks
def pytest_xdist_make_scheduler(config, log):
    """Give the tests of a folder that shares something to one process, all others to whichever has time.

    The groups of pytest-xdist 3.8 (`--dist loadgroup`) have no effect with pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFolder(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return next((folder for folder in TOGETHER if nodeid.startswith(folder)), nodeid)

    if config.getvalue("dist") != "loadscope":
        return None
    config.option.loadscopereorder = False
    return ByFolder(config, log)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session", autouse=True)
def _streamlit_reads_once():
    """Spare each AppTest the half second in which it reads about every installed package, compiles each page, and
    collects garbage."""
    from streamlit import config
    from streamlit.components.v2 import manifest_scanner
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import app_test, local_script_runner

    patch, scripts = pytest.MonkeyPatch(), ScriptCache()
    patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
    config.set_option("runner.postScriptGC", False)
    patch.setattr(app_test, "ScriptCache", lambda: scripts)
    patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
    yield
    patch.undo()
