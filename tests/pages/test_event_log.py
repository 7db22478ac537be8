"""The structured log: one line of JSON an event, and nothing in it that tells who a person is."""

import io
import json
import logging

import numpy as np
import pytest

from pages.ui.server import event_log


@pytest.fixture
def log(monkeypatch):
    """The content of the log, as written by `listen` on loggers without handlers; all is as before at the end."""
    stream, names = io.StringIO(), (event_log.NAME, "", "streamlit.error_util")
    before = {name: (list(logging.getLogger(name).handlers), logging.getLogger(name).propagate) for name in names}
    for name in names:
        logging.getLogger(name).handlers[:] = []
    event_log.listen(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    for name, (handlers, propagate) in before.items():
        logging.getLogger(name).handlers[:] = handlers
        logging.getLogger(name).propagate = propagate


def test_an_event_is_one_line_of_json(log):
    event_log.note("sweep-started", seconds=1.23456, batches=np.int64(3), cancelled=False, family="ranking")
    (line,) = log()
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "sweep-started", "seconds": 1.235, "batches": 3, "cancelled": False, "family": "ranking",
    }  # fmt: skip
    event_log.note("odd", share=float("nan"))
    assert log()[-1]["share"] == "nan", "strict JSON has no NaN"


@pytest.mark.parametrize("text", ["marks of 5b.csv", "a@b.org", "/home/ada/x", "10.0.0.1", "two\nlines", "é", "x" * 41])
def test_a_text_that_could_be_somebodys_is_refused(log, text):
    with pytest.raises(ValueError, match=r"^label must be a number, a flag or a word .* in the log, got a text$"):
        event_log.note("upload", label=text)
    assert log() == []


def test_a_logged_error_is_counted_with_its_place_in_the_code_and_without_its_words(log):
    from datasets import load

    event_log.faults.clear()
    for name in ("pages.ui.jobs.workers", "streamlit.error_util"):
        try:
            load("no-such-data-of-ada")
        except ValueError:
            logging.getLogger(name).error("broke off", exc_info=True)
    logging.getLogger("pages").warning("no fault")
    lines = [line for line in log() if line["event"] == "fault"]
    assert [line["kind"] for line in lines] == ["ValueError"] * 2 == [one["kind"] for one in event_log.faults]
    assert all(line["where"].startswith("datasets/") and line["where"].rsplit(":")[1].isdigit() for line in lines)
    assert "ada" not in json.dumps([*lines, *event_log.faults])


def test_listening_twice_writes_an_event_once(log):
    event_log.listen()
    event_log.note("once")
    assert len(log()) == 1


def test_the_latest_faults_are_kept_and_no_more():
    event_log.faults.clear()
    for _ in range(3 * event_log.LATEST):
        event_log.fault(KeyError("secret"))
    assert len(event_log.faults) == event_log.LATEST and "secret" not in str(event_log.faults)
