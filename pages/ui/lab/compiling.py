"""Words for a page that waits until algorithms are compiled, which happens once on a computer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx

from learners.compiled import waiting
from pages.ui.jobs.limits import compiles

PATIENCE = 0.4  # seconds without words; loading from the disk takes less


@contextmanager
def explained(place: DeltaGenerator) -> Iterator[None]:
    """Say in an empty `place` what the page waits for, if what it does here has to be compiled first."""
    done = threading.Event()
    thread = threading.Thread(target=_explain, args=(place, threading.get_ident(), done), daemon=True)
    # only a thread of its own may write: here, a click of the person would end the script in the middle of a step
    add_script_run_ctx(thread)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _explain(place: DeltaGenerator, waiter: int, done: threading.Event) -> None:
    said, began = "", monotonic()
    while not done.wait(PATIENCE):
        if waiting(waiter):
            now = compiles(int(monotonic() - began))
            if now != said:
                place.info(now, icon=":material/hourglass_top:")
                said = now
    if said:
        place.empty()
