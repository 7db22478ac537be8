"""Has the runs of a lab recorded in the background, the present one and those that are shown behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from datasets.spec import Spec
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.files import choose as files
from pages.ui.files.sharing import load
from pages.ui.jobs.queue import QUEUE
from pages.ui.play.recording import Picture, Recording
from pages.ui.race import limits
from pages.ui.race.charts import ChartSpec, picture


def record(
    lab: str, setup: RunSpec, specs: Sequence[ChartSpec], look: Look, more: Mapping[str, Picture] = {}
) -> Callable[[], Recording]:
    """Have a setup recorded with its pictures, and `more` that is recorded at keyframes.

    Return a function that returns the recording.

    It is made anew if the server has dropped it. What the session had recorded for the lab before is not waited for any
    more; learners whose numbers are the same need not run again.
    """
    drawn = {spec.id: picture(spec, look) for spec in specs if spec.metric is None} | dict(more)
    version = data_version(setup.dataset)
    name = _name(setup, version, (lab, tuple(drawn), look) if drawn else ())
    before = st.session_state.get(f"{lab}:run")
    like = QUEUE.get(before)
    if before != name:
        QUEUE.leave(before)
    st.session_state[f"{lab}:run"] = name

    def make(like: Any = None) -> Recording:
        data = load(setup.dataset, version)
        return Recording(name, setup, data, drawn, like if isinstance(like, Recording) else None)

    QUEUE.open(name, partial(make, like))
    return lambda: QUEUE.open(name, make)


def record_behind(setup: RunSpec) -> Recording:
    """Have a kept run recorded and return its recording.

    Raises
    ------
    ValueError : with a sentence, if it asks for too much or its data cannot be loaded.
    """
    version = data_version(setup.dataset)
    name = _name(setup, version, ())

    def make() -> Recording:
        data = load(setup.dataset, version)
        limits.check_step(setup, data)
        return Recording(name, setup, data)

    return QUEUE.open(name, make)


def _name(setup: RunSpec, version: Hashable, drawn: Hashable) -> str:
    """Return a text that tells a recording from all others, the same on every server."""
    return hashlib.sha256(repr((setup, version, drawn)).encode()).hexdigest()[:16]


def load_data(choice: Spec) -> Any:
    """Return the data of a choice. All sessions share them; a file is read again when it has changed."""
    return load(choice, data_version(choice))


def data_version(choice: Spec) -> tuple[int, int] | None:
    """Return what changes with the file of a data set, if it has one."""
    return files.version(choice.values.get("path", ""))
