"""Compiled code is kept on disk, never used when stale, shared by processes, and does without the disk if it must."""

import errno
import importlib.util
import json
import logging
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba import float64, int64, types, void
from numba.core.errors import NumbaError

from learners import warm
from learners.compiled import compiled, counts, ready, store, turns, waiting
from learners.compiled.fingerprint import fingerprint
from pages.ui.jobs.limits import compiles
from pages.ui.lab import compiling
from tests.waiting import soon

ROOT = Path(__file__).parents[2]

HELPER = """
from learners.compiled import compiled
OFFSET = 1

@compiled
def shifted(x):
    return x + OFFSET
"""
WORK = '''
import math
import helper
from helper import shifted
from learners.compiled import compiled

@compiled
def work(x):
    """Add."""
    total = 0.0
    for i in range(3):
        total += math.sqrt(shifted(x)) * i
    return total + helper.OFFSET
'''


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder of compiled code, for a process that has used and complained of nothing."""
    monkeypatch.setenv("FEEDBACK_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "used", set())
    store._once.cache_clear()
    return tmp_path / "cache"


def imported(folder, monkeypatch, helper=HELPER, work=WORK):
    """The function `work` of the modules helper and work, imported anew as a process that has just started does."""
    for name, source in (("helper", helper), ("work", work)):
        path = folder / f"{name}.py"
        path.write_text(source, "utf-8")
        found = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
        module = importlib.util.module_from_spec(found)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(source, path, "exec"), vars(module))
    return module.work


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Function that imports them from a folder of the test."""
    (tmp_path / "source").mkdir()
    return partial(imported, tmp_path / "source", monkeypatch)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A folder with the code of helper and work, compiled once."""
    folder = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEEDBACK_LAB_CACHE", str(folder / "cache"))
        assert imported(folder, patch)(3.0) == EXPECTED
    return folder / "cache"


@pytest.fixture
def kept(cache, once):
    """A folder of compiled code that an earlier process has filled."""
    return shutil.copytree(once, cache)


class Made:
    """The functions that have been compiled and loaded since."""

    def __init__(self):
        self.before = counts()

    def since(self):
        now, before = counts(), self.before
        self.before = now
        return now["compiled"] - before["compiled"], now["loaded"] - before["loaded"]


def files(cache):
    return sorted(cache.glob("*.code"))


def emptied(cache):
    for path in files(cache):
        path.unlink()


EXPECTED = 3 * 2.0 + 1  # (0 + 1 + 2) · √(3 + 1) + 1

# ---- kept, and never stale --------------------------------------------------------------------------


def test_a_second_start_compiles_nothing(cache, fresh):
    made = Made()
    assert fresh()(3.0) == EXPECTED
    assert made.since() == (2, 0)  # work and shifted
    assert fresh()(3.0) == EXPECTED
    assert made.since() == (0, 1)  # shifted lies inside work
    assert len(files(cache)) == 2


@pytest.mark.parametrize(
    ("helper", "work", "expected"),
    [
        (HELPER.replace("x + OFFSET", "x + OFFSET + 5"), WORK, 3 * 3.0 + 1),  # a function called from another file
        (HELPER.replace("OFFSET = 1", "OFFSET = 6"), WORK, 3 * 3.0 + 6),  # a constant of another file
        (HELPER, WORK.replace("range(3)", "range(2)"), 2.0 + 1),
        (HELPER, WORK.replace("sqrt", "floor"), 3 * 4.0 + 1),
    ],
    ids=["callee", "constant", "own", "name"],
)
def test_a_change_is_noticed(kept, fresh, helper, work, expected):
    made = Made()
    assert fresh(helper, work)(3.0) == expected
    assert made.since()[0] > 0
    assert fresh()(3.0) == EXPECTED  # and the former version is still there
    assert made.since() == (0, 1)


def test_words_about_the_code_and_its_place_do_not_count(kept, fresh):
    made = Made()
    told = WORK.replace("Add.", "Add up.").replace("    for", "    # a comment\n    for")
    assert fresh(HELPER, "\n\n# moved down\n" + told)(3.0) == EXPECTED
    assert made.since() == (0, 1)


class Pair(NamedTuple):
    left: float
    right: float


def test_the_order_of_fields_counts():
    class Other(NamedTuple):
        right: float
        left: float

    Other.__name__, Other.__qualname__ = Pair.__name__, Pair.__qualname__
    two = [types.NamedTuple((float64, float64), cls) for cls in (Pair, Other)]
    assert str(two[0]) == str(two[1])  # to numba's words they are one type

    def function(pair):
        return pair.left

    one, other = (fingerprint(function, (kind,), None, ()) for kind in two)
    assert one != other
    one, other = (fingerprint(function, (types.FunctionType(void(kind)),), None, ()) for kind in two)
    assert one != other


TABLE, OBJECT = np.arange(3.0), object()


def test_arrays_count_and_what_cannot_be_told_apart_is_refused(monkeypatch):
    def reads(i):
        return TABLE[i]

    def uses(i):
        return OBJECT

    before = fingerprint(reads, (int64,), None, ())
    monkeypatch.setitem(globals(), "TABLE", np.array([0.0, 1.0, 3.0]))
    assert fingerprint(reads, (int64,), None, ()) != before
    with pytest.raises(TypeError, match="uses OBJECT, a object"):
        fingerprint(uses, (int64,), None, ())
    factor = 2.0
    with pytest.raises(TypeError, match="must take factor as an argument"):
        fingerprint(lambda x: x * factor, (float64,), None, ())


def test_the_folder_stays_small(cache, fresh, monkeypatch):
    fresh()(3.0)
    other, old = files(cache)  # shifted, which the next version uses too, and work
    os.utime(old, (0, time.time() - 86_400 * (store.KEPT_DAYS + 1)))
    for name, hours in (("killed.tmp", 2), ("writing.tmp", 0)):
        (cache / name).write_bytes(b"half")
        os.utime(cache / name, (0, time.time() - 3600 * hours))
    fresh(HELPER, WORK.replace("range(3)", "range(4)"))(3.0)
    assert not old.exists() and other.exists()
    assert [path.name for path in cache.glob("*.tmp")] == ["writing.tmp"]
    monkeypatch.setattr(store, "KEPT_BYTES", 1)
    fresh(HELPER, WORK.replace("range(3)", "range(5)"))(3.0)
    assert not files(cache)


def test_what_is_compiled_inside_another_can_be_called_alone_too(cache, fresh):
    """For Python, and as an argument, it is compiled once more; after that, Python's serves both."""
    work = fresh()
    shifted = work.py_func.__globals__["shifted"]
    made = Made()
    assert work(3.0) == EXPECTED and made.since() == (2, 0)
    assert shifted(3.0) == 4.0 and made.since() == (1, 0)
    assert shifted(3.0) == 4.0 and len(shifted.overloads) == 1 and made.since() == (0, 0)
    work = fresh(work=WORK.replace("range(3)", "range(2)"))
    shifted = work.py_func.__globals__["shifted"]
    assert shifted(3.0) == 4.0 and made.since() == (0, 1)
    assert work(3.0) == 3.0 and made.since() == (1, 0)
    work = fresh(work=WORK.replace("range(3)", "range(4)"))
    shifted = work.py_func.__globals__["shifted"]
    assert work(3.0) == 13.0 and made.since() == (1, 1)
    assert ready(shifted, float64(float64))(3) == 4.0 and made.since() == (1, 0)  # with its result stated


