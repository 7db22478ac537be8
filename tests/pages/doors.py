"""Notes which steps of runs a page takes in the thread of its script, where nothing estimates, queues or stops them.

Every step of every run goes through `run` of an environment. Computations of a page belong into a job of the server's
store (`pages/ui/jobs/queue.py`) or line (`pages/ui/server/line.py`), whose threads are no scripts.
"""

import sys
from pathlib import Path

from streamlit.runtime.scriptrunner import get_script_run_ctx

from learners.adversary.environment import AdversaryEnvironment
from learners.catalogue import families
from learners.environment import Watchable
from tests.conftest import ROOT

# functions of pages that may take steps in a script, each with the most steps of a call and why that is no open door
DECLARED = {}


def environments():
    """All classes that define how steps are taken."""
    found: set[type] = {AdversaryEnvironment, *(family.environment for family in families().values())}
    left = [Watchable]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        found.add(kind)
    return sorted((kind for kind in found if "run" in vars(kind)), key=lambda kind: kind.__qualname__)


def caller():
    """The nearest function of a page that led to a step."""
    frame = sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT / "pages"):
            return f"{path.relative_to(ROOT / 'pages').as_posix()}:{frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""


def spied(monkeypatch):
    """Return a list in which each call in a script's thread is noted, with its caller and its steps."""
    noted = []
    for kind in environments():
        monkeypatch.setattr(kind, "run", _noting(vars(kind)["run"], noted))
    return noted


def _noting(run, noted):
    def noting(self, steps):
        if get_script_run_ctx(suppress_warning=True) is not None:
            noted.append((caller(), steps))
        return run(self, steps)

    return noting


def undeclared(noted):
    """The notes that are not declared, or are more than is."""
    return [(who, steps) for who, steps in noted if steps > DECLARED.get(who, (0, ""))[0]]
