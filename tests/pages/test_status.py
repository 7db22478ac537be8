"""The status page: who may see it, and what it shows."""

import json
from html.parser import HTMLParser

import pytest
from starlette.applications import Starlette

from learners import plugins
from pages.ui import variables
from pages.ui.jobs.queue import QUEUE
from pages.ui.server import event_log, health, status
from pages.ui.server_metrics import METRICS
from tests.pages.asgi import get as asked

KEY = "a key of ours <b>&"


def get(path, query=""):
    """The answer to a question with a query."""
    app = Starlette(routes=[*status.routes("lab", METRICS, variables.VARIABLES), *health.routes("lab", METRICS)])

    async def with_query(scope, receive, send):
        await app(scope | {"query_string": query.encode()}, receive, send)

    return asked(with_query, path)


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_OPERATOR", KEY)
    return "key=a%20key%20of%20ours%20%3Cb%3E%26"


def test_without_a_key_there_is_no_such_page(monkeypatch):
    for value in ("", "short"):
        monkeypatch.setenv("FEEDBACK_LAB_OPERATOR", value)
        for query in ("", "key=", f"key={value}"):
            assert get("/lab/status", query).status == 404


def test_another_key_finds_nothing(key):
    for query in ("", "key=", "key=a", key + "x", "key=%ff%00", "key=%ED%A0%BD"):
        answer = get("/lab/status", query)
        assert answer.status == 404 and answer.body == b"Not Found"


def test_the_page_tells_people_jobs_memory_caches_and_settings(key, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PEOPLE", "17")
    answer = get("/lab/status", key + "&format=json")
    found = json.loads(answer.body)
    assert answer.status == 200 and answer.headers["cache-control"] == "no-store"
    assert found["memory_mb"] > 50 and found["free_memory_mb"] > 0 and found["problems"] == []
    assert set(found["runs_in_labs"]) >= {"kept", "computed", "waiting", "people", "megabytes", "long_steps"}
    assert set(found["sweeps_and_figures"]) >= {"computed", "waiting", "people"}
    assert found["data"].keys() == found["uploads"].keys() == {"kept", "megabytes"}
    assert found["variables"]["FEEDBACK_LAB_PEOPLE"] == 17
    assert len(found["variables"]) == len(variables.VARIABLES)
    assert found["variables"]["FEEDBACK_LAB_OPERATOR"] == "set" and KEY not in answer.body.decode()


def test_a_value_that_is_not_allowed_is_said_and_the_page_stands(key, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_PEOPLE", "<b>many</b>")
    page = get("/lab/status", key).body.decode()
    assert "FEEDBACK_LAB_PEOPLE must be a whole number in [1, 100000], got &lt;b&gt;many" in page and "<b>" not in page


def test_faults_are_shown_by_kind_and_place_only(key):
    event_log.faults.clear()
    try:
        raise KeyError("marks of ada.csv")
    except KeyError as error:
        event_log.fault(error)
    page = get("/lab/status", key).body.decode()
    assert "Free memory (MB)" in page and "KeyError at tests/pages/test_status.py:" in page and "ada" not in page
    event_log.faults.clear()


def test_plugins_are_shown_with_why_one_is_left_out(key, monkeypatch):
    assert "Plugins" not in get("/lab/status", key).body.decode()
    monkeypatch.setattr(plugins, "offered", {"decay.py": ["decay", "calm"]})
    monkeypatch.setattr(plugins, "refused", {"<b>.py": "<b>.py cannot be read: KeyError: 'x'."})
    page = get("/lab/status", key).body.decode()
    assert "<th>decay.py</th><td>offers decay, calm</td>" in page
    assert "<th>&lt;b&gt;.py</th><td>Left out. &lt;b&gt;.py cannot be read" in page
    assert "decay.py" in json.loads(get("/lab/status", key + "&format=json").body)["plugins"]
    assert "decay.py" not in get("/lab/health").body.decode()


def test_the_page_is_whole_html_without_scripts(key):
    class Tags(HTMLParser):
        open, seen = [], set()

        def handle_starttag(self, tag, attributes):
            self.seen.add(tag)
            if tag != "meta":
                self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

    tags = Tags()
    tags.feed(get("/lab/status", key).body.decode())
    assert not tags.open and "script" not in tags.seen and {"h1", "table", "section"} <= tags.seen


def test_health_reads_the_same_and_says_when_steps_do_not_end(monkeypatch):
    found = json.loads(get("/lab/health").body)
    assert found["runs_in_labs"]["computed"] == 0 and found["status"] == "ok"
    monkeypatch.setattr(QUEUE.threads, "_long", lambda: [None] * health.MANY_LONG)
    answer = get("/lab/health")
    assert answer.status == 503
    assert json.loads(answer.body)["problems"] == ["4 runs are in steps that take very long"]
