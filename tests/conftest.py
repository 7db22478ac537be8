"""Set up all tests: divide them among processes, and give them a cache of parsed files of their own."""

import copy
import gc
import importlib
import io
import logging
import os
import re
import sys
import zlib
from collections import Counter, OrderedDict
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from platformdirs import user_cache_dir

ROOT = Path(__file__).parents[1]
collect_ignore = ["saved"]  # scripts of earlier versions, run by test_saved.py

# Tests in each of these places share something slow to start: a server and a browser; worker processes, a cluster. One
# process of pytest-xdist runs all of them, and runs them first, since they take longest. Where there are more than so
# many journeys, which wait more than they work, the files of the browser are dealt out among all processes.
TOGETHER = ("tests/browser/", "tests/learners/sweep/")
# These read the code of the project, which is parsed once if one process has them all, and then forgotten.
CODE = (
    "tests/test_architecture.py", "tests/test_variables.py", "tests/test_wheel.py", "tests/learners/test_iterations.py",
    "tests/pages/test_plotly_js.py", "tests/attack/test_markup.py",
)  # fmt: skip
# These search the documentation of all libraries, whose index takes seconds to build.
INDEX = (
    "tests/datasets/functions/", "tests/datasets/test_check.py",
    "tests/learners/ranking/test_click_models.py", "tests/attack/test_extremes.py",
)  # fmt: skip
FIRST = (*TOGETHER, "tests/attack/test_follow.py", "tests/pages/")  # the second waits more than it works
JOURNEYS = 40
QUICK = re.compile(r"tests/browser/test_(curves|film|lesson_cards|pictures|player|player_page|scene)\.py")  # no server

# Each process of pytest-xdist has a core to itself at best: threads of NumPy, scikit-learn and LightGBM would only wait
# for each other. They read this when they are imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# All processes share the person's folder of compiled code, also those that keep parsed files in one of their own. What
# is not there yet is compiled by the first who needs it, not by every server that the tests start.
os.environ.setdefault("FEEDBACK_LAB_CACHE", str(Path(user_cache_dir("feedback-lab", appauthor=False)) / "compiled"))
os.environ.setdefault("FEEDBACK_LAB_WARM", "no")

# Bytecode is kept, also that of tests, whose asserts pytest rewrites: to make it takes thrice as long as to read. Where
# Python is told to write none, it goes beside the compiled code, and servers and worker processes read it from there.
if sys.dont_write_bytecode:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(user_cache_dir("feedback-lab", appauthor=False)) / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# No example has a deadline, so that none fails on a busy machine. --hypothesis-profile=thorough tries more examples.
settings.register_profile("patient", settings(deadline=None))
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("patient")
gc.disable()  # until all tests are found: what is imported until then stays


# Marks of tests that .ci/run always takes, after the quick ones, since each takes seconds.
ALWAYS_LATER = (pytest.mark.core, pytest.mark.long)

# What is drawn at random from more than there is time for: the same wherever FEEDBACK_LAB_DRAW is the same, such as the
# hash of a commit. If FEEDBACK_LAB_LONG is a percentage such as "60 %", so many of the long tests are drawn.
DRAW = os.environ.get("FEEDBACK_LAB_DRAW", "")
DRAWN = float(os.environ.get("FEEDBACK_LAB_LONG", "100 %").removesuffix("%"))


class Examples:
    """Has pytest look for examples only in files that have some, since it searches every object of a module."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        return [one for one in found if not isinstance(one, DoctestModule) or b">>> " in file_path.read_bytes()]


def pytest_configure(config):
    config.pluginmanager.register(Examples())  # what a conftest.py says itself holds for its own folder alone


def pytest_collection_modifyitems(config, items):
    """Mark the tests in a browser, of which all but those of the core are long, and put the slow folders first.

    A journey that fails is tried once more, since a browser may break down on a busy machine. What fails twice fails.
    """
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))
            if not item.get_closest_marker("core"):
                item.add_marker(pytest.mark.long)
    rests = {item for item in items if item.get_closest_marker("long") and _rests(item)}
    if rests:
        config.hook.pytest_deselected(items=[item for item in items if item in rests])
        items[:] = [item for item in items if item not in rests]
    files = [item.nodeid.split("::")[0] for item in items]
    ranks = {
        file: next((n for n, place in enumerate(FIRST) if file.startswith(place)), len(FIRST)) for file in {*files}
    }
    sizes = Counter(files)  # the last file should not be a long one
    order = sorted(range(len(items)), key=lambda i: (ranks[files[i]], -sizes[files[i]]))
    items[:] = [items[i] for i in order]


def _rests(item):
    """Whether a long test is of those that are not drawn; one of the core never is."""
    return not item.get_closest_marker("core") and zlib.crc32(f"{DRAW} {item.nodeid}".encode()) % 1000 >= 10 * DRAWN


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Share among the processes of pytest-xdist what none has compiled yet: each begins with other files of tests."""
    name, number = os.environ.get("PYTEST_XDIST_WORKER"), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if name and session.config.args == session.config.getini("testpaths"):
        for path in sorted((ROOT / "tests").rglob("test_*.py"))[int(name.removeprefix("gw")) :: number]:
            with suppress(Exception):  # which pytest meets itself
                importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_runtest_teardown(item, nextitem):
    if item.nodeid.startswith(CODE) and not (nextitem and nextitem.nodeid.startswith(CODE)):
        from tests.code import nodes

        nodes.cache_clear()


