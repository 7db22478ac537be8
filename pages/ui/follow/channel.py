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

import asyncio
import json
import threading
import time
from contextlib import suppress
from typing import Any

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.ui.follow.classes import CLASSES, Classes
from pages.ui.follow.limits import LIMITS, TOO_MANY_CLASSES, TOO_MANY_CODES, Limits, TokenBucket, network
from pages.ui.follow.view import TeacherView, code_of, problem, tidied
from pages.ui.server import hosts

PULSE, SILENCE = 2.5, 8.0  # seconds between two signs of life of the server; after which a browser is taken for gone
LARGEST_MESSAGE, LONGEST_SECRET = 10_000, 100  # bytes of a message, letters of a secret
MESSAGES, MESSAGE = 200, 0.025  # of a connection at once, and seconds until one more
GONE = (WebSocketDisconnect, TimeoutError, RuntimeError)  # what happens where a browser has gone


class Post:
    """The messages that one browser is still to be sent, filled from any thread; of what changes fast the latest stays.

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
    try:
        text = await asyncio.wait_for(socket.receive_text(), SILENCE)
    except KeyError:
        raise ValueError("a message must be a text") from None
    if len(text) > LARGEST_MESSAGE:  # where the server could not refuse it by its header (see pages/ui/server/sizes.py)
        raise ValueError("a message is too long")
    try:
        message = json.loads(text)
    except RecursionError:
        raise ValueError("a message is too deep") from None
    if not isinstance(message, dict):
        raise ValueError("a message must be an object")
    return message


async def _admit(code: str, secret: Any, own: str, classes: Classes, limits: Limits, post: Post) -> str:
    """Let a browser lead a class, if it has a secret, or follow it. Return why not, "" if it may.

    own : the network from which it comes.
    """
    if not isinstance(secret, str):
        if refused := problem(code):
            return refused
        if not limits.tries(own, code, classes.knows(code, own)):
            return TOO_MANY_CODES
        return classes.join(code, post, own)
    if not limits.begins(own):
        return TOO_MANY_CLASSES
    if len(secret) > LONGEST_SECRET or await asyncio.to_thread(code_of, secret) != code:
        return "This code belongs to another teacher."
    try:
        classes.lead(secret, post, own)
    except ValueError as error:
        return str(error)
    return ""


async def talk(socket: WebSocket, classes: Classes = CLASSES, limits: Limits = LIMITS) -> None:
    """Talk with one browser, of a teacher or a student, until it goes. A page of another site is not talked to."""
    if hosts.is_cross_origin(socket.headers):
        await socket.close(1008)
        return
    await socket.accept()
    own = network(socket.client.host if socket.client else None)
    post, bucket = Post(asyncio.get_running_loop()), TokenBucket(MESSAGES, MESSAGE)
    code, delivering, refused = tidied(socket.path_params["code"]), None, limits.come(own)
    try:
        secret = None if refused else (await _heard(socket)).get("lead")
        if refused := refused or await _admit(code, secret, own, classes, limits, post):
            await socket.send_text(json.dumps({"refused": refused}))
            return
        delivering = asyncio.create_task(post.deliver(socket))
        while bucket.lets():
            message = await _heard(socket)
            if "view" in message and isinstance(secret, str):
                classes.show(code, TeacherView.read(message["view"]))
        await socket.close(1008)
    except ValueError:
        with suppress(*GONE):
            await socket.send_text(json.dumps({"refused": "This page is not of this server's version. Load it again."}))
    except GONE:
        pass
    finally:
        limits.go(own)
        classes.leave(code, post)
        if delivering is not None:
            delivering.cancel()


def routes(base: str = "") -> list[BaseRoute]:
    """Return the routes that app.py adds to Streamlit's. base : the path below which it is served, "" for none."""
    return [WebSocketRoute(f"{'/' + base if base else ''}/follow/{{code}}", talk)]
