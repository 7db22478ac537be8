"""Downloads of the catalogue go through the queue: shared, a few at a time, counted, cancelled."""

import threading
import time

import pytest

from datasets.downloads.download import Cancelled
from datasets.spec import Spec
from pages.ui.files import downloading
from pages.ui.files.downloading import DownloadJob
from pages.ui.jobs.queue import DOWNLOADS, QUEUE, Queue
from tests.pages.test_pages import clean, open_page
from tests.waiting import soon

REUTERS = Spec("reuters4")
LINK = {"family": "classification", "dataset": "reuters4"}


@pytest.fixture
def network(monkeypatch, tmp_path):
    """A download that lasts until the event is set, or is cancelled; and who has begun one."""
    go, begun = threading.Event(), []

    def download(id, progress, cancelled, **params):
        begun.append(id)
        progress(500_000, 1_000_000, "fetching")
        while not go.wait(0.01):
            if cancelled():
                raise Cancelled("The download was cancelled")
        if "broken" in params:
            raise OSError("no route")

    monkeypatch.setattr(downloading, "download", download)
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path))
    yield go, begun
    go.set()


def test_the_page_starts_a_download_shows_how_far_it_is_and_cancels_it(network):
    _, begun = network
    app = clean(open_page("catalogue", show="data", **LINK))
    clean(app.button(key="download").click().run())
    soon(lambda: begun == ["reuters4"])
    clean(app.run())
    assert "Fetching: 0.5 of about 1 MB" in str(app.get("progress")[0].proto)
    other = clean(open_page("catalogue", show="data", **LINK))
    assert not [b for b in other.button if b.key == "download"], "whoever comes shares it"
    app.button(key="download-cancel").click().run()
    soon(lambda: QUEUE.downloads.metrics()["computed"] == 0)
    app.run()
    assert not app.exception
    assert app.error[0].value == "The download was cancelled." and app.button(key="download")


def test_a_few_run_at_a_time_and_the_next_wait_with_a_place(network):
    go, begun = network
    queue = Queue()
    jobs = [queue.enter(DownloadJob(REUTERS), n, f"person {n}").job for n in range(DOWNLOADS + 1)]
    soon(lambda: len(begun) == DOWNLOADS)
    assert jobs[-1].waiting() == "Waiting for a place on this server. Your run is next and begins by itself."
    go.set()
    for job in jobs:
        job.wait(20)
        assert job.complete and not job.failed


def test_it_goes_on_when_its_page_is_closed_and_counts_among_the_runs_of_a_person(network, monkeypatch):
    go, begun = network
    monkeypatch.setenv("FEEDBACK_LAB_PERSON_JOBS", "1")
    monkeypatch.setattr("pages.ui.server.sessions.connected", lambda owner: False)
    queue = Queue()
    job = queue.enter(DownloadJob(REUTERS), "one", "ada").job
    soon(lambda: begun)
    job.sessions = dict.fromkeys(job.sessions, time.monotonic() - 1e6)
    assert job.wanted and not job.stopped()
    second = queue.enter(DownloadJob(REUTERS), "two", "ada")
    assert second.refused == "You have 1 run here that has not ended; cancel one or wait." and len(begun) == 1
    go.set()
    job.wait(20)
    assert job.complete and not job.cancelled


def test_what_goes_wrong_is_said(network):
    go, _ = network
    go.set()
    job = Queue().enter(DownloadJob(Spec("reuters4", (("broken", True),)))).job
    job.wait(20)
    assert job.failed == "the download ended with an error: no route"