# ---- one signature ----------------------------------------------------------------------------------


def test_ready_binds_to_one_signature(cache, fresh):
    made = Made()
    for _ in range(2):
        work = ready(fresh(), float64(float64))
        assert work(3) == EXPECTED  # the whole number is converted
        assert ready(work, float64(float64)) is work
    assert made.since() == (2, 1)
    with pytest.raises(ValueError, match=r"work is bound to the arguments \(float64,\), got \(int64,\)"):
        ready(work, float64(int64))
    with pytest.raises(TypeError, match="No matching definition"):
        work(np.ones(2))


@compiled
def add(x, y):
    return x + y


def test_a_compiled_function_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(add))(2, 3) == 5


@compiled
def times(x, y):
    return x * y


@compiled
def folded(rule, values):
    total = values[0]
    for i in range(1, len(values)):
        total = rule(total, values[i])
    return total


def test_one_kernel_takes_every_rule():
    rule = float64(float64, float64)
    kernel = ready(folded, float64(types.FunctionType(rule), float64[::1]))
    values = np.array([2.0, 3.0, 4.0])
    assert kernel(ready(add, rule), values) == 9 and kernel(ready(times, rule), values) == 24
    assert len(kernel.signatures) == 1


@pytest.mark.parametrize("first", [0, 2, 4], ids=str)
def test_threads_wait_for_one_compilation(cache, fresh, first):
    made, work, found = Made(), fresh(), []
    threads = [threading.Thread(target=lambda: found.append(work(3.0))) for _ in range(4)]
    threads.insert(first, threading.Thread(target=lambda: found.append(ready(work, float64(float64))(3.0))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [EXPECTED] * 5 and made.since() == (2, 0)


def test_a_fault_in_the_code_leaves_nothing_locked(cache, fresh):
    work = fresh(HELPER, WORK.replace("math.sqrt(shifted(x))", "unknown(x)"))
    for _ in range(2):
        with pytest.raises(NumbaError, match="unknown"):
            work(3.0)
    assert not waiting(threading.get_ident())
    assert fresh()(3.0) == EXPECTED


# ---- faults of the disk -----------------------------------------------------------------------------


@pytest.fixture
def warned():
    """The warnings of the cache of compiled code."""
    found, handler = [], logging.Handler(logging.WARNING)
    handler.emit = lambda record: found.append(record.getMessage())
    logging.getLogger("learners.compiled").addHandler(handler)
    yield found
    logging.getLogger("learners.compiled").removeHandler(handler)


def raises(number):
    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(
    "number", [errno.EACCES, errno.EROFS, errno.ENOSPC], ids=["read-only", "read-only disk", "full"]
)
def test_a_disk_that_takes_nothing(cache, fresh, monkeypatch, warned, number):
    made = Made()
    with monkeypatch.context() as patch:
        patch.setattr(store.tempfile, "mkstemp", raises(number))
        patch.setattr(turns.os, "open", raises(number))
        assert fresh()(3.0) == EXPECTED and fresh()(3.0) == EXPECTED
    assert made.since() == (4, 0)
    (warning,) = warned
    assert str(cache) in warning and os.strerror(number) in warning
    fresh()(3.0)
    assert files(cache)  # there is room again


def test_a_disk_that_fills_up_while_writing(cache, fresh, monkeypatch, warned):
    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, content):
            self.file.write(content[:100])
            raises(errno.ENOSPC)()

    with monkeypatch.context() as patch:
        opened = os.fdopen
        patch.setattr(store.os, "fdopen", lambda handle, mode: Full(opened(handle, mode)))
        assert fresh()(3.0) == EXPECTED
    assert {path.name for path in cache.iterdir()} == {"turns"}  # nothing half written stays
    assert len(warned) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(cache, fresh):
    cache.mkdir(mode=0o500)
    assert fresh()(3.0) == EXPECTED
    assert not any(cache.iterdir())


def test_a_folder_filled_beforehand_is_read_where_it_cannot_be_written(kept, fresh, monkeypatch):
    made = Made()
    for name in ("utime", "replace", "open"):
        monkeypatch.setattr(store.os, name, raises(errno.EROFS))
    assert fresh()(3.0) == EXPECTED and made.since() == (0, 1)


def test_a_file_in_place_of_the_folder(cache, fresh, warned):
    cache.write_text("not a folder")
    assert fresh()(3.0) == EXPECTED
    assert cache.read_text() == "not a folder" and len(warned) == 1
    assert not warm.is_warm()


@pytest.mark.parametrize("shorter", [0, -1, None], ids=["empty", "truncated", "garbage"])
def test_what_is_broken_is_replaced(kept, fresh, shorter):
    for path in files(kept):
        path.write_bytes(b"\x80\x04]" * 1000 if shorter is None else path.read_bytes()[:shorter])
    made = Made()
    assert fresh()(3.0) == EXPECTED and made.since() == (2, 0)
    assert fresh()(3.0) == EXPECTED and made.since() == (0, 1)


def test_what_another_version_wrote_is_compiled_again(cache, fresh, warned):
    work = fresh()
    name = work._cache.name((float64,), work.targetctx.codegen())
    store.save(name, b"\x80\x04\x8c\x07unknownq\x00.")  # whole, but not what numba understands
    assert work(3.0) == EXPECTED and len(warned) == 1


def test_without_a_home_the_folder_is_our_own_temporary_one(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.delenv("FEEDBACK_LAB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(store.tempfile, "gettempdir", lambda: str(tmp_path))
    store._default.cache_clear()
    spare = store.folder()
    assert spare.parent == tmp_path and spare.stat().st_mode & 0o777 == 0o700
    spare.chmod(0o777)  # where anybody may plant code
    store._default.cache_clear()
    assert store.folder() != spare
    store._default.cache_clear()


# ---- several processes ------------------------------------------------------------------------------

SLOW = """
import sys, time
from pathlib import Path
sys.path[:0] = [{root!r}, {source!r}]
from learners.compiled import store
kept = store.save
def save(name, content):  # while it compiles, it waits for a file
    Path({here!r}, "compiling").touch()
    while not Path({here!r}, "go").exists():
        time.sleep(0.01)
    kept(name, content)
store.save = save
from work import work
assert work(3.0) == 7.0
"""


@pytest.fixture
def other(cache, fresh, tmp_path):
    """Another process in the middle of a compilation, which ends it when a file `go` appears."""
    fresh()
    script = SLOW.format(root=str(ROOT), source=str(tmp_path / "source"), here=str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", script])
    while not (tmp_path / "compiling").exists():
        assert process.poll() is None
        time.sleep(0.01)
    yield process
    process.kill()
    process.wait()


def in_a_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    return thread, found


def test_of_two_servers_one_compiles_and_the_other_waits(other, fresh, tmp_path):
    made, work = Made(), fresh()
    thread, found = in_a_thread(lambda: work(3.0))  # which the other compiles now
    soon(lambda: waiting(thread.ident))
    assert thread.is_alive() and not waiting(threading.get_ident())
    (tmp_path / "go").touch()
    thread.join()
    assert other.wait() == 0
    assert found == [EXPECTED] and made.since() == (0, 1)
    assert fresh()(3.0) == EXPECTED and made.since() == (0, 1)


def test_nobody_waits_for_ever_nor_for_a_process_that_is_killed(other, fresh, cache, monkeypatch):
    made = Made()
    with monkeypatch.context() as patch:
        patch.setattr(turns, "PATIENCE", 0.2)
        assert fresh()(3.0) == EXPECTED and made.since() == (2, 0)  # the other still hangs
    emptied(cache)
    work = fresh()
    thread, found = in_a_thread(lambda: work(3.0))
    soon(lambda: waiting(thread.ident))
    assert made.since() == (0, 0)
    other.send_signal(signal.SIGKILL)
    thread.join()
    assert found == [EXPECTED] and made.since() == (2, 0)
    emptied(cache)
    (cache / "work.work-0.tmp").write_bytes(b"half a fil")
    assert fresh()(3.0) == EXPECTED and made.since() == (2, 0)  # and the next start works
    assert fresh()(3.0) == EXPECTED and made.since() == (0, 1)


# ---- compiled ahead ---------------------------------------------------------------------------------

RUNS = """
import json
from itertools import product
from datasets import load
from learners import Simulation, warm
from learners.catalogue import families, learners_of, users_of
from learners.compiled import counts
used = {
    "ranking": [load("toy-ranking"), load("web-search", queries=20, documents=6, features=4, precision="single"),
                load("movies", users=25, movies=35, ratings=20, features=3)],
    "classification": [load("separable-points", examples=150), load("synsep", examples=150)],
    "multilabel": [load("multilabel-synthetic", examples=100)],
    "semi-supervised": [load("moons", examples=150)],
    "learning-to-rank": [load("web-search", queries=20, documents=6, features=4)],
    "refinement": [load("web-search", queries=10, documents=20, features=4)],
}
for family in families().values():
    users = users_of(family) or (None,)
    smallest = [load(family.smallest.id, **family.smallest.values)]
    for n, (id, data) in enumerate(product(learners_of(family), used.get(family.id, smallest))):
        try:
            run = Simulation(id, data, users[n % len(users)], replicates=1 + n % 3)
        except ValueError as error:
            known = (id == "halving" and "hypotheses" in str(error)) or "clicks by tables" in str(error)
            known |= "one fixed list" in str(error) or "learns from clicks" in str(error)
            assert known, error  # SynSep has too many features, and movies no grades of relevance
            continue
        run.advance(steps=5)
        run.last
print(json.dumps([warm.is_warm(), counts()["compiled"]]))
"""


def started(code):
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.long
def test_what_is_compiled_ahead_is_all_there_is_to_compile():
    """In the folder that all tests share, so that it takes long on a new machine only."""
    subprocess.run([sys.executable, "-m", "learners.warm"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert started(RUNS) == [True, 0]


def test_one_process_compiles_ahead_and_a_failure_stops_nothing(cache, monkeypatch):
    seen = []
    with monkeypatch.context() as patch:
        patch.setattr(warm, "jobs", lambda first: [lambda: seen.append(first), lambda: 1 / 0, lambda: seen.append(2)])
        assert not warm.is_warm()
        warm.main("bandit")
        assert seen == ["bandit", 2]  # and a failure stops nothing
        warm.main()
        assert len(seen) == 2 and warm.is_warm()


def test_a_second_server_leaves_it_to_the_first(cache, monkeypatch):
    code = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from learners import warm
from learners.compiled.turns import turn
with turn(warm.TURN):
    print("held", flush=True)
    time.sleep(600)
"""
    cache.mkdir()
    first = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "held\n"
        monkeypatch.setattr(warm, "jobs", lambda first: pytest.fail("two processes compile ahead"))
        warm.main()
    finally:
        first.kill()
        first.wait()
    assert not warm.is_warm()


class Place:
    """Where a page writes."""

    def __init__(self):
        self.said = []

    def info(self, text, icon):
        self.said.append(text)

    def empty(self):
        self.said.append("")


def test_a_page_says_what_it_waits_for_and_only_then(monkeypatch):
    waits = {"now": False}
    monkeypatch.setattr(compiling, "PATIENCE", 0.01)
    place, me = Place(), threading.get_ident()
    monkeypatch.setattr(compiling, "waiting", lambda thread: waits["now"] and thread == me)
    with compiling.explained(place):
        time.sleep(0.1)  # long, but not for a compiler
    assert place.said == []
    clock = iter([0, 5, 5, 6])
    monkeypatch.setattr(compiling, "monotonic", lambda: next(clock, 7))
    with compiling.explained(place):
        waits["now"] = True
        while len(place.said) < 3:
            time.sleep(0.01)
    assert place.said == [compiles(5), compiles(6), compiles(7), ""]
    with pytest.raises(ZeroDivisionError), compiling.explained(place):
        1 / 0  # noqa: B018


def test_the_marker_does_not_outlive_what_it_stands_for(cache, fresh, monkeypatch):
    monkeypatch.setattr(warm, "jobs", lambda first: [lambda: fresh()(3.0)])
    warm.main()
    assert warm.is_warm()
    files(cache)[0].unlink()
    assert not warm.is_warm()
