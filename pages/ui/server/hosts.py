"""Refuses pages of other sites, those that take this machine for theirs and those that open connections to it.

A page somewhere on the web can let its own name point to this machine (DNS rebinding). A browser here then treats the
app as a part of that page, and hands it over. So a server that listens on this machine alone takes connections only
under this machine's own names, unless they come through a proxy: a page cannot make a browser say so for a WebSocket,
through which everything in the app goes.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages.ui.server.exposure import address, is_forwarded, is_loopback
from pages.ui.server.headers import Receive, Scope, Send, Wrapper


def refused(host: str, headers: dict[str, str], listens: str | None) -> bool:
    """Return whether a connection is refused. host : as the browser gives it. listens : the server's address.

    >>> [refused(host, {}, "localhost") for host in ("localhost:8501", "127.0.0.1", "[::1]:8501", "evil.example:8501")]
    [False, False, False, True]
    >>> refused("lab.example.org", {}, "0.0.0.0"), refused("lab.example.org", {"x-forwarded-for": "::1"}, "localhost")
    (False, False)
    """
    return is_loopback(listens) and not is_loopback(_name(host)) and not is_forwarded(headers)


def is_unknown(host: str, listens: str | None) -> bool:
    """Return whether a request by HTTP names a host that a page of another site could have made up.

    Such a page can make a browser say that it comes through a proxy. So a server that listens on this machine alone,
    behind a proxy, answers only under names that the one who runs it has given.

    >>> [is_unknown(host, "localhost") for host in ("evil.example", "localhost:8501")], is_unknown("a.b", "0.0.0.0")
    ([True, False], False)
    """
    name = _name(host)  # "" in the check of an old load balancer, never in a browser's request
    return (
        bool(name)
        and is_loopback(listens)
        and not is_loopback(name)
        and name not in {_name(place) for place in _named()}
    )


def is_cross_origin(headers: Mapping[str, str]) -> bool:
    """Return whether a WebSocket comes from a page of another site, or not from a page.

    Its origin must be the host that it names, or that its proxy names, or one that `server.corsAllowedOrigins` allows.

    >>> host = {"host": "localhost:8501"}
    >>> is_cross_origin(host | {"origin": "http://localhost:8501"})
    False
    >>> is_cross_origin(host | {"origin": "https://evil.example"}), is_cross_origin(host)
    (True, True)
    """
    place = urlsplit(headers.get("origin", "")).netloc.lower()
    hosts = {headers.get(name, "").strip().lower() for name in ("host", "x-forwarded-host")}
    return not place or place not in hosts | _named()


def _named() -> set[str]:
    """Return the hosts that the one who runs the server has named."""
    given = st.config.get_option("server.corsAllowedOrigins") or ()
    return {(urlsplit(origin).netloc or origin).lower() for origin in given}


def _name(host: str) -> str:
    return host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0].lower()


class Hosts(Wrapper):
    """Closes every WebSocket that is refused before it is open."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            headers: dict[str, Any] = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
            if refused(headers.get("host", ""), headers, address()):
                await receive()  # "websocket.connect"
                await send({"type": "websocket.close", "code": 1008})
                return
        await self.app(scope, receive, send)