def pytest_collection_finish():
    gc.freeze()  # the garbage collector need not look at thousands of tests again and again
    gc.enable()


def dealt(files, processes):
    """Which of the processes runs each file of the browser, by the file of every test; none if there are few."""
    journeys = Counter(file for file in files if file.startswith(TOGETHER[0]))
    if journeys.total() <= JOURNEYS:
        return {}
    found, loads = {}, Counter(dict.fromkeys(range(processes), 0))
    for file, number in sorted(journeys.items(), key=lambda part: (-part[1], part[0])):
        chain = min(loads, key=loads.get)
        loads[chain] += number / 4 if QUICK.match(file) else number
        found[file] = f"{TOGETHER[0]}{chain}"
    return found


@pytest.hookimpl(optionalhook=True)  # a hook of pytest-xdist
def pytest_xdist_make_scheduler(config, log):
    """Give all tests of each place in TOGETHER to one process, and those of any other file to any process.

    What the tests of a file share is then loaded and built once. The groups of pytest-xdist 3.8 (`--dist loadgroup`)
    have no effect with pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByPlace(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            if file in CODE:
                return "code"
            if file.startswith(INDEX):
                return "index"
            return self.dealt.get(file) or next((place for place in TOGETHER if file.startswith(place)), file)

        @cached_property
        def dealt(self):
            return dealt((nodeid.split("::")[0] for nodeid in self.collection), self.numnodes)

    if config.getvalue("dist") != "loadscope":
        return None
    config.option.loadscopereorder = False
    return ByPlace(config, log)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep parsed files in a temporary folder instead of the cache of the person.

    Those of data sets are shared by the processes of pytest-xdist: the docstrings of all libraries take long to read.
    """
    before, cache = os.environ.get("XDG_CACHE_HOME"), tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = str(cache)
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = tmp_path_factory.getbasetemp().parent / "datasets"
        shared.mkdir(exist_ok=True)
        (cache / "feedback-lab").mkdir()
        (cache / "feedback-lab" / "datasets").symlink_to(shared)
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session", autouse=True)
def _streamlit_reads_once():
    """Let AppTests share what takes each half a second, the manifests of all packages and the compiled pages.

    They wait for the end of a script's thread, too, instead of asking a thousand times a second whether it has come.
    """
    from streamlit import config
    from streamlit.components.v2 import manifest_scanner
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import app_test, local_script_runner

    patch, scripts, wait = pytest.MonkeyPatch(), ScriptCache(), local_script_runner.require_widgets_deltas

    def join(runner, timeout):
        runner._script_thread.join(timeout)
        wait(runner, 0.01)

    patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
    config.set_option("runner.postScriptGC", False)
    patch.setattr(app_test, "ScriptCache", lambda: scripts)
    patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
    patch.setattr(local_script_runner, "require_widgets_deltas", join)
    yield
    patch.undo()


@pytest.fixture
def logged():
    """The lines that were logged, with tracebacks, in place of pytest's own fixture, whose plugin is not loaded."""
    found = io.StringIO()
    handler = logging.StreamHandler(found)
    logging.getLogger().addHandler(handler)
    yield found.getvalue
    logging.getLogger().removeHandler(handler)


@contextmanager
def data_lent():
    """Have data sets make the same data once, and lend them: default queries of the web take a quarter of a second.

    What is lent is a copy, which a test may change.
    """
    from datasets.base import Dataset

    patch, makers = pytest.MonkeyPatch(), [Dataset]
    while makers:
        kind = makers.pop()
        makers += kind.__subclasses__()
        if "build" in vars(kind) and kind.__module__.split(".")[:2] in (["datasets", "made"], ["datasets", "bundled"]):
            patch.setattr(kind, "build", _lending(vars(kind)["build"]))
    yield
    patch.undo()


def _lending(build):
    lent = OrderedDict()

    def lend(dataset):
        key = type(dataset), repr(dataset.params)
        lent[key] = made = lent.pop(key) if key in lent else build(dataset)
        while len(lent) > 8:
            lent.popitem(last=False)
        return copy.deepcopy(made)

    return lend
