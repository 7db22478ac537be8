"""The headers that the server adds to every answer, and the address that says how it is."""

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.ui.server import headers, health, hosts
from pages.ui.server.middleware import MIDDLEWARE
from tests.pages.asgi import get


@pytest.fixture
def app():
    async def page(request):
        return PlainTextResponse("ours", headers={"X-Content-Type-Options": "other"})

    return Starlette(routes=[Route("/", page), *health.routes()], middleware=[Middleware(headers.Headers)])


def test_no_other_host_is_named_in_the_policy(app):
    answer = get(app, "/")
    policy = answer.headers["content-security-policy"]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'self'" and parts["object-src"] == "'none'"
    allowed = {"'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "data:", "blob:"}
    assert {source for sources in parts.values() for source in sources.split()} <= allowed
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["x-content-type-options"] == "other", "what an answer says itself stays"
    assert headers.Headers in [added.cls for added in MIDDLEWARE]


def test_health_says_how_the_server_is(app, monkeypatch):
    answer = get(app, "/health")
    found = json.loads(answer.body)
    assert answer.status == 200 and found["status"] == "ok" and found["problems"] == []
    assert found["memory_mb"] > 50 and found["threads"] >= 1 and found["seconds"] >= 0
    monkeypatch.setattr(health, "LEAST_MB", 1e12)
    answer = get(app, "/health")
    assert answer.status == 503 and json.loads(answer.body)["problems"] == [json.loads(answer.body)["problems"][0]]
    assert "MB are free" in json.loads(answer.body)["problems"][0]


def test_routes_stand_below_the_path_of_the_app():
    assert [route.path for route in health.routes("lab")] == ["/lab/health"]


@pytest.mark.parametrize(
    ("host", "others", "listens", "passes"),
    [
        ("localhost:8501", {}, "localhost", True),
        ("[::1]:8501", {}, "localhost", True),
        ("evil.example:8501", {}, "localhost", False),
        ("evil.example", {}, "127.0.0.1", False),
        ("", {}, "localhost", False),
        ("lab.example.org", {"X-Forwarded-For": "203.0.113.7"}, "localhost", True),
        ("lab.example.org", {}, "0.0.0.0", True),
    ],
)
def test_a_page_that_takes_this_machine_for_its_own_is_refused(host, others, listens, passes, monkeypatch):
    """DNS rebinding: host and origin are the same, so that neither the browser nor Streamlit minds."""
    monkeypatch.setattr(hosts, "address", lambda: listens)
    sent, reached = [], []

    async def inner(scope, receive, send):
        reached.append(scope["type"])

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message["type"])

    headers = [(k.encode(), v.encode()) for k, v in ({"Host": host, "Origin": f"http://{host}"} | others).items()]
    asyncio.run(hosts.Hosts(inner)({"type": "websocket", "headers": headers}, receive, send))
    assert (reached, sent) == ((["websocket"], []) if passes else ([], ["websocket.close"]))
    assert hosts.Hosts in [added.cls for added in MIDDLEWARE]
