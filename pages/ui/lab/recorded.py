"""Have the runs of a lab recorded in the background, the present one and those that are shown behind it."""

import hashlib
from collections.abc import Hashable, Mapping
from typing import Any

from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.files.choose import data_version
from pages.ui.files.sharing import load_data
from pages.ui.jobs.queue import QUEUE
from pages.ui.play.recording import Picture, Recording
from pages.ui.race import limits

NO_MEMORY = "This setup needs more memory than the server has. Lower the queries, documents or features."


def record(setup: RunSpec, like: Any = None) -> Recording:
    """Have a run recorded, and return its recording, made anew if the server has dropped it.

    like : the job of another run. Learners whose numbers are the same there need not run again.

    Raises
    ------
    ValueError : with a sentence, if it asks for too much or its data cannot be loaded.
    """
    name = _name(setup)

    def make() -> Recording:
        limits.check(setup)
        try:
            data = load_data(setup.dataset)
            limits.check_step(setup, data)
            return Recording(name, setup, data, like=like if isinstance(like, Recording) else None)
        except MemoryError:
            raise ValueError(NO_MEMORY) from None

    return QUEUE.open(name, make)


def with_pictures(curves: Recording, lab: str, drawn: Mapping[str, Picture], look: Look) -> Recording:
    """Have pictures of a run drawn at keyframes, and return the recording that has them, the run's own without any.

    lab : names the place in which they are shown. drawn : the pictures by id, which have this look.
    """
    if not drawn:
        return curves
    name = _digest(curves.name, lab, tuple(drawn), look)
    return QUEUE.open(name, lambda: Recording(name, curves.setup, curves.data, drawn, after=curves))


def _name(setup: RunSpec) -> str:
    """Return the name of the recording of a run; that of other data in the same file is another one."""
    return _digest(setup, data_version(setup.dataset))


def _digest(*parts: Hashable) -> str:
    """Return a text that tells what it is made from, from all else; the same on every server."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
