"""A client of an ASGI application, without a network."""

import asyncio
from types import SimpleNamespace


def get(app, path, query="", **headers):
    """The answer to GET: status, headers by their names in lower case, and body."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
        "server": ("test", 80),
        "client": ("127.0.0.1", 1), "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    start = next(message for message in sent if message["type"] == "http.response.start")
    body = b"".join(message.get("body", b"") for message in sent)
    named = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return SimpleNamespace(status=start["status"], headers=named, body=body)
