"""Files that browsers send: those of a visit, and of all, fit into a stated memory."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from pages.ui.server import upload_limit

MB = 1_000_000


@pytest.fixture
def server(monkeypatch):
    """An app in place of Streamlit, which holds what it is sent; and a client."""
    held = {}

    async def keep(request):
        body = await request.body()
        held.setdefault(request.path_params["session"], []).append(len(body))
        return Response(status_code=204)

    async def page(request):
        return Response("page")

    monkeypatch.setenv(upload_limit.MEMORY_MB.name, "3")
    monkeypatch.setattr(
        upload_limit, "held", lambda session: (sum(held.get(session, [])), sum(map(sum, held.values())))
    )
    route = upload_limit.PLACE + "{session}/{file}"
    app = Starlette(
        routes=[Route(route, keep, methods=["PUT"]), Route("/", page)],
        middleware=[Middleware(upload_limit.UploadLimit)],
    )

    async def send(session, size, said=True, method="PUT", path=""):
        parts, sent = [b"x" * min(size, MB // 4)] * max(1, size // (MB // 4)), []
        left = list(parts)

        async def receive():
            await asyncio.sleep(0)
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

        async def answer(message):
            sent.append(message)

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path or f"{upload_limit.PLACE}{session}/1", "query_string": b"", "root_path": "",
            "server": ("test", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(b"content-length", str(sum(map(len, parts))).encode())] if said else [],
        }  # fmt: skip
        await app(scope, receive, answer)
        return sent[0]["status"], len(left)

    return held, send


def test_a_visit_has_a_third_of_the_room_and_hears_once_that_a_file_was_not_kept(server):
    held, send = server
    assert asyncio.run(send("me", MB // 2)) == asyncio.run(send("me", MB // 2)) == (204, 0)
    assert not upload_limit.was_refused("me")
    status, left = asyncio.run(send("me", MB))
    assert status == 204 and left == 0, "it is read to its end, or the browser would see a broken connection"
    assert (
        held == {"me": [MB // 2] * 2}
        and upload_limit.was_refused("me")
        and not upload_limit.was_refused("me")
        and not upload_limit.was_refused("you")
    )
    assert asyncio.run(send("you", MB)) == (204, 0) and held["you"] == [MB]


def test_all_visits_together_fit_into_the_room(server):
    held, send = server
    for i in range(5):
        asyncio.run(send(f"{i}", MB * 3 // 4))
    assert (
        sum(map(sum, held.values())) == 3 * MB and not upload_limit.was_refused("3") and upload_limit.was_refused("4")
    )


def test_files_on_their_way_count_as_if_they_were_there(server):
    held, send = server

    async def at_once():
        await asyncio.gather(*(send("me", MB // 2) for _ in range(6)))

    asyncio.run(at_once())
    assert held["me"] == [MB // 2] * 2 and upload_limit.was_refused("me")
    assert asyncio.run(send("you", MB // 2)) == (204, 0) and held["you"], "what was on its way counts no more"


def test_a_file_that_does_not_say_how_large_it_is_counts_as_the_largest(server):
    held, send = server
    assert asyncio.run(send("me", MB // 4, said=False)) == (204, 0)
    assert held == {} and upload_limit.was_refused("me")


def test_nothing_else_is_touched_and_a_stranger_is_left_to_streamlit(server, monkeypatch):
    held, send = server
    assert asyncio.run(send("me", 10 * MB, method="GET", path="/"))[0] == 200
    monkeypatch.setattr(upload_limit, "connected", lambda session: False)
    assert asyncio.run(send("nobody", 2 * MB))[0] == 204 and not upload_limit.was_refused("nobody")
    assert held == {"nobody": [2 * MB]}, "which refuses it itself"
