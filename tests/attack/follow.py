"""Speaks to the channel of classes as no page does, and looks at what the server makes of it.

    python -m tests.attack.follow                    # on a server of its own
    python -m tests.attack.follow --minutes 20       # until the time is over, without an end of the cases

Origins of other sites, messages that are too large, nonsense, deep, in pieces or never ending, codes one after another,
classes without end, silent connections. After each the server must be well, without a fault in its log and without
memory that it keeps. It speaks to 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import struct
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import psutil
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pages.ui.follow.limits import TOO_MANY_CODES, WRONG
from pages.ui.follow.view import SIGNS as LETTERS
from pages.ui.follow.view import code_of, new_secret
from tests.attack.tally import FINE, Tally, command
from tests.browser.conftest import start_server

ROUNDS = 40  # of all attacks, each drawn anew
KEY = "an operator's key"
GROWTH = 250  # MB by which the server may have grown at the end of a round
NONSENSE = (
    "", "{", "[]", "3", "null", "[" * 9000, '{"lead": 3}', '{"lead": null}', '{"lead": "\\ud800"}', '{"join": [1]}',
    '{"view": {}}', '{"view": {"t": NaN}}', '{"view": 1e999}', '{"lead": "' + "x" * 9000 + '"}', "9" * 9000,
    b"\x00\xff", b"[1]", "\x00", "é" * 4000, '{"a": ' * 900 + "1" + "}" * 900,
)  # fmt: skip


class Server:
    """The server that is attacked. address : such as http://127.0.0.1:8501. process : of the server."""

    def __init__(self, address: str, pid: int) -> None:
        self.address, self.process = address, psutil.Process(pid)
        self.faults = self.read()["faults"]

    def read(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/status?format=json&key={KEY.replace(' ', '%20')}") as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def connect(self, code: str, origin: str | None = "own", path: str = "follow/") -> Any:
        """Return a connection to be awaited. origin : "own" for that of the server's pages, None for none."""
        where = self.address.replace("http", "ws") + f"/{path}{code}"
        own = self.address if origin == "own" else origin
        return websockets.connect(where, origin=own, max_size=None, proxy=None, open_timeout=60)  # type: ignore[arg-type]

    async def hears(self, code: str, greeting: Any, origin: str | None = "own") -> dict[str, Any]:
        """Return what a connection hears first, {} where it hears nothing."""
        async with self.connect(code, origin) as line:
            await line.send(greeting if isinstance(greeting, str | bytes) else json.dumps(greeting))
            try:
                found: dict[str, Any] = json.loads(await asyncio.wait_for(line.recv(), 30))
            except ConnectionClosed:
                return {}
            return found


Attack = Callable[[Server, random.Random], Awaitable[str]]  # returns what was wrong, "" if nothing was


async def origins(server: Server, draw: random.Random) -> str:
    """No page of another site is talked to."""
    port = int(server.address.rpartition(":")[2])
    for origin in ("https://evil.example", f"http://127.0.0.1:{port + 1}", "null", None, "file://", f"http://x@:{port}",
                   f"http://127.0.0.1:{port}.evil.example"):  # fmt: skip
        try:
            async with server.connect(code_of("x"), origin):
                return f"the origin {origin} was let in"
        except InvalidStatus:
            pass
    return ""


async def nonsense(server: Server, draw: random.Random) -> str:
    """What is no message is refused in a sentence, or ends the connection."""
    secret = new_secret()
    for text in draw.sample(NONSENSE, 8):
        heard = await server.hears(code_of(secret), text)
        if heard and "away" not in heard and not heard.get("refused", "").endswith("."):  # it has joined, or may not
            return f"{text[:40]!r} was answered by {heard}"
        async with server.connect(code_of(secret)) as line:
            with suppress(ConnectionClosed):
                for said in (json.dumps({"lead": secret}), text, "{"):  # the last is refused if nothing before it is
                    await line.send(said)
            await _end(line)
    return ""


async def sizes(server: Server, draw: random.Random) -> str:
    """A message that is too large is refused by its header, before it is held; also one in pieces."""
    before = server.process.memory_info().rss
    for path, code in (("follow/", "AAAAAA"), ("_stcore/", "stream")):
        said = draw.choice((60_000_000, 190_000_000, 2**40, 2**62))
        for line in [await _raw(server, path, code) for _ in range(6)]:
            reader, writer = line
            writer.write(b"\x81\xff" + struct.pack(">Q", said) + b"\0" * 4)
            closed = await _closed(reader, writer, bytes(65536), 3000)
            if not closed:
                return f"{path}: 190 MB of a message were read"
    reader, writer = await _raw(server, "follow/", "AAAAAA")
    piece = b"\x01\xfe" + struct.pack(">H", 8000) + b"\0" * 4 + b" " * 8000  # a text in pieces without end
    writer.write(piece)
    if not await _closed(reader, writer, b"\x00" + piece[1:], 1000):
        return "a message in pieces without end was held"
    grown = (server.process.memory_info().rss - before) / 1e6
    return f"{grown:.0f} MB were held" if grown > GROWTH else ""


async def codes(server: Server, draw: random.Random) -> str:
    """Codes one after another are braked, and a class with its teacher here is joined all the same."""
    secret = new_secret()
    async with server.connect(code_of(secret)) as teacher:
        await teacher.send(json.dumps({"lead": secret}))
        if "refused" in (heard := json.loads(await asyncio.wait_for(teacher.recv(), 30))):
            return f"a teacher was refused: {heard}"
        said = []
        for _ in range(WRONG + 10):
            code = "".join(draw.choice(LETTERS) for _ in range(6))
            said.append((await server.hears(code, {"join": True})).get("refused"))
        if TOO_MANY_CODES not in said:
            return "codes could be tried without end"
        heard = await server.hears(code_of(secret), {"join": True})
        return "" if "refused" not in heard else f"a student was refused: {heard['refused']}"


async def leads(server: Server, draw: random.Random) -> str:
    """Classes that were begun and left leave room for a teacher who comes."""
    for _ in range(50):
        secret = new_secret()
        await server.hears(code_of(secret), {"lead": secret})
    secret = new_secret()
    for _ in range(20):  # the brake on new classes lets one in each second
        heard = await server.hears(code_of(secret), {"lead": secret})
        if "refused" not in heard:
            return ""
        await asyncio.sleep(1)
    return f"a teacher was refused: {heard['refused']}"


async def floods(server: Server, draw: random.Random) -> str:
    """Who sends without end is cut off, and who says nothing is let go."""
    secret = new_secret()
    silent = [await server.connect(code_of(secret)) for _ in range(100)]
    async with server.connect(code_of(secret)) as line:
        await line.send(json.dumps({"lead": secret}))
        try:
            for _ in range(5000):
                await line.send("{}")
            await asyncio.wait_for(line.wait_closed(), 30)
        except ConnectionClosed:
            pass
        except TimeoutError:
            return "5,000 messages were taken"
    for quiet in silent:
        await asyncio.wait_for(quiet.wait_closed(), 60)
    return ""


ATTACKS: tuple[Attack, ...] = (origins, nonsense, sizes, codes, leads, floods)


async def _end(line: Any) -> None:
    try:
        async with asyncio.timeout(30):
            while "refused" not in json.loads(await line.recv()):
                pass
    except (ConnectionClosed, TimeoutError):
        pass


async def _raw(server: Server, path: str, code: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a WebSocket that is open, without a library that knows what may be sent."""
    host = server.address.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    writer.write(
        f"GET /{path}{code} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "\r\n".encode()
    )
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
    return reader, writer


async def _closed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, piece: bytes, times: int) -> bool:
    """Send a piece again and again; return whether the server ends the connection before all was sent."""
    try:
        for _ in range(times):
            writer.write(piece)
            await asyncio.wait_for(writer.drain(), 30)
            if reader.at_eof():
                return True
            await asyncio.sleep(0)
        while await asyncio.wait_for(reader.read(65536), 30):
            pass
        return False
    except OSError:
        return True
    except TimeoutError:
        return False
    finally:
        writer.close()


def judge(server: Server, attack: Attack, seed: str) -> tuple[str, str]:
    """Attack once; return the outcome, and what was wrong."""
    try:
        wrong = asyncio.run(attack(server, random.Random(seed)))
    except (OSError, TimeoutError, InvalidStatus, ConnectionClosed) as error:
        wrong = f"{type(error).__name__}: {error}"
    found = server.read()
    if found["faults"] != server.faults:
        server.faults = found["faults"]
        return "traceback", str(found["faults"][:2])
    return ("guard reached", wrong) if wrong else (FINE, "")


def attacked(server: Server, seed: int = 0, rounds: int = ROUNDS, end: float = float("inf")) -> Tally:
    """Attack a server in rounds, until the time of the monotonic clock is over."""
    tally = Tally("follow")
    for number in range(rounds):
        for attack in ATTACKS:
            if time.monotonic() >= end:
                return tally
            tally.add(f"#{number} {attack.__name__}", *judge(server, attack, f"{seed} {number} {attack.__name__}"))
    return tally


def campaign(seed: int = 0, workers: int = 1, rounds: int = ROUNDS, minutes: float = 0.0) -> Tally:
    """Start a server and attack it, for so many minutes where they are given."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FEEDBACK_LAB_OPERATOR"] = KEY
        process, address = start_server(folder)
        try:
            end = time.monotonic() + 60 * minutes if minutes else float("inf")
            return attacked(Server(address, process.pid), seed, 10**6 if minutes else rounds, end)
        finally:
            process.kill()
            process.wait()
            del os.environ["FEEDBACK_LAB_OPERATOR"]


if __name__ == "__main__":
    raise SystemExit(command(campaign, __doc__, rounds=ROUNDS, minutes=0.0))
