"""The part of the Data page that downloads data: a button with size and source, progress, and cancellation."""

from __future__ import annotations

import threading
from typing import Any

import streamlit as st

from datasets.downloads.download import SOURCES, Cancelled, Source, download, downloads
from datasets.spec import Spec
from pages.ui.plain import plain
from pages.ui.server.strangers import may_fetch

TICK = 0.5  # seconds between two updates
_UNKNOWN = Source("", 0, "openml.org", "stated on the page of the data set at openml.org")


class Download:
    """A download in the background; it continues while people look at other pages."""

    def __init__(self, choice: Spec) -> None:
        self.done, self.words = 0, "starting"
        self.total: int | None = None
        self.error: str | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(choice,), daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Ask the download to stop soon."""
        self._stop.set()

    def _work(self, choice: Spec) -> None:
        try:
            download(choice.id, self._note_progress, self._stop.is_set, **choice.values)
        except (ValueError, Cancelled) as error:
            self.error = str(error)
        except Exception as error:  # the page shows every error
            self.error = f"the download ended with an error: {error}"

    def _note_progress(self, done: int, total: Any, words: str) -> None:
        self.done, self.total, self.words = done, total, words


@st.cache_resource(show_spinner=False)
def _downloads() -> dict[Spec, Download]:
    """Return the downloads of all sessions of this server, so that nothing is downloaded twice at a time."""
    return {}


def is_download(id: str) -> bool:
    """Return whether a data set comes from the internet."""
    return id in downloads()


def offer(choice: Spec) -> bool:
    """Return whether the data are on this server; if not, draw the download button or the progress."""
    dataset = downloads()[choice.id].make(**choice.values)
    try:
        if dataset.file.is_file():
            return True
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return False
    key = Spec(choice.id, tuple((k, v) for k, v in choice.params if k != "unit_length"))
    running = key in _downloads() and _downloads()[key].running
    st.session_state["downloading"] = running
    st.fragment(_live, run_every=TICK if running else None)(choice, key, dataset)
    return False


def _live(choice: Spec, key: Spec, dataset: Any) -> None:
    job = _downloads().get(key)
    running = job is not None and job.running
    if job is not None and running:
        _draw_progress(job)
    else:
        _draw_button(choice, key, dataset, job.error if job is not None else None)
    if running != st.session_state["downloading"]:
        st.rerun()  # shows the data once they are there, and turns the fragment's interval on or off


def _draw_progress(job: Download) -> None:
    share = min(0.99, job.done / job.total) if job.total else 0.0
    of = f" of about {job.total / 1e6:.0f}" if job.total else ""
    st.progress(share, f"{plain(job.words[:1].upper() + job.words[1:])}: {job.done / 1e6:.1f}{of} MB")
    st.button("Cancel", icon=":material/stop:", key="download-cancel", on_click=job.cancel)


def _draw_button(choice: Spec, key: Spec, dataset: Any, error: str | None) -> None:
    if error:
        st.error(f"{plain(error)}.", icon=":material/cloud_off:")
    source = SOURCES.get(dataset.label, _UNKNOWN)
    if not may_fetch():
        st.info(
            "These data are not on this server, and visitors cannot download them. Whoever runs the server can "
            f"(`FEEDBACK_LAB_FETCH`, {source.origin}).",
            icon=":material/cloud_off:",
        )
        return
    size = f"about {source.megabytes:g} MB" if source.megabytes else "size unknown"

    def start() -> None:
        _downloads()[key] = Download(choice)

    st.button(f"Download ({size} from {source.origin})", icon=":material/download:", key="download", on_click=start)
    what = f"{source.title}. " if source.title else ""
    st.caption(f"{what}Licence: {source.licence}. Kept on this server for everybody.")
