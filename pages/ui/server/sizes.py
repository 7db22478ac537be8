"""Refuses messages that are too large by their header, before the server holds them.

Uvicorn has one limit for all WebSockets, `server.maxMessageSize`, and Streamlit's pages need it as large as their
messages. Those of browsers are far smaller. So each connection gets its own limit before the first message is read.
"""

from typing import Any

from pages.ui.server.headers import Receive, Scope, Send, Wrapper

PAGE = 2_000_000  # bytes of a message of a page; files come another way
OTHERS = 16_384  # of all other WebSockets, such as those of classes
STREAM = "/_stcore/stream"


class Sizes(Wrapper):
    """Sets the limit of each WebSocket where the server lets it be set; else `server.maxMessageSize` holds alone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            line: Any = getattr(getattr(receive, "__self__", None), "conn", None)  # of the library websockets
            if hasattr(line, "max_message_size"):
                line.max_message_size = PAGE if scope["path"].endswith(STREAM) else OTHERS
        await self.app(scope, receive, send)
