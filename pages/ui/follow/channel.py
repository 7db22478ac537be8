"""The way between a teacher's browser and those of a class: a WebSocket beside Streamlit's own, without its scripts.

Streamlit 1.67 offers four ways for a change to reach other browsers. They were measured with 30 students on two busy
shared cores, as a share of one core:

- a fragment with `run_every=0.5` that draws next to nothing: 17 %, also while nothing happens, and a change is seen
  half a second late at worst, plus the run of the script;
- a file under app/static that the browsers ask for four times a second: 16 %, and a file for each class on the disk;
- waking the sessions from outside: one run of a fragment each, 3 ms, by functions of Streamlit that are not public;
- a route of `st.App`: 3 % while the teacher scrubs ten times a second (0.1 ms a message, 7 ms from the teacher to a
  student in the median), 0.7 % while nothing happens.

So app.py names a route, `streamlit run app.py` serves it, and what the playhead does never runs a script. A WebSocket
rather than a stream of events, since a server that stops closes it at once, and since its end tells who has gone.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from typing import Any

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.ui.follow.classes import CLASSES, Classes
from pages.ui.follow.view import View, code_of, problem, tidied

PULSE, SILENCE = 2.5, 8.0  # seconds between two signs of life of the server; after which a browser is taken for gone
LARGEST, LONGEST = 10_000, 100  # signs of a message, of a secret
GONE = (WebSocketDisconnect, TimeoutError, RuntimeError)  # what happens where a browser has gone


class Post:
    """What one browser is still to be told. It is called from any thread; of what changes fast only the latest stays.

    >>> post = Post(None)
    >>> post({"view": 1}), post({"view": 2, "age": 0}), post({"people": 3}), post.take()
    (None, None, None, {'view': 2, 'age': 0, 'people': 3})
    """

    def __init__(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._loop, self._event = loop, asyncio.Event()
        self._waiting: dict[str, Any] = {}
        self._lock = threading.Lock()

    def __call__(self, message: dict[str, Any]) -> None:
        with self._lock:
            self._waiting |= message
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    def take(self) -> dict[str, Any]:
        """Return what is waiting, as one message."""
        with self._lock:
            self._waiting, taken = {}, self._waiting
        return taken

    async def deliver(self, socket: WebSocket) -> None:
        """Send what comes, and now and then, however much comes, a sign of life, which the browser answers."""
        pulsed = time.monotonic()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._event.wait(), PULSE)
            self._event.clear()
            message = self.take()
            if time.monotonic() >= pulsed + PULSE:
                pulsed = time.monotonic()
                message["pulse"] = True
            if message:
                with suppress(*GONE):  # who listens finds out
                    await socket.send_text(json.dumps(message))


async def _heard(socket: WebSocket) -> dict[str, Any]:
    text = await asyncio.wait_for(socket.receive_text(), SILENCE)
    if len(text) > LARGEST:
        raise ValueError("a message is too long")
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("a message must be an object")
    return message


async def _admit(code: str, secret: Any, classes: Classes, post: Post) -> str:
    """Let a browser lead a class, if it has a secret, or follow it. Return why not, "" if it may."""
    if not isinstance(secret, str):
        if refused := problem(code):
            return refused
        return "" if classes.join(code, post) else f"Nobody leads a class {code} on this server."
    if len(secret) > LONGEST or await asyncio.to_thread(code_of, secret) != code:
        return "This code belongs to another teacher."
    try:
        classes.lead(secret, post)
    except ValueError as error:
        return str(error)
    return ""


async def talk(socket: WebSocket, classes: Classes = CLASSES) -> None:
    """Talk with one browser, of a teacher or a student, until it goes."""
    await socket.accept()
    post = Post(asyncio.get_running_loop())
    code, delivering = tidied(socket.path_params["code"]), None
    try:
        secret = (await _heard(socket)).get("lead")
        if refused := await _admit(code, secret, classes, post):
            await socket.send_text(json.dumps({"refused": refused}))
            return
        delivering = asyncio.create_task(post.deliver(socket))
        while True:
            message = await _heard(socket)
            if "view" in message and isinstance(secret, str):
                classes.show(code, View.read(message["view"]))
    except ValueError:
        with suppress(*GONE):
            await socket.send_text(json.dumps({"refused": "This page is not of this server's version. Load it again."}))
    except GONE:
        pass
    finally:
        classes.leave(code, post)
        if delivering is not None:
            delivering.cancel()


def routes(base: str = "") -> list[BaseRoute]:
    """Return the routes that app.py adds to Streamlit's. base : the path below which it is served, "" for none."""
    return [WebSocketRoute(f"{'/' + base if base else ''}/follow/{{code}}", talk)]
