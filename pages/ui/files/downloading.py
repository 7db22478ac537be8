"""The part of the catalogue that downloads data: a button with size and source, progress, and cancellation."""

from collections.abc import Hashable
from functools import partial
from typing import Any

import streamlit as st

from datasets.downloads.download import SOURCES, Cancelled, Source, download, downloads
from datasets.spec import Spec
from pages.ui.jobs.job import Whole
from pages.ui.jobs.queue import QUEUE
from pages.ui.plain import plain
from pages.ui.server.exposure import may_fetch
from pages.ui.ticking import ticking

_UNKNOWN = Source("", 0, "openml.org", "stated on the page of the data set at openml.org")


class DownloadJob(Whole):
    """A download; it goes on while people look at other pages, until one of them cancels it."""

    lane = "downloads"
    stays = False

    def __init__(self, choice: Spec) -> None:
        super().__init__()
        self.choice, self.away = choice, float("inf")
        self.done, self.step = 0, "starting"
        self.total: int | None = None

    def work(self) -> None:
        """Download the data."""
        try:
            download(self.choice.id, self._note_progress, self.stopped, **self.choice.values)
        except (ValueError, Cancelled) as error:
            self.failed = str(error)
        except Exception as error:  # the page shows every error
            self.failed = f"the download ended with an error: {error}"

    def _note_progress(self, done: int, total: Any, words: str) -> None:
        self.done, self.total, self.step = done, total, words


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
    key = "download", Spec(choice.id, tuple((k, v) for k, v in choice.params if k != "unit_length"))
    ticking("downloading", partial(_live, choice, key, dataset))  # which shows the data once they are there
    return False


def _live(choice: Spec, key: Hashable, dataset: Any) -> bool:
    """Draw the button or the progress, and return whether a download is under way."""
    job = QUEUE.get(key)
    if isinstance(job, DownloadJob) and not job.complete:
        _draw_progress(job)
        return True
    _draw_button(choice, key, dataset, job.failed if job is not None else "")
    return False


def _draw_progress(job: DownloadJob) -> None:
    share = min(0.99, job.done / job.total) if job.total else 0.0
    of = f" of about {job.total / 1e6:.0f}" if job.total else ""
    st.progress(share, job.waiting() or f"{plain(job.step[:1].upper() + job.step[1:])}: {job.done / 1e6:.1f}{of} MB")
    st.button("Cancel", icon=":material/stop:", key="download-cancel", on_click=_cancel, args=(job,))


def _cancel(job: DownloadJob) -> None:
    job.stop()
    QUEUE.look()


def _draw_button(choice: Spec, key: Hashable, dataset: Any, error: str) -> None:
    if refused := st.session_state.get("download-refused"):
        st.error(plain(refused), icon=":material/block:")
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
        st.session_state["download-refused"] = QUEUE.enter(DownloadJob(choice), key).refused

    st.button(f"Download ({size} from {source.origin})", icon=":material/download:", key="download", on_click=start)
    what = f"{source.title}. " if source.title else ""
    st.caption(f"{what}Licence: {source.licence}. Kept on this server for everybody.")
