"""Words for a page that waits until algorithms are compiled, which happens once on a computer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx

from learners.compiled import waiting

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
            now = words(int(monotonic() - began))
            if now != said:
                place.info(now, icon=":material/hourglass_top:")
                said = now
    if said:
        place.empty()


def words(seconds: int) -> str:
    """Return what to say after some seconds.

    >>> words(12)
    'Compiling the algorithms, once for this computer. It takes about half a minute (12 s so far); then the run starts.'
    """
    so_far = f"about half a minute ({seconds} s so far)"
    return f"Compiling the algorithms, once for this computer. It takes {so_far}; then the run starts."
