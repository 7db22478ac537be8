"""Has the runs of a lab recorded in the background, the present one and those that are shown behind it."""

import hashlib
from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.files.sharing import data_version, load_data
from pages.ui.jobs.queue import QUEUE
from pages.ui.play.recording import Picture, Recording
from pages.ui.race import limits


class Opened:
    """Has a setup recorded, and returns its recording when it is called.

    A recording is made anew if the server has dropped it. The session no longer waits for the
    lab's recording before; learners whose numbers are the same need not run again.

    lab : names the place in which it is shown. drawn : what is drawn at keyframes, by id, with this look.
    """

    def __init__(self, lab: str, setup: RunSpec, look: Look, drawn: Mapping[str, Picture]) -> None:
        self.setup, self.drawn = setup, drawn
        self.curves = _name(setup)
        self.pictures = _name(setup, (lab, tuple(drawn), look)) if drawn else ""
        now = {f"{lab}:run": self.curves, f"{lab}:pictured-run": self.pictures}
        before = {key: st.session_state.get(key) for key in now}
        like = QUEUE.get(before[f"{lab}:run"])
        gone = {*before.values()} - {*now.values()}
        if before[f"{lab}:run"] in gone:
            gone.add(st.session_state.get(f"{lab}:scene"))  # of that run
        for name in gone:
            QUEUE.leave(name)
        for key, name in now.items():
            st.session_state[key] = name
        QUEUE.open(self.curves, partial(self._make, like))
        self.pictured()

    def __call__(self) -> Recording:
        """Return the recording of the curves."""
        return QUEUE.open(self.curves, self._make)

    def pictured(self) -> Recording | None:
        """Return the recording that has the pictures of the run at its keyframes, if any are drawn."""
        if not self.drawn:
            return None
        curves = self()
        return QUEUE.open(
            self.pictures, lambda: Recording(self.pictures, self.setup, curves.data, self.drawn, after=curves)
        )

    def _make(self, like: Any = None) -> Recording:
        data = load_data(self.setup.dataset)
        return Recording(self.curves, self.setup, data, like=like if isinstance(like, Recording) else None)


def record_behind(setup: RunSpec) -> Recording:
    """Have a kept run recorded and return its recording.

    Raises
    ------
    ValueError : with a sentence, if it asks for too much or its data cannot be loaded.
    """
    name = _name(setup)

    def make() -> Recording:
        data = load_data(setup.dataset)
        limits.check_step(setup, data)
        return Recording(name, setup, data)

    return QUEUE.open(name, make)


def _name(setup: RunSpec, drawn: Hashable = ()) -> str:
    """Return a text that tells a recording from all others, also of other data in the same file; on every server."""
    return hashlib.sha256(repr((setup, data_version(setup.dataset), drawn)).encode()).hexdigest()[:16]
