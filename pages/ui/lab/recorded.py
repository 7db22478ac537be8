"""Has the runs of a lab recorded in the background, the present one and those that are shown behind it."""

import hashlib
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st

from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.files.choose import data_version
from pages.ui.files.sharing import load_data
from pages.ui.jobs.queue import QUEUE
from pages.ui.play.recording import Picture, Recording
from pages.ui.race import limits

NO_MEMORY = "This setup needs more memory than the server has. Lower the queries, documents or features."


class Opened:
    """Has a setup recorded, and returns its recording when it is called.

    A recording is made anew if the server has dropped it. Learners whose numbers are those of the run that the session
    had recorded for the lab before need not run again.

    lab : names the place in which it is shown.

    Raises
    ------
    ValueError : with a sentence, if the setup asks for too much or its data cannot be loaded.
    """

    def __init__(self, lab: str, setup: RunSpec) -> None:
        self.setup, self._lab = setup, lab
        self._drawn: Mapping[str, Picture] = {}
        self._look: Look | None = None
        record(setup, like=QUEUE.get(st.session_state.get(f"{lab}:run")))

    def __call__(self) -> Recording:
        """Return the recording of the curves."""
        return record(self.setup)

    def draw(self, drawn: Mapping[str, Picture], look: Look) -> None:
        """Have pictures drawn at keyframes, by id, and no longer wait for the run that the lab showed before."""
        self._drawn, self._look = drawn, look
        run, pictured, state = self().name, self.pictured(), st.session_state
        if state.get(f"{self._lab}:run") != run:
            QUEUE.leave(state.get(f"{self._lab}:scene"))  # of the run before
        for part, name in {"run": run, "pictured-run": pictured.name if pictured else ""}.items():
            if (before := state.get(f"{self._lab}:{part}")) != name:
                QUEUE.leave(before)
            state[f"{self._lab}:{part}"] = name

    def pictured(self) -> Recording | None:
        """Return the recording that has the pictures of the run at its keyframes, if any are drawn."""
        if not self._drawn:
            return None
        curves = self()
        name = _digest(curves.name, self._lab, tuple(self._drawn), self._look)
        return QUEUE.open(name, lambda: Recording(name, self.setup, curves.data, self._drawn, after=curves))


def record(setup: RunSpec, like: Any = None) -> Recording:
    """Have a run recorded, and return its recording, made if it is not there. like : as in a `Recording`.

    Raises
    ------
    ValueError : with a sentence, if it asks for too much or its data cannot be loaded.
    """
    name = _name(setup)

    def make() -> Recording:
        limits.check(setup)
        with memory_refused():
            data = load_data(setup.dataset)
            estimate = limits.check_step(setup, data)
            before = like if isinstance(like, Recording) else None
            return Recording(name, setup, data, like=before, estimate=estimate)

    return QUEUE.open(name, make)


@contextmanager
def memory_refused() -> Iterator[None]:
    """Turn an error of too little memory into a ValueError with a sentence."""
    try:
        yield
    except MemoryError:
        raise ValueError(NO_MEMORY) from None


def _name(setup: RunSpec) -> str:
    """Return the name of the recording of a run; that of other data in the same file is another one."""
    return _digest(setup, data_version(setup.dataset))


def _digest(*parts: Hashable) -> str:
    """Return a text that tells what it is made from, from all else; the same on every server."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
