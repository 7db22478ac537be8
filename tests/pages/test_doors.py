"""No page computes or downloads in the thread of its script: everything goes through the queue of the server."""

import ast

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.pages.doors import DECLARED, environments, undeclared
from tests.pages.test_pages import open_page

pytestmark = pytest.mark.usefixtures("unestimated")
OTHERS = {"__init__", "search"}  # Search is opened in search/test_page.py, with a small index
PAGES = sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - OTHERS)


# places in pages that start a thread or a process, or fetch something, each with why that is no way around the queue
STARTED = {
    "pages/ui/jobs/workers.py:Threads._relieve": "the workers of the queue",
    "pages/ui/jobs/workers.py:Lane.look": "the threads of the queue that run one job each",
    "pages/ui/files/downloading.py:DownloadJob.work": "a job of the queue",
    "pages/ui/lab/compiling.py:explained": "writes what a page waits for while it waits for the compiler",
    "pages/ui/static/films.py:done_in": "a command, which makes files beside a server and not for its pages",
    "pages/ui/follow/channel.py:": "derives the code of a class from its secret, off the event loop",
}
STARTS = {
    "Thread", "Timer", "Process", "Pool", "ThreadPoolExecutor", "ProcessPoolExecutor", "Popen", "submit", "to_thread",
    "run_in_executor", "start_new_thread", "urlopen", "urlretrieve", "download", "in_processes", "on_cluster",
}  # fmt: skip
NO_PROCESS = {"pages/ui/jobs/estimate.py:"}  # a Pool starts no process before it has work


def starts(path):
    """Each place of a file that starts a thread or a process or fetches something, as a function and what it calls."""

    def within(node, names):
        for child in ast.iter_child_nodes(node):
            inner = [*names, child.name] if isinstance(child, ast.FunctionDef | ast.ClassDef) else names
            if isinstance(child, ast.Call):
                called = getattr(child.func, "attr", getattr(child.func, "id", ""))
                if called in STARTS:
                    yield f"{path.relative_to(ROOT).as_posix()}:{'.'.join(names)}", called
            yield from within(child, inner)

    return list(within(ast.parse(path.read_text("utf-8")), []))


def test_only_the_queue_starts_threads_and_processes_and_downloads():
    found = [start for path in sorted((ROOT / "pages").rglob("*.py")) for start in starts(path)]
    places = {place for place, called in found if place not in NO_PROCESS or called != "Pool"}
    assert places == set(STARTED), "make it a job of the queue, or say why it is none"


def test_what_starts_a_thread_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.pages.test_doors.ROOT", tmp_path)
    file = tmp_path / "page.py"
    file.write_text(
        "class Draw:\n    def show(self):\n        threading.Thread(target=f).start()\n        pool.submit(f)\n",
        "utf-8",
    )
    assert starts(file) == [("page.py:Draw.show", "Thread"), ("page.py:Draw.show", "submit")]


def script(steps):
    from learners import Simulation

    Simulation("preference-perceptron", "toy-ranking", "cascade").advance(steps=steps)


def test_what_a_script_computes_is_noted(in_scripts):
    """The guard that stands over all tests of pages finds what it is there for."""
    app = AppTest.from_function(script, args=(40,), default_timeout=60).run()
    assert not app.exception and sum(steps for _, steps in in_scripts) == 40
    assert undeclared(in_scripts)
    in_scripts.clear()
    script(40)
    assert not in_scripts, "only in the thread of a page's script"


def test_the_guard_knows_every_kind_of_run():
    names = {kind.__name__ for kind in environments()}
    assert names >= {"AdversaryEnvironment", "RankingEnvironment", "ClassificationEnvironment", "MultilabelEnvironment",
                     "Stepwise", "LiveEngine"}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_as_it_opens_computes_nothing_in_its_script(page):
    assert not open_page(page).exception  # what is computed fails the fixture `in_scripts`


def test_each_exception_names_a_function_that_exists():
    for place, (most, why) in DECLARED.items():
        file, _, name = place.partition(":")
        tree = ast.parse((ROOT / "pages" / file).read_text("utf-8"))
        assert name.rpartition(".")[2] in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}, place
        assert most > 0 and len(why) > 10
