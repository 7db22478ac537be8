"""Refuses pages of other sites that take this machine for theirs.

A page somewhere on the web can let its own name point to this machine (DNS rebinding). A browser here then treats the
app as a part of that page, and hands it over. So a server that listens on this machine alone takes connections only
under this machine's own names, unless they come through a proxy: a page cannot make a browser say so for a WebSocket,
through which everything in the app goes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.middleware import Middleware

from pages.ui.server.headers import Receive, Scope, Send
from pages.ui.server.strangers import address, forwarded, local


def refused(host: str, headers: dict[str, str], listens: str | None) -> bool:
    """Return whether a connection is refused. host : as the browser gives it. listens : the server's address.

    >>> [refused(host, {}, "localhost") for host in ("localhost:8501", "127.0.0.1", "[::1]:8501", "evil.example:8501")]
    [False, False, False, True]
    >>> refused("lab.example.org", {}, "0.0.0.0"), refused("lab.example.org", {"x-forwarded-for": "::1"}, "localhost")
    (False, False)
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    return local(listens) and not local(name) and not forwarded(headers)


class Hosts:
    """Closes every WebSocket that is refused before it is open."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            headers: dict[str, Any] = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
            if refused(headers.get("host", ""), headers, address()):
                await receive()  # "websocket.connect"
                await send({"type": "websocket.close", "code": 1008})
                return
        await self.app(scope, receive, send)


def middleware() -> list[Middleware]:
    """Return what `st.App` takes."""
    return [Middleware(Hosts)]
